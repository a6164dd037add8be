//! Which inputs of an exploration are kept as tests: first all faults, then inputs that cover
//! something new, then the other paths, in the order of discovery.

use std::collections::BTreeSet;
use std::mem::discriminant;

use exec::Stop;
use exec::stop::Fault;
use explore::{Exploration, worker::Found};
use inputs::{Layout, Test};

use super::Why;

/// An input that is kept.
#[derive(Clone, Debug)]
pub(crate) struct Selected {
    pub test: Test,
    pub assignment: Box<[u64]>,
    pub why: Why,
}

/// The tests to keep. The first ones are those of the faults, in order.
pub(super) fn select(layout: &Layout, found: &Exploration, most: usize) -> Vec<Selected> {
    let mut selection = Selection { layout, kept: Vec::new(), seen: BTreeSet::new() };
    for fault in &found.faults {
        selection.seen.insert(fault.assignment.clone());
        selection.push(&fault.assignment, Why::Fault);
    }
    // The first path of each fault already has a smaller input.
    let mut first: Vec<&Fault> = found.faults.iter().map(|found| &*found.fault).collect();
    let mut is_shown = |path: &&Found| match &path.stop {
        Stop::Fault(fault) => {
            let known = first.iter().position(|other| is_same(other, fault));
            known.map(|known| first.swap_remove(known)).is_some()
        }
        _ => false,
    };
    let paths: Vec<&Found> = found.paths.iter().filter(|path| !is_shown(path)).collect();
    let ended = |path: &&Found| !matches!(path.stop, Stop::Unsupported(_) | Stop::Exhausted(_));
    let new = paths.iter().copied().filter(|path| path.covers_new);
    // A run that did not end says little: such a path is kept only for its coverage.
    let rest = paths.iter().copied().filter(|path| !path.covers_new).filter(ended);
    let new = new.map(|path| (path, Why::Covers));
    for (path, why) in new.chain(rest.map(|path| (path, Why::Path))) {
        if selection.kept.len() >= most {
            break;
        }
        if selection.seen.insert(path.assignment.clone()) {
            selection.push(&path.assignment, why);
        }
    }
    // At least one test, even if no run ended.
    if let (true, Some(path)) = (selection.kept.is_empty(), found.paths.first()) {
        selection.push(&path.assignment, Why::Path);
    }
    selection.kept
}

/// Whether two faults are of one kind and at one place.
fn is_same(one: &Fault, other: &Fault) -> bool {
    discriminant(&one.kind) == discriminant(&other.kind) && one.stack.first() == other.stack.first()
}

struct Selection<'a> {
    layout: &'a Layout,
    kept: Vec<Selected>,
    seen: BTreeSet<Box<[u64]>>,
}

impl Selection<'_> {
    fn push(&mut self, assignment: &[u64], why: Why) {
        let number = self.kept.len() + 1;
        let name = match why {
            Why::Fault => format!("fault-{number}"),
            Why::Covers | Why::Path => format!("path-{number}"),
        };
        let test =
            Test { name: Some(name), input: self.layout.decode(assignment), ..Test::default() };
        self.kept.push(Selected { test, assignment: assignment.into(), why });
    }
}
