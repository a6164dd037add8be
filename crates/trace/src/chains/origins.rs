//! Which parts of a change made the events of a run different, and when.
//!
//! Santelices et al. (2008), §3.3: where another part of the change was executed before and made
//! the state different, what follows says nothing about the effect of this part. An event that
//! differs between the versions has the origins of everything that it depends on and that differs;
//! an event of a changed statement is an origin itself. An event that is the same in both versions
//! has none.
//!
//! Of the origins of an event, the earliest is kept, and the earliest of another part: that
//! answers for each part whether there is one of another part before some event.

use base::Version;
use base::entity::SecondaryMap;

use super::Common;
use crate::alignment::{Alignment, Run};
use crate::events::EventId;

/// An event that made the state different, and the part of the change that it belongs to.
type Origin = (EventId, u32);

/// The earliest origin of an event, and the earliest one of another part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origins {
    first: Option<Origin>,
    second: Option<Origin>,
}

impl Origins {
    fn add(&mut self, origin: Option<Origin>) {
        let Some(origin) = origin else { return };
        let mut all = [self.first, self.second, Some(origin)];
        // Without an origin last.
        all.sort_by_key(|one| {
            one.map_or((true, EventId::START, 0), |(event, part)| (false, event, part))
        });
        self.first = all[0];
        self.second = all[1..]
            .iter()
            .copied()
            .flatten()
            .find(|(_, part)| Some(*part) != all[0].map(|one| one.1));
    }

    fn add_all(&mut self, other: Origins) {
        self.add(other.first);
        self.add(other.second);
    }

    /// Whether a part other than this one made the state different before an event.
    pub fn has_other(&self, part: u32, before: EventId) -> bool {
        let mut all = [self.first, self.second].into_iter().flatten();
        all.any(|(event, other)| other != part && event < before)
    }

    /// Whether a part other than this one made the state different.
    pub fn has_any_other(&self, part: u32) -> bool {
        let mut all = [self.first, self.second].into_iter().flatten();
        all.any(|(_, other)| other != part)
    }
}

/// The origins of all events of a version's run.
pub fn origins(
    common: Common<'_>,
    version: Version,
    [old, new]: [Run<'_>; 2],
    alignment: &Alignment,
) -> SecondaryMap<EventId, Origins> {
    let trace = [old, new][version].trace;
    let mut table: SecondaryMap<EventId, Origins> = trace.table();
    for (id, event) in trace.events.iter().skip(1) {
        let there = match version {
            Version::Old => alignment.in_new(id),
            Version::New => alignment.in_old(id),
        };
        let differs = there.is_none_or(|there| match version {
            Version::Old => alignment.differ(old, new, id, there),
            Version::New => alignment.differ(old, new, there, id),
        });
        if !differs {
            continue;
        }
        let mut found = table[event.control];
        for source in trace.sources(id) {
            found.add_all(table[source]);
        }
        let statement = trace.statement(id);
        let changed = statement.filter(|&one| common.matching.is_changed(version, one));
        found.add(changed.map(|statement| (id, common.part(version, statement))));
        table[id] = found;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn origins(all: &[(u32, u32)]) -> Origins {
        let mut origins = Origins::default();
        all.iter().for_each(|&(event, part)| origins.add(Some((EventId::from_u32(event), part))));
        origins
    }

    #[test]
    fn the_earliest_origins_of_two_parts_are_kept() {
        let at = EventId::from_u32;
        let all = origins(&[(9, 1), (5, 2), (7, 1), (3, 2), (8, 3)]);
        assert_eq!(all, origins(&[(3, 2), (7, 1)]));
        assert!(all.has_other(1, at(4)) && !all.has_other(1, at(3)));
        assert!(all.has_other(2, at(8)) && !all.has_other(2, at(7)));
        assert!(all.has_any_other(2) && !origins(&[(1, 2), (4, 2)]).has_any_other(2));
    }
}
