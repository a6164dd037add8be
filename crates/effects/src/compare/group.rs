//! Groups similar differences: the same changed statements are executed, and the same observable
//! differs in the same way.

use base::Version;
use exec::undefined::UndefinedKind;
use explore::pair::{Arena, Finding};
use ir::StatementId;
use trace::Ending;
use trace::outcome::Observable;

/// The most runs to minimise one input.
const MOST_RUNS: usize = 3_000;

/// What differences of a group share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub observable: Observable,
    pub endings: [Ending; 2],
    /// Changed statements that were executed, in OLD and in NEW.
    pub reached: [Vec<StatementId>; 2],
    /// The operation that only one version executes, if nothing else differs.
    pub undefined: Option<(Version, UndefinedKind)>,
}

impl Key {
    /// The key of an input, if the versions differ on it.
    pub fn of(arena: &mut Arena<'_>, assignment: &[u64]) -> Option<Key> {
        let observable = arena.probe(assignment)?;
        let reached = Version::BOTH.map(|version| {
            let mut reached = arena.reached(version).to_vec();
            reached.sort_unstable();
            reached.dedup();
            reached
        });
        let is_silent = observable == Observable::Undefined;
        let undefined = arena.only_undefined().filter(|_| is_silent);
        Some(Key { observable, endings: arena.endings().map(Ending::sort), reached, undefined })
    }
}

/// Similar differences, the smallest first, and last those in which parameters are the same object.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub key: Key,
    pub findings: Vec<Finding>,
}

/// Groups in the order of discovery, those that are invisible to users last.
pub(super) fn group(arena: &mut Arena<'_>, findings: Vec<Finding>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for finding in findings {
        let Some(key) = Key::of(arena, &finding.assignment) else { continue };
        match groups.iter_mut().find(|group| group.key == key) {
            Some(group) => group.findings.push(finding),
            None => groups.push(Group { key, findings: vec![finding] }),
        }
    }
    groups.sort_by_key(|group| group.key.observable.is_silent());
    let layout = arena.pair.layout();
    for group in &mut groups {
        group.findings.sort_by_key(|finding| {
            let needs_same = !layout.same(&finding.assignment).is_empty();
            (needs_same, size(&finding.assignment))
        });
    }
    groups
}

/// The size of an input: values that are not zero, then their sum.
fn size(assignment: &[u64]) -> (usize, u128) {
    let values = assignment.iter().filter(|value| **value != 0);
    let sum = assignment.iter().map(|&value| u128::from((value as i64).unsigned_abs())).sum();
    (values.count(), sum)
}

/// Minimises an input within its group.
pub(super) fn reduce(
    arena: &mut Arena<'_>,
    key: &Key,
    assignment: &mut Box<[u64]>,
    is_over: &dyn Fn() -> bool,
) {
    let layout = arena.pair.layout();
    if !layout.same(assignment).is_empty() {
        // A difference that shows without aliasing is plainer.
        let separated = layout.separated(assignment);
        if Key::of(arena, &separated).as_ref() == Some(key) {
            *assignment = separated;
        }
    }
    let mut keeps = |smaller: &[u64]| Key::of(arena, smaller).as_ref() == Some(key);
    explore::smaller::minimise(layout, assignment, MOST_RUNS, is_over, &mut keeps);
}
