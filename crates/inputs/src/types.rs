//! Types of the debug information: resolves typedefs and qualifiers, computes sizes, writes C text.

use ir::{DebugType, DebugTypeId, Module, Qualifier};

/// Chains of typedefs and qualifiers are short; those of a damaged module may have cycles.
const MOST_STEPS: usize = 64;

/// The type without typedefs and qualifiers. `Void` for none, as in the debug information itself.
pub fn resolve(module: &Module, ty: Option<DebugTypeId>) -> &DebugType {
    let mut ty = ty;
    for _ in 0..MOST_STEPS {
        match ty.and_then(|id| module.debug_types.get(id)) {
            Some(DebugType::Typedef { to, .. } | DebugType::Qualified { to, .. }) => ty = *to,
            Some(found) => return found,
            None => break,
        }
    }
    &DebugType::Void
}

/// The number of the type without typedefs and qualifiers; `None` for `void`.
pub fn resolve_id(module: &Module, ty: Option<DebugTypeId>) -> Option<DebugTypeId> {
    let mut ty = ty;
    for _ in 0..MOST_STEPS {
        match module.debug_types.get(ty?)? {
            DebugType::Typedef { to, .. } | DebugType::Qualified { to, .. } => ty = *to,
            DebugType::Void => return None,
            _ => return ty,
        }
    }
    None
}

/// The type that a pointer points to; `None` if it is no pointer.
pub fn pointee(module: &Module, ty: Option<DebugTypeId>) -> Option<Option<DebugTypeId>> {
    match resolve(module, ty) {
        DebugType::Pointer { to } => Some(*to),
        _ => None,
    }
}

/// Whether a file only declares the type.
pub fn is_incomplete(ty: &DebugType) -> bool {
    match ty {
        DebugType::Struct { bits, members, .. } | DebugType::Union { bits, members, .. } => {
            *bits == 0 && members.is_empty()
        }
        _ => false,
    }
}

/// The definition of a type in other files of the program, if it is only declared and they agree;
/// otherwise the type itself.
pub fn complete(module: &Module, ty: Option<DebugTypeId>) -> Option<DebugTypeId> {
    let (DebugType::Struct { name, .. } | DebugType::Union { name, .. }) = resolve(module, ty)
    else {
        return ty;
    };
    if name.is_empty() || !is_incomplete(resolve(module, ty)) {
        return ty;
    }
    let is_struct = matches!(resolve(module, ty), DebugType::Struct { .. });
    let mut found: Option<(DebugTypeId, u64, usize)> = None;
    for (id, other) in module.debug_types.iter().filter(|(_, other)| !is_incomplete(other)) {
        let (bits, members) = match other {
            DebugType::Struct { name: known, bits, members } if is_struct && known == name => {
                (*bits, members.len())
            }
            DebugType::Union { name: known, bits, members } if !is_struct && known == name => {
                (*bits, members.len())
            }
            _ => continue,
        };
        match found {
            // Two files may have different types with the same name.
            Some((_, size, count)) if (size, count) != (bits, members) => return ty,
            Some(_) => {}
            None => found = Some((id, bits, members)),
        }
    }
    found.map_or(ty, |(id, ..)| Some(id))
}

/// Size in memory in bytes, if known.
pub fn size_of(module: &Module, ty: Option<DebugTypeId>) -> Option<u64> {
    sized(module, ty, 0)
}

fn sized(module: &Module, ty: Option<DebugTypeId>, steps: usize) -> Option<u64> {
    if steps > MOST_STEPS {
        return None;
    }
    match resolve(module, ty) {
        DebugType::Base { bits, .. }
        | DebugType::Struct { bits, .. }
        | DebugType::Union { bits, .. }
        | DebugType::Enum { bits, .. } => Some(bits.div_ceil(8)),
        DebugType::Pointer { .. } => Some(8),
        DebugType::Array { element, lengths } => {
            let element = sized(module, *element, steps + 1)?;
            lengths.iter().try_fold(element, |size, length| size.checked_mul(length.unwrap_or(0)))
        }
        _ => None,
    }
}

