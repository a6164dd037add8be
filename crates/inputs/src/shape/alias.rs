//! Which parameters may point to the same object.
//!
//! Two pointers may if they point to the same type, regardless of qualifiers, and neither is
//! `restrict`. Covers only whole objects: both pointers have the same value. The memory is that of
//! the parameter with the larger buffer, so that lengths of the other one fit.

use std::cmp::Reverse;
use std::fmt;

use ir::{DebugType, DebugTypeId, Module, Qualifier};

use super::{Buffer, Form, Param, Pointer, Shape};
use crate::parse::Override;
use crate::types::{pointee, resolve_id};

/// A parameter that may have the same value as another one, and so point to its memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alias {
    pub pointer: String,
    pub of: String,
}

impl fmt::Display for Alias {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` and `{}` may be the same object", self.of, self.pointer)
    }
}

type Declared = (String, Option<DebugTypeId>);

/// All pairs, ordered so that whether a parameter has memory of its own is known before others
/// refer to it.
pub(crate) fn aliases(
    module: &Module,
    declared: &[Declared],
    params: &[Param],
    overrides: &[Override],
) -> Vec<Alias> {
    let mut candidates: Vec<Candidate<'_>> = declared
        .iter()
        .zip(params)
        .filter_map(|((_, ty), param)| {
            let Form::Pointer(Pointer::Buffer(buffer)) = &param.shape.form else { return None };
            let target = (!is_restrict(module, *ty)).then(|| pointee(module, *ty))??;
            let is_declared = overrides.iter().any(|over| {
                let rest = over.path.strip_prefix(param.name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            });
            let target = resolve_id(module, target);
            Some(Candidate { name: &param.name, target, buffer, is_declared })
        })
        .collect();
    candidates.sort_by_key(|candidate| Reverse(candidate.buffer.target.size));
    let mut aliases = Vec::new();
    for (index, one) in candidates.iter().enumerate() {
        for other in candidates[..index].iter().filter(|other| one.may_be(other)) {
            aliases.push(Alias { pointer: one.name.to_owned(), of: other.name.to_owned() });
        }
    }
    aliases
}

/// Whether the user may declare one parameter as the same object as another one.
pub(crate) fn may_be_same(
    module: &Module,
    one: Option<DebugTypeId>,
    other: Option<DebugTypeId>,
) -> bool {
    let target = |ty| {
        let target = (!is_restrict(module, ty)).then(|| pointee(module, ty))??;
        Some(resolve_id(module, target))
    };
    target(one).is_some() && target(one) == target(other)
}

/// A parameter that points to memory.
struct Candidate<'a> {
    name: &'a str,
    /// The type behind the pointer; `None` for `void`.
    target: Option<DebugTypeId>,
    buffer: &'a Buffer,
    is_declared: bool,
}

impl Candidate<'_> {
    /// Whether the memory behind another pointer fits behind this one.
    fn may_be(&self, other: &Candidate<'_>) -> bool {
        let (own, theirs) = (&self.buffer.target, &other.buffer.target);
        let fits = match (&own.form, &theirs.form) {
            (Form::Array { element, .. }, Form::Array { element: other, .. }) => {
                is_alike(element, other)
            }
            (own, theirs) => own == theirs,
        };
        // A declaration for one of them would not hold for larger memory.
        let has_size = own.size == theirs.size || !self.is_declared && !other.is_declared;
        self.target == other.target && self.buffer.string == other.buffer.string && fits && has_size
    }
}

/// Whether two shapes have the same values, regardless of their types' names.
fn is_alike(one: &Shape, other: &Shape) -> bool {
    if one.size != other.size {
        return false;
    }
    match (&one.form, &other.form) {
        (Form::Struct(fields), Form::Struct(others)) => {
            fields.len() == others.len()
                && fields.iter().zip(others).all(|(field, other)| {
                    (&field.name, field.bit) == (&other.name, other.bit)
                        && is_alike(&field.shape, &other.shape)
                })
        }
        (Form::Array { element, count }, Form::Array { element: other, count: others }) => {
            count == others && is_alike(element, other)
        }
        (Form::Pointer(Pointer::Buffer(one)), Form::Pointer(Pointer::Buffer(other))) => {
            (one.nullable, one.string) == (other.nullable, other.string)
                && is_alike(&one.target, &other.target)
        }
        (one, other) => one == other,
    }
}

/// Whether a type is a pointer with exclusive access to its memory.
fn is_restrict(module: &Module, ty: Option<DebugTypeId>) -> bool {
    let mut ty = ty;
    // Chains of typedefs and qualifiers are short; those of a damaged module may have cycles.
    for _ in 0..64 {
        match ty.and_then(|id| module.debug_types.get(id)) {
            Some(DebugType::Qualified { qualifier: Qualifier::Restrict, .. }) => return true,
            Some(DebugType::Typedef { to, .. } | DebugType::Qualified { to, .. }) => ty = *to,
            _ => return false,
        }
    }
    false
}
