//! What strategies that ask a solver need of both versions: programs with the C library open to
//! be looked into, and the tables that guide them. Made while plain runs are under way.

use changes::versions::Alignment;
use exec::{Instrumentation, Program};
use explore::Searcher;
use explore::dart::Dart;
use explore::pair::Arena;
use explore::reach::{Reach, Target};
use explore::relevance::Relevance;
use inputs::find_function;
use ir::Module;

use super::portfolio::Strategy;
use super::sides::Requests;
use crate::guidance;
use crate::program::{Libc, Loader};
use crate::versions::Versions;

/// Both versions with the C library open.
pub(super) struct Open {
    pub programs: [Program; 2],
    alignment: Alignment,
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
        let programs = [program(&versions.old.module)?, program(&versions.new.module)?];
        Some(Open { programs, alignment: versions.alignment })
    }

    /// Lets concolic runs see into the C library.
    pub fn attach<'s>(&'s self, arena: &mut Arena<'s>) {
        let [old, new] = &self.programs;
        arena.pair.old.concolic = old;
        arena.pair.new.concolic = new;
    }

    fn modules(&self) -> [&Module; 2] {
        [&self.programs[0].module, &self.programs[1].module]
    }

    /// Edges of NEW that cannot matter to the change.
    fn relevance(&self) -> Relevance {
        let [old, new] = self.modules();
        guidance::relevance(&self.alignment, old, new, self.programs[1].entry)
    }

    fn targets(&self) -> Vec<Target> {
        let [old, new] = self.modules();
        let (of_old, of_new) = (guidance::control(old), guidance::control(new));
        guidance::targets(&self.alignment, [&of_old, &of_new], [old, new])
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
            let targets = self.targets();
            Box::new(Reach::new(arena, name, seeds, shares, targets)) as Box<dyn Searcher + 's>
        };
        match strategy {
            Strategy::Portfolio => vec![reach(), dart()],
            Strategy::Dart => vec![dart()],
            Strategy::Reach => vec![reach()],
            Strategy::Random | Strategy::Fuzz => Vec::new(),
            Strategy::Express | Strategy::Propagate => Vec::new(),
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
