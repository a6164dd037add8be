//! Whether, and from when on, the states of two versions differ in a run.
//!
//! Compares the traces of both runs: every write of a local variable, of memory, every call of a
//! function of the machine, argument and result, and every decision, each with its counterpart of
//! the same statement in the same context. The state is infected from the first event that has
//! another value or place than its counterpart, or that defines something and has none. A decision
//! that only one version makes infects nothing by itself, because what depends on it has no
//! counterpart either. So the result is never too late, but may be too early: a new variable
//! infects even if nothing reads it.

use base::Version;

use crate::alignment::Alignment;
use crate::alignment::Run;
use crate::events::{EventId, Kind};
use crate::matching::Matching;

/// Moments of a run of NEW, as numbers of decisions that were made before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Infection {
    /// A changed statement was executed in either version.
    pub reached: Option<usize>,
    /// The states differ.
    pub infected: Option<usize>,
}

impl Infection {
    /// Nothing of the change was executed.
    pub const NONE: Infection = Infection { reached: None, infected: None };

    /// Nothing is known.
    const UNKNOWN: Infection = Infection { reached: Some(0), infected: Some(0) };

    pub fn new(old: Run<'_>, new: Run<'_>, matching: &Matching) -> Infection {
        if old.trace.truncated || new.trace.truncated {
            return Infection::UNKNOWN;
        }
        let alignment = Alignment::new(old, new, matching);
        let in_old = first_change(old, matching, Version::Old);
        let in_old = in_old.map(|event| time_in_new(&alignment, event));
        let in_new = first_change(new, matching, Version::New);
        let reached = in_old.into_iter().chain(in_new).min();
        let alone = old.trace.events.keys().find(|&event| {
            alignment.in_new(event).is_none() && defines(old.trace.events[event].kind)
        });
        let alone = alone.map(|event| time_in_new(&alignment, event.as_u32()));
        let apart = new.trace.events.keys().find(|&event| match alignment.in_old(event) {
            Some(other) => alignment.differ(old, new, other, event),
            None => defines(new.trace.events[event].kind),
        });
        let infected = alone.into_iter().chain(apart.map(EventId::as_u32)).min();
        let decisions = |event: u32| {
            new.trace.decisions.partition_point(|(decision, _)| decision.as_u32() < event)
        };
        Infection { reached: reached.map(decisions), infected: infected.map(decisions) }
    }
}

/// The number of events before the first changed statement.
fn first_change(run: Run<'_>, matching: &Matching, version: Version) -> Option<u32> {
    let executed = |statement| run.trace.executed[statement];
    let counts = matching.changes(version).map(executed).filter(|(_, count)| *count > 0);
    counts.map(|(before, _)| before).min()
}

/// The moment in NEW when OLD reaches one of its events: right after the last event that both have
/// before.
fn time_in_new(alignment: &Alignment, old: u32) -> u32 {
    let mut before = (0..old).rev().map(EventId::from_u32);
    before.find_map(|event| alignment.in_new(event)).map_or(0, |event| event.as_u32() + 1)
}

/// Whether an event changes the state.
fn defines(kind: Kind) -> bool {
    match kind {
        Kind::Slot(_) | Kind::Store | Kind::Transfer | Kind::Shim(_) => true,
        Kind::Parameter(..) | Kind::Return | Kind::End => true,
        Kind::Start | Kind::Phi | Kind::Branch | Kind::Call(_) => false,
        Kind::Object | Kind::Initial(_) | Kind::Undefined(_) => false,
    }
}
