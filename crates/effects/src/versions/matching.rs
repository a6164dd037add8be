//! What two versions have in common, as the plain tables that exploration and traces take.
//!
//! The program's own functions are matched as they were aligned. Functions of the C library
//! that both versions link are matched by name, statement by statement. What is new or gone
//! with a whole function is changed.

use changes::versions::{GlobalChange, Version};
use explore::Matching;
use explore::trace::Postdominators;
use graphs::{Cfg, DominatorTree};
use ir::{BlockId, FuncId, Module, StatementId};
use std::collections::BTreeMap;

use super::{Side, Versions};

impl Versions {
    /// The tables of these versions.
    pub fn matching(&self) -> Matching {
        let sides = [&self.old, &self.new];
        let mut matching = Matching {
            forward: vec![None; self.old.module.statements.len()],
            backward: vec![None; self.new.module.statements.len()],
            changed: sides.map(|side| vec![false; side.module.statements.len()]),
            functions: sides.map(|side| vec![None; side.module.functions.len()]),
            own: sides.map(|side| {
                side.module.functions.keys().map(|function| side.is_own(function)).collect()
            }),
            ..Matching::default()
        };
        for (statement, there) in self.alignment.forward.iter() {
            if let Some(cell) = matching.forward.get_mut(statement.as_u32() as usize) {
                *cell = *there;
            }
        }
        for (statement, there) in self.alignment.backward.iter() {
            if let Some(cell) = matching.backward.get_mut(statement.as_u32() as usize) {
                *cell = *there;
            }
        }
        for (index, version) in [Version::Old, Version::New].into_iter().enumerate() {
            for statement in self.alignment.changed(version) {
                matching.changed[index][statement.as_u32() as usize] = true;
            }
        }
        for pair in &self.alignment.functions {
            match_functions(&mut matching, pair.old, pair.new);
            let renamed = pair.renamed.iter();
            let renamed = renamed.map(|r| (pair.old, r.old.clone(), r.new.clone()));
            matching.renamed.extend(renamed);
        }
        mark_functions(&mut matching.changed[0], &self.old.module, &self.alignment.removed);
        mark_functions(&mut matching.changed[1], &self.new.module, &self.alignment.added);
        self.match_globals(&mut matching);
        self.match_library(&mut matching);
        matching
    }

    fn match_globals(&self, matching: &mut Matching) {
        for change in &self.alignment.globals {
            let (old, new) = match *change {
                GlobalChange::Added { new, .. } => (None, Some(new)),
                GlobalChange::Removed { old, .. } => (Some(old), None),
                GlobalChange::Modified { old, new, .. } => (Some(old), Some(new)),
            };
            matching.globals[0].extend(old);
            matching.globals[1].extend(new);
        }
    }

    /// Functions of the C library are the same where both versions have them.
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
                matching.forward[before.as_u32() as usize] = Some(after);
                matching.backward[after.as_u32() as usize] = Some(before);
            }
        }
    }
}

fn match_functions(matching: &mut Matching, old: FuncId, new: FuncId) {
    matching.functions[0][old.as_u32() as usize] = Some(new);
    matching.functions[1][new.as_u32() as usize] = Some(old);
}

/// All statements of some functions are changed.
fn mark_functions(changed: &mut [bool], module: &Module, functions: &[FuncId]) {
    for (statement, data) in module.statements.iter() {
        if functions.contains(&data.function) {
            changed[statement.as_u32() as usize] = true;
        }
    }
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

/// For the blocks of all functions, where the ways from them meet.
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
        all.0[function] = body.blocks.keys().map(meets).collect();
    }
    all
}
