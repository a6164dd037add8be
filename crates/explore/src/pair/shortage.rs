//! What is given up when memory is short: strategies that ask a solver hold most of it, and plain
//! runs go on without them.

use super::Arena;

/// Eighths of the memory at which strategies are dropped: those that prove nothing, and all that
/// ask a solver.
const SOME: u64 = 6;
const ALL: u64 = 7;

/// Strategies that are to give up what they hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    Nobody,
    /// Those that ask a solver and prove nothing.
    Unproving,
    /// All that ask a solver.
    Solving,
}

impl Arena<'_> {
    /// What one question to the solver may cost. It ends when those who ask are to be dropped.
    pub fn question(&self) -> smt::Budget {
        smt::Budget { memory: self.spending.near(ALL), ..self.spending.question() }
    }

    /// Which strategies are to be dropped.
    pub fn dropped(&self) -> Dropped {
        let is_near = |part| self.spending.near(part).is_some_and(|bound| bound.is_reached());
        if is_near(ALL) {
            Dropped::Solving
        } else if is_near(SOME) {
            Dropped::Unproving
        } else {
            Dropped::Nobody
        }
    }

    /// Gives memory back that is not used any more, so that others see it.
    pub fn give_back(&self) {
        if let Some(bound) = self.spending.near(SOME) {
            bound.is_reached_still();
        }
    }
}
