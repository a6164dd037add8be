//! Differences caused by a part of the change: those that execute changed lines of a diff.

use std::path::Path;

use source::{Checkout, DiffLines};

use super::{Compared, Guarantee, Limit, Verdict, Witness};
use crate::trial::Place;

impl Compared {
    /// Keeps differences that execute a changed statement on a line of the diff.
    pub fn keep_within(&mut self, diff: &DiffLines) {
        let found = self.witnesses.len();
        let (old, new) = (self.old.clone(), self.new.clone());
        self.witnesses.retain(|witness| touches(witness, [&old, &new], diff));
        let left = found - self.witnesses.len();
        if left == 0 {
            return;
        }
        self.limits.push(Limit::OutsideDiff { differences: left });
        if self.verdict == Verdict::Different && self.consistent().next().is_none() {
            self.verdict = Verdict::Inconclusive;
            self.guarantee = Guarantee::Sampled { inputs: self.effort.total.runs };
        }
    }
}

fn touches(witness: &Witness, checkouts: [&Checkout; 2], diff: &DiffLines) -> bool {
    let sides = witness.reached.iter().zip(checkouts).enumerate();
    sides.into_iter().any(|(index, (places, checkout))| {
        places.iter().any(|place| is_on(place, checkout, diff, index == 0))
    })
}

fn is_on(place: &Place, checkout: &Checkout, diff: &DiffLines, is_old: bool) -> bool {
    let Some(file) = &place.file else { return false };
    let path = checkout.path(Path::new(file));
    if is_old { diff.has_removed(&path, place.line) } else { diff.has_added(&path, place.line) }
}
