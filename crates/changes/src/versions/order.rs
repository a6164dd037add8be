//! Whether units may be swapped.

use super::units::Unit;

/// Whether two units of one block have the same effect in either order.
pub fn commute(one: &Unit, other: &Unit) -> bool {
    let is_plain = |unit: &Unit| unit.writes.is_some();
    let disturbs = |writer: &Unit, reader: &Unit| {
        writer.writes.is_some_and(|slot| reader.reads.contains(&slot))
    };
    is_plain(one)
        && is_plain(other)
        && !(one.touches_memory && other.touches_memory)
        && one.writes != other.writes
        && !disturbs(one, other)
        && !disturbs(other, one)
}
