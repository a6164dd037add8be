//! The flags of the processor, and the conditions over them.

use super::Size;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    pub zero: bool,
    pub carry: bool,
    pub sign: bool,
    pub overflow: bool,
    pub parity: bool,
}

impl Flags {
    /// Sets the flags that depend on a result alone.
    pub(super) fn set_result(&mut self, result: u64, size: Size) {
        self.zero = result & size.mask() == 0;
        self.sign = result & size.sign_bit() != 0;
        self.parity = (result as u8).count_ones().is_multiple_of(2);
    }
}

/// What conditional instructions ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    test: Test,
    negated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Overflow,
    Below,
    Equal,
    BelowOrEqual,
    Sign,
    Parity,
    Less,
    LessOrEqual,
}

impl Condition {
    /// Reads the condition of a mnemonic: the `ne` of `setne`.
    pub fn parse(name: &str) -> Option<Condition> {
        let (test, negated) = match name {
            "o" => (Test::Overflow, false),
            "no" => (Test::Overflow, true),
            "b" | "c" | "nae" => (Test::Below, false),
            "ae" | "nc" | "nb" => (Test::Below, true),
            "e" | "z" => (Test::Equal, false),
            "ne" | "nz" => (Test::Equal, true),
            "be" | "na" => (Test::BelowOrEqual, false),
            "a" | "nbe" => (Test::BelowOrEqual, true),
            "s" => (Test::Sign, false),
            "ns" => (Test::Sign, true),
            "p" | "pe" => (Test::Parity, false),
            "np" | "po" => (Test::Parity, true),
            "l" | "nge" => (Test::Less, false),
            "ge" | "nl" => (Test::Less, true),
            "le" | "ng" => (Test::LessOrEqual, false),
            "g" | "nle" => (Test::LessOrEqual, true),
            _ => return None,
        };
        Some(Condition { test, negated })
    }

    pub fn holds(self, flags: Flags) -> bool {
        let less = flags.sign != flags.overflow;
        let holds = match self.test {
            Test::Overflow => flags.overflow,
            Test::Below => flags.carry,
            Test::Equal => flags.zero,
            Test::BelowOrEqual => flags.carry || flags.zero,
            Test::Sign => flags.sign,
            Test::Parity => flags.parity,
            Test::Less => less,
            Test::LessOrEqual => less || flags.zero,
        };
        holds != self.negated
    }
}
