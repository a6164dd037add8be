//! Concolic runs of both versions over the same terms, so that a query can combine conditions of
//! both.
//!
//! There is one table of terms, which the active version owns; everything else that depends on the
//! program stays with its version. If the versions take different input, their conditions are not
//! comparable, and a query contains only those of one version.

use base::Version;
use exec::concolic::Step;
use exec::stop::Site;
use smt::{TermId, Terms};
use trace::{EventId, Trace};

use crate::pair::Arena;
use crate::symbolic::{Meter, common_input, worker, worker_with};
use crate::worker::Worker;

pub(crate) struct Joint<'p> {
    workers: [Worker<'p>; 2],
    meters: [Meter; 2],
    /// Which version owns the terms.
    holder: Version,
    /// Whether both versions take the same input.
    pub is_comparable: bool,
}

/// An input in the common space, and as each version takes it.
#[derive(Clone, Debug)]
pub(crate) struct JointInput {
    pub common: Box<[u64]>,
    pub own: [Vec<u64>; 2],
}

impl JointInput {
    pub fn new(arena: &Arena<'_>, common: &[u64]) -> JointInput {
        let own = Version::BOTH.map(|version| {
            let mut own = Vec::new();
            arena.pair.side(version).assignment_into(common, &mut own);
            own
        });
        JointInput { common: common.into(), own }
    }
}

impl<'p> Joint<'p> {
    pub fn new(arena: &Arena<'p>, name: &[u8]) -> Joint<'p> {
        let mut new = worker(arena, Version::New, name);
        let terms = std::mem::take(&mut new.machine.observer.terms);
        let old = worker_with(arena, Version::Old, name, terms);
        Joint {
            workers: [old, new],
            meters: Default::default(),
            holder: Version::Old,
            is_comparable: arena.pair.old.cells.is_none(),
        }
    }

    /// The worker of a version, which then owns the terms.
    pub fn at(&mut self, version: Version) -> &mut Worker<'p> {
        if self.holder != version {
            let [old, new] = &mut self.workers;
            std::mem::swap(&mut old.machine.observer.terms, &mut new.machine.observer.terms);
            self.holder = version;
        }
        &mut self.workers[version]
    }

    /// The path of an input in a version.
    pub fn path(&mut self, version: Version, input: &JointInput) -> Vec<Step> {
        let worker = self.at(version);
        worker.trace(&input.own[version]);
        std::mem::take(&mut worker.machine.observer.path)
    }

    /// Charges the effort since the last call.
    pub fn charge(&mut self, arena: &mut Arena<'_>) {
        for (worker, meter) in self.workers.iter().zip(&mut self.meters) {
            meter.charge(worker, arena);
        }
    }

    /// An input that satisfies conditions of a version, together with those of the other if they
    /// are comparable; `start` satisfies all but the last.
    pub fn solve(
        &mut self,
        arena: &Arena<'_>,
        version: Version,
        (conditions, last): (&[TermId], TermId),
        start: &JointInput,
        site: Site,
    ) -> Option<Box<[u64]>> {
        let own = &start.own[version];
        let found = self.at(version).solve(conditions, last, own, site)?;
        common_input(arena.pair.side(version), &found, &start.common)
    }

    /// The term that an event computed; `None` if it does not depend on the input, or if the event
    /// only passes on an earlier value.
    pub fn value(
        &mut self,
        version: Version,
        input: &JointInput,
        trace: &Trace,
        event: EventId,
    ) -> Option<TermId> {
        let site = trace.site(event);
        let site = Site { function: site.function, inst: site.inst? };
        let worker = self.at(version);
        worker.machine.observer.watched = Some((site, trace.events[event].moment));
        worker.trace(&input.own[version]);
        worker.machine.observer.watched = None;
        worker.machine.observer.seen
    }

    /// That two values differ, one of which may not depend on the input.
    pub fn unequal(&mut self, values: [Option<TermId>; 2], bits: u64) -> Option<TermId> {
        let terms: &mut Terms = &mut self.workers[self.holder as usize].machine.observer.terms;
        let width = values.iter().flatten().map(|&term| terms.width(term)).max()?;
        let [one, other] = values.map(|value| match value {
            Some(term) if terms.width(term) < width => terms.zext(term, width),
            Some(term) => term,
            None => terms.constant(width, bits),
        });
        let unequal = terms.ne(one, other);
        (unequal != Terms::FALSE).then_some(unequal)
    }
}
