//! Regions of the input space that have not been looked at, in the order in which they will be.
//!
//! Those that promise a difference come first, then those with inputs that were given, then those
//! that may let a change that was executed have an effect, then those that may execute other
//! changes, and last those in which an input is hard to find. In each class those come first that
//! were left by runs that decided something as none before, then those in which a decision goes
//! another way that rarely did so, and of these the newest.

use std::collections::{BTreeMap, VecDeque};

use exec::stop::Site;
use rustc_hash::FxHashMap;
use smt::{Reason, TermId};

/// Inputs of which nothing is known yet: all that satisfy some conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    pub conditions: Box<[TermId]>,
    /// One of the inputs; none if nobody has looked for one.
    pub input: Option<Box<[u64]>>,
    pub promise: Promise,
    /// The step that it was left by, and the condition that was negated; nothing for the whole
    /// space.
    pub origin: Option<(usize, usize)>,
}

/// What looking at a region promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// That outputs are the same was negated.
    Difference,
    /// It has an input that was given.
    Given,
    /// A condition of a run that executed a change was negated.
    Propagation,
    /// A condition of a run that executed no change was negated.
    Reaching,
    /// Finding an input in it is hard.
    Hard,
}

/// A region of which the solver does not know whether there is an input in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Unresolved {
    pub conditions: Box<[TermId]>,
    pub reason: Reason,
}

/// A decision that went another way, by version, place and way.
pub(super) type Turn = (usize, Site, u64);

/// The regions that are left.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    /// By promise, and by the order of magnitude of how often a decision was turned around; 0 for
    /// those of runs that decided something as none before.
    queues: BTreeMap<(Promise, u32), VecDeque<Region>>,
    turned: FxHashMap<Turn, u32>,
    len: usize,
}

impl Regions {
    /// Adds a region. Without a decision that is turned around, it comes before others of its
    /// promise.
    pub fn push(&mut self, region: Region, turn: Option<Turn>) {
        let level = turn.map_or(0, |turn| {
            let count = self.turned.entry(turn).or_insert(0);
            *count = count.saturating_add(1);
            u32::BITS - count.leading_zeros()
        });
        self.len += 1;
        let queue = self.queues.entry((region.promise, level)).or_default();
        match region.promise {
            // All of them get their turn.
            Promise::Hard => queue.push_back(region),
            _ => queue.push_front(region),
        }
    }

    pub fn pop(&mut self) -> Option<Region> {
        let region = self.queues.values_mut().find_map(VecDeque::pop_front)?;
        self.len -= 1;
        Some(region)
    }

    /// Takes all of them, in the order in which they would be looked at.
    pub fn drain(&mut self) -> Vec<Region> {
        self.len = 0;
        self.queues.values_mut().flat_map(|queue| queue.drain(..)).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// In the order in which they would be looked at.
    pub fn all(&self) -> Vec<Region> {
        self.queues.values().flatten().cloned().collect()
    }
}
