//! The status of every hunk after a verification, from each version to the next.

use std::collections::BTreeMap;

use base::Version;
use explore::pair::Runs;
use explore::proved::{Partition, Verdict};
use ir::StatementId;

use super::Replay;
use super::subjects::{Change, Subjects};
use crate::proved::Described;
use crate::versions::{Evidence, HunkMeaning, HunkStatus, Reach};

/// The hunks from a version to the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepHunks {
    /// Number of the older version.
    pub from: usize,
    /// The counts are of partitions, by the executed input of each.
    pub hunks: Vec<HunkStatus>,
    pub reach: Reach,
}

/// The status after these partitions were found, some of which are described and replayed.
pub(super) fn step_hunks(
    subjects: &Subjects,
    partitions: &[Partition],
    told: &[(&Described, &Replay)],
    is_proved: bool,
) -> Vec<StepHunks> {
    let steps = subjects.steps.iter().enumerate();
    steps.map(|(from, change)| of_step(from, change, partitions, told, is_proved)).collect()
}

fn of_step(
    from: usize,
    change: &Change,
    partitions: &[Partition],
    told: &[(&Described, &Replay)],
    is_proved: bool,
) -> StepHunks {
    let counts = counts(from, partitions);
    let runs = &|version: Version, id: StatementId| {
        counts.get(&(version, id)).copied().unwrap_or_default()
    };
    let statuses = change.ways.statuses(change.hunks.clone(), &Evidence { runs, is_proved });
    let is_alone = statuses.iter().filter(|status| status.is_compiled()).count() == 1;
    let with_differences = |status: HunkStatus| {
        let executed = differences(from, &status.meaning, told);
        if is_alone {
            status.with_differences(executed, Vec::new())
        } else {
            status.with_differences(Vec::new(), executed)
        }
    };
    let hunks = statuses.into_iter().map(with_differences).collect();
    StepHunks { from, hunks, reach: change.ways.reach(runs) }
}

/// For each changed statement of both versions, the partitions whose input executes it.
fn counts(from: usize, partitions: &[Partition]) -> BTreeMap<(Version, StatementId), Runs> {
    let mut counts: BTreeMap<(Version, StatementId), Runs> = BTreeMap::new();
    for partition in partitions {
        for version in Version::BOTH {
            let Some(executed) = partition.changes.get(from + version as usize) else { continue };
            for &id in executed {
                let runs = counts.entry((version, id)).or_default();
                match partition.verdict {
                    Verdict::Equal(_) => runs.same += 1,
                    Verdict::Different => runs.different += 1,
                    Verdict::Unknown(_) => runs.unknown += 1,
                }
            }
        }
    }
    counts
}

/// The partitions in which these two versions differ and that execute a hunk.
fn differences(from: usize, meaning: &HunkMeaning, told: &[(&Described, &Replay)]) -> Vec<usize> {
    let is_different = |one: &Described, replay: &Replay| {
        one.verdict == Verdict::Different
            && one.classes.get(from) != one.classes.get(from + 1)
            && !matches!(replay, Replay::Unconfirmed(..))
    };
    let is_executed = |one: &Described| {
        Version::BOTH.into_iter().any(|version| {
            let executed = one.changes.get(from + version as usize);
            let places = &meaning.places[version];
            executed.is_some_and(|executed| executed.iter().any(|place| places.contains(place)))
        })
    };
    let all = told.iter().enumerate();
    let executing = all.filter(|(_, (one, replay))| is_different(one, replay) && is_executed(one));
    executing.map(|(number, _)| number).collect()
}
