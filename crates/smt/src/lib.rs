//! Terms over bit vectors, and a solver for them.
//!
//! Knows nothing of programs. Terms are hash-consed and simplified at construction (`term`,
//! `build`), evaluated under assignments (`eval`).

mod build;
pub mod eval;
mod facts;
mod float;
pub mod model;
mod semantics;
pub mod support;
pub mod term;

pub use build::FloatOrder;
pub use eval::Evaluator;
pub use model::{ArrayValue, Model};
pub use term::{Function, FunctionId, Op, Rounding, Sort, TermId, Terms, VarId};
