//! Terms over bit vectors, floats, arrays and functions, and a solver for conditions on them.
//!
//! Does not know programs, runs no processes, and reads the clock only to obey a deadline. Terms
//! are hash-consed and simplified at construction (`term`, `build`), evaluated under assignments
//! (`eval`), and decided by a chain of layers (`chain`) that ends in circuits (`lower`, `blast`) on
//! a SAT solver (`sat`). Printers write them for other solvers (`smtlib`) and for people
//! (`people`).

mod build;
mod bytes;
pub mod eval;
mod float;
mod lanes;
pub mod model;
mod semantics;
pub mod term;
mod walk;

mod blast;
pub mod chain;
pub mod external;
mod lower;
pub mod path;
mod sat;
pub mod solver;

pub mod people;
pub mod smtlib;

pub use build::FloatOrder;
pub use chain::{Chain, standard};
pub use eval::Evaluator;
pub use external::{CrossCheck, Disagreement, External, Fallback};
pub use model::{ArrayValue, Model};
pub use path::{Path, PathCounts};
pub use sat::SatSolver;
pub use smtlib::SmtLibError;
pub use solver::{Answer, Budget, Counter, Reason, SatCounts, Solver};
pub use term::{Function, FunctionId, FunctionValue, Op, Rounding, Sort, TermId, Terms, VarId};
