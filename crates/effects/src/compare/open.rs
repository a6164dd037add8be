//! What strategies that use a solver need of both versions: programs with the C library open to
//! terms, and the tables that guide them. Made during plain runs.

use base::Version;
use base::parallel::{both, side_by_side};
use exec::{Instrumentation, Program};
use explore::Searcher;
use explore::dart::Dart;
use explore::express::Express;
use explore::guidance::Guidance;
use explore::pair::Arena;
use explore::partitions::Partitioning;
use explore::propagate::Propagate;
use explore::reach::Reach;
use explore::saved::StateError;
use inputs::find_function;
use ir::FuncId;

use super::portfolio::Strategy;
use super::requests::Requests;
use crate::guidance::guidance;
use crate::program::{Libc, Loader};
use crate::tables::tables;
use crate::versions::Versions;

/// Both versions with the C library open to terms.
pub(super) struct Open {
    pub programs: [Program; 2],
    guidance: Guidance,
}

impl Open {
    /// `None` if the versions cannot be loaded this way, or not before it `is_over`; plain runs
    /// continue without.
    pub fn load(requests: &Requests<'_>, is_over: &(dyn Fn() -> bool + Sync)) -> Option<Open> {
        let in_time = || (!is_over()).then_some(());
        let request = requests.request;
        in_time()?;
        let loader = Loader { libc: Libc::Open, ..request.scope.loader.clone() };
        let sides = Versions::sides(&loader, request.old, request.new).ok()?;
        in_time()?;
        let [old, new] = sides;
        let versions = Versions::of(old, new);
        in_time()?;
        let modules = [&versions.old.module, &versions.new.module];
        let name = request.scope.entry.unwrap_or("main");
        let entry = |version: Version| find_function(modules[version], name).ok();
        let entries = [entry(Version::Old)?, entry(Version::New)?];
        let program = |version: Version| {
            let module = modules[version].clone();
            let entry = module.functions[entries[version]].name.clone();
            // Traces and strategies see all statements.
            in_time()?;
            Program::new(module, &entry, Instrumentation { statements: true }).ok()
        };
        // The call graph takes longest.
        let [old, new] = both(|version| versions.side(version).calls_within(&|| is_over()));
        old.and(new)?;
        let guide = || guidance(&versions, entries);
        let ([old, new], mut guidance) = side_by_side(|| both(program), guide);
        let programs = [old?, new?];
        in_time()?;
        if request.options.strategy == Strategy::Partitions {
            guidance.slicing = Some(tables(&versions, &guidance.matching));
        }
        Some(Open { programs, guidance })
    }

    /// Whether a function of a version is the program's own, and not one of the C library.
    pub fn is_own(&self, version: usize, function: FuncId) -> bool {
        self.guidance.matching.is_own(Version::BOTH[version], function)
    }

    /// Opens the C library to concolic runs.
    pub fn attach<'s>(&'s self, arena: &mut Arena<'s>) {
        let [old, new] = &self.programs;
        arena.pair.old.concolic = old;
        arena.pair.new.concolic = new;
    }

    /// A strategy; `None` if it needs only plain runs. If it `shares`, it takes over what others
    /// find.
    pub fn searcher<'s>(
        &'s self,
        strategy: Strategy,
        arena: &Arena<'s>,
        name: &[u8],
        seeds: &[Box<[u64]>],
        shares: bool,
    ) -> Option<Box<dyn Searcher + 's>> {
        let guidance = &self.guidance;
        Some(match strategy {
            Strategy::Portfolio | Strategy::Random | Strategy::Fuzz => return None,
            Strategy::Dart => Box::new(Dart::new(arena, name, seeds, shares)),
            Strategy::Express => Box::new(Express::new(arena, name, seeds, shares, guidance)),
            Strategy::Reach => Box::new(Reach::new(arena, name, seeds, shares, guidance)),
            Strategy::Propagate => Box::new(Propagate::new(arena, name, seeds, shares, guidance)),
            Strategy::Partitions => Box::new(Partitioning::new(arena, name, seeds, guidance)),
        })
    }

    /// The strategy `partitions`, resumed from numbered lines of a state.
    pub fn resumed<'s>(
        &'s self,
        arena: &mut Arena<'s>,
        name: &[u8],
        lines: &[(usize, &str)],
    ) -> Result<Box<dyn Searcher + 's>, StateError> {
        Ok(Box::new(Partitioning::resume(arena, name, lines, &self.guidance)?))
    }
}
