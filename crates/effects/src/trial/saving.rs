//! What is kept of a search across an interruption.

use std::io;

/// Is given the beginning of a state, and then whole lines as they come about.
pub type Keep<'a> = &'a (dyn Fn(&str) -> io::Result<()> + Sync);

/// Where a search goes on from, and who keeps what a later one may go on from.
#[derive(Clone, Copy, Default)]
pub struct Saving<'a> {
    /// The state of an earlier search of the same versions in the same space.
    pub resume: Option<&'a str>,
    pub keep: Option<Keep<'a>>,
}
