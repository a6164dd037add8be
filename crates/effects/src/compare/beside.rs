//! What is made in parallel with a search, or when it is first needed: the programs of strategies
//! that use a solver, and what the hunks mean. Both ask a deadline, because the search does not
//! wait for them once its budget is exhausted.

use std::sync::OnceLock;

use super::hunks;
use super::open::Open;
use super::requests::Requests;
use crate::error::Error;
use crate::trial::Deadline;
use crate::versions::{HunkMeaning, Versions};

/// For two versions, however often they are searched.
#[derive(Default)]
pub(super) struct Beside {
    open: OnceLock<Option<Open>>,
    /// `None` if it cannot be said, which whoever asks finds out again.
    hunks: OnceLock<Option<Vec<HunkMeaning>>>,
}

impl Beside {
    /// `None` if the versions cannot be loaded this way, or not in time.
    pub fn open(&self, requests: &Requests<'_>, deadline: &Deadline<'_>) -> Option<&Open> {
        self.open.get_or_init(|| Open::load(requests, &|| deadline.is_over())).as_ref()
    }

    /// What hunks do to the program. Those that only builds could tell are unknown if there is no
    /// time for these.
    pub fn hunks(
        &self,
        requests: &Requests<'_>,
        versions: &Versions,
        deadline: &Deadline<'_>,
    ) -> Result<Vec<HunkMeaning>, Error> {
        let meanings = || hunks::meanings(requests, versions, &|| deadline.is_over());
        match self.hunks.get_or_init(|| meanings().ok()) {
            Some(known) => Ok(known.clone()),
            None => meanings(),
        }
    }
}
