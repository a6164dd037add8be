//! A build as it was: which files were compiled with which flags, and what they were linked to.
//!
//! A build is run unchanged while it is watched (`recorder`, or `shim` where the system does not
//! allow that); the commands of its tools (`driver`, `linker`, `archiver`, `copying`) make a graph
//! of files (`graph`), and what exists when the build has ended are its products. Nothing is
//! imitated: no build file is read, and no language of build files is known. Compiles nothing, and
//! never writes into the directories of the build.

mod archiver;
mod check;
mod contents;
mod copying;
mod driver;
mod execution;
mod generated;
mod graph;
mod linker;
mod members;
mod model;
mod products;
mod record;
mod recorder;
mod response;
mod shim;
mod store;
mod symbols;
mod tool;

pub use self::model::{
    Build, DroppedFlag, Language, Means, Product, ProductId, ProductKind, Unit, UnitId,
};
pub use self::record::{Recorded, Recording, Tracing};
pub use self::recorder::Progress;
pub use self::shim::{LOG_VARIABLE, stand_in};
