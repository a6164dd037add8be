//! What strategies that ask a solver need of both versions: programs with the C library open to
//! be looked into, and the tables that guide them. Made while plain runs are under way.

use exec::{Instrumentation, Program};
use explore::dart::Dart;
use explore::express::Express;
use explore::guidance::Guidance;
use explore::pair::Arena;
use explore::partitions::Partitioning;
use explore::propagate::Propagate;
use explore::reach::Reach;
use explore::{Searcher, Version};
use inputs::find_function;
use ir::FuncId;

use super::guidance::guidance;
use super::portfolio::Strategy;
use super::sides::Requests;
use crate::both::both;
use crate::program::{Libc, Loader};
use crate::verify::tables::tables;
use crate::versions::Versions;

/// Both versions with the C library open.
pub(super) struct Open {
    pub programs: [Program; 2],
    guidance: Guidance,
}

impl Open {
    /// Nothing if the versions cannot be loaded this way; plain runs go on without.
    pub fn load(requests: &Requests<'_>) -> Option<Open> {
        let request = requests.request();
        let loader = Loader { libc: Libc::Open, ..request.loader.clone() };
        let versions = Versions::load(&loader, request.old, request.new).ok()?;
        let program = |index: usize| {
            let module = [&versions.old.module, &versions.new.module][index];
            let entry = match request.entry {
                None => "main".to_owned(),
                Some(name) => module.functions[find_function(module, name).ok()?].name.clone(),
            };
            // Traces and strategies see all statements.
            Program::new(module.clone(), &entry, Instrumentation { statements: true }).ok()
        };
        let [old, new] = both(program);
        let (old, new) = (old?, new?);
        let mut guidance = guidance(&versions, new.entry);
        if request.options.strategy == Strategy::Partitions {
            guidance.slicing = Some(tables(&versions, &guidance.matching));
        }
        Some(Open { programs: [old, new], guidance })
    }

    /// Whether a function of a version is the program's own, and not one of the C library.
    pub fn is_own(&self, version: usize, function: FuncId) -> bool {
        self.guidance.matching.is_own(Version::BOTH[version], function)
    }

    /// Lets concolic runs see into the C library.
    pub fn attach<'s>(&'s self, arena: &mut Arena<'s>) {
        let [old, new] = &self.programs;
        arena.pair.old.concolic = old;
        arena.pair.new.concolic = new;
    }

    /// The strategies that are wanted.
    pub fn searchers<'s>(
        &'s self,
        strategy: Strategy,
        arena: &Arena<'s>,
        name: &[u8],
        seeds: &[Box<[u64]>],
    ) -> Vec<Box<dyn Searcher + 's>> {
        let shares = strategy == Strategy::Portfolio;
        let dart = || Box::new(Dart::new(arena, name, seeds, shares)) as Box<dyn Searcher + 's>;
        let reach = || {
            let reach = Reach::new(arena, name, seeds, shares, &self.guidance);
            Box::new(reach) as Box<dyn Searcher + 's>
        };
        let express = || {
            let express = Express::new(arena, name, seeds, shares, &self.guidance);
            Box::new(express) as Box<dyn Searcher + 's>
        };
        let propagate = || {
            let propagate = Propagate::new(arena, name, seeds, shares, &self.guidance);
            Box::new(propagate) as Box<dyn Searcher + 's>
        };
        let partitions = || {
            let partitions = Partitioning::new(arena, name, seeds, shares, &self.guidance);
            Box::new(partitions) as Box<dyn Searcher + 's>
        };
        match strategy {
            Strategy::Portfolio => vec![propagate(), express(), dart(), partitions()],
            Strategy::Dart => vec![dart()],
            Strategy::Express => vec![express()],
            Strategy::Reach => vec![reach()],
            Strategy::Random | Strategy::Fuzz => Vec::new(),
            Strategy::Propagate => vec![propagate()],
            Strategy::Partitions => vec![partitions()],
        }
    }
}
