//! `ripple compare` as people type it: verdicts, reports, scripts that show the difference, and
//! errors.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

#[path = "compare/alias.rs"]
mod alias;
#[path = "compare/beyond.rs"]
mod beyond;
#[path = "compare/endings.rs"]
mod endings;
#[path = "compare/every_input.rs"]
mod every_input;
#[path = "compare/hunks.rs"]
mod hunks;
#[path = "compare/interrupted.rs"]
mod interrupted;
#[path = "compare/left.rs"]
mod left;
#[path = "compare/members.rs"]
mod members;
#[path = "compare/papers.rs"]
mod papers;
#[path = "compare/plausible.rs"]
mod plausible;
#[path = "compare/positions.rs"]
mod positions;
#[path = "compare/raw.rs"]
mod raw;
#[path = "compare/report.rs"]
mod report;
#[path = "compare/resuming.rs"]
mod resuming;
#[path = "compare/threads.rs"]
mod threads;
#[path = "compare/trouble.rs"]
mod trouble;
#[path = "compare/undefined.rs"]
mod undefined;
#[path = "compare/undefined_memory.rs"]
mod undefined_memory;
#[path = "compare/versions.rs"]
mod versions;

use testkit::desk;
