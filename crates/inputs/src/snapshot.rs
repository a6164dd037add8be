//! Snapshots: what a caller can see in memory after a function has returned.
//!
//! A snapshot has a line for the result, for everything that parameters point to, for global
//! variables, and for every object reachable from these. A line is a list of tokens: numbers, and
//! pointers to a place in a line. Addresses never occur, so that graphs are compared by shape:
//! which objects there are, their contents, and how they are linked. Uninitialised bytes are marked
//! and do not count.

mod compare;
mod describe;
mod text;

pub use compare::{ByValue, Comparer, Comparison, Incomparable, Judge, Side, Values};
pub use describe::{Differing, NEVER_WRITTEN, describe};
pub use text::{masked, token_of};

use crate::harness::{Root, RootKind};
use crate::view::{Part, ViewId, Views};

/// The state that a function left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// Roots first, in the order of the harness; then reachable objects, in the order of discovery.
    pub lines: Vec<Line>,
    pub tokens: Vec<Token>,
    /// Names and texts that tokens and lines refer to.
    pub texts: Vec<Vec<u8>>,
    /// Unreachable heap blocks; 0 if they were not counted.
    pub leaks: u64,
}

/// The result, a global variable, or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub origin: LineOrigin,
    pub kind: LineKind,
    /// How to read it, if known.
    pub view: Option<ViewId>,
    /// Elements of the view.
    pub elements: u32,
    /// The first of its tokens, and their number.
    pub first: u32,
    pub count: u32,
    pub is_freed: bool,
    /// Whether the function may have written to it.
    pub is_touched: bool,
    /// Whether it is a heap block.
    pub is_heap: bool,
    /// Its address in the machine's memory; 0 for the result in registers.
    pub address: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineOrigin {
    /// A root of the harness, by its number.
    Root(u32),
    /// First found through a token of another line.
    Reached { line: u32, token: u32 },
    /// By a name among the texts.
    Named(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    Returned,
    /// Behind a parameter.
    Memory,
    /// A variable that other files see, or `errno`.
    Global,
    /// A static variable.
    Internal,
    Reached,
}

impl Line {
    /// What one of its tokens stands for, by its number in the line.
    pub fn part<'v>(&self, views: &'v Views, token: u32) -> Option<&'v Part> {
        views.part(self.view?, self.elements, token)
    }
}

impl Root {
    /// The kind of its line.
    pub fn line_kind(&self) -> LineKind {
        match &self.kind {
            RootKind::Returned => LineKind::Returned,
            RootKind::Object(_) if self.name.starts_with('*') => LineKind::Memory,
            RootKind::Object(_) | RootKind::Errno => LineKind::Global,
            RootKind::Global { is_internal: true, .. } => LineKind::Internal,
            RootKind::Global { is_internal: false, .. } => LineKind::Global,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Bits(Bits),
    Null,
    /// A place in a line. It may be before the start or after the end.
    Place {
        line: u32,
        offset: i64,
    },
    /// A function or a standard stream, by its name.
    Named(u32),
    /// Read-only text, from the pointer on.
    Literal(u32),
    /// Freed memory.
    Freed,
    /// Something unknown.
    Other,
    /// An object beyond the bounds, not followed.
    Beyond,
    /// Bytes of an address where no pointer is expected.
    Hidden,
}

/// A number of at most 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    pub value: u64,
    pub bits: u8,
    pub is_float: bool,
    /// Whether it is, or is a part of, a NaN.
    pub is_nan: bool,
    /// By hexadecimal digit, lowest first: whether it was written.
    pub written: u16,
}

impl Bits {
    /// A number that was written completely.
    pub fn whole(value: u64, bits: u32, is_float: bool) -> Bits {
        let bits = bits.min(64) as u8;
        let magnitude = value & (u64::MAX >> (65 - u32::from(bits.max(1))));
        let is_nan = match (is_float, bits) {
            (true, 32) => magnitude > 0x7f80_0000,
            (true, 64) => magnitude > 0x7ff0_0000_0000_0000,
            _ => false,
        };
        Bits { value, bits, is_float, is_nan, written: u16::MAX >> (16 - digits(bits)) }
    }

    /// Whether two numbers agree in everything that both wrote.
    pub fn is_same(&self, other: &Bits, tell_nans_apart: bool) -> bool {
        let mut mask = 0;
        let both = self.written & other.written;
        for digit in 0..16 {
            mask |= if both >> digit & 1 == 1 { 0xf << (4 * digit) } else { 0 };
        }
        (self.value ^ other.value) & mask == 0
            || !tell_nans_apart && self.bits == other.bits && self.is_nan && other.is_nan
    }

    pub fn was_written(&self) -> bool {
        self.written != 0
    }
}

/// How many digits a number of this many bits has.
pub(crate) fn digits(bits: u8) -> u32 {
    u32::from(bits).div_ceil(4).clamp(1, 16)
}

impl Snapshot {
    pub fn clear(&mut self) {
        self.lines.clear();
        self.tokens.clear();
        self.texts.clear();
        self.leaks = 0;
    }

    pub fn tokens_of(&self, line: &Line) -> &[Token] {
        let first = line.first as usize;
        &self.tokens[first..first + line.count as usize]
    }

    /// The number of a text, which is added if it is new.
    pub fn text(&mut self, text: &[u8]) -> u32 {
        let known = self.texts.iter().position(|known| known == text);
        let number = known.unwrap_or_else(|| {
            self.texts.push(text.to_vec());
            self.texts.len() - 1
        });
        number as u32
    }
}
