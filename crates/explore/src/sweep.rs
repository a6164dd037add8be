//! The strategy `sweep`: every input of a space that is small enough, one after the other.
//!
//! Inputs run in full, so that one whose end is unknown is noted as such. Once all have been run,
//! nothing is left to find.

use crate::pair::{Advance, Aim, Arena, Searcher};

/// The largest space: at most some minutes of short runs.
const MOST_INPUTS: u64 = 1 << 24;

pub struct Sweep {
    next: u64,
    inputs: u64,
}

impl Sweep {
    /// `None` if the space has too many inputs.
    pub fn new(size: Option<u128>) -> Option<Sweep> {
        let inputs = u64::try_from(size?).ok().filter(|&inputs| inputs <= MOST_INPUTS)?;
        Some(Sweep { next: 0, inputs })
    }
}

impl Searcher for Sweep {
    fn name(&self) -> &'static str {
        "sweep"
    }

    fn aim(&self) -> Aim {
        Aim::EveryInput
    }

    fn advance(&mut self, arena: &mut Arena<'_>, work: u64) -> Advance {
        let layout = arena.pair.layout();
        let until = arena.effort.work().saturating_add(work);
        while self.next < self.inputs {
            if arena.effort.work() >= until || arena.exhausted().is_some() {
                return Advance::More;
            }
            arena.try_input(&layout.nth(u128::from(self.next)));
            self.next += 1;
        }
        Advance::Done
    }

    fn ran_all(&self) -> Option<u64> {
        (self.next == self.inputs).then_some(self.inputs)
    }
}
