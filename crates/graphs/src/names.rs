//! Names of variables, members and blocks of memory, in terms of the source.

use ir::{DebugType, DebugTypeId, FuncId, InstId, Module, Storage, ValueId};

use crate::objects::{Cell, CellId, Object, ObjectKind, Objects};

/// The name of a cell.
pub fn cell(module: &Module, objects: &Objects, cell: CellId) -> String {
    let Cell { object: id, offset } = objects.cells[cell];
    let Object { kind, ref cells, .. } = objects.objects[id];
    let mut name = object(module, kind);
    if cells.len() > 1 || offset != 0 {
        name.push_str(&member(module, kind, offset));
    }
    name
}

/// The name of an object.
pub fn object(module: &Module, kind: ObjectKind) -> String {
    let function = |id: FuncId| module.functions[id].display_name().to_owned();
    match kind {
        ObjectKind::Global(id) => {
            let global = &module.globals[id];
            global.source_name.clone().unwrap_or_else(|| global.name.clone())
        }
        ObjectKind::Function(id) => function(id),
        ObjectKind::Local(id, inst) => local(module, id, inst),
        ObjectKind::Heap(id, inst) => heap(module, id, inst),
        ObjectKind::Copy(id, index) => {
            let body = module.functions[id].body();
            let value = body.and_then(|body| body.values.get(ValueId::at(index)));
            value.map_or_else(|| format!("argument {index}"), |value| value.name.clone())
        }
        ObjectKind::Varargs(id) => format!("unnamed arguments of {}", function(id)),
        ObjectKind::Arguments(id) => format!("memory given to {}", function(id)),
        ObjectKind::Library(index) => library::state_name(index).to_owned(),
        ObjectKind::Unknown => "memory of unknown code".to_owned(),
    }
}

/// The variable whose memory an `alloca` makes.
fn local(module: &Module, function: FuncId, inst: InstId) -> String {
    let Some(body) = module.functions[function].body() else { return String::new() };
    let Some(address) = body.insts[inst].result else { return String::new() };
    let mut variables = body.variables.iter();
    match variables.find(|variable| variable.storage == Storage::Memory(address)) {
        Some(variable) => variable.name.clone(),
        None => {
            let name = &body.values[address].name;
            name.strip_suffix(".addr").unwrap_or(name).to_owned()
        }
    }
}

/// The name of a block of memory, by the line that allocates it.
fn heap(module: &Module, function: FuncId, inst: InstId) -> String {
    let function = &module.functions[function];
    match function.body().map(|body| body.insts[inst].span.line) {
        Some(line) if line != 0 => format!("memory from line {line}"),
        _ => format!("memory from {}", function.display_name()),
    }
}

/// The member at an offset of an object: `.next`, or `+8` if it has no name.
pub fn member(module: &Module, kind: ObjectKind, offset: u64) -> String {
    let path = debug_type(module, kind).and_then(|ty| path(module, ty, offset, 0));
    path.unwrap_or_else(|| format!("+{offset}"))
}

fn debug_type(module: &Module, kind: ObjectKind) -> Option<DebugTypeId> {
    match kind {
        ObjectKind::Global(id) => module.globals[id].debug_type,
        ObjectKind::Local(function, inst) => {
            let body = module.functions[function].body()?;
            let address = body.insts[inst].result?;
            let mut variables = body.variables.iter();
            variables.find(|variable| variable.storage == Storage::Memory(address))?.ty
        }
        _ => None,
    }
}

/// Deep enough for any real type.
const MAX_DEPTH: u32 = 32;

fn path(module: &Module, ty: DebugTypeId, offset: u64, depth: u32) -> Option<String> {
    if depth > MAX_DEPTH {
        return None;
    }
    match &module.debug_types[ty] {
        DebugType::Typedef { to, .. } | DebugType::Qualified { to, .. } => {
            path(module, (*to)?, offset, depth + 1)
        }
        DebugType::Struct { members, .. } => {
            let bit = offset * 8;
            let inside = |start: u64, bits: u64| start <= bit && bit < start + bits;
            let member = members.iter().find(|member| inside(member.offset, member.bits))?;
            let rest = path(module, member.ty?, offset - member.offset / 8, depth + 1)?;
            Some(format!(".{}{rest}", member.name))
        }
        DebugType::Array { element, .. } => {
            let element = (*element)?;
            let bytes = size(module, element, depth + 1)?;
            let inner = offset.checked_rem(bytes)?;
            Some(format!("[]{}", path(module, element, inner, depth + 1)?))
        }
        _ => Some(String::new()),
    }
}

/// Bytes of a type.
fn size(module: &Module, ty: DebugTypeId, depth: u32) -> Option<u64> {
    if depth > MAX_DEPTH {
        return None;
    }
    match &module.debug_types[ty] {
        DebugType::Base { bits, .. }
        | DebugType::Struct { bits, .. }
        | DebugType::Union { bits, .. }
        | DebugType::Enum { bits, .. } => Some(bits / 8),
        DebugType::Pointer { .. } => Some(8),
        DebugType::Typedef { to, .. } | DebugType::Qualified { to, .. } => {
            size(module, (*to)?, depth + 1)
        }
        DebugType::Array { element, lengths } => {
            let mut bytes = size(module, (*element)?, depth + 1)?;
            for length in lengths {
                bytes = bytes.checked_mul((*length)?)?;
            }
            Some(bytes)
        }
        DebugType::Void | DebugType::Function { .. } | DebugType::Other { .. } => None,
    }
}
