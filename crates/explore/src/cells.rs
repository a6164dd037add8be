//! Translates inputs of the common space of both versions to inputs of each version.

use inputs::{Domain, Layout};

/// Where a cell of a version gets its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CellFrom {
    /// From a cell of the common space with this domain, as the same number.
    Common { position: usize, domain: Domain },
    /// It has no counterpart.
    Fixed(u64),
}

/// An input of the common space as an input of a version with this layout and these sources of its
/// cells; one to one if there are none.
pub fn own_assignment(
    layout: &Layout,
    cells: Option<&[CellFrom]>,
    common: &[u64],
    own: &mut Vec<u64>,
) {
    own.clear();
    let Some(cells) = cells else {
        own.extend_from_slice(common);
        return;
    };
    own.extend(cells.iter().zip(layout.cells.values()).map(|(from, cell)| match from {
        CellFrom::Fixed(value) => *value,
        CellFrom::Common { position, domain } => {
            cell.domain.encode(domain.decode(common[*position]))
        }
    }));
}
