//! Input spaces and tests: what may vary about a run, and the input of one run.
//!
//! A [`Space`] declares what varies: arguments, standard input, files, the parameters of one
//! function. Its [`Layout`] names the unknown scalars, the [`Cell`]s, and converts between an
//! assignment of the cells and a concrete [`Input`]. This crate does not know terms, the machine or
//! exploration, and starts no process.

pub mod atom;
pub mod cell;
mod command_line;
mod corpus;
pub mod entry;
pub mod error;
pub mod evidence;
pub mod flags;
mod float;
pub mod harness;
pub mod infer;
pub mod input;
mod json;
pub mod ktest;
pub mod layout;
mod lookup;
pub mod parse;
mod relations;
pub mod room;
pub mod script;
mod setting;
pub mod shape;
pub mod snapshot;
pub mod space;
pub mod tests;
mod types;
pub mod view;
mod writing;

pub use atom::{Alphabet, Atom, Length};
pub use cell::{Cell, CellId, Domain, Role};
pub use corpus::read_corpus;
pub use entry::Signature;
pub use error::{Error, FlagProblem, TestProblem, nearest_names};
pub use evidence::Evidence;
pub use flags::{Flags, Origin, Overrides};
pub use harness::{Harness, Root, RootKind};
pub use infer::infer;
pub use input::{Ending, Expected, Input, Setting, Test, Value};
pub use ktest::{Ktest, KtestObject};
pub use layout::{
    Cells, Derived, End, Layout, Mismatch, Object, ObjectId, Piece, PointerAt, Reason, Source,
    Target,
};
pub use lookup::{defining_file, find_function};
pub use relations::{Assume, Assumption};
pub use room::Room;
pub use script::write_script;
pub use shape::{
    Alias, Buffer, Field, Form, Inside, Param, Pointer, Raw, Scalar, ScalarKind, Shape, Tie,
};
pub use snapshot::Snapshot;
pub use space::Space;
pub use tests::{parse_tests, read_tests};
pub use types::c_name;
pub use writing::write_test;
