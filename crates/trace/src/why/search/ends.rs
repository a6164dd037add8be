//! Where chains begin and end: the first differing state, and the state that a function leaves.

use base::Version;

use super::{Node, Search};
use crate::events::{EventId, Kind, Origin};
use crate::why::is_state;

impl Search<'_> {
    /// The first state that differs.
    pub fn first_difference(&self) -> Option<Node> {
        let is_own = |version: Version, event: EventId| {
            self.matching.is_own(version, self.run(version).trace.site(event).function)
        };
        let first = |version: Version| {
            let events = self.run(version).trace.events.iter();
            let mut states =
                events.filter(|(id, event)| is_state(event.kind) && is_own(version, *id));
            let found = states.find(|(id, event)| {
                let node = self.node(version, *id);
                // The existence of an argument is no state that could differ.
                let is_argument = matches!(event.kind, Kind::Parameter(..) | Kind::Shim(_));
                self.is_different(node) && !(is_argument && node.is_one_sided())
            });
            found.map(|(id, _)| id)
        };
        match (first(Version::Old), first(Version::New)) {
            (Some(old), Some(new)) => {
                let old_node = self.node(Version::Old, old);
                match old_node.new {
                    Some(_) => Some(self.node(Version::New, new)),
                    // The last events before that both versions have decide which of two events,
                    // one of each version, comes first.
                    None => {
                        if self.position(old) <= new.as_u32() && self.starts_with(old, new) {
                            Some(old_node)
                        } else {
                            Some(self.node(Version::New, new))
                        }
                    }
                }
            }
            (Some(old), None) => Some(self.node(Version::Old, old)),
            (None, Some(new)) => Some(self.node(Version::New, new)),
            (None, None) => None,
        }
    }

    /// The position in NEW of an event of OLD.
    fn position(&self, old: EventId) -> u32 {
        let before = (0..old.as_u32()).rev().map(EventId::from_u32);
        before.filter_map(|event| self.alignment.in_new(event)).next().map_or(0, |e| e.as_u32() + 1)
    }

    /// Whether to show the event of OLD rather than that of NEW, if both are at the same place: the
    /// one of NEW unless it has a counterpart that comes later.
    fn starts_with(&self, old: EventId, new: EventId) -> bool {
        self.alignment.in_old(new).is_some_and(|there| there > old)
    }

    /// The result of the entry, if it differs and is no exit status.
    pub fn returned(&self) -> Option<(EventId, EventId)> {
        let last = |version: Version| {
            let run = self.run(version);
            let entry = run.program.entry;
            if run.program.module.functions[entry].name == "main" {
                return None;
            }
            let returns = run.trace.events.iter();
            let mut own = returns.rev().filter(|(id, event)| {
                event.kind == Kind::Return && run.trace.site(*id).function == entry
            });
            own.next().map(|(id, _)| id)
        };
        let (old, new) = (last(Version::Old)?, last(Version::New)?);
        let node = Node { old: Some(old), new: Some(new) };
        self.is_different(node).then_some((old, new))
    }

    /// The last write to memory that outlives the call of a function other than `main`, if
    /// there is one that differs.
    pub fn memory(&self) -> Option<Node> {
        if self.new.program.module.functions[self.new.program.entry].name == "main" {
            return None;
        }
        let last = |version: Version| {
            let trace = self.run(version).trace;
            let mut writes = trace.events.iter().rev().filter(|(id, event)| {
                matches!(event.kind, Kind::Store | Kind::Transfer)
                    && event.place.is_some_and(|place| {
                        match trace.objects[place.object].origin {
                            Origin::Given(_) | Origin::Global(_) => true,
                            // Blocks of the heap outlive the call, unlike local variables.
                            Origin::Made(event) => {
                                matches!(trace.events[event].kind, Kind::Shim(_) | Kind::Call(_))
                            }
                            Origin::Function(_) => false,
                        }
                    })
                    && self.is_different(self.node(version, *id))
            });
            writes.next().map(|(id, _)| self.node(version, id))
        };
        last(Version::New).or_else(|| last(Version::Old))
    }
}
