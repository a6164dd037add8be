//! The change-effect propagation tree of one run, and where it ends.
//!
//! Qi, Roychoudhury, Liang (2010), §3.2. Its nodes are events of one version: those of changed
//! statements, and those that depend, by data or control, on a node that is *affected*: it has no
//! counterpart in the other version, or one with another value. A node without children is a place
//! where the effect stops, and the reason suggests what to do about it.

use base::Version;
use base::entity::{EntityRef, SecondaryMap};

use crate::alignment::Alignment;
use crate::alignment::Run;
use crate::events::{EventId, Kind};
use crate::matching::Matching;

/// A place where the effect of a change stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    pub event: EventId,
    pub why: Stopped,
}

/// Why an effect stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The definition differs, and nothing used it.
    Unused,
    /// Something that differs was used, and the result is the same.
    Masked { counterpart: EventId },
    /// A decision on something that differs had the same outcome.
    DecidedAlike { counterpart: EventId },
    /// A decision that only this version makes had no relevant consequence.
    DecidedAlone,
}

/// Two aligned runs of the same input, seen from one version.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub version: Version,
    pub old: Run<'a>,
    pub new: Run<'a>,
    pub alignment: &'a Alignment,
    pub matching: &'a Matching,
}

impl<'a> View<'a> {
    pub fn run(&self) -> Run<'a> {
        match self.version {
            Version::Old => self.old,
            Version::New => self.new,
        }
    }

    pub fn counterpart(&self, event: EventId) -> Option<EventId> {
        match self.version {
            Version::Old => self.alignment.in_new(event),
            Version::New => self.alignment.in_old(event),
        }
    }

    /// The first events that compute with what an event defined, directly or through others.
    pub fn uses(&self, event: EventId, most: usize) -> Vec<EventId> {
        let trace = self.run().trace;
        let mut found = vec![event];
        let later = trace.events.keys().skip(event.index() + 1);
        for other in later {
            if found.len() > most {
                break;
            }
            if trace.sources(other).any(|source| found.contains(&source)) {
                found.push(other);
            }
        }
        found.remove(0);
        found
    }

    /// Whether an event has no counterpart or did something different.
    fn is_apart(&self, event: EventId) -> bool {
        match (self.counterpart(event), self.version) {
            (None, _) => true,
            (Some(new), Version::Old) => self.alignment.differ(self.old, self.new, event, new),
            (Some(old), Version::New) => self.alignment.differ(self.old, self.new, old, event),
        }
    }

    fn is_changed(&self, event: EventId) -> bool {
        let statement = self.run().trace.statement(event);
        statement.is_some_and(|statement| self.matching.is_changed(self.version, statement))
    }

    /// Where the effect stops, the latest place first.
    pub fn leaves(&self) -> Vec<Leaf> {
        let trace = self.run().trace;
        let mut is_node: SecondaryMap<EventId, bool> = trace.table();
        let (mut is_affected, mut has_child) = (is_node.clone(), is_node.clone());
        for event in trace.events.keys() {
            let control = trace.events[event].control;
            let parents = || trace.sources(event).chain([control]);
            let is_behind = parents().any(|parent| is_affected[parent]);
            is_node[event] = is_behind || self.is_changed(event);
            if !is_node[event] {
                continue;
            }
            is_affected[event] = self.is_apart(event);
            for parent in parents() {
                has_child[parent] |= is_affected[parent];
            }
        }
        let ends = trace.events.keys().filter(|&event| is_node[event] && !has_child[event]);
        let why = |event: EventId| {
            let why = self.why(event, is_affected[event])?;
            Some(Leaf { event, why })
        };
        let mut leaves: Vec<Leaf> = ends.filter_map(why).collect();
        leaves.reverse();
        leaves
    }

    /// Why the effect stops at a leaf; `None` if there is no remedy.
    fn why(&self, event: EventId, is_affected: bool) -> Option<Stopped> {
        let counterpart = self.counterpart(event);
        match (self.run().trace.events[event].kind, counterpart) {
            (Kind::Branch, Some(counterpart)) if !is_affected => {
                Some(Stopped::DecidedAlike { counterpart })
            }
            (Kind::Branch, None) => Some(Stopped::DecidedAlone),
            // Both branches were taken, and neither did anything.
            (Kind::Branch, Some(_)) => None,
            (Kind::Slot(_) | Kind::Store | Kind::Phi | Kind::Return, Some(counterpart))
                if !is_affected =>
            {
                Some(Stopped::Masked { counterpart })
            }
            (Kind::Slot(_) | Kind::Store | Kind::Transfer | Kind::Phi, _) if is_affected => {
                Some(Stopped::Unused)
            }
            _ => None,
        }
    }
}
