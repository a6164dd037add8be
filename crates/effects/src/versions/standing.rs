//! The status of every hunk of a change: what its text does to the program, whether runs can reach
//! it and did, and with which result.
//!
//! Makes no claim in doubt. A hunk counts as not reached only if all executed changed statements
//! are known to come from others.

use std::collections::BTreeSet;

use base::{Both, Version};
use explore::pair::Runs;
use inputs::find_function;
use ir::{References, StatementId};

use super::{HunkEffect, HunkMeaning, Inactive, Versions};

/// A hunk and its status.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HunkStatus {
    pub meaning: HunkMeaning,
    pub standing: Standing,
    /// How many runs, or partitions, executed the most often executed statement of the hunk.
    pub runs: Runs,
}

/// What is known about a hunk. Differences are numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// Its file is no part of the program.
    NotInProgram,
    /// Not compiled in this build, because of these conditions.
    NotCompiled(Vec<Inactive>),
    /// The text differs, but the compiled code does not.
    NoEffect,
    /// Compiled, and nothing else is known.
    Compiled,
    /// Compiled, and no run from the entry can reach it.
    Unreachable,
    /// Compiled, and no run reached it.
    NotReached,
    /// Reached, and no difference is due to it.
    Reached,
    /// Alone it makes a difference, which other hunks hide.
    Hidden,
    /// Reached, and proved to have no effect on any input of the space.
    Proved,
    /// Executed in these differences, whose cause was not narrowed down further.
    Executed { differences: Vec<usize> },
    /// These differences are due to it.
    Shown { differences: Vec<usize> },
    /// Only differences that users accepted are due to it.
    Accepted { differences: usize },
}

/// How far runs from the entry get towards the change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reach {
    /// There is nothing to reach: the programs are the same.
    #[default]
    NoChange,
    /// No changed statement can be reached.
    Unreachable,
    /// No run reached one.
    NotReached,
    Reached,
}

impl Reach {
    /// Whether runs reached the change, or there is none; a hunk that is not compiled is a change.
    pub(crate) fn suffices(self, hunks: &[HunkStatus]) -> bool {
        match self {
            Reach::Reached => true,
            Reach::NotReached | Reach::Unreachable => false,
            Reach::NoChange => !hunks.iter().any(HunkStatus::is_left_out),
        }
    }
}

impl HunkMeaning {
    /// The status without any run.
    pub fn standing(&self) -> Standing {
        match &self.effect {
            HunkEffect::NotInProgram => Standing::NotInProgram,
            HunkEffect::Inactive(conditions) => Standing::NotCompiled(conditions.clone()),
            HunkEffect::Nothing => Standing::NoEffect,
            HunkEffect::Changes | HunkEffect::Needed | HunkEffect::Unknown => Standing::Compiled,
        }
    }
}

impl HunkStatus {
    /// Whether the compiler does not see the hunk in this build although it is more than
    /// comments.
    pub fn is_left_out(&self) -> bool {
        matches!(self.standing, Standing::NotInProgram | Standing::NotCompiled(_))
    }

    /// Whether the compiler sees more of it than comments.
    pub fn is_compiled(&self) -> bool {
        !self.is_left_out() && self.standing != Standing::NoEffect
    }

    /// With the differences that are due to it, and those that execute it and may be.
    pub(crate) fn with_differences(self, shown: Vec<usize>, executed: Vec<usize>) -> HunkStatus {
        let standing = match () {
            () if !self.is_compiled() => self.standing,
            () if !shown.is_empty() => Standing::Shown { differences: shown },
            () if !executed.is_empty() => Standing::Executed { differences: executed },
            () => self.standing,
        };
        HunkStatus { standing, ..self }
    }
}

/// Changed statements and which of them runs from the entry can reach, as far as that is known
/// statically.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ways {
    changed: Both<Vec<StatementId>>,
    /// Those of `changed` that can be reached.
    reachable: Both<BTreeSet<StatementId>>,
    has_change: bool,
    /// Whether a changed variable is reachable without any changed statement.
    has_variable: bool,
}

