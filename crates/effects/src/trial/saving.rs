//! Saves a search across an interruption.

use std::io;

/// Receives the beginning of a state, and then whole lines as they are made.
pub type Keep<'a> = &'a (dyn Fn(&str) -> io::Result<()> + Sync);

/// The state that a search resumes, and the receiver of its own state.
#[derive(Clone, Copy, Default)]
pub struct Saving<'a> {
    /// The state of an earlier search of the same versions in the same space.
    pub resume: Option<&'a str>,
    pub keep: Option<Keep<'a>>,
}
