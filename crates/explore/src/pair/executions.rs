//! How many runs executed each changed statement, and the results of these runs.

use base::Version;
use base::entity::EntityRef;
use ir::StatementId;

use super::Pair;

/// Runs of an input on both versions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Runs {
    /// No observable differs.
    pub same: u64,
    pub different: u64,
    /// A version had no ending that can be compared.
    pub unknown: u64,
}

impl Runs {
    pub fn total(&self) -> u64 {
        self.same + self.different + self.unknown
    }

    fn add(&mut self, other: &Runs) {
        self.same += other.same;
        self.different += other.different;
        self.unknown += other.unknown;
    }
}

/// The result of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Came {
    Same,
    Different,
    Unknown,
}

/// By version and statement, the runs that executed it.
#[derive(Clone, Debug, Default)]
pub struct Executions([Vec<Runs>; 2]);

impl Executions {
    pub(super) fn new(pair: &Pair<'_>) -> Executions {
        let of = |version| pair.side(version).program.module.statements.len();
        Executions(Version::BOTH.map(|version| vec![Runs::default(); of(version)]))
    }

    #[inline]
    pub(super) fn note(&mut self, version: Version, statements: &[StatementId], came: Came) {
        let counts = &mut self.0[version];
        for statement in statements {
            let Some(runs) = counts.get_mut(statement.index()) else { continue };
            match came {
                Came::Same => runs.same += 1,
                Came::Different => runs.different += 1,
                Came::Unknown => runs.unknown += 1,
            }
        }
    }

    /// Takes the counts of another one.
    pub(super) fn take(&mut self, other: &mut Executions) {
        for (mine, its) in self.0.iter_mut().zip(&mut other.0) {
            for (mine, its) in mine.iter_mut().zip(its) {
                mine.add(its);
                *its = Runs::default();
            }
        }
    }

    /// The runs that executed a changed statement.
    pub fn of(&self, version: Version, statement: StatementId) -> Runs {
        self.0[version].get(statement.index()).copied().unwrap_or_default()
    }
}
