//! Regions of changes as lines: the single-entry single-exit piece of each version around related
//! changes.

use changes::regions::{Region, regions};

use super::{Side, Versions};

/// Related changes, and their regions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedRegion {
    /// As in `Versions::numbered`.
    pub changes: Vec<usize>,
    pub old: Option<RegionLines>,
    pub new: Option<RegionLines>,
}

/// The lines of a region's statements, from the first to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionLines {
    pub file: String,
    pub first: u32,
    pub last: u32,
}

impl Versions {
    /// The regions of each pair of functions, in the order of the alignment.
    pub(super) fn regions(&self) -> Vec<Vec<ChangedRegion>> {
        let mut by_pair = vec![Vec::new(); self.alignment.functions.len()];
        let mut first = Vec::with_capacity(by_pair.len());
        let mut next = 1;
        for pair in &self.alignment.functions {
            first.push(next);
            next += pair.changes.len();
        }
        for group in regions(&self.alignment, &self.old.module, &self.new.module) {
            let numbers = group.changes.iter().map(|&change| first[group.pair] + change);
            by_pair[group.pair].push(ChangedRegion {
                changes: numbers.collect(),
                old: group.old.and_then(|region| lines(&self.old, &region)),
                new: group.new.and_then(|region| lines(&self.new, &region)),
            });
        }
        by_pair
    }
}

/// `None` for a region without a statement. Omits statements of macros from other files.
fn lines(side: &Side, region: &Region) -> Option<RegionLines> {
    let file = side.place_of_function(region.function)?.file;
    let places = region.statements.iter().filter_map(|&statement| side.place(statement));
    let lines: Vec<u32> =
        places.filter(|place| place.file == file).map(|place| place.line).collect();
    let (&first, &last) = (lines.iter().min()?, lines.iter().max()?);
    Some(RegionLines { file, first, last })
}
