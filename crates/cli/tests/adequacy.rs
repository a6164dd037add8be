//! `ripple adequacy` and `ripple select` as people type them: the pairs under `tests/adequacy`, each a
//! directory with two versions and what is to be found, worked out by hand; formats, exit codes,
//! trouble, selections and mutants.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

#[path = "adequacy/cases.rs"]
mod cases;
#[path = "adequacy/formats.rs"]
mod formats;
#[path = "compare/members.rs"]
mod members;
#[path = "adequacy/trouble.rs"]
mod trouble;
#[path = "formats/valid.rs"]
mod valid;
