//! What the textual hunks between two versions do to the program.
//!
//! A hunk with changed statements on its lines is a change. Of the others, such as macros, types,
//! declarations, comments and parts of statements that begin on another line, it is found out by
//! undoing: if NEW without the hunk has the same statements, the hunk changes nothing. First all
//! of them are undone together, which is the common case of comments, then one by one.

use std::collections::BTreeSet;
use std::path::Path;

use changes::versions::{Alignment, Version};
use ir::StatementId;
use source::{Configurations, Hunk, HunkId};

use super::{Place, Side, VersionError, Versions, lay_side_by_side};
use crate::program::Loader;

/// What a hunk does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HunkEffect {
    /// Statements, functions or variables of the program.
    Changes,
    /// Nothing: the text differs, the program does not.
    Nothing,
    /// Without the hunk, the rest of NEW does not build.
    Needed,
    /// Not found out, because too much would have to be built.
    Unknown,
}

/// A hunk and what it does to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkMeaning {
    pub hunk: Hunk,
    pub effect: HunkEffect,
    /// Numbers of the changes that it makes, as in `Versions::numbered`.
    pub changes: Vec<usize>,
    /// Functions with these changes.
    pub functions: Vec<String>,
}

impl Versions {
    /// What each hunk does. At most `builds` configurations are built to find out.
    pub fn hunks(
        &self,
        loader: &Loader<'_>,
        configurations: &mut Configurations,
        builds: usize,
    ) -> Result<Vec<HunkMeaning>, VersionError> {
        let mut meanings: Vec<HunkMeaning> = configurations
            .hunks()
            .iter()
            .map(|hunk| self.meaning(hunk.clone(), self.changes_on(hunk)))
            .collect();
        let silent: Vec<HunkId> = meanings
            .iter()
            .filter(|meaning| meaning.effect == HunkEffect::Unknown)
            .map(|meaning| meaning.hunk.id)
            .collect();
        if silent.is_empty() || builds == 0 {
            return Ok(meanings);
        }
        let together = self.undo(loader, configurations, &silent)?;
        let is_nothing = matches!(&together, Undone::Aligned(alignment) if alignment.is_empty());
        // What is known of all hunks together is known of each if it is nothing, or if there is one.
        let is_known = is_nothing || silent.len() == 1;
        let reach = if is_known { silent.len() } else { builds - 1 };
        for &id in silent.iter().take(reach) {
            let hunk = meanings[id.0 as usize].hunk.clone();
            meanings[id.0 as usize] = match is_known {
                true => self.meaning_of_undone(hunk, &together),
                false => {
                    let undone = self.undo(loader, configurations, &[id])?;
                    self.meaning_of_undone(hunk, &undone)
                }
            };
        }
        Ok(meanings)
    }

    fn meaning(&self, hunk: Hunk, changes: Vec<usize>) -> HunkMeaning {
        let effect = if changes.is_empty() { HunkEffect::Unknown } else { HunkEffect::Changes };
        let mut functions: Vec<String> = Vec::new();
        for &number in &changes {
            let name = &self.numbered[number - 1].function;
            if !functions.contains(name) {
                functions.push(name.clone());
            }
        }
        HunkMeaning { hunk, effect, changes, functions }
    }

    fn meaning_of_undone(&self, hunk: Hunk, undone: &Undone) -> HunkMeaning {
        match undone {
            Undone::DoesNotBuild => {
                let effect = HunkEffect::Needed;
                HunkMeaning { hunk, effect, changes: Vec::new(), functions: Vec::new() }
            }
            Undone::Aligned(alignment) if alignment.is_empty() => {
                let effect = HunkEffect::Nothing;
                HunkMeaning { hunk, effect, changes: Vec::new(), functions: Vec::new() }
            }
            Undone::Aligned(alignment) => {
                let statements: BTreeSet<StatementId> =
                    alignment.changed(Version::New).into_iter().collect();
                let touched = |of: &&super::NumberedChange| {
                    of.new_statements.iter().any(|statement| statements.contains(statement))
                };
                let changes = self.numbered.iter().filter(touched).map(|change| change.number);
                let changes: Vec<usize> = changes.collect();
                HunkMeaning { effect: HunkEffect::Changes, ..self.meaning(hunk, changes) }
            }
        }
    }

    /// NEW without some hunks, laid beside NEW.
    fn undo(
        &self,
        loader: &Loader<'_>,
        configurations: &mut Configurations,
        hunks: &[HunkId],
    ) -> Result<Undone, VersionError> {
        let checkout = configurations.undo(hunks)?;
        if checkout.files.is_empty() {
            return Ok(Undone::DoesNotBuild);
        }
        let side = match Side::load(loader, checkout, "a configuration") {
            Err(error) if error.is_build_failure() => return Ok(Undone::DoesNotBuild),
            other => other?,
        };
        Ok(Undone::Aligned(lay_side_by_side(&side, &self.new)))
    }

    /// Numbers of the changes that stand on the lines of a hunk.
    fn changes_on(&self, hunk: &Hunk) -> Vec<usize> {
        let is_on = |side: &Side, place: &Place, lines: &source::Lines| {
            lines.contains(place.line)
                && side.checkout.key(Path::new(&place.file)).as_deref() == Some(&hunk.key)
        };
        let there = self.numbered.iter().filter(|change| {
            let mut now =
                change.new_statements.iter().filter_map(|&statement| self.new.place(statement));
            change.old.iter().any(|place| is_on(&self.old, place, &hunk.old))
                || now.any(|place| is_on(&self.new, &place, &hunk.new))
        });
        there.map(|change| change.number).collect()
    }
}

enum Undone {
    DoesNotBuild,
    Aligned(Alignment),
}