/// The results of runs.
pub(crate) struct Evidence<'a> {
    /// Of the runs that executed a statement.
    pub runs: &'a dyn Fn(Version, StatementId) -> Runs,
    /// Whether all inputs of the space are proved equal.
    pub is_proved: bool,
}

impl Ways {
    /// From `main` or another function.
    pub fn new(versions: &Versions, entry: Option<&str>) -> Ways {
        let changed = versions.all_changed();
        let globals = versions.changed_globals();
        let mut ways = Ways {
            reachable: Default::default(),
            has_change: !versions.alignment.is_empty(),
            has_variable: false,
            changed,
        };
        for version in Version::BOTH {
            let side = versions.side(version);
            let Ok(entry) = find_function(&side.module, entry.unwrap_or("main")) else {
                // Without an entry, nothing is known.
                ways.reachable[version] = ways.changed[version].iter().copied().collect();
                continue;
            };
            let reachable = References::reachable(&side.module, &[entry], |_| true);
            let can_be =
                |id: &&StatementId| reachable.functions[side.module.statements[**id].function];
            ways.reachable[version] =
                ways.changed[version].iter().filter(can_be).copied().collect();
            ways.has_variable |= globals[version].iter().any(|&id| reachable.globals[id]);
        }
        ways
    }

    /// How far these runs get.
    pub fn reach(&self, runs: &dyn Fn(Version, StatementId) -> Runs) -> Reach {
        let is_executed = |(version, id): (Version, StatementId)| runs(version, id).total() > 0;
        let can_be_reached = self.reachable.iter().any(|statements| !statements.is_empty());
        match () {
            () if !self.has_change => Reach::NoChange,
            () if self.all().any(is_executed) => Reach::Reached,
            () if can_be_reached => Reach::NotReached,
            () if self.has_variable => Reach::Reached,
            () => Reach::Unreachable,
        }
    }

    /// The status of hunks, without differences.
    pub fn statuses(&self, meanings: Vec<HunkMeaning>, evidence: &Evidence<'_>) -> Vec<HunkStatus> {
        let known: Both<BTreeSet<StatementId>> = Version::BOTH.map(|version| {
            let of = meanings.iter().flat_map(|meaning| &meaning.statements[version]);
            of.copied().collect()
        });
        let is_orphan = |&(version, id): &(Version, StatementId)| {
            !known[version].contains(&id) && (evidence.runs)(version, id).total() > 0
        };
        let is_certain = !self.all().any(|one| is_orphan(&one));
        let status = |meaning: HunkMeaning| {
            let runs = most_runs(&meaning, evidence);
            let standing = self.standing(&meaning, runs, evidence, is_certain);
            HunkStatus { meaning, standing, runs }
        };
        meanings.into_iter().map(status).collect()
    }

    fn standing(
        &self,
        meaning: &HunkMeaning,
        runs: Runs,
        evidence: &Evidence<'_>,
        is_certain: bool,
    ) -> Standing {
        let standing = meaning.standing();
        if standing != Standing::Compiled {
            return standing;
        }
        let has_statements = meaning.statements.iter().any(|statements| !statements.is_empty());
        let can_be_reached = Version::BOTH.into_iter().any(|version| {
            meaning.statements[version].iter().any(|id| self.reachable[version].contains(id))
        });
        match runs.total() {
            0 if has_statements && is_certain && can_be_reached => Standing::NotReached,
            0 if has_statements && is_certain => Standing::Unreachable,
            _ if evidence.is_proved => Standing::Proved,
            0 => Standing::Compiled,
            _ => Standing::Reached,
        }
    }

    fn all(&self) -> impl Iterator<Item = (Version, StatementId)> {
        let of = |version: Version| self.changed[version].iter().map(move |&id| (version, id));
        Version::BOTH.into_iter().flat_map(of)
    }
}

/// The runs of the statement that most runs executed.
fn most_runs(meaning: &HunkMeaning, evidence: &Evidence<'_>) -> Runs {
    let of = |version: Version| {
        let statements = meaning.statements[version].iter();
        statements.map(move |&id| (evidence.runs)(version, id))
    };
    let all = of(Version::Old).chain(of(Version::New));
    all.max_by_key(Runs::total).unwrap_or_default()
}
