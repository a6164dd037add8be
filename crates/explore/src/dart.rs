//! The strategy `dart`: every feasible path of NEW once, each input run on both versions.
//!
//! Godefroid, Klarlund, Sen (2005). Does not know the change, so it finds a difference only if the
//! input chosen for some path of NEW shows it.

use base::Version;
use exec::Stop;

use crate::pair::{Advance, Arena, Searcher};
use crate::symbolic::{Meter, Seeds, repeat, worker};
use crate::worker::{Guide, Worker};

pub struct Dart<'p> {
    worker: Worker<'p>,
    seeds: Seeds,
    meter: Meter,
}

impl<'p> Dart<'p> {
    /// Starts from the given inputs and, if it shares, from the inputs that other strategies keep.
    pub fn new(arena: &Arena<'p>, name: &[u8], given: &[Box<[u64]>], shares: bool) -> Dart<'p> {
        Dart {
            worker: worker(arena, Version::New, name),
            seeds: Seeds::new(arena.pair.layout(), given, shares),
            meter: Meter::default(),
        }
    }
}

impl Searcher for Dart<'_> {
    fn name(&self) -> &'static str {
        "dart"
    }

    fn advance(&mut self, arena: &mut Arena<'_>, work: u64) -> Advance {
        self.seeds.give(arena, &mut self.worker);
        repeat(arena, work, |arena, _| {
            let (seeds, meter) = (&mut self.seeds, &mut self.meter);
            if !self.worker.step_guided(&mut Tries { arena, seeds, meter }) {
                return false;
            }
            self.worker.found.clear();
            self.meter.charge(&self.worker, arena);
            true
        })
    }
}

/// Runs every input on both versions and wants all branches.
struct Tries<'a, 'p> {
    arena: &'a mut Arena<'p>,
    seeds: &'a mut Seeds,
    meter: &'a mut Meter,
}

impl Guide for Tries<'_, '_> {
    fn ran(&mut self, assignment: &[u64], _: &Stop) {
        self.arena.charge_concolic(1);
        self.meter.charged_run();
        self.seeds.tried(assignment);
        self.arena.try_input(assignment);
    }
}
