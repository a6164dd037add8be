//! What happened in a run, and how two runs differ.
//!
//! `harness` sets up an input, and the program runs under an observer that records what was
//! computed from what (`recorder`, `instances`) or changes values during the run (`perturbation`).
//! `alignment` matches the runs of two versions: when they start to differ (`infection`), where the
//! effect of a change ends (`effect_tree`), by which chain it reached an observable (`why`), and which
//! chains of dependences from the change there are (`chains`).
//! Chooses no inputs, and does not know strategies, solvers or reports.

pub mod alignment;
pub mod chains;
pub mod effect_tree;
mod events;
pub mod harness;
mod infection;
pub mod instances;
mod matching;
pub mod outcome;
mod parts;
pub mod perturbation;
mod recorder;
mod recording;
mod sites;
pub mod why;

pub use alignment::{Alignment, Run};
pub use events::{
    Content, Event, EventId, Kind, Object, ObjectId, Origin, Output, Place, Sink, Site, SiteId,
    Trace,
};
pub use harness::Harness;
pub use infection::Infection;
pub use matching::Matching;
pub use outcome::{Ending, Observe, Outcome};
pub use parts::{Part, part};
pub use recorder::{Recorder, TraceLimits, Tracer, record};
pub use recording::Postdominators;
