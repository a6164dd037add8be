//! Cells whose value depends on others: a length is zero if its pointer is null, a count is at most
//! the capacity.
//!
//! Every assignment of the cells is an input, so cells can be chosen one by one; a cell may stand
//! for less than its value.

use std::borrow::Cow;

use super::Layout;
use crate::CellId;

/// A cell whose meaning depends on others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Derived {
    pub cell: CellId,
    /// Zero if one of these cells is 1.
    pub nulls: Vec<CellId>,
    /// At most what this cell stands for.
    pub most: Option<CellId>,
    /// Below the value that `most` stands for, unless that is zero.
    pub is_below: bool,
}

impl Layout {
    /// The values that the cells of an assignment stand for. Missing cells count as zero.
    pub fn settled<'a>(&self, assignment: &'a [u64]) -> Cow<'a, [u64]> {
        if self.derived.is_empty() {
            return Cow::Borrowed(assignment);
        }
        let mut settled = assignment.to_vec();
        settled.resize(self.cells.len(), 0);
        for Derived { cell, nulls, most, is_below } in &self.derived {
            let domain = &self.cells[*cell].domain;
            let number = domain.decode(settled[cell.position()]);
            let limit = most.map(|most| self.cells[most].domain.decode(settled[most.position()]));
            let is_null = nulls.iter().any(|null| settled[null.position()] == 1);
            let number = match limit {
                _ if is_null => 0,
                Some(limit) if *is_below => number.min((limit - 1).max(0)),
                Some(limit) => number.min(limit),
                None => number,
            };
            settled[cell.position()] = domain.encode(number);
        }
        Cow::Owned(settled)
    }
}
