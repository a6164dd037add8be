//! What tests miss, in terms of the source: the shortest first.
//!
//! A chain is reported if its beginning is satisfied and it is not: what extends it is unsatisfied
//! as well and not worth a line of its own.

use std::collections::BTreeSet;

use trace::chains::{ChainId, Point};

use super::requirements::Requirements;
use super::rows::{Rows, Step};
use crate::trial::Place;

/// The most requirements to tell.
const MOST_TOLD: usize = 2_000;

/// A requirement that no test satisfies.
#[derive(Clone, Debug, PartialEq)]
pub struct Requirement {
    /// The changed statement.
    pub change: Place,
    pub is_deleted: bool,
    pub missing: Missing,
    /// The dependences from there, if it is about a chain.
    pub steps: Vec<Step>,
    /// How many tests satisfy all of it but what is missing.
    pub near: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    /// No test executes the changed statement.
    Execution,
    /// Tests execute it, and the state is always the same as in the other version.
    Infection,
    /// No test takes the last dependence after the others.
    Dependence,
    /// Tests take it, and the state at its source is always the same as in the other version.
    Difference,
}

pub(super) fn missing(rows: &Rows<'_>, requirements: &Requirements<'_>) -> Vec<Requirement> {
    let tree = &requirements.ran.tree;
    let mut all = Vec::new();
    for &point in &requirements.points {
        let counts = requirements.ran.counts(&[point]);
        let (missing, near) = match tree.root(point) {
            None if counts.reach == 0 => (Missing::Execution, 0),
            Some(root) if tree.chains[root].propagated.is_empty() => {
                (Missing::Infection, tree.chains[root].covered.len())
            }
            _ => continue,
        };
        all.extend(about(rows, point, missing, Vec::new(), near));
    }
    for (chain, node) in tree.chains.iter() {
        let is_behind = |parent: ChainId| !tree.chains[parent].propagated.is_empty();
        if node.parent.is_some_and(is_behind) && node.propagated.is_empty() {
            let (start, steps) = (tree.start(chain), rows.steps(chain));
            all.extend(about(rows, start, Missing::Difference, steps, node.covered.len()));
        }
    }
    for open in requirements.frontier.values().flatten() {
        let (start, mut steps) = (tree.start(open.parent), rows.steps(open.parent));
        steps.extend(rows.open_step(open));
        let near = tree.chains[open.parent].covered.len();
        all.extend(about(rows, start, Missing::Dependence, steps, near));
    }
    all.sort_by(|a, b| {
        let key = |one: &Requirement| (one.steps.len(), one.missing);
        key(a).cmp(&key(b)).then_with(|| (&a.change, &a.steps).cmp(&(&b.change, &b.steps)))
    });
    // Statements of one line are one for people.
    let mut known = BTreeSet::new();
    let key = |one: &Requirement| {
        let lines = |step: &Step| (step.from.line, step.to.line, step.through.clone());
        let steps: Vec<_> = one.steps.iter().map(lines).collect();
        (one.change.file.clone(), one.change.line, one.missing, steps)
    };
    all.retain(|one| known.insert(key(one)));
    all.truncate(MOST_TOLD);
    all
}

fn about(
    rows: &Rows<'_>,
    point: Point,
    missing: Missing,
    steps: Vec<Step>,
    near: usize,
) -> Option<Requirement> {
    let is_deleted = point.version == base::Version::Old;
    Some(Requirement { change: rows.place(point)?, is_deleted, missing, steps, near })
}
