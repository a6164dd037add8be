//! From the alignment of two builds to the tables that runs look things up in.

use changes::versions::{Alignment, Version};
use explore::Matching;
use ir::{FuncId, Module, StatementId};

/// What two versions have in common. Functions of the C library that both have are the same,
/// statement by statement.
pub(super) fn matching(alignment: &Alignment, old: &Module, new: &Module) -> Matching {
    let mut matching = Matching {
        forward: vec![None; old.statements.len()],
        backward: vec![None; new.statements.len()],
        changed: [vec![false; old.statements.len()], vec![false; new.statements.len()]],
        functions: [vec![None; old.functions.len()], vec![None; new.functions.len()]],
    };
    for statement in old.statements.keys() {
        matching.forward[statement.as_u32() as usize] = alignment.forward[statement];
    }
    for statement in new.statements.keys() {
        matching.backward[statement.as_u32() as usize] = alignment.backward[statement];
    }
    for pair in &alignment.functions {
        matching.functions[0][pair.old.as_u32() as usize] = Some(pair.new);
        matching.functions[1][pair.new.as_u32() as usize] = Some(pair.old);
    }
    match_library(&mut matching, alignment, old, new);
    let sides = [(Version::Old, old, &alignment.removed), (Version::New, new, &alignment.added)];
    for (version, module, alone) in sides {
        let changed = &mut matching.changed[version as usize];
        for statement in alignment.changed(version) {
            changed[statement.as_u32() as usize] = true;
        }
        for &function in alone {
            for statement in statements_of(module, function) {
                changed[statement.as_u32() as usize] = true;
            }
        }
    }
    matching
}

/// Matches functions that the alignment does not speak of, by name.
fn match_library(matching: &mut Matching, alignment: &Alignment, old: &Module, new: &Module) {
    let is_known = |table: &[Option<FuncId>], alone: &[FuncId], function: FuncId| {
        table[function.as_u32() as usize].is_some() || alone.contains(&function)
    };
    for (id, function) in new.functions.iter() {
        if function.body().is_none() || is_known(&matching.functions[1], &alignment.added, id) {
            continue;
        }
        let same = |(other, candidate): &(FuncId, &ir::Function)| {
            candidate.name == function.name
                && candidate.body().is_some()
                && !is_known(&matching.functions[0], &alignment.removed, *other)
        };
        let Some((other, _)) = old.functions.iter().find(same) else { continue };
        let (theirs, ours) = (statements_of(old, other), statements_of(new, id));
        if theirs.len() != ours.len() {
            continue;
        }
        matching.functions[0][other.as_u32() as usize] = Some(id);
        matching.functions[1][id.as_u32() as usize] = Some(other);
        for (theirs, ours) in theirs.into_iter().zip(ours) {
            matching.forward[theirs.as_u32() as usize] = Some(ours);
            matching.backward[ours.as_u32() as usize] = Some(theirs);
        }
    }
}

/// The statements of a function, in the order of their first instruction.
pub(super) fn statements_of(module: &Module, function: FuncId) -> Vec<StatementId> {
    let Some(body) = module.functions[function].body() else { return Vec::new() };
    let mut statements: Vec<StatementId> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for inst in body.insts.values() {
        if seen.insert(inst.statement) {
            statements.push(inst.statement);
        }
    }
    statements
}
