//! Finds the partition of an input, among many.
//!
//! Partitions are sorted by their conditions, so that those with the same prefix are adjacent: if a
//! condition does not hold, all that share it are skipped.

use std::ops::Range;

use smt::{Evaluator, Model, Terms};

use crate::proved::{Partition, Verdict};

pub(super) struct Lookup<'a> {
    list: &'a [Partition],
    /// Numbers of partitions, and how many conditions each shares with the one before.
    order: Vec<(usize, usize)>,
}

impl<'a> Lookup<'a> {
    /// Some of the partitions.
    pub fn new(list: &'a [Partition], numbers: Range<usize>) -> Lookup<'a> {
        let mut order: Vec<usize> = numbers.collect();
        order.sort_by(|&a, &b| list[a].conditions.cmp(&list[b].conditions));
        let mut before: &[smt::TermId] = &[];
        let with_common = order.into_iter().map(|number| {
            let conditions = &list[number].conditions;
            let common = before.iter().zip(conditions).take_while(|(a, b)| a == b).count();
            before = conditions;
            (number, common)
        });
        Lookup { order: with_common.collect(), list }
    }

    /// The number of a proved partition that contains the input, or else of one without a claim.
    pub fn find(&self, evaluator: &mut Evaluator, terms: &Terms, model: &Model) -> Option<usize> {
        evaluator.restart();
        let mut found = None;
        // How many conditions of the previous partition are known to hold.
        let mut holding = 0;
        let mut is_in = true;
        for &(number, common) in &self.order {
            if !is_in && common > holding {
                // The condition that does not hold belongs to this partition as well.
                continue;
            }
            let conditions = &self.list[number].conditions;
            holding = common.min(holding);
            let rest = conditions[holding..].iter();
            holding += rest.take_while(|&&one| evaluator.value(terms, model, one) == 1).count();
            is_in = holding == conditions.len();
            if is_in && is_proved(&self.list[number]) {
                return Some(number);
            }
            if is_in && found.is_none() {
                found = Some(number);
            }
        }
        found
    }
}

/// Whether there is a claim about a partition.
pub(super) fn is_proved(partition: &Partition) -> bool {
    !matches!(partition.verdict, Verdict::Unknown(_))
}
