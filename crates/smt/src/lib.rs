//! Terms over bit vectors, and a solver for them.
//!
//! Knows nothing of programs. Terms are hash-consed and simplified at construction (`term`,
//! `build`), evaluated under assignments (`eval`).

mod blast;
mod build;
pub mod chain;
pub mod eval;
mod facts;
mod float;
mod lower;
pub mod model;
pub mod path;
pub mod people;
mod sat;
mod semantics;
pub mod smtlib;
pub mod solver;
pub mod support;
pub mod term;

pub use build::FloatOrder;
pub use chain::{Chain, standard};
pub use eval::Evaluator;
pub use model::{ArrayValue, Model};
pub use path::Path;
pub use sat::SatSolver;
pub use solver::{Answer, Budget, Counter, Reason, Solver};
pub use term::{Function, FunctionId, Op, Rounding, Sort, TermId, Terms, VarId};
