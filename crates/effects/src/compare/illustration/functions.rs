//! Which functions of the program matter to a reader of the report: those that are changed, those
//! on the way of an explained difference, and those that directly call one of them.
//!
//! Functions are matched by name; where two have the same name, both matter.

use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use ir::{Callee, FuncId, Module, Op};

use super::sources::Texts;
use super::{FileLine, FunctionLines};
use crate::compare::Witness;
use crate::versions::Versions;

/// The functions of each file of a version, by first line.
pub(super) fn functions(
    versions: &Versions,
    texts: &Texts<'_>,
    witnesses: &[Witness],
    version: Version,
) -> BTreeMap<usize, Vec<FunctionLines>> {
    let module = &versions.side(version).module;
    let core: BTreeSet<&str> = changed(versions).chain(explaining(witnesses)).collect();
    let mut lines: BTreeMap<FuncId, [FileLine; 2]> = BTreeMap::new();
    for (statement, data) in module.statements.iter() {
        let Some(at) = texts.line(version, statement) else { continue };
        let span = lines.entry(data.function).or_insert([at, at]);
        // A function that includes another file has lines of both.
        if at.0 == span[0].0 {
            *span = [span[0].min(at), span[1].max(at)];
        }
    }
    let mut files: BTreeMap<usize, Vec<FunctionLines>> = BTreeMap::new();
    for (id, [first, last]) in lines {
        let function = &module.functions[id];
        let name = function.display_name();
        let head = function.span.line;
        let matters = core.contains(name) || calls_one(module, id, &core);
        files.entry(first.0).or_default().push(FunctionLines {
            name: name.to_owned(),
            first: if head == 0 { first.1 } else { head.min(first.1) },
            last: last.1,
            matters,
        });
    }
    for functions in files.values_mut() {
        functions.sort_by(|a, b| (a.first, &a.name).cmp(&(b.first, &b.name)));
    }
    files
}

/// Functions with changed statements, in either version.
fn changed(versions: &Versions) -> impl Iterator<Item = &str> {
    let all = versions.all_changed();
    Version::BOTH.into_iter().zip(all).flat_map(|(version, statements)| {
        let module = &versions.side(version).module;
        statements.into_iter().map(|id| {
            let function = module.statements[id].function;
            module.functions[function].display_name()
        })
    })
}

/// Functions on the way from a change to an observable, and those that a fault goes through.
fn explaining(witnesses: &[Witness]) -> impl Iterator<Item = &str> {
    let links = witnesses.iter().flat_map(|witness| witness.why.iter().flat_map(|why| &why.chain));
    let linked = links.flat_map(|link| link.old.iter().chain(&link.new));
    let behaviours = witnesses.iter().flat_map(|witness| [&witness.old, &witness.new]);
    let stacks = behaviours.flat_map(|one| one.fault.iter().flat_map(|fault| &fault.stack));
    linked.chain(stacks).map(|place| place.function.as_str())
}

fn calls_one(module: &Module, function: FuncId, named: &BTreeSet<&str>) -> bool {
    let insts = module.functions[function].body().into_iter().flat_map(|body| body.insts.values());
    let mut callees = insts.filter_map(|inst| match &inst.op {
        Op::Call(call) => match call.callee {
            Callee::Function(callee) => Some(module.functions[callee].display_name()),
            _ => None,
        },
        _ => None,
    });
    callees.any(|callee| named.contains(callee))
}
