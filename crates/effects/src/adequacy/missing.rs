//! What tests miss, in terms of the source: the shortest first.
//!
//! A chain is reported if its beginning is satisfied and it is not: what extends it is unsatisfied
//! as well and not worth a line of its own.

use std::collections::BTreeSet;

use trace::chains::{ChainId, ChainNode, Point};

use super::requirements::{Frontier, Requirements};
use super::rows::{Rows, Step};
use crate::trial::Place;

/// The most requirements to tell, and to put into words to find these.
const MOST_TOLD: usize = 2_000;
const MOST_WORDED: usize = 20_000;

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
    /// The state differs only where another part of the change made it different before.
    Confounded,
}

/// What a requirement is about, before it is put into words.
#[derive(Clone, Copy)]
enum About<'a> {
    Statement(Point),
    Chain(ChainId),
    Open(&'a Frontier),
}

struct Candidate<'a> {
    length: u32,
    missing: Missing,
    about: About<'a>,
    near: usize,
}

pub(super) fn missing(rows: &Rows<'_>, requirements: &Requirements<'_>) -> Vec<Requirement> {
    let mut candidates = candidates(requirements);
    candidates.sort_by_key(|one| (one.length, one.missing));
    // Statements of one line are one for people.
    let mut known = BTreeSet::new();
    let mut all: Vec<Requirement> = Vec::new();
    for candidate in candidates.into_iter().take(MOST_WORDED) {
        let Some(one) = worded(rows, requirements, &candidate) else { continue };
        let lines = |step: &Step| (step.from.line, step.to.line, step.through.clone());
        let steps: Vec<_> = one.steps.iter().map(lines).collect();
        if known.insert((one.change.file.clone(), one.change.line, one.missing, steps)) {
            all.push(one);
        }
        if all.len() >= MOST_TOLD {
            break;
        }
    }
    all.sort_by(|a, b| {
        let key = |one: &Requirement| (one.steps.len(), one.missing);
        key(a).cmp(&key(b)).then_with(|| (&a.change, &a.steps).cmp(&(&b.change, &b.steps)))
    });
    all
}

fn candidates<'a>(requirements: &'a Requirements<'_>) -> Vec<Candidate<'a>> {
    let tree = &requirements.ran.tree;
    let mut all = Vec::new();
    for &point in &requirements.points {
        let counts = requirements.ran.counts(&[point]);
        let (missing, near) = match tree.root(point) {
            None if counts.reach == 0 => (Missing::Execution, 0),
            Some(root) if tree.chains[root].propagated.is_empty() => {
                (unlike(&tree.chains[root], Missing::Infection), tree.chains[root].covered.len())
            }
            _ => continue,
        };
        all.push(Candidate { length: 0, missing, about: About::Statement(point), near });
    }
    let known = |node: &ChainNode| node.length <= requirements.distance;
    for (chain, node) in tree.chains.iter().filter(|(_, node)| known(node)) {
        let is_behind = |parent: ChainId| !tree.chains[parent].propagated.is_empty();
        if node.parent.is_some_and(is_behind) && node.propagated.is_empty() {
            let (missing, about) = (unlike(node, Missing::Difference), About::Chain(chain));
            all.push(Candidate { length: node.length, missing, about, near: node.covered.len() });
        }
    }
    for open in requirements.frontier.values().flatten() {
        let (missing, near) = (Missing::Dependence, tree.chains[open.parent].covered.len());
        all.push(Candidate { length: open.length, missing, about: About::Open(open), near });
    }
    all
}

fn worded(
    rows: &Rows<'_>,
    requirements: &Requirements<'_>,
    candidate: &Candidate<'_>,
) -> Option<Requirement> {
    let tree = &requirements.ran.tree;
    let (point, steps) = match candidate.about {
        About::Statement(point) => (point, Vec::new()),
        About::Chain(chain) => (tree.start(chain), rows.steps(chain)),
        About::Open(open) => {
            let mut steps = rows.steps(open.parent);
            steps.extend(rows.open_step(open));
            (tree.start(open.parent), steps)
        }
    };
    let is_deleted = point.version == base::Version::Old;
    let &Candidate { missing, near, .. } = candidate;
    Some(Requirement { change: rows.place(point)?, is_deleted, missing, steps, near })
}

/// Why nothing is propagated along a chain that is covered.
fn unlike(node: &ChainNode, otherwise: Missing) -> Missing {
    if node.is_confounded { Missing::Confounded } else { otherwise }
}
