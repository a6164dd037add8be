//! Assignments to variables and functions. Everything not mentioned is 0.

use std::collections::BTreeMap;
use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::ToPrimitive;

use crate::term::{FunctionId, Sort, Terms, VarId};

/// An array: some elements, and the value of all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayValue {
    pub default: u64,
    pub elements: BTreeMap<u64, u64>,
}

impl ArrayValue {
    pub fn get(&self, index: u64) -> u64 {
        self.elements.get(&index).copied().unwrap_or(self.default)
    }
}

/// How many values lie together.
const CHUNK: usize = 16;

/// Values of some variables in a row.
type Chunk = [u64; CHUNK];

/// An assignment. Copies share what neither of them changes: a query about two bytes of a long input
/// gives a model that differs in these.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    narrow: Vec<Arc<Chunk>>,
    wide: BTreeMap<VarId, BigUint>,
    pub arrays: BTreeMap<VarId, ArrayValue>,
    /// Values of functions without an implementation; 0 unless given.
    pub functions: BTreeMap<FunctionId, BTreeMap<Vec<u64>, u64>>,
}

impl Model {
    pub fn new() -> Model {
        Model::default()
    }

    /// The value of a variable of at most 64 bits.
    pub fn get(&self, variable: VarId) -> u64 {
        let index = variable.0 as usize;
        self.narrow.get(index / CHUNK).map_or(0, |chunk| chunk[index % CHUNK])
    }

    pub fn set(&mut self, variable: VarId, value: u64) {
        let index = variable.0 as usize;
        if index / CHUNK >= self.narrow.len() {
            self.narrow.resize_with(index / CHUNK + 1, || Arc::new([0; CHUNK]));
        }
        Arc::make_mut(&mut self.narrow[index / CHUNK])[index % CHUNK] = value;
    }

    /// The variables of at most 64 bits with another value than in another model, with their values.
    pub fn changes(&self, from: &Model) -> impl Iterator<Item = (VarId, u64)> {
        let is_shared = |number: usize| match (self.narrow.get(number), from.narrow.get(number)) {
            (Some(here), Some(there)) => Arc::ptr_eq(here, there),
            _ => false,
        };
        let most = self.narrow.len().max(from.narrow.len());
        let chunks = (0..most).filter(move |&number| !is_shared(number));
        let variables = chunks.flat_map(|number| number * CHUNK..(number + 1) * CHUNK);
        variables.map(|index| VarId(index as u32)).filter_map(|variable| {
            let value = self.get(variable);
            (value != from.get(variable)).then_some((variable, value))
        })
    }

    /// The value of a variable of any width.
    pub fn get_wide(&self, variable: VarId) -> BigUint {
        let wide = self.wide.get(&variable).cloned();
        wide.unwrap_or_else(|| BigUint::from(self.get(variable)))
    }

    pub fn set_wide(&mut self, terms: &Terms, variable: VarId, value: BigUint) {
        match terms.variable_info(variable).sort {
            Sort::Bits(width) if width > 64 => {
                self.wide.insert(variable, value);
            }
            _ => self.set(variable, value.to_u64().unwrap_or(0)),
        }
    }

    pub fn element(&self, array: VarId, index: u64) -> u64 {
        self.arrays.get(&array).map_or(0, |array| array.get(index))
    }

    pub fn application(&self, function: FunctionId, arguments: &[u64]) -> u64 {
        let table = self.functions.get(&function);
        table.and_then(|table| table.get(arguments)).copied().unwrap_or(0)
    }

    /// Copies the other model's value of a variable.
    pub fn take_variable(&mut self, other: &Model, variable: VarId) {
        let value = other.get(variable);
        if value != self.get(variable) {
            self.set(variable, value);
        }
        take_entry(&mut self.wide, &other.wide, variable);
        take_entry(&mut self.arrays, &other.arrays, variable);
    }

    /// Copies the other model's values of a function.
    pub fn take_function(&mut self, other: &Model, function: FunctionId) {
        take_entry(&mut self.functions, &other.functions, function);
    }
}

fn take_entry<K: Ord + Copy, V: Clone>(to: &mut BTreeMap<K, V>, from: &BTreeMap<K, V>, key: K) {
    match from.get(&key) {
        Some(value) => {
            to.insert(key, value.clone());
        }
        None => {
            to.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(values: &[(u32, u64)]) -> Model {
        let mut model = Model::new();
        values.iter().for_each(|&(variable, value)| model.set(VarId(variable), value));
        model
    }

    #[test]
    fn a_copy_tells_what_it_changed() {
        let origin = model(&[(3, 7), (500, 1), (501, 2)]);
        let mut copy = origin.clone();
        assert_eq!(copy.changes(&origin).count(), 0);
        copy.set(VarId(500), 9);
        copy.set(VarId(501), 2);
        copy.set(VarId(900), 4);
        assert_eq!((origin.get(VarId(500)), copy.get(VarId(3))), (1, 7));
        let changes: Vec<_> = copy.changes(&origin).collect();
        assert_eq!(changes, [(VarId(500), 9), (VarId(900), 4)]);
        let back: Vec<_> = origin.changes(&copy).collect();
        assert_eq!(back, [(VarId(500), 1), (VarId(900), 0)]);
        // Whatever has no value is zero.
        let other: Vec<_> = Model::new().changes(&model(&[(2, 5), (70, 0)])).collect();
        assert_eq!(other, [(VarId(2), 0)]);
    }
}
