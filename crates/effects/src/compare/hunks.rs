//! The status of every hunk after a comparison.
//!
//! A difference is due to the hunks that delta debugging found. If there was no time for that, it
//! may be due to any hunk whose statements it executes.

use explore::pair::Arena;

use super::requests::Requests;
use super::{Compared, Witness};
use crate::error::Error;
use crate::program::{Libc, Loader};
use crate::versions::{
    Changes, Evidence, HunkMeaning, HunkStatus, Place, Reach, Standing, Versions, Ways,
};

/// What hunks do to the program. Builds nothing for that once it `is_over`.
pub(super) fn meanings(
    requests: &Requests<'_>,
    versions: &Versions,
    is_over: &dyn Fn() -> bool,
) -> Result<Vec<HunkMeaning>, Error> {
    let loader = Loader { libc: Libc::Quick, ..requests.request.scope.loader.clone() };
    versions.hunks_soon(&loader, is_over)
}

/// Hunks between versions with the same behaviour.
pub(super) fn of_unchanged(
    requests: &Requests<'_>,
    versions: &Versions,
) -> Result<Vec<HunkStatus>, Error> {
    let (runs, is_proved) = (&|_, _| Default::default(), false);
    let meanings = meanings(requests, versions, &|| false)?;
    Ok(Ways::default().statuses(meanings, &Evidence { runs, is_proved }))
}

/// Hunks after a search, and how far its runs got.
pub(super) fn after_search(
    requests: &Requests<'_>,
    versions: &Versions,
    arena: &Arena<'_>,
    meanings: Vec<HunkMeaning>,
    is_proved: bool,
) -> (Vec<HunkStatus>, Reach) {
    let runs = &|version, statement| arena.executions.of(version, statement);
    let ways = Ways::new(versions, requests.request.scope.entry);
    let statuses = ways.statuses(meanings, &Evidence { runs, is_proved });
    (statuses, ways.reach(runs))
}

/// The changes, with the status of hunks.
pub(super) fn changes(versions: &Versions, hunks: &[HunkStatus]) -> Changes {
    let meanings: Vec<HunkMeaning> = hunks.iter().map(|status| status.meaning.clone()).collect();
    versions.changes_with(&meanings)
}

impl Compared {
    /// The status of every hunk, with the differences that are due to it.
    pub fn hunks(&self) -> Vec<HunkStatus> {
        self.hunks_apart.iter().map(|status| self.with_differences(status)).collect()
    }

    /// Whether runs reached the change, or there is nothing to reach.
    pub fn is_reached(&self) -> bool {
        self.reach.suffices(&self.hunks_apart)
    }

    fn with_differences(&self, status: &HunkStatus) -> HunkStatus {
        let (mut shown, mut executed) = (Vec::new(), Vec::new());
        for (number, witness) in self.witnesses.iter().enumerate() {
            match relation(&status.meaning, witness) {
                Relation::Cause => shown.push(number),
                Relation::Executed => executed.push(number),
                Relation::None => {}
            }
        }
        let is_of = |witness: &Witness| relation(&status.meaning, witness) != Relation::None;
        let accepted = self.accepted.iter().filter(|one| is_of(&one.witness)).count();
        if shown.is_empty() && executed.is_empty() && accepted > 0 && status.is_compiled() {
            let standing = Standing::Accepted { differences: accepted };
            return HunkStatus { standing, ..status.clone() };
        }
        let is_hidden = self.hidden.iter().any(|hidden| hidden.hunk == status.meaning.hunk.id);
        if shown.is_empty() && is_hidden {
            return HunkStatus { standing: Standing::Hidden, ..status.clone() };
        }
        status.clone().with_differences(shown, executed)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    /// The difference is due to the hunk.
    Cause,
    /// The difference executes the hunk, and may be due to it.
    Executed,
    None,
}

fn relation(meaning: &HunkMeaning, witness: &Witness) -> Relation {
    let named = witness.blame.as_ref().map(|blame| {
        let is_named = blame.hunks.iter().any(|hunk| hunk.id == meaning.hunk.id);
        (is_named, blame.is_minimal)
    });
    match named {
        Some((true, true)) => Relation::Cause,
        Some((false, _)) => Relation::None,
        Some((true, false)) | None if is_executed(meaning, witness) => Relation::Executed,
        Some((true, false)) | None => Relation::None,
    }
}

fn is_executed(meaning: &HunkMeaning, witness: &Witness) -> bool {
    meaning.places.iter().zip(&witness.reached).any(|(places, reached)| {
        let is_there = |place: &Place| {
            let mut reached = reached.iter();
            reached.any(|at| at.line == place.line && at.file.as_ref() == Some(&place.file))
        };
        places.iter().any(is_there)
    })
}
