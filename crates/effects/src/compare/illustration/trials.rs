//! What the given tests do with the change: which changed statements each of them executes, and
//! whether the versions differ on it. From runs of the machine; nothing is replayed natively.

use std::time::Duration;

use base::Version;
use explore::Stopwatch;
use explore::pair::Arena;
use inputs::{Layout, Test};
use ir::StatementId;

use super::TestRun;
use crate::versions::{NumberedChange, Versions};

/// The most tests to run.
const MOST_TESTS: usize = 2000;

/// Runs the tests that are in the space, as long as there is time; also returns how many were not
/// run.
pub(super) fn run(
    arena: &mut Arena<'_>,
    versions: &Versions,
    tests: &[Test],
    time: Option<Duration>,
) -> (Vec<TestRun>, usize) {
    let layout = arena.pair.layout();
    let watch = Stopwatch::start();
    let mut runs = Vec::new();
    for (index, test) in tests.iter().enumerate().take(MOST_TESTS) {
        if time.is_some_and(|time| watch.elapsed() >= time) {
            break;
        }
        let Some(assignment) = encode(layout, test) else { continue };
        let differs = arena.probe(&assignment);
        let reached = Version::BOTH.map(|version| arena.reached(version).to_vec());
        let executed = versions.numbered.iter().filter(|change| is_executed(change, &reached));
        let changes = executed.map(|change| change.number).collect();
        runs.push(TestRun { number: index + 1, test: test.clone(), changes, differs });
    }
    let left_out = tests.len() - runs.len();
    (runs, left_out)
}

/// The values of a test's cells, if both versions allow them.
fn encode(layout: &Layout, test: &Test) -> Option<Vec<u64>> {
    layout.encode(&test.input).ok().filter(|values| layout.contains(values))
}

fn is_executed(change: &NumberedChange, [old, new]: &[Vec<StatementId>; 2]) -> bool {
    change.old_statement.is_some_and(|statement| old.contains(&statement))
        || change.new_statements.iter().any(|statement| new.contains(statement))
}
