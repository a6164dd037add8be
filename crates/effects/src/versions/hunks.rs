//! What the textual hunks between two versions do to the program.
//!
//! A hunk with changed statements on its lines is a change. For the others, such as macros, types,
//! declarations, comments and parts of statements that begin on another line, the compiler tells
//! whether it sees them at all. The rest is decided by undoing: if NEW without the hunk has the
//! same statements, the hunk changes nothing. First all of them are undone together, then one by
//! one.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use base::{Both, Version};
use changes::versions::Alignment;
use explore::Stopwatch;
use ir::StatementId;
use source::{Configurations, Hunk, HunkId, Inactive, Seen};

use super::{Place, Side, Versions, lay_side_by_side};
use crate::error::Error;
use crate::program::Loader;

/// The most configurations to build if others wait, the time after which none is started, and the
/// largest program in statements.
const MOST_BUILDS: usize = 8;
const PATIENCE: Duration = Duration::from_secs(5);
const MOST_STATEMENTS: usize = 50_000;

/// What a hunk does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HunkEffect {
    /// Statements, functions or variables of the program.
    Changes,
    /// Nothing: the text differs, the program does not.
    Nothing,
    /// Nothing in this build: the preprocessor skips its lines, because of these conditions.
    Inactive(Vec<Inactive>),
    /// Nothing: its file is no part of the program.
    NotInProgram,
    /// Without the hunk, the rest of NEW does not build.
    Needed,
    /// Unknown, because too much would have to be built.
    Unknown,
}

/// A hunk and what it does to the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkMeaning {
    pub hunk: Hunk,
    pub effect: HunkEffect,
    /// Numbers of the changes that it makes, as in `Versions::numbered`.
    pub changes: Vec<usize>,
    /// Functions with these changes, and those that it adds or removes.
    pub functions: Vec<String>,
    /// The changed statements that it causes, in OLD and in NEW.
    pub places: Both<Vec<Place>>,
    pub(crate) statements: Both<Vec<StatementId>>,
}

