//! Regions of the input space that were not examined yet, in the order of their turns.
//!
//! Regions that promise a difference come first, then those with given inputs, then those that may
//! let an executed change have an effect, then those that may execute other changes, and last those
//! in which an input is hard to find. In each class, regions left by runs with a new outcome of a
//! decision come first, then those that flip a rarely flipped decision. Among these the newest and
//! the oldest alternate: the newest go deep, the oldest make sure that nothing is forgotten.
//!
//! A region without a known input, in which none is found without the SAT solver, *needs SAT*: it
//! waits while the SAT solver has had its share.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use exec::stop::Site;
use rustc_hash::FxHashMap;
use smt::{Reason, TermId};

/// Inputs that were not examined yet: all that satisfy some conditions.
#[derive(Clone, Debug, PartialEq)]
pub struct Region {
    /// Conditions, the first `length` of which hold in the region. All regions that one step left
    /// share them.
    pub(super) line: Arc<[TermId]>,
    pub(super) length: usize,
    /// An additional condition: another one, negated. `None` for the whole space.
    pub(super) last: Option<TermId>,
    pub input: Known,
    pub promise: Promise,
    /// The step that left it, and the negated condition; `None` for the whole space.
    pub origin: Option<(usize, usize)>,
}

impl Region {
    /// The whole space.
    pub fn whole() -> Region {
        Region {
            line: Arc::default(),
            length: 0,
            last: None,
            input: Known::Everything,
            promise: Promise::Propagation,
            origin: None,
        }
    }

    /// The conditions that exactly its inputs satisfy.
    pub fn conditions(&self) -> Vec<TermId> {
        self.others().iter().copied().chain(self.last).collect()
    }

    /// All of its conditions but the last.
    pub fn others(&self) -> &[TermId] {
        &self.line[..self.length]
    }
}

/// A region that a step leaves, before its conditions are known.
pub(super) struct Left {
    /// How many conditions of the step hold in it, and the additional one.
    pub length: usize,
    pub last: TermId,
    pub input: Known,
    pub promise: Promise,
    pub origin: (usize, usize),
    /// The flipped decision; `None` if the region must come before others of its promise.
    pub turn: Option<Turn>,
}

/// What is known about the inputs of a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// One of them.
    Input(Box<[u64]>),
    /// One that satisfies all conditions but the last. It is unknown whether the region contains
    /// any.
    Near(Arc<[u64]>),
    /// The same, and only the SAT solver can find one.
    NeedsSat(Arc<[u64]>),
    /// All inputs are.
    Everything,
}

/// What a region promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Promise {
    /// The equality of outputs was negated.
    Difference,
    /// It contains a given input.
    Given,
    /// A condition of a run that executed a change was negated.
    Propagation,
    /// A condition of a run that executed no change was negated.
    Reaching,
    /// Finding an input in it is hard.
    Hard,
}

/// A region for which the solver does not know whether it contains an input.
#[derive(Clone, Debug, PartialEq)]
pub struct Unresolved {
    pub conditions: Vec<TermId>,
    pub reason: Reason,
}

/// A flipped decision, by version, place and outcome.
pub(super) type Turn = (usize, Site, u64);

/// By promise, and by the order of magnitude of how often a decision was flipped; 0 for those of
/// runs with a new outcome of a decision.
type Queues = BTreeMap<(Promise, u32), VecDeque<Region>>;

/// The remaining regions.
#[derive(Clone, Debug, Default)]
pub(super) struct Regions {
    queues: Queues,
    /// Those that need the SAT solver.
    needing_sat: Queues,
    turned: FxHashMap<Turn, u32>,
    len: usize,
    /// Whether the oldest is next.
    from_behind: bool,
}

impl Regions {
    /// Adds the regions that a step left, in the order of its conditions, which are these.
    pub fn leave(&mut self, line: Vec<TermId>, left: Vec<Left>) {
        let line: Arc<[TermId]> = line.into();
        for Left { length, last, input, promise, origin, turn } in left.into_iter().rev() {
            let level = turn.map_or(0, |turn| {
                let count = self.turned.entry(turn).or_insert(0);
                *count = count.saturating_add(1);
                u32::BITS - count.leading_zeros()
            });
            let (line, last, origin) = (Arc::clone(&line), Some(last), Some(origin));
            self.push(Region { line, length, last, input, promise, origin }, level);
        }
    }

