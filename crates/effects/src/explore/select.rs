//! Which inputs of an exploration are kept as tests: first all faults, then what covers
//! something new, then the other paths, as they were found.

use std::collections::BTreeSet;

use exec::Stop;
use explore::{Exploration, worker::Found};
use inputs::{Layout, Test};

use super::Why;

/// An input that is kept.
#[derive(Clone, Debug)]
pub(super) struct Selected {
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
    let ended = |path: &&Found| !matches!(path.stop, Stop::Unsupported(_) | Stop::Exhausted(_));
    let new = found.paths.iter().filter(|path| path.covers_new);
    // A run that did not end says little: such a path is kept for what it covers only.
    let rest = found.paths.iter().filter(|path| !path.covers_new).filter(ended);
    let new = new.map(|path| (path, Why::Covers));
    for (path, why) in new.chain(rest.map(|path| (path, Why::Path))) {
        if selection.kept.len() >= most {
            break;
        }
        if selection.seen.insert(path.assignment.clone()) {
            selection.push(&path.assignment, why);
        }
    }
    selection.kept
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
        let test = Test { name: Some(name), input: self.layout.decode(assignment) };
        self.kept.push(Selected { test, assignment: assignment.into(), why });
    }
}
