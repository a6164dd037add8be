//! Regions of the input space that have not been looked at, in the order in which they will be.
//!
//! Those that promise a difference come first, then those with inputs that were given, then those
//! that may let a change that was executed have an effect, then those that may execute other
//! changes, and last those in which an input is hard to find. In each class those come first that
//! were left by runs that decided something as none before, and then the oldest.

use std::collections::VecDeque;

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

/// The regions that are left.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    queues: [VecDeque<Region>; 5],
}

impl Regions {
    pub fn push(&mut self, region: Region) {
        self.queues[region.promise as usize].push_back(region);
    }

    /// The same before others of its class.
    pub fn push_first(&mut self, region: Region) {
        self.queues[region.promise as usize].push_front(region);
    }

    pub fn pop(&mut self) -> Option<Region> {
        self.queues.iter_mut().find_map(VecDeque::pop_front)
    }

    /// Takes all of them, in the order in which they would be looked at.
    pub fn drain(&mut self) -> Vec<Region> {
        self.queues.iter_mut().flat_map(|queue| queue.drain(..)).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.queues.iter().all(VecDeque::is_empty)
    }

    pub fn len(&self) -> usize {
        self.queues.iter().map(VecDeque::len).sum()
    }

    /// In the order in which they would be looked at.
    pub fn all(&self) -> Vec<Region> {
        self.queues.iter().flatten().cloned().collect()
    }
}
