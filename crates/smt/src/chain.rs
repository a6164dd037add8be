//! Layers in front of the SAT solver, cheapest first.
//!
//! Each wraps a solver, is one, and counts its answers. A chain caches by ids of terms and so
//! belongs to one table of terms.

mod cache;
mod domains;
mod groups;
mod intervals;
mod orders;
mod recent;
mod repair;
#[cfg(test)]
mod tests;

pub use self::cache::Cache;
pub use self::domains::Domains;
pub use self::groups::Groups;
pub use self::intervals::{IntervalSet, interval_set, side_set};
pub(crate) use self::intervals::{pleasant_float, pleasant_member};
pub(crate) use self::orders::Graph as OrderGraph;
pub use self::orders::Orders;
pub use self::recent::Recent;
pub(crate) use self::repair::repair;

use crate::sat::SatSolver;

/// All layers in order: known models for the whole query, then independent groups, each of which
/// goes through known answers, small domains, orders, known models and their neighbours, and
/// finally the SAT solver.
pub type Chain = Recent<Groups<Cache<Domains<Orders<Recent<SatSolver>>>>>>;

/// Moves of the local search before the SAT solver is asked.
const MOVES: usize = 24;

/// The solver to use.
pub fn standard() -> Chain {
    let neighbours = Recent::new(SatSolver::new(), MOVES);
    Recent::new(Groups::new(Cache::new(Domains::new(Orders::new(neighbours)))), 0)
}
