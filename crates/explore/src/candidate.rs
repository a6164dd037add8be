//! Inputs that wait to be run.

use std::sync::Arc;

use exec::concolic::Step;
use rustc_hash::FxHashMap;

/// An input to run, and the expected path of its run. Contains no terms, so that any worker can
/// take it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub input: Variant,
    /// How many of the first steps of its path are negated already, or need not be.
    pub bound: u32,
    /// Earlier values of the step at the bound, if it is a step that fixes a value.
    pub excluded: Box<[u64]>,
    /// The expected path up to the negated step; 0 for none.
    pub expected: u64,
}

impl Candidate {
    /// An input without any expectation.
    pub fn seed(assignment: Box<[u64]>) -> Candidate {
        let input = Variant { origin: assignment.into(), changed: Box::default() };
        Candidate { input, bound: 0, excluded: Box::default(), expected: 0 }
    }
}

/// The values of all cells, as differences to those of an input that many share: thousands may wait,
/// of thousands of cells each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    origin: Arc<[u64]>,
    /// The values at these positions.
    changed: Box<[(u32, u64)]>,
}

impl Variant {
    pub fn new(origin: &Arc<[u64]>, changed: Box<[(u32, u64)]>) -> Variant {
        Variant { origin: Arc::clone(origin), changed }
    }

    pub fn assignment(&self) -> Arc<[u64]> {
        let mut assignment = Arc::clone(&self.origin);
        if !self.changed.is_empty() {
            let values = Arc::make_mut(&mut assignment);
            for &(position, value) in &self.changed {
                values[position as usize] = value;
            }
        }
        assignment
    }
}

/// The order in which candidates run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// First candidates from runs that covered something new, then those that negate rarely negated
    /// branches.
    #[default]
    Generational,
    /// Always the deepest.
    Depth,
}

/// The waiting candidates.
#[derive(Debug, Default)]
pub struct Frontier {
    search: Search,
    /// From runs that covered something new.
    hot: Vec<Candidate>,
    /// By the order of magnitude of how often their branch was negated.
    levels: Vec<Vec<Candidate>>,
    turned: FxHashMap<(u32, u32, u64), u32>,
    len: usize,
}

impl Frontier {
    pub fn new(search: Search) -> Frontier {
        Frontier { search, levels: vec![Vec::new(); 33], ..Frontier::default() }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a seed.
    pub fn push_seed(&mut self, candidate: Candidate) {
        self.len += 1;
        self.hot.insert(0, candidate);
    }

    /// Adds a candidate that negates a step.
    pub fn push(&mut self, candidate: Candidate, step: &Step, is_hot: bool) {
        self.len += 1;
        if self.search == Search::Depth {
            self.levels[0].push(candidate);
            return;
        }
        if is_hot {
            self.hot.push(candidate);
            return;
        }
        let key = (step.site.function.as_u32(), step.site.inst.as_u32(), step.outcome);
        let count = self.turned.entry(key).or_insert(0);
        *count = count.saturating_add(1);
        self.levels[(u32::BITS - count.leading_zeros()) as usize].push(candidate);
    }

    pub fn pop(&mut self) -> Option<Candidate> {
        let candidate = match self.hot.pop() {
            Some(hot) => hot,
            None => self.levels.iter_mut().find_map(Vec::pop)?,
        };
        self.len -= 1;
        Some(candidate)
    }

    /// Removes half of the candidates, for a worker that has none.
    pub fn share(&mut self) -> Vec<Candidate> {
        let mut shared = Vec::new();
        for stack in self.levels.iter_mut().chain([&mut self.hot]) {
            // Every other one from the bottom: the top continues where the last run was.
            let half = stack.len() / 2;
            shared.extend(stack.drain(..half));
        }
        self.len -= shared.len();
        shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variant_is_its_origin_but_for_what_changed() {
        let origin: Arc<[u64]> = [1, 2, 3].into();
        let variant = Variant::new(&origin, [(2, 9), (0, 7)].into());
        assert_eq!(*variant.assignment(), [7, 2, 9]);
        assert_eq!(*Variant::new(&origin, Box::default()).assignment(), *origin);
        assert_eq!(*Candidate::seed([4, 5].into()).input.assignment(), [4, 5]);
    }
}
