//! The requests of users, as plain data: loading programs, exploring them, and comparing and
//! verifying versions.
//!
//! Does not know output formats. Runs processes only through `source`.

pub mod adequacy;
pub mod compare;
mod error;
pub mod explore;
pub mod guidance;
mod identity;
pub mod interact;
mod marked;
pub mod mathematics;
mod observed;
mod pairing;
pub mod premises;
pub mod program;
pub mod programs;
pub mod proved;
pub mod record;
pub mod requirements;
mod space;
pub mod study;
pub mod tables;
pub mod trial;
pub mod verify;
pub mod versions;

pub use error::Error;
pub use program::{Libc, Loaded, Loader};
