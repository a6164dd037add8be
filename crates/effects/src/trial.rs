//! What every question about programs is answered with: a version that is loaded and built, how it
//! is run natively, what it shows, where that is in the source, what goes wrong, what
//! a search may spend, and what is kept of it.
//!
//! Drivers such as `explore`, `compare` and `verify` ask the questions; nothing here knows them.

mod allowance;
mod complaint;
mod fault;
mod native;
mod phase;
mod place;
mod saving;
mod subject;
mod target;
mod usual;

pub use fault::Fault;
pub use native::{File, Native};
pub use phase::{Phase, PhaseTimes};
pub use place::Place;
pub use saving::{Keep, Saving};
pub use subject::{Build, Misfit};
pub use target::Scope;

pub(crate) use allowance::{Allowance, Deadline, RESERVE};
pub(crate) use complaint::{
    address_complaint, complaint_at, complaint_of, first_complaint, sanitizer_of,
};
pub(crate) use native::{
    Fill, Patience, Runner, agree, files_differ, natives_agree, natives_differ,
};
pub(crate) use phase::PhaseClock;
pub(crate) use place::Places;
pub(crate) use subject::{Subject, check_entry, check_flags};
pub(crate) use target::{Sources, Target};
pub(crate) use usual::{usual_budget, usual_limits, usual_observe};