impl Versions {
    /// The effect of each hunk; those in files that are no part of the program come last. Builds at
    /// most `builds` configurations, none after `is_over` says so.
    pub fn hunks(
        &self,
        loader: &Loader<'_>,
        builds: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<HunkMeaning>, Error> {
        let (old, new) = (&self.old.checkout, &self.new.checkout);
        let [hunks, outside] = source::hunks_between(old, new, loader.compiler, &loader.cflags)?;
        let changed = self.all_changed();
        let mut meanings: Vec<HunkMeaning> =
            hunks.into_iter().map(|hunk| self.meaning(&changed, hunk)).collect();
        self.look_at_silent(loader, &mut meanings)?;
        self.settle_silent(&changed, &mut meanings);
        self.undo_silent(loader, &changed, &mut meanings, builds, is_over)?;
        let beside = |hunk| HunkMeaning::without(hunk, HunkEffect::NotInProgram);
        meanings.extend(outside.into_iter().map(beside));
        Ok(meanings)
    }

    /// The same with little time: builds few configurations, and none of a large program.
    pub(crate) fn hunks_soon(
        &self,
        loader: &Loader<'_>,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Vec<HunkMeaning>, Error> {
        let is_large = self.new.module.statements.len() > MOST_STATEMENTS;
        let watch = Stopwatch::start();
        let builds = if is_large { 0 } else { MOST_BUILDS };
        self.hunks(loader, builds, &|| is_over() || watch.elapsed() > PATIENCE)
    }

    /// Finds out what the compiler sees of hunks without changed statements on their lines.
    fn look_at_silent(
        &self,
        loader: &Loader<'_>,
        meanings: &mut [HunkMeaning],
    ) -> Result<(), Error> {
        let silent = meanings.iter().filter(|meaning| meaning.effect == HunkEffect::Unknown);
        let hunks: Vec<&Hunk> = silent.map(|meaning| &meaning.hunk).collect();
        let both = [&self.old.checkout, &self.new.checkout];
        let seen = source::seen(both, loader.compiler, &loader.cflags, &hunks)?;
        let silent = meanings.iter_mut().filter(|meaning| meaning.effect == HunkEffect::Unknown);
        for (meaning, seen) in silent.zip(seen) {
            meaning.effect = match seen {
                Seen::Lines => HunkEffect::Unknown,
                Seen::Blank => HunkEffect::Nothing,
                Seen::Skipped(conditions) => HunkEffect::Inactive(conditions),
            };
        }
        Ok(())
    }

    /// Decides about silent hunks as far as possible without building anything.
    fn settle_silent(&self, changed: &Both<Vec<StatementId>>, meanings: &mut [HunkMeaning]) {
        let is_seen = |meaning: &&mut HunkMeaning| {
            matches!(meaning.effect, HunkEffect::Unknown | HunkEffect::Changes)
        };
        let mut seen: Vec<&mut HunkMeaning> = meanings.iter_mut().filter(is_seen).collect();
        if self.alignment.is_empty() {
            seen.into_iter().for_each(|meaning| meaning.effect = HunkEffect::Nothing);
        } else if let [only] = &mut seen[..] {
            // It causes everything that changed.
            let hunk = only.hunk.clone();
            **only = self.meaning_of(hunk, HunkEffect::Changes, changed.clone());
        }
    }

    /// Decides about silent hunks by undoing them.
    fn undo_silent(
        &self,
        loader: &Loader<'_>,
        changed: &Both<Vec<StatementId>>,
        meanings: &mut [HunkMeaning],
        builds: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let silent: Vec<HunkId> = meanings
            .iter()
            .filter(|meaning| meaning.effect == HunkEffect::Unknown)
            .map(|meaning| meaning.hunk.id)
            .collect();
        if silent.is_empty() || builds == 0 || is_over() {
            return Ok(());
        }
        let (old, new) = (&self.old.checkout, &self.new.checkout);
        let mut made = Configurations::new(old, new, loader.compiler, &loader.cflags)?;
        let configurations = &mut made;
        let together = self.undo(loader, configurations, &silent)?;
        let is_nothing = matches!(&together, Undone::Aligned(alignment) if alignment.is_empty());
        // What is known about all hunks together holds for each if it is nothing, or if there is
        // one.
        let is_known = is_nothing || silent.len() == 1;
        let reach = if is_known { silent.len() } else { builds - 1 };
        for &id in silent.iter().take(reach) {
            if !is_known && is_over() {
                break;
            }
            let hunk = meanings[id.0 as usize].hunk.clone();
            meanings[id.0 as usize] = if is_known {
                self.meaning_of_undone(changed, hunk, &together)
            } else {
                let undone = self.undo(loader, configurations, &[id])?;
                self.meaning_of_undone(changed, hunk, &undone)
            };
        }
        Ok(())
    }

    /// All changed statements, including those of functions that only one version has.
    pub(crate) fn all_changed(&self) -> Both<Vec<StatementId>> {
        let of = |version| self.alignment.changed(version, &self.side(version).module);
        Version::BOTH.map(of)
    }

    /// The meaning of a hunk by the changed statements on its lines.
    fn meaning(&self, changed: &Both<Vec<StatementId>>, hunk: Hunk) -> HunkMeaning {
        let on_lines = |side: &Side, lines: &source::Lines, changed: &[StatementId]| {
            let is_on = |place: Place| {
                lines.contains(place.line)
                    && side.checkout.key(Path::new(&place.file)).as_deref() == Some(&hunk.key)
            };
            let on = changed.iter().copied().filter(|&id| side.place(id).is_some_and(is_on));
            on.collect::<Vec<StatementId>>()
        };
        let statements = [
            on_lines(&self.old, &hunk.old, &changed[Version::Old]),
            on_lines(&self.new, &hunk.new, &changed[Version::New]),
        ];
        if statements.iter().all(Vec::is_empty) {
            HunkMeaning::without(hunk, HunkEffect::Unknown)
        } else {
            self.meaning_of(hunk, HunkEffect::Changes, statements)
        }
    }

    /// The meaning of a hunk that causes some changed statements.
    fn meaning_of(
        &self,
        hunk: Hunk,
        effect: HunkEffect,
        statements: Both<Vec<StatementId>>,
    ) -> HunkMeaning {
        let [old, new] = &statements;
        let is_touched = |change: &&super::NumberedChange| {
            change.old_statement.is_some_and(|id| old.binary_search(&id).is_ok())
                || change.new_statements.iter().any(|id| new.binary_search(id).is_ok())
        };
        let touched: Vec<&super::NumberedChange> =
            self.numbered.iter().filter(is_touched).collect();
        let changes = touched.iter().map(|change| change.number).collect();
        let mut functions: Vec<String> = Vec::new();
        let removed = self.alignment.removed.iter().filter(|&&function| {
            old.iter().any(|&id| self.old.module.statements[id].function == function)
        });
        let removed = removed.map(|&function| self.old.name(function));
        for name in touched.iter().map(|change| change.function.clone()).chain(removed) {
            if !functions.contains(&name) {
                functions.push(name);
            }
        }
        let places = |side: &Side, statements: &[StatementId]| {
            let all: BTreeSet<Place> = statements.iter().filter_map(|&id| side.place(id)).collect();
            all.into_iter().collect()
        };
        let places = [places(&self.old, old), places(&self.new, new)];
        HunkMeaning { hunk, effect, changes, functions, places, statements }
    }

    fn meaning_of_undone(
        &self,
        changed: &Both<Vec<StatementId>>,
        hunk: Hunk,
        undone: &Undone,
    ) -> HunkMeaning {
        let alignment = match undone {
            Undone::DoesNotBuild => return HunkMeaning::without(hunk, HunkEffect::Needed),
            Undone::Aligned(alignment) if alignment.is_empty() => {
                return HunkMeaning::without(hunk, HunkEffect::Nothing);
            }
            Undone::Aligned(alignment) => alignment,
        };
        let mut new = alignment.changed(Version::New, &self.new.module);
        // Hunks may revert what others do.
        new.retain(|id| changed[Version::New].binary_search(id).is_ok());
        let found: BTreeSet<StatementId> = new.iter().copied().collect();
        let before = self.numbered.iter().filter(|change| {
            change.new_statements.iter().any(|statement| found.contains(statement))
        });
        let mut old: Vec<StatementId> = before.filter_map(|change| change.old_statement).collect();
        old.sort_unstable();
        old.dedup();
        self.meaning_of(hunk, HunkEffect::Changes, [old, new])
    }

    /// NEW without some hunks, aligned with NEW.
    fn undo(
        &self,
        loader: &Loader<'_>,
        configurations: &mut Configurations,
        hunks: &[HunkId],
    ) -> Result<Undone, Error> {
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
}

impl HunkMeaning {
    fn without(hunk: Hunk, effect: HunkEffect) -> HunkMeaning {
        let (changes, functions) = (Vec::new(), Vec::new());
        let (places, statements) = (Default::default(), Default::default());
        HunkMeaning { hunk, effect, changes, functions, places, statements }
    }
}

enum Undone {
    DoesNotBuild,
    Aligned(Alignment),
}
