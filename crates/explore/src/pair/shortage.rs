//! What to give up when memory is short: strategies that use a solver hold most of it, and plain
//! runs continue without them.

use super::Arena;

/// Eighths of the memory at which strategies are dropped: those that prove nothing, and all that
/// use a solver.
const SOME: u64 = 6;
const ALL: u64 = 7;

/// Strategies that must release their memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dropped {
    Nobody,
    /// Those that use a solver and prove nothing.
    Unproving,
    /// All that use a solver.
    Solving,
}

impl Arena<'_> {
    /// The budget of one solver query. It ends when the strategies that use a solver must be
    /// dropped.
    pub fn question(&self) -> smt::Budget {
        smt::Budget { memory: self.spending.near(ALL), ..self.spending.question() }
    }

    /// Which strategies must be dropped.
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

    /// Returns unused memory, so that others see it.
    pub fn give_back(&self) {
        if let Some(bound) = self.spending.near(SOME) {
            bound.is_reached_still();
        }
    }
}
