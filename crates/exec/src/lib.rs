//! (crate documentation)

pub mod libc;
