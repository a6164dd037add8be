//! What the conditions of a path imply about one variable.

use super::shape::Shape;
use crate::bytes::{ByteSet, SMALL_WIDTH};
use crate::chain::IntervalSet;
use crate::term::{Sort, Terms, VarId};

/// The values that conditions on a variable alone leave it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Domain {
    /// Not computed, because not needed so far.
    #[default]
    Unseen,
    /// Not tracked: for functions, arrays and wide variables.
    Open,
    /// Width, and values.
    Bytes(u32, ByteSet),
    Intervals(IntervalSet),
}

/// The knowledge about a variable or function.
#[derive(Clone, Debug, Default)]
pub struct Known {
    pub domain: Domain,
    /// Positions of conditions that the domain describes completely.
    pub own: Vec<u32>,
    /// Positions of all others that concern it.
    pub links: Vec<u32>,
}

impl Domain {
    /// All values.
    pub fn of(terms: &Terms, variable: VarId) -> Domain {
        match terms.variable_info(variable).sort {
            Sort::Bits(width @ 1..=SMALL_WIDTH) => Domain::Bytes(width, ByteSet::all(width)),
            Sort::Bits(width @ 1..=64) => Domain::Intervals(IntervalSet::all(width)),
            Sort::Bits(_) | Sort::Array { .. } => Domain::Open,
        }
    }

    /// Keeps the values of that shape; returns the previous domain, if it changed.
    pub fn narrow(&mut self, shape: &Shape) -> Option<Domain> {
        let new = match (&*self, shape) {
            (Domain::Bytes(width, left), Shape::Values(_, set)) => {
                Domain::Bytes(*width, left.intersect(*set))
            }
            (Domain::Intervals(left), Shape::Intervals(_, set)) => {
                Domain::Intervals(left.intersect(set))
            }
            // Shapes are made for the variable's width, so other combinations do not occur.
            _ => return None,
        };
        (new != *self).then(|| std::mem::replace(self, new))
    }
}
