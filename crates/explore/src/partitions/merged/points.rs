//! Known inputs on which versions are not known to differ: a condition that one of them satisfies
//! is too weak, which needs no solver query.

use rustc_hash::FxHashMap;
use smt::{Evaluator, Model, TermId, Terms};

#[derive(Default)]
pub(super) struct Points {
    models: Vec<Model>,
    /// By condition: the points for which it holds, as bits, as far as evaluated.
    truths: FxHashMap<TermId, Truths>,
    evaluator: Evaluator,
}

#[derive(Clone, Default)]
struct Truths {
    bits: Vec<u64>,
    count: usize,
}

impl Points {
    pub fn push(&mut self, model: Model) {
        self.models.push(model);
    }

    /// Whether a point satisfies all conditions.
    pub fn any(&mut self, terms: &Terms, conditions: &[TermId]) -> bool {
        let words = self.models.len().div_ceil(64);
        let mut all = vec![u64::MAX; words];
        if let (Some(last), rest @ 1..) = (all.last_mut(), self.models.len() % 64) {
            *last = (1 << rest) - 1;
        }
        for &condition in conditions {
            self.find_out(terms, condition);
            let bits = &self.truths[&condition].bits;
            all.iter_mut().zip(bits).for_each(|(word, holds)| *word &= holds);
            if all.iter().all(|&word| word == 0) {
                return false;
            }
        }
        words > 0 && all.iter().any(|&word| word != 0)
    }

    fn find_out(&mut self, terms: &Terms, condition: TermId) {
        let truths = self.truths.entry(condition).or_default();
        truths.bits.resize(self.models.len().div_ceil(64), 0);
        for (number, model) in self.models.iter().enumerate().skip(truths.count) {
            self.evaluator.restart();
            if self.evaluator.value(terms, model, condition) == 1 {
                truths.bits[number / 64] |= 1 << (number % 64);
            }
        }
        truths.count = self.models.len();
    }
}
