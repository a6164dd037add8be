//! Results as text for people and programs.
//!
//! From plain data to text; one file for each format. Does not know how results were made and does
//! no I/O.

pub mod adequacy;
pub mod affected;
pub mod build;
mod bytes;
pub mod cache;
pub mod changes;
mod columns;
pub mod compare;
pub mod complexity;
mod conditions;
mod counting;
pub mod explore;
mod finding;
mod hunks;
pub mod impact;
pub mod interact;
mod native;
mod notes;
mod page;
mod paint;
mod partitions;
mod pieces;
mod places;
mod printable;
pub mod programs;
pub mod record;
pub mod requirements;
pub mod shell;
pub mod study;
pub mod targets;
mod undeclared;
mod values;
pub mod verify;
pub mod words;

pub use finding::Base;
pub use finding::github::without_commands;
pub use paint::Look;
