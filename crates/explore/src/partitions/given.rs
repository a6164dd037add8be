//! Given inputs, by the region that contains them, until the region is examined. A region with such
//! an input needs no solver to find one.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use rustc_hash::FxHashMap;
use smt::{Evaluator, TermId, Terms};

use super::state::Origin;
use crate::input_terms::InputTerms;

/// Inputs by the number of the first condition that they do not satisfy.
pub(super) type ByCondition = BTreeMap<usize, Box<[u64]>>;

#[derive(Debug, Default)]
pub(super) struct Given {
    by_region: FxHashMap<Origin, Vec<Box<[u64]>>>,
}

impl Given {
    /// Inputs of the whole space.
    pub fn put(&mut self, inputs: &[Box<[u64]>]) {
        self.by_region.entry(None).or_default().extend_from_slice(inputs);
    }

    /// Divides the inputs of a region by the first condition of a partition that does not hold;
    /// returns one for each such condition. `step` is the one that divides the region.
    pub fn divide(
        &mut self,
        region: Origin,
        step: usize,
        conditions: &[TermId],
        terms: &Terms,
        cells: &InputTerms,
        evaluator: &mut Evaluator,
    ) -> ByCondition {
        let mut first = ByCondition::new();
        for input in self.by_region.remove(&region).unwrap_or_default() {
            let model = cells.model(terms, &input);
            evaluator.restart();
            let mut holds = |&one: &TermId| evaluator.value(terms, &model, one) == 1;
            // If all of them hold, it is in the partition.
            let Some(number) = conditions.iter().position(|one| !holds(one)) else { continue };
            match first.entry(number) {
                Entry::Vacant(place) => _ = place.insert(input),
                Entry::Occupied(_) => {
                    self.by_region.entry(Some((step, number))).or_default().push(input)
                }
            }
        }
        first
    }
}
