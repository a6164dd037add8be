//! Names of global variables, constants and functions that are the same in both versions.

use ir::{Const, FuncId, Global, GlobalId, Linkage, Module, TypedConst};

use super::ChangedGlobals;

/// A difference between the global variables of two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GlobalChange {
    Added {
        name: String,
        new: GlobalId,
    },
    Removed {
        name: String,
        old: GlobalId,
    },
    /// Type or initial value differ.
    Modified {
        name: String,
        old: GlobalId,
        new: GlobalId,
    },
}

impl GlobalChange {
    pub fn name(&self) -> &str {
        match self {
            GlobalChange::Added { name, .. }
            | GlobalChange::Removed { name, .. }
            | GlobalChange::Modified { name, .. } => name,
        }
    }
}

/// The name of a function in both versions: the linker may have renamed it.
pub fn function_name(module: &Module, function: FuncId) -> &str {
    let function = &module.functions[function];
    match function.linkage {
        Linkage::Internal => function.display_name(),
        _ => &function.name,
    }
}

/// Whether a global is a literal or another unnamed constant, which its contents identify.
pub fn is_literal(global: &Global) -> bool {
    global.constant && global.source_name.is_none()
}

pub fn global_name(global: &Global) -> &str {
    match global.linkage {
        Linkage::Internal => global.source_name.as_deref().unwrap_or(&global.name),
        _ => &global.name,
    }
}

/// The differences, and the variables that have one.
pub fn compare(old: &Module, new: &Module) -> (Vec<GlobalChange>, ChangedGlobals) {
    let mut changes = Vec::new();
    let mut changed = ChangedGlobals::default();
    let named = |module: &Module| -> Vec<GlobalId> {
        let all = module.globals.iter();
        let named = all.filter(|(_, global)| !is_literal(global) && is_of_program(module, global));
        named.map(|(id, _)| id).collect()
    };
    let mut left = named(old);
    for id in named(new) {
        let name = global_name(&new.globals[id]).to_owned();
        let found = left.iter().position(|&other| global_name(&old.globals[other]) == name);
        let Some(index) = found else {
            changed.new.push(id);
            changes.push(GlobalChange::Added { name, new: id });
            continue;
        };
        let other = left.remove(index);
        if describe(old, &old.globals[other]) != describe(new, &new.globals[id]) {
            changed.old.push(other);
            changed.new.push(id);
            changes.push(GlobalChange::Modified { name, old: other, new: id });
        }
    }
    for id in left {
        changed.old.push(id);
        let name = global_name(&old.globals[id]).to_owned();
        changes.push(GlobalChange::Removed { name, old: id });
    }
    (changes, changed)
}

/// Variables of the C library are not changes of the program.
fn is_of_program(module: &Module, global: &Global) -> bool {
    global.init.is_some() && global.source_name.is_some() && !module.in_archive(global.span)
}

fn describe(module: &Module, global: &Global) -> String {
    let layout = module.types.layout(global.ty);
    let init = global.init.as_ref().map(|init| describe_const(module, init, 0));
    format!("{} {} {:?} {:?}", layout.size, layout.align, global.constant, init)
}

/// Constants nested deeper count as the same.
const DEEPEST: usize = 24;

/// A constant as text with the same meaning in both versions.
pub fn describe_const(module: &Module, constant: &TypedConst, depth: usize) -> String {
    if depth > DEEPEST {
        return "…".to_owned();
    }
    let part = |part: &TypedConst| describe_const(module, part, depth + 1);
    let size = module.types.layout(constant.ty).size;
    match &constant.value {
        Const::Int(value) => format!("{value}:{size}"),
        Const::Float(bits) => format!("f{bits:x}:{size}"),
        Const::Null => "null".to_owned(),
        Const::Undef => format!("undef:{size}"),
        Const::Zero => format!("zero:{size}"),
        Const::Bytes(bytes) => format!("{bytes:?}"),
        Const::Elements(elements) => {
            let elements: Vec<String> = elements.iter().map(part).collect();
            format!("{{{}}}", elements.join(","))
        }
        Const::Global(id) => describe_global(module, *id, depth),
        Const::Function(id) => format!("@{}", function_name(module, *id)),
        Const::Block(function, block) => {
            format!("label {}.{}", function_name(module, *function), block.as_u32())
        }
        Const::Offset { base, bytes } => format!("({}+{bytes})", part(base)),
        Const::Binary { op, lhs, rhs } => format!("{}({},{})", op.name(), part(lhs), part(rhs)),
        Const::Compare { op, lhs, rhs } => format!("{}({},{})", op.name(), part(lhs), part(rhs)),
        Const::Cast { op, value } => format!("{}({}):{size}", op.name(), part(value)),
    }
}

fn describe_global(module: &Module, id: GlobalId, depth: usize) -> String {
    let global = &module.globals[id];
    match (&global.init, is_literal(global)) {
        (Some(init), true) => format!("&{}", describe_const(module, init, depth + 1)),
        _ => format!("&{}", global_name(global)),
    }
}
