//! Shapes: what may vary about one parameter or global variable, down to its scalars.
//!
//! A shape has the places of the unknown scalars and the memory that pointers point to. It comes
//! from the types of the debug information and the user's declarations. Offsets are those of the
//! type in memory; this module does not know how registers pass values.

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
    /// Whether pointers in it point to memory that varies.
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
    /// Bits without a known structure: the memory of a union, `__int128`, `long double`. In cells
    /// of at most 64 bits, from the lowest address on.
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
    /// Its relation to other parameters, or to other members of the same struct.
    pub tie: Option<Tie>,
}

/// Restrictions of a number besides its domain, by names of its neighbours.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tie {
    /// It is zero if one of these pointers is null.
    pub nulls: Vec<String>,
    /// It is at most this number.
    pub most: Option<String>,
    /// It is below that number, unless both are zero.
    pub is_below: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ScalarKind {
    Int,
    /// `char` in its three kinds: arrays of it are printed as text.
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
    /// The offsets and widths of its cells, in bits.
    pub(crate) fn pieces(self, bits: u64) -> impl Iterator<Item = (u64, u32)> {
        // The program accesses a union one member at a time, often of different sizes.
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

/// The target of a pointer.
#[derive(Clone, Debug, PartialEq)]
pub enum Pointer {
    Null,
    /// The address of a function of the program.
    Function(String),
    /// Memory of its own that nothing else points to.
    Buffer(Buffer),
    Inside(Inside),
}

/// A place in the memory that a neighbour points to, or just past its end. It is null if the
/// neighbour is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// The name of another parameter, or of another member of the same struct.
    pub of: String,
    /// Another such pointer; this one is never after it.
    pub most: Option<String>,
    /// The number of elements, and the size of each in bytes.
    pub count: u64,
    pub size: u64,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Buffer {
    /// The memory there, always an array.
    pub target: Box<Shape>,
    /// The pointer may be null instead.
    pub nullable: bool,
    /// The array contains characters, and a zero terminates them at the last one or before.
    pub string: bool,
}
