//! The cells of a space, and the place of each in an input.
//!
//! A layout is made once per space and serves every input: it decodes an assignment of the cells,
//! encodes an input, and attaches cells to bytes.

mod alias;
mod build;
mod decode;
mod encode;
mod settle;

use std::ops::Range;

use base::entity::{PrimaryMap, entity_impl};

use crate::{Alias, Assumption, Cell, CellId, Input, Space};

pub(crate) use encode::decimal;
pub use encode::{Mismatch, Reason};
pub use settle::Derived;

/// A piece of memory of an entry function's input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);
entity_impl!(ObjectId, "object");

impl ObjectId {
    pub const fn at(index: u32) -> ObjectId {
        ObjectId(index)
    }
}

/// The cells of a space and their places. An assignment is a slice of `u64`, one per cell.
#[derive(Clone, Debug)]
pub struct Layout {
    pub cells: PrimaryMap<CellId, Cell>,
    /// The number of arguments, if it varies; `args` has the maximum number then.
    pub arg_count: Option<CellId>,
    /// Without the program's name.
    pub args: Vec<Source>,
    /// `None`: standard input is empty.
    pub stdin: Option<Source>,
    pub files: Vec<(String, Source)>,
    /// By file, the cell that is 1 if the file is missing, for files that may be missing.
    pub missing: Vec<Option<CellId>>,
    /// One per parameter of the entry function, in order: the memory of its value.
    pub params: Vec<ObjectId>,
    /// The memory of global variables, by name.
    pub globals: Vec<(String, ObjectId)>,
    pub objects: PrimaryMap<ObjectId, Object>,
    /// Parameters that may be the same as others, with the cell that is 1 if they are, unless other
    /// cells override it.
    pub aliases: Vec<(Alias, CellId)>,
    /// Cells whose value depends on others, each after those that it depends on.
    pub derived: Vec<Derived>,
    /// Where the cells of parameters begin; those of global variables follow.
    pub(crate) first_param_cell: usize,
    pub(crate) space: Space,
}

impl Space {
    /// The unknowns and their places. Make it once and use it often.
    pub fn layout(&self) -> Layout {
        Layout::new(self)
    }

    pub fn cells(&self) -> Vec<Cell> {
        self.layout().cells.values().cloned().collect()
    }

    /// The input of an assignment of all cells.
    pub fn decode(&self, assignment: &[u64]) -> Input {
        self.layout().decode(assignment)
    }

    /// The assignment of an input, or why it is not in the space.
    pub fn encode(&self, input: &Input) -> Result<Vec<u64>, Mismatch> {
        self.layout().encode(input)
    }
}

impl Layout {
    /// The space that these cells belong to.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// What Ripple assumes about parameters.
    pub fn assumptions(&self) -> &[Assumption] {
        &self.space.assumptions
    }

    /// What holds for consistent parameters but is not assumed.
    pub fn lifted(&self) -> &[Assumption] {
        &self.space.lifted
    }

    /// What holds for consistent parameters but not for this input.
    pub fn broken(&self, input: &Input) -> Vec<Assumption> {
        let breaks = |assumption: &&Assumption| !assumption.holds(&input.params);
        self.space.lifted.iter().filter(breaks).cloned().collect()
    }

    /// Whether an assignment is one of the space's inputs.
    pub fn contains(&self, assignment: &[u64]) -> bool {
        let mut cells = self.cells.values().zip(assignment);
        assignment.len() == self.cells.len()
            && cells.all(|(cell, &value)| cell.domain.contains(value))
    }

    /// The number of assignments, unless it is too large.
    pub fn size(&self) -> Option<u128> {
        let count = |size: u128, cell: &Cell| size.checked_mul(cell.domain.count());
        self.cells.values().try_fold(1, count)
    }

    /// The assignment with a given number, which must be below the size.
    pub fn nth(&self, number: u128) -> Box<[u64]> {
        let mut left = number;
        let value = |cell: &Cell| {
            let count = cell.domain.count();
            let value = cell.domain.nth(left % count);
            left /= count;
            value
        };
        self.cells.values().map(value).collect()
    }

    /// The plainest input of the space.
    pub fn plain(&self) -> Box<[u64]> {
        self.cells.values().map(|cell| cell.domain.plain()).collect()
    }
}

/// Where the bytes of an argument, of standard input or of a file come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Literal(Vec<u8>),
    /// The cell's number, of this many bits and signed, in decimal.
    Decimal {
        cell: CellId,
        bits: u32,
    },
    /// The cell selects one.
    Choice {
        cell: CellId,
        texts: Vec<Vec<u8>>,
    },
    /// One cell per byte.
    Bytes {
        cells: Cells,
        end: End,
    },
    /// Lines, each followed by a newline; the cell has their number, without one all are present.
    Lines {
        count: Option<CellId>,
        lines: Vec<Source>,
    },
}

/// Where a run of bytes ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// After all of them.
    Last,
    /// Before the first zero, if there is one: arguments.
    Zero,
    /// The cell has the length; bytes after it mean nothing.
    Length(CellId),
}

/// Consecutive cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cells {
    pub first: CellId,
    pub count: u32,
}

impl Cells {
    pub fn iter(self) -> impl ExactSizeIterator<Item = CellId> {
        let first = self.first.as_u32();
        (0..self.count).map(move |index| CellId::at(first + index))
    }

    pub fn positions(self) -> Range<usize> {
        let first = self.first.position();
        first..first + self.count as usize
    }
}

/// A piece of memory: the value of a parameter, a global variable, or a buffer behind a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// As an expression of C, as far as possible: `p`, `*p`, `*p->next`.
    pub name: String,
    /// The memory outside of cells and pointers.
    pub fixed: Vec<u8>,
    pub pieces: Vec<Piece>,
    pub pointers: Vec<PointerAt>,
}

/// Bits of an object that belong to a cell, in little-endian order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// In bits from the start of the object. Divisible by 8 except for bit-fields.
    pub bit: u64,
    pub bits: u32,
    pub cell: CellId,
}

impl Piece {
    /// Offset and size in bytes, if the piece consists of whole bytes.
    pub fn bytes(&self) -> Option<(u64, u32)> {
        (self.bit.is_multiple_of(8) && self.bits.is_multiple_of(8))
            .then_some((self.bit / 8, self.bits / 8))
    }
}

/// Eight bytes of an object that are an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerAt {
    /// In bytes.
    pub offset: u64,
    /// If present, the pointer is null if the cell is 1, and points to the target if it is 0.
    pub null: Option<CellId>,
    pub target: Target,
    /// Objects that replace the target's if a cell stands for 1; at most one does.
    pub instead: Vec<(CellId, ObjectId)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    Null,
    Object(ObjectId),
    /// A place in an object: the cell selects the element, and each has this many bytes.
    Inside {
        object: ObjectId,
        cell: CellId,
        size: u64,
    },
    Function(String),
}