    /// Adds a region at a level of its promise.
    pub fn push(&mut self, region: Region, level: u32) {
        self.len += 1;
        let queues = match region.input {
            Known::NeedsSat(_) => &mut self.needing_sat,
            Known::Input(_) | Known::Near(_) | Known::Everything => &mut self.queues,
        };
        queues.entry((region.promise, level)).or_default().push_front(region);
    }

    /// The next region and its level. Regions that need the SAT solver come like others if it
    /// may be used, and otherwise after all others except those that promise a difference.
    pub fn pop(&mut self, may_use_sat: bool) -> Option<(Region, u32)> {
        let first = |queues: &Queues| queues.first_key_value().map(|(&key, _)| key);
        let takes_sat = match (first(&self.queues), first(&self.needing_sat)) {
            (_, None) => false,
            (None, Some(_)) => true,
            (Some(other), Some(needing)) => {
                let is_urgent = may_use_sat || needing.0 == Promise::Difference;
                is_urgent && needing <= other
            }
        };
        let queues = if takes_sat { &mut self.needing_sat } else { &mut self.queues };
        let mut queue = queues.first_entry()?;
        let (promise, level) = *queue.key();
        // All hard regions get their turn.
        self.from_behind = promise == Promise::Hard || !self.from_behind;
        let region = if self.from_behind {
            queue.get_mut().pop_back()
        } else {
            queue.get_mut().pop_front()
        }?;
        if queue.get().is_empty() {
            queue.remove();
        }
        self.len -= 1;
        Some((region, level))
    }

    /// Takes all of them.
    pub fn drain(&mut self) -> Vec<Region> {
        self.len = 0;
        let queues = std::mem::take(&mut self.queues);
        let needing = std::mem::take(&mut self.needing_sat);
        queues.into_values().chain(needing.into_values()).flatten().collect()
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn all(&self) -> Vec<Region> {
        self.queues.values().chain(self.needing_sat.values()).flatten().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smt::Terms;

    /// Regions by the number of their origin, pushed in this order.
    fn regions(all: &[(usize, Promise, bool)]) -> Regions {
        let mut regions = Regions::default();
        for &(number, promise, needs_sat) in all {
            let near = Arc::default();
            let input = if needs_sat { Known::NeedsSat(near) } else { Known::Near(near) };
            let origin = Some((0, number));
            regions.push(Region { input, promise, origin, ..Region::whole() }, 0);
        }
        regions
    }

    fn order(mut regions: Regions, may_use_sat: bool) -> Vec<usize> {
        let next = || regions.pop(may_use_sat).and_then(|(region, _)| region.origin);
        std::iter::from_fn(next).map(|(_, number)| number).collect()
    }

    #[test]
    fn the_oldest_and_the_newest_take_turns() {
        let all = [1, 2, 3, 4].map(|number| (number, Promise::Propagation, false));
        assert_eq!(order(regions(&all), true), [1, 4, 2, 3]);
    }

    #[test]
    fn what_is_hard_comes_last_in_its_order() {
        let hard = |number| (number, Promise::Hard, true);
        let all = [hard(1), (2, Promise::Reaching, false), hard(3), hard(4)];
        assert_eq!(order(regions(&all), true), [2, 1, 3, 4]);
    }

    #[test]
    fn what_needs_sat_waits_unless_it_promises_a_difference() {
        let all = [
            (1, Promise::Difference, true),
            (2, Promise::Propagation, true),
            (3, Promise::Reaching, false),
        ];
        assert_eq!(order(regions(&all), true), [1, 2, 3]);
        assert_eq!(order(regions(&all), false), [1, 3, 2]);
    }

    #[test]
    fn regions_of_a_step_share_its_conditions() {
        let mut regions = Regions::default();
        let line = vec![Terms::TRUE, Terms::FALSE];
        let left = |length: usize| Left {
            length,
            last: Terms::TRUE,
            input: Known::Near(Arc::default()),
            promise: Promise::Reaching,
            origin: (0, length),
            turn: None,
        };
        regions.leave(line.clone(), vec![left(0), left(2)]);
        let all = regions.drain();
        let [first, second] = &all[..] else { panic!("{all:?}") };
        assert_eq!(first.conditions(), [Terms::TRUE]);
        assert_eq!(second.others(), line);
        assert!(Arc::ptr_eq(&first.line, &second.line));
    }
}