/// Whether a value of the type contains a pointer.
pub fn holds_pointer(module: &Module, ty: Option<DebugTypeId>) -> bool {
    any_pointer(module, ty, 0)
}

fn any_pointer(module: &Module, ty: Option<DebugTypeId>, steps: usize) -> bool {
    steps > MOST_STEPS
        || match resolve(module, ty) {
            DebugType::Pointer { .. } => true,
            DebugType::Array { element, .. } => any_pointer(module, *element, steps + 1),
            DebugType::Struct { members, .. } | DebugType::Union { members, .. } => {
                members.iter().any(|member| any_pointer(module, member.ty, steps + 1))
            }
            _ => false,
        }
}

/// The type as C writes it without a declared name, for people and for casts.
pub fn c_name(module: &Module, ty: Option<DebugTypeId>) -> String {
    let text = declare(module, ty, String::new(), 0);
    text.trim_end().to_owned()
}

/// Writes the type around its declarator.
fn declare(module: &Module, ty: Option<DebugTypeId>, inner: String, steps: usize) -> String {
    let found = ty.and_then(|id| module.debug_types.get(id));
    let Some(found) = found.filter(|_| steps <= MOST_STEPS) else {
        return format!("void {inner}");
    };
    let tagged = |keyword: &str, name: &str| {
        if name.is_empty() {
            format!("{keyword} {{…}} {inner}")
        } else {
            format!("{keyword} {name} {inner}")
        }
    };
    match found {
        DebugType::Void => format!("void {inner}"),
        DebugType::Base { name, .. } | DebugType::Typedef { name, .. } => format!("{name} {inner}"),
        DebugType::Struct { name, .. } => tagged("struct", name),
        DebugType::Union { name, .. } => tagged("union", name),
        DebugType::Enum { name, .. } => tagged("enum", name),
        DebugType::Other { tag, name } => tagged(tag, name),
        DebugType::Qualified { qualifier, to } => {
            let word = match qualifier {
                Qualifier::Const => "const",
                Qualifier::Volatile => "volatile",
                Qualifier::Restrict => "restrict",
                Qualifier::Atomic => "_Atomic",
            };
            let is_pointer = to.is_some_and(|to| {
                matches!(module.debug_types.get(to), Some(DebugType::Pointer { .. }))
            });
            if is_pointer {
                declare(module, *to, format!("{word} {inner}"), steps + 1)
            } else {
                format!("{word} {}", declare(module, *to, inner, steps + 1))
            }
        }
        DebugType::Pointer { to } => {
            let binds = matches!(
                to.and_then(|to| module.debug_types.get(to)),
                Some(DebugType::Array { .. } | DebugType::Function { .. })
            );
            let inner = if binds { format!("(*{inner})") } else { format!("*{inner}") };
            declare(module, *to, inner, steps + 1)
        }
        DebugType::Array { element, lengths } => {
            let lengths = lengths.iter().map(|length| match length {
                Some(length) => format!("[{length}]"),
                None => "[]".to_owned(),
            });
            let inner = format!("{}{}", inner.trim_end(), lengths.collect::<String>());
            declare(module, *element, inner, steps + 1)
        }
        DebugType::Function { returns, params } => {
            let mut names: Vec<String> =
                params.iter().map(|param| param_name(module, *param, steps)).collect();
            if names.is_empty() {
                names.push("void".to_owned());
            }
            let inner = format!("{}({})", inner.trim_end(), names.join(", "));
            declare(module, *returns, inner, steps + 1)
        }
    }
}

fn param_name(module: &Module, param: Option<DebugTypeId>, steps: usize) -> String {
    match param {
        Some(_) => declare(module, param, String::new(), steps + 1).trim_end().to_owned(),
        None => "...".to_owned(),
    }
}
