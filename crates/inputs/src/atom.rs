//! Atoms: what may vary about one argument, standard input or one file.
//!
//! Only the declaration; `layout` assigns the cells.

use std::fmt;

/// One piece of text in a program's input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// Always the same bytes.
    Literal(Vec<u8>),
    /// A number in plain decimal: no leading zeros, no `+`.
    Int { low: i64, high: i64 },
    /// Bytes, each unknown.
    Bytes { length: Length, alphabet: Alphabet },
    /// One of several texts; never empty.
    Choice(Vec<Vec<u8>>),
    /// Lines, each an atom and a newline. Not for arguments.
    Lines { count: Length, line: Box<Atom> },
}

impl Atom {
    /// Any `int` of C.
    pub const INT: Atom = Atom::Int { low: i32::MIN as i64, high: i32::MAX as i64 };

    pub fn bytes(alphabet: Alphabet, length: Length) -> Atom {
        Atom::Bytes { length, alphabet }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// From none to this many.
    UpTo(u32),
    Exactly(u32),
}

impl Length {
    pub fn max(self) -> u32 {
        match self {
            Length::UpTo(length) | Length::Exactly(length) => length,
        }
    }

    pub fn allows(self, length: usize) -> bool {
        match self {
            Length::UpTo(max) => length <= max as usize,
            Length::Exactly(exact) => length == exact as usize,
        }
    }
}

/// Which bytes a text may have. No argument can hold a zero byte, whatever the alphabet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// `bytes:`
    Any,
    /// `str:`, every byte but zero.
    NoNul,
    /// `text:`, from space to `~`; in standard input and files also newline and tab.
    Printable,
}

/// As it is written on the command line.
impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Literal(bytes) => write!(f, "={}", shown(bytes)),
            int if *int == Atom::INT => f.write_str("int"),
            Atom::Int { low, high } => write!(f, "int:{low}..{high}"),
            Atom::Bytes { length, alphabet } => write!(f, "{alphabet}:{length}"),
            Atom::Choice(texts) => {
                let texts: Vec<String> = texts.iter().map(|text| shown(text)).collect();
                write!(f, "choice:{}", texts.join(","))
            }
            Atom::Lines { count, line } => write!(f, "lines:{count}x{line}"),
        }
    }
}

impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Length::UpTo(length) => write!(f, "{length}"),
            Length::Exactly(length) => write!(f, "={length}"),
        }
    }
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Alphabet::Any => "bytes",
            Alphabet::NoNul => "str",
            Alphabet::Printable => "text",
        })
    }
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
