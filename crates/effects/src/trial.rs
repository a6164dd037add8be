//! The common basis of all requests about programs: a version that is loaded and built, its native
//! runs, their observables, places in the source, faults, budgets, and saved states.
//!
//! Drivers such as `explore`, `compare` and `verify` use it; nothing here knows them.

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
