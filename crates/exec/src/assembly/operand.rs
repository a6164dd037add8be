//! Operands of instructions in AT&T syntax.

use super::register::{Register, Size};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Register(Register),
    Immediate(i64),
    Memory(Address),
}

/// `displacement + base + index · scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub base: Option<u8>,
    pub index: Option<u8>,
    pub scale: u8,
    pub displacement: i64,
}

impl Operand {
    pub(super) fn register(index: u8, size: Size) -> Operand {
        Operand::Register(Register::new(index, size))
    }

    /// What lies at the address in a register.
    pub(super) fn behind(register: u8) -> Operand {
        Operand::Memory(Address { base: Some(register), index: None, scale: 1, displacement: 0 })
    }

    pub(super) fn is_memory(&self) -> bool {
        matches!(self, Operand::Memory(_))
    }

    pub(super) fn is_writable(&self) -> bool {
        !matches!(self, Operand::Immediate(_))
    }
}

/// Reads a list of operands, sources first.
pub(super) fn list(text: &str) -> Option<Vec<Operand>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    let mut depth = 0;
    let mut start = 0;
    let mut operands = Vec::new();
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                operands.push(operand(&text[start..at])?);
                start = at + 1;
            }
            _ => {}
        }
    }
    operands.push(operand(&text[start..])?);
    Some(operands)
}

fn operand(text: &str) -> Option<Operand> {
    let text = text.trim();
    if let Some(value) = text.strip_prefix('$') {
        return evaluate(value).map(Operand::Immediate);
    }
    match text.strip_prefix('%') {
        Some(name) => Register::parse(name.trim_start_matches('%')).map(Operand::Register),
        None => address(text).map(Operand::Memory),
    }
}

fn address(text: &str) -> Option<Address> {
    let registers = text.rfind('(').filter(|at| text[at + 1..].contains('%'));
    let Some(open) = registers else {
        let displacement = evaluate(text)?;
        return Some(Address { base: None, index: None, scale: 1, displacement });
    };
    let displacement = match text[..open].trim() {
        "" => 0,
        // As in `4+%0` for an operand in memory.
        sum => evaluate(sum.strip_suffix('+').unwrap_or(sum))?,
    };
    let inner = text[open + 1..].strip_suffix(')')?;
    let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
    let (base, index, scale) = match parts[..] {
        [base] => (base, "", "1"),
        [base, index] => (base, index, "1"),
        [base, index, scale] => (base, index, scale),
        _ => return None,
    };
    let scale = evaluate(scale).filter(|scale| matches!(scale, 1 | 2 | 4 | 8))? as u8;
    Some(Address { base: pointer(base)?, index: pointer(index)?, scale, displacement })
}

/// A register within an address; nothing is allowed there too.
fn pointer(text: &str) -> Option<Option<u8>> {
    if text.is_empty() {
        return Some(None);
    }
    let register = Register::parse(text.strip_prefix('%')?.trim_start_matches('%'))?;
    (register.size == Size::Quad).then_some(Some(register.index))
}

/// The value of an expression of integers, with the precedence of GNU assembler.
pub(super) fn evaluate(text: &str) -> Option<i64> {
    let mut expression = Expression { rest: text };
    let value = expression.sum()?;
    expression.rest.trim().is_empty().then_some(value)
}

struct Expression<'a> {
    rest: &'a str,
}

/// How deep parentheses may nest.
const DEPTH: usize = 32;

impl Expression<'_> {
    fn eat(&mut self, token: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(token);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<i64> {
        if self.rest.matches('(').count() > DEPTH {
            return None;
        }
        let mut value = self.bits()?;
        loop {
            if self.eat("+") {
                value = value.wrapping_add(self.bits()?);
            } else if self.eat("-") {
                value = value.wrapping_sub(self.bits()?);
            } else {
                return Some(value);
            }
        }
    }

    fn bits(&mut self) -> Option<i64> {
        let mut value = self.product()?;
        loop {
            if self.eat("|") {
                value |= self.product()?;
            } else if self.eat("&") {
                value &= self.product()?;
            } else if self.eat("^") {
                value ^= self.product()?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self) -> Option<i64> {
        let mut value = self.factor()?;
        loop {
            if self.eat("*") {
                value = value.wrapping_mul(self.factor()?);
            } else if self.eat("/") {
                value = value.checked_div(self.factor()?)?;
            } else if self.eat("<<") {
                value = value.checked_shl(u32::try_from(self.factor()?).ok()?)?;
            } else if self.eat(">>") {
                value = (value as u64).checked_shr(u32::try_from(self.factor()?).ok()?)? as i64;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<i64> {
        // Signs are applied from the inside out, the last one first.
        let mut signs = Vec::new();
        loop {
            if self.eat("-") {
                signs.push('-');
            } else if self.eat("~") {
                signs.push('~');
            } else if !self.eat("+") {
                break;
            }
        }
        let value = if self.eat("(") {
            let value = self.sum()?;
            self.eat(")").then_some(value)?
        } else {
            self.number()?
        };
        Some(signs.into_iter().rev().fold(value, |value, sign| match sign {
            '-' => value.wrapping_neg(),
            _ => !value,
        }))
    }

    fn number(&mut self) -> Option<i64> {
        let text = self.rest.trim_start();
        let end = text.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(text.len());
        self.rest = &text[end..];
        let digits = text[..end].to_ascii_lowercase();
        let (digits, radix) = match digits.as_bytes() {
            [b'0', b'x', ..] => (&digits[2..], 16),
            [b'0', b'b', ..] => (&digits[2..], 2),
            [b'0', _, ..] => (&digits[1..], 8),
            _ => (digits.as_str(), 10),
        };
        let digits = digits.trim_end_matches(['u', 'l']);
        u64::from_str_radix(digits, radix).ok().map(|value| value as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_the_precedence_of_the_assembler() {
        for (text, value) in [
            ("5", 5),
            ("-1", -1),
            ("0x10 + 010", 24),
            ("1<<3|1", 9),
            ("4-2-1", 1),
            ("~(1+2)*2", -8),
            ("0b101&4", 4),
            ("0xffffffffffffffff", -1),
            ("- -3", 3),
        ] {
            assert_eq!(evaluate(text), Some(value), "{text}");
        }
        for text in ["", "x", "1/0", "(1", "1)", "1 2", "foo+4", "1<<64", "0x"] {
            assert_eq!(evaluate(text), None, "{text}");
        }
    }

    #[test]
    fn an_address_has_base_index_scale_and_displacement() {
        let full = Address { base: Some(0), index: Some(1), scale: 4, displacement: -8 };
        assert_eq!(address("-8(%rax,%rcx,4)"), Some(full));
        let index = Address { base: None, displacement: 0, ..full };
        assert_eq!(address("(,%rcx,4)"), Some(index));
        let base = Address { base: Some(0), index: None, scale: 1, displacement: 4 };
        assert_eq!(address("4+(%rax)"), Some(base));
        for text in ["(%eax)", "(%rax,%rcx,3)", "x(%rax)", "%fs:0", "(%rip)", "(%rax", "(%rsp)"] {
            assert_eq!(address(text), None, "{text}");
        }
    }
}
