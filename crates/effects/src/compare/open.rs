//! What strategies that ask a solver need of both versions: programs with the C library open to
//! be looked into, and the tables that guide them. Made while plain runs are under way.

use exec::{Instrumentation, Program};
use explore::{Searcher, Version};
use explore::dart::Dart;
use explore::express::Express;
use explore::guidance::Guidance;
use explore::pair::Arena;
use explore::propagate::Propagate;
use explore::reach::Reach;
use inputs::find_function;
use ir::Module;

use super::portfolio::Strategy;
use super::sides::Requests;
use super::guidance::guidance;
use crate::program::{Libc, Loader};
use crate::versions::Versions;

/// Both versions with the C library open.
pub(super) struct Open {
    pub programs: [Program; 2],
    guidance: Guidance,
}

impl Open {
    /// Nothing if the versions cannot be loaded this way, or if their own statements have other
    /// numbers then; plain runs go on without.
    pub fn load(requests: &Requests<'_>, quick: &Versions) -> Option<Open> {
        let request = requests.request();
        let loader = Loader { libc: Libc::Open, ..request.loader.clone() };
        let versions = Versions::load(&loader, request.old, request.new).ok()?;
        let program = |module: &Module| {
            let entry = match request.entry {
                None => "main".to_owned(),
                Some(name) => module.functions[find_function(module, name).ok()?].name.clone(),
            };
            Program::new(module.clone(), &entry, Instrumentation::default()).ok()
        };
        let same = has_same_statements(&quick.old.module, &versions.old.module)
            && has_same_statements(&quick.new.module, &versions.new.module);
        if !same {
            return None;
        }
        let (old, new) = (program(&versions.old.module)?, program(&versions.new.module)?);
        let guidance = guidance(&versions, new.entry);
        let programs = [
            old.mark_only(guidance.matching.changes(Version::Old)),
            new.mark_only(guidance.matching.changes(Version::New)),
        ];
        Some(Open { programs, guidance })
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
        match strategy {
            Strategy::Portfolio => vec![propagate(), express(), dart()],
            Strategy::Dart => vec![dart()],
            Strategy::Express => vec![express()],
            Strategy::Reach => vec![reach()],
            Strategy::Random | Strategy::Fuzz => Vec::new(),
            Strategy::Propagate => vec![propagate()],
        }
    }
}

/// Whether the statements of a module are the first of another.
fn has_same_statements(small: &Module, large: &Module) -> bool {
    let own = |module: &Module| -> Vec<(String, u32)> {
        let statements = module.statements.values();
        let named = statements.map(|statement| {
            (module.functions[statement.function].name.clone(), statement.span.line)
        });
        named.collect()
    };
    let (small, large) = (own(small), own(large));
    let functions: std::collections::BTreeSet<&String> =
        small.iter().map(|(name, _)| name).collect();
    small.iter().zip(&large).all(|(a, b)| a == b || !functions.contains(&b.0))
}
