//! Differences that are alike: the same changed statements are executed, and the same thing
//! differs in the same way.

use explore::Version;
use explore::pair::{Arena, Ending, Finding, Observable};
use ir::StatementId;

/// Runs that making one input smaller may take.
const MOST_RUNS: usize = 3_000;

/// What makes differences alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub observable: Observable,
    pub endings: [Ending; 2],
    /// Changed statements that were executed, in OLD and in NEW.
    pub reached: [Vec<StatementId>; 2],
}

impl Key {
    /// Of an input, if the versions differ on it.
    pub fn of(arena: &mut Arena<'_>, assignment: &[u64]) -> Option<Key> {
        let observable = arena.probe(assignment)?;
        let reached = Version::BOTH.map(|version| {
            let mut reached = arena.reached(version).to_vec();
            reached.sort_unstable();
            reached.dedup();
            reached
        });
        Some(Key { observable, endings: arena.endings().map(Ending::sort), reached })
    }
}

/// Differences that are alike, the smallest first.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub key: Key,
    pub findings: Vec<Finding>,
}

/// Groups in the order in which they were found.
pub(super) fn group(arena: &mut Arena<'_>, findings: Vec<Finding>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for finding in findings {
        let Some(key) = Key::of(arena, &finding.assignment) else { continue };
        match groups.iter_mut().find(|group| group.key == key) {
            Some(group) => group.findings.push(finding),
            None => groups.push(Group { key, findings: vec![finding] }),
        }
    }
    for group in &mut groups {
        group.findings.sort_by_key(|finding| size(&finding.assignment));
    }
    groups
}

/// How much there is to an input: values that are not zero, then their sum.
fn size(assignment: &[u64]) -> (usize, u128) {
    let values = assignment.iter().filter(|value| **value != 0);
    let sum = assignment.iter().map(|&value| u128::from((value as i64).unsigned_abs())).sum();
    (values.count(), sum)
}

/// Makes an input small that stays in its group.
pub(super) fn reduce(
    arena: &mut Arena<'_>,
    key: &Key,
    assignment: &mut Box<[u64]>,
    is_over: &dyn Fn() -> bool,
) {
    let layout = arena.pair.layout();
    let mut keeps = |smaller: &[u64]| Key::of(arena, smaller).as_ref() == Some(key);
    explore::smaller::minimise(layout, assignment, MOST_RUNS, is_over, &mut keeps);
}
