//! Shapes: what may vary about one parameter or global variable, down to its scalars.
//!
//! A shape says where the unknown scalars lie and which memory pointers lead to. It is made from
//! the types of the debug information and what the user says about them. Offsets are those of the
//! type's memory; how values travel in registers is not known here.

mod alias;
pub mod build;
mod pointers;
mod scalars;
mod ties;

use crate::Domain;

pub use alias::Alias;
pub(crate) use alias::aliases;

/// A parameter of the entry function, or a global variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: String,
    pub shape: Shape,
}

/// A piece of memory of a known type.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The type in C, for people and for harnesses.
    pub ty: String,
    /// Size in bytes.
    pub size: u64,
    pub form: Form,
}

impl Shape {
    /// Whether pointers in it lead to memory that varies.
    pub fn has_memory(&self) -> bool {
        match &self.form {
            Form::Scalar(_) | Form::Raw { .. } | Form::Fixed(_) => false,
            Form::Struct(fields) => fields.iter().any(|field| field.shape.has_memory()),
            Form::Array { element, .. } => element.has_memory(),
            Form::Pointer(pointer) => matches!(pointer, Pointer::Buffer(_)),
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Form {
    /// A number of up to 64 bits.
    Scalar(Scalar),
    /// Bits without a structure that is known here: the memory of a union, `__int128`,
    /// `long double`. In cells of at most 64 bits, from the lowest address on.
    Raw {
        kind: Raw,
        bits: u64,
    },
    /// Always the same memory.
    Fixed(Vec<u8>),
    Struct(Vec<Field>),
    Array {
        element: Box<Shape>,
        count: u64,
    },
    Pointer(Pointer),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Scalar {
    pub bits: u32,
    pub kind: ScalarKind,
    pub domain: Domain,
    /// What it has to do with other parameters, or other members of the same struct.
    pub tie: Option<Tie>,
}

/// What a number is restricted by besides its domain, by names of its neighbours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tie {
    /// It is zero where one of these pointers is null.
    pub nulls: Vec<String>,
    /// It is at most this number.
    pub most: Option<String>,
    /// It is below that number, unless both are zero.
    pub is_below: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ScalarKind {
    Int,
    /// `char` in its three kinds: arrays of it are shown as text.
    Char,
    Float,
    /// With the names of its values.
    Enum(Vec<(String, i128)>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Raw {
    Union,
    SignedInt,
    UnsignedInt,
    /// The x87 format of 80 bits.
    LongDouble,
}

impl Raw {
    /// Where its cells lie, and how wide they are, in bits.
    pub(crate) fn pieces(self, bits: u64) -> impl Iterator<Item = (u64, u32)> {
        // Bytes of a union are read and written one member at a time, often of unlike sizes.
        let width = if self == Raw::Union { 8 } else { 64 };
        (0..bits.div_ceil(width)).map(move |index| {
            let at = index * width;
            (at, width.min(bits - at) as u32)
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    /// In bits from the start of the struct.
    pub bit: u64,
    pub shape: Shape,
}

/// Where a pointer leads.
#[derive(Clone, Debug, PartialEq)]
pub enum Pointer {
    Null,
    /// The address of a function of the program.
    Function(String),
    /// Memory of its own that nothing else points to.
    Buffer(Buffer),
    Inside(Inside),
}

/// A place in the memory that a neighbour points to, or right behind it. It is null where that
/// one is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// The name of another parameter, or of another member of the same struct.
    pub of: String,
    /// Another such pointer that it is never behind.
    pub most: Option<String>,
    /// How many elements there are, of this many bytes each.
    pub count: u64,
    pub size: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// What lies there, always an array.
    pub target: Box<Shape>,
    /// The pointer may be null instead.
    pub nullable: bool,
    /// The array holds characters that a zero ends at the latest with the last one.
    pub string: bool,
}
