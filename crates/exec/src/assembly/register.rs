//! Names and widths of general registers.
//!
//! The sixteen registers of the processor come first, then as many of our own as a
//! statement has operands without a fixed register: those never clash with a register that
//! the template names. The stack and frame pointers cannot be named.

/// Registers of the processor.
pub const PHYSICAL: u8 = 16;
/// All registers of a statement.
pub const COUNT: usize = 64;

pub const AX: u8 = 0;
pub const CX: u8 = 1;
pub const DX: u8 = 2;
pub const BX: u8 = 3;
pub const SI: u8 = 6;
pub const DI: u8 = 7;

/// Names without their width; the numbers are those of the encoding.
const NAMES: [(&str, u8); 6] =
    [("ax", AX), ("cx", CX), ("dx", DX), ("bx", BX), ("si", SI), ("di", DI)];

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    Byte,
    Word,
    Long,
    Quad,
}

impl Size {
    /// The size that holds an integer of some bits.
    pub fn holding(bits: u32) -> Option<Size> {
        match bits {
            1..=8 => Some(Size::Byte),
            9..=16 => Some(Size::Word),
            17..=32 => Some(Size::Long),
            33..=64 => Some(Size::Quad),
            _ => None,
        }
    }

    pub fn of_suffix(suffix: char) -> Option<Size> {
        match suffix {
            'b' => Some(Size::Byte),
            'w' => Some(Size::Word),
            'l' => Some(Size::Long),
            'q' => Some(Size::Quad),
            _ => None,
        }
    }

    pub fn suffix(self) -> char {
        match self {
            Size::Byte => 'b',
            Size::Word => 'w',
            Size::Long => 'l',
            Size::Quad => 'q',
        }
    }

    pub fn bytes(self) -> u32 {
        1 << self as u32
    }

    pub fn bits(self) -> u32 {
        8 * self.bytes()
    }

    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }

    pub fn sign_bit(self) -> u64 {
        1 << (self.bits() - 1)
    }

    /// The value as a signed integer.
    pub fn signed(self, value: u64) -> i64 {
        let unused = 64 - self.bits();
        ((value << unused) as i64) >> unused
    }
}

/// A register, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    pub index: u8,
    pub size: Size,
    /// The second byte, as in `ah`.
    pub high: bool,
}

impl Register {
    pub fn new(index: u8, size: Size) -> Register {
        Register { index, size, high: false }
    }

    /// Reads a name without its `%`.
    pub fn parse(name: &str) -> Option<Register> {
        named(name).or_else(|| numbered(name)).or_else(|| own(name))
    }

    /// The name that `parse` reads.
    pub fn name(self) -> String {
        let Register { index, size, high } = self;
        if index >= PHYSICAL {
            let width = if high { 'h' } else { size.suffix() };
            return format!("v{}{width}", index - PHYSICAL);
        }
        let Some((name, _)) = NAMES.iter().find(|(_, known)| *known == index) else {
            let width = match size {
                Size::Byte => "b",
                Size::Word => "w",
                Size::Long => "d",
                Size::Quad => "",
            };
            return format!("r{index}{width}");
        };
        match size {
            Size::Byte if high => format!("{}h", &name[..1]),
            Size::Byte if name.ends_with('x') => format!("{}l", &name[..1]),
            Size::Byte => format!("{name}l"),
            Size::Word => (*name).to_owned(),
            Size::Long => format!("e{name}"),
            Size::Quad => format!("r{name}"),
        }
    }
}

/// `al`, `ah`, `ax`, `eax`, `rax`, `sil` and so on.
fn named(name: &str) -> Option<Register> {
    let full = |name: &str| NAMES.iter().find(|(known, _)| *known == name).map(|(_, index)| *index);
    if let Some(index) = full(name) {
        return Some(Register::new(index, Size::Word));
    }
    let (first, rest) = (name.get(..1)?, name.get(1..)?);
    match (first, full(rest)) {
        ("e", Some(index)) => return Some(Register::new(index, Size::Long)),
        ("r", Some(index)) => return Some(Register::new(index, Size::Quad)),
        _ => {}
    }
    let index = match name.strip_suffix(['l', 'h'])? {
        letter @ ("a" | "b" | "c" | "d") => full(&format!("{letter}x"))?,
        pointer @ ("si" | "di") if name.ends_with('l') => full(pointer)?,
        _ => return None,
    };
    Some(Register { index, size: Size::Byte, high: name.ends_with('h') })
}

/// `r8` to `r15` with `b`, `w`, `d` or nothing.
fn numbered(name: &str) -> Option<Register> {
    let rest = name.strip_prefix('r')?;
    let (digits, size) = match rest.as_bytes().last()? {
        b'b' | b'l' => (&rest[..rest.len() - 1], Size::Byte),
        b'w' => (&rest[..rest.len() - 1], Size::Word),
        b'd' => (&rest[..rest.len() - 1], Size::Long),
        _ => (rest, Size::Quad),
    };
    let index = digits.parse().ok().filter(|index| (8..PHYSICAL).contains(index))?;
    Some(Register::new(index, size))
}

/// Registers that only expanded operands name: `v0q`.
fn own(name: &str) -> Option<Register> {
    let rest = name.strip_prefix('v')?;
    let width = rest.chars().last()?;
    let number: u8 = rest.strip_suffix(width)?.parse().ok()?;
    let index = PHYSICAL.checked_add(number).filter(|index| usize::from(*index) < COUNT)?;
    match width {
        'h' => Some(Register { index, size: Size::Byte, high: true }),
        _ => Some(Register::new(index, Size::of_suffix(width)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_register_reads_its_own_name() {
        for index in (0..COUNT as u8).filter(|index| !matches!(index, 4 | 5)) {
            for size in [Size::Byte, Size::Word, Size::Long, Size::Quad] {
                let register = Register::new(index, size);
                assert_eq!(Register::parse(&register.name()), Some(register));
            }
        }
        let high = Register { index: BX, size: Size::Byte, high: true };
        assert_eq!((high.name().as_str(), Register::parse("bh")), ("bh", Some(high)));
    }

    #[test]
    fn registers_that_are_not_modelled_have_no_number() {
        for name in ["rsp", "esp", "rbp", "rip", "xmm0", "fs", "st", "r7", "r16", "sih", "", "é"] {
            assert_eq!(Register::parse(name), None, "{name}");
        }
    }
}
