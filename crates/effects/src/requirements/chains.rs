//! Phase 1 of the requirements: the chains of dependences from a changed statement.
//!
//! Santelices et al. (2008), Fig. 3, lines 2 to 15. A chain is required if it ends at an output or
//! has the greatest length. By the text, other chains that nothing extends are not. Line 16 of the
//! figure computes state requirements for chains of the greatest length only; those that end at an
//! output before that are requirements as well, by the definition, so they get them here, too.

use std::collections::BTreeSet;

use trace::EventId;
use trace::chains::{Dependences, How, Link, Point};

use crate::adequacy::requirements::{Statics, is_alike};

/// A chain of the program.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub parent: Option<usize>,
    /// The last dependence, and what it goes through.
    pub link: Option<(Link, String)>,
    pub end: Point,
    pub length: u32,
    pub is_required: bool,
    children: Vec<usize>,
}

/// The chains that begin at one changed statement; the first is that statement alone.
#[derive(Clone, Debug)]
pub(super) struct Chains {
    pub all: Vec<Chain>,
    /// All chains of up to this length are here.
    pub complete: u32,
}

/// An occurrence of the end of a chain in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ending {
    pub chain: usize,
    /// The event that the last dependence leads to.
    pub event: EventId,
}

impl Chains {
    pub fn new(
        statics: &Statics<'_>,
        start: Point,
        outputs: &BTreeSet<Point>,
        (distance, most): (u32, usize),
    ) -> Chains {
        let chain = |parent, link, end, length| Chain {
            parent,
            link,
            end,
            length,
            is_required: length == distance || outputs.contains(&end),
            children: Vec::new(),
        };
        let mut chains = Chains { all: vec![chain(None, None, start, 0)], complete: distance };
        let mut next = 0;
        while next < chains.all.len() {
            let at = chains.all[next].clone();
            if at.length < distance {
                for (to, how, name) in statics.of(at.end) {
                    if chains.all.len() >= most {
                        chains.complete = chains.complete.min(at.length);
                        return chains;
                    }
                    let link = Link { from: at.end, to, how };
                    let number = chains.all.len();
                    chains.all[next].children.push(number);
                    chains.all.push(chain(Some(next), Some((link, name)), to, at.length + 1));
                }
            }
            next += 1;
        }
        chains
    }

    /// The dependences of a chain, the first one first.
    pub fn links(&self, chain: usize) -> Vec<&(Link, String)> {
        let mut links = Vec::new();
        let mut at = Some(chain);
        while let Some(number) = at {
            links.extend(self.all[number].link.as_ref());
            at = self.all[number].parent;
        }
        links.reverse();
        links
    }

    pub fn required(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.all.len()).filter(|&number| self.all[number].is_required)
    }

    /// The required chains that a run takes from occurrences of the changed statement, and where
    /// they end; from the first occurrence only, if asked.
    pub fn taken(&self, run: &Dependences, only_first: bool) -> BTreeSet<Ending> {
        let start = self.all[0].end;
        let starts = run.occurrences.iter().enumerate();
        let starts = starts.filter(|(_, one)| one.is_changed && one.point == start);
        let mut found = BTreeSet::new();
        let mut known = BTreeSet::new();
        let mut open: Vec<(usize, u32, EventId)> = Vec::new();
        for (number, _) in starts.take(if only_first { 1 } else { usize::MAX }) {
            open.push((0, number as u32, EventId::START));
        }
        if self.all[0].is_required && !open.is_empty() {
            found.insert(Ending { chain: 0, event: EventId::START });
        }
        while let Some((chain, occurrence, covered)) = open.pop() {
            let edges = &run.occurrences[occurrence as usize].edges;
            let first = edges.partition_point(|edge| edge.source < covered);
            for edge in &edges[first..] {
                for &child in &self.all[chain].children {
                    if !self.is_last(child, &edge.link) {
                        continue;
                    }
                    if self.all[child].is_required {
                        found.insert(Ending { chain: child, event: edge.target });
                    }
                    if known.insert((child, edge.to, edge.target)) {
                        open.push((child, edge.to, edge.target));
                    }
                }
            }
        }
        found
    }

    fn is_last(&self, chain: usize, link: &Link) -> bool {
        let how = |how: How| is_alike(link.how, how);
        self.all[chain].link.as_ref().is_some_and(|(own, _)| own.to == link.to && how(own.how))
    }
}
