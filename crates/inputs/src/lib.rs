//! Input spaces and tests: what may vary about a run, and what one run is given.
//!
//! A [`Space`] declares what varies: arguments, standard input, files, the parameters of one
//! function. Its [`Layout`] names the unknown scalars, the [`Cell`]s, and converts between an
//! assignment of the cells and a concrete [`Input`]. This crate knows nothing of terms, of the
//! machine and of exploration, and starts no process.

pub mod atom;
pub mod cell;
mod float;
pub mod input;
pub mod layout;
pub mod shape;
pub mod space;

pub use atom::{Alphabet, Atom, Length};
pub use cell::{Cell, CellId, Domain, Role};
pub use input::{Input, Value};
pub use layout::{
    Cells, End, Layout, Mismatch, Object, ObjectId, Piece, PointerAt, Reason, Source, Target,
};
pub use shape::{Buffer, Field, Form, Param, Pointer, Raw, Scalar, ScalarKind, Shape};
pub use space::Space;
