//! What two versions have in common, as the plain tables for exploration and traces.
//!
//! Matches the program's own functions by their alignment. Matches functions of the C library that
//! both versions link by name, statement by statement. All statements of an added or removed
//! function are changed.

use std::collections::BTreeMap;

use base::{Both, Version};
use changes::versions::GlobalChange;
use graphs::{Cfg, DominatorTree};
use ir::{BlockId, FuncId, GlobalId, Module, StatementId};
use trace::{Matching, Postdominators};

use super::{Side, Versions};

impl Versions {
    /// The tables of these versions.
    pub fn matching(&self) -> Matching {
        let mut matching = Matching {
            counterparts: self.alignment.counterparts.clone(),
            globals: self.changed_globals(),
            ..Matching::default()
        };
        for version in Version::BOTH {
            let side = self.side(version);
            for function in side.module.functions.keys() {
                matching.own[version][function] = side.is_own(function);
            }
            for statement in self.alignment.changed(version, &side.module) {
                matching.changed[version][statement] = true;
            }
        }
        for pair in &self.alignment.functions {
            match_functions(&mut matching, pair.old, pair.new);
            let renamed = pair.renamed.iter();
            let renamed = renamed.map(|r| (pair.old, r.old.clone(), r.new.clone()));
            matching.renamed.extend(renamed);
        }
        self.match_library(&mut matching);
        matching
    }

    /// Global variables of each version whose initial value, type or existence differs.
    pub(super) fn changed_globals(&self) -> Both<Vec<GlobalId>> {
        let mut changed: Both<Vec<GlobalId>> = Default::default();
        for change in &self.alignment.globals {
            let of_versions = match *change {
                GlobalChange::Added { new, .. } => [None, Some(new)],
                GlobalChange::Removed { old, .. } => [Some(old), None],
                GlobalChange::Modified { old, new, .. } => [Some(old), Some(new)],
            };
            changed.iter_mut().zip(of_versions).for_each(|(all, one)| all.extend(one));
        }
        changed
    }

    /// Functions of the C library are the same if both versions have them.
    fn match_library(&self, matching: &mut Matching) {
        let by_name = library_functions(&self.old);
        let old = statements_by_function(&self.old.module);
        let new = statements_by_function(&self.new.module);
        for (name, function) in library_functions(&self.new) {
            let Some(&there) = by_name.get(&name) else { continue };
            match_functions(matching, there, function);
            let none = Vec::new();
            let before = old.get(&there).unwrap_or(&none);
            let after = new.get(&function).unwrap_or(&none);
            if before.len() != after.len() {
                continue;
            }
            for (&before, &after) in before.iter().zip(after) {
                matching.counterparts[Version::Old][before] = Some(after);
                matching.counterparts[Version::New][after] = Some(before);
            }
        }
    }
}

fn match_functions(matching: &mut Matching, old: FuncId, new: FuncId) {
    matching.functions[Version::Old][old] = Some(new);
    matching.functions[Version::New][new] = Some(old);
}

fn library_functions(side: &Side) -> BTreeMap<String, FuncId> {
    let functions = side.module.functions.iter().filter(|(_, data)| data.body().is_some());
    let library = functions.filter(|(id, _)| !side.is_own(*id));
    library.map(|(id, data)| (data.name.clone(), id)).collect()
}

fn statements_by_function(module: &Module) -> BTreeMap<FuncId, Vec<StatementId>> {
    let mut statements: BTreeMap<FuncId, Vec<StatementId>> = BTreeMap::new();
    for (statement, data) in module.statements.iter() {
        statements.entry(data.function).or_default().push(statement);
    }
    statements
}

/// For the blocks of all functions, where the paths from them meet.
pub fn postdominators(module: &Module) -> Postdominators {
    let mut all = Postdominators::default();
    for (function, data) in module.functions.iter() {
        let Some(body) = data.body() else { continue };
        let cfg = Cfg::of_blocks(body);
        let tree = DominatorTree::of_postdominance(&cfg);
        let meets = |block: BlockId| {
            let parent = tree.parent(cfg.first_of(block))?;
            (parent != cfg.exit()).then(|| cfg.nodes[parent].block)
        };
        for block in body.blocks.keys() {
            all.0[function][block] = meets(block);
        }
    }
    all
}
