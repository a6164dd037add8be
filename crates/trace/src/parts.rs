//! The parts of variables: which member or element some bytes are, by the types of the source.

use ir::{DebugType, DebugTypeId, Module};

/// Deeper types than this are not examined: the text may contain endless nesting.
const DEEPEST: usize = 64;

/// A part of a variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// What follows the variable's name: `.to.x`, `[3]`.
    pub path: String,
    pub ty: Option<DebugTypeId>,
    /// How far into the part the bytes begin.
    pub within: u64,
}

/// A type without its names and qualifiers.
pub fn plain(module: &Module, ty: DebugTypeId) -> Option<&DebugType> {
    let mut at = ty;
    for _ in 0..DEEPEST {
        match module.debug_types.get(at)? {
            DebugType::Typedef { to, .. } | DebugType::Qualified { to, .. } => at = (*to)?,
            ty => return Some(ty),
        }
    }
    None
}

/// The size of a type in bytes.
pub fn size_of(module: &Module, ty: DebugTypeId) -> Option<u64> {
    sized(module, ty, 0)
}

fn sized(module: &Module, ty: DebugTypeId, depth: usize) -> Option<u64> {
    Some(match plain(module, ty)? {
        DebugType::Base { bits, .. }
        | DebugType::Struct { bits, .. }
        | DebugType::Union { bits, .. }
        | DebugType::Enum { bits, .. } => bits.div_ceil(8),
        DebugType::Pointer { .. } => 8,
        DebugType::Array { element, lengths } if depth < DEEPEST => {
            let each = sized(module, (*element)?, depth + 1)?;
            lengths.iter().map(|length| length.unwrap_or(0)).fold(each, u64::saturating_mul)
        }
        _ => return None,
    })
}

/// The largest part of a variable that begins where some bytes do and is not larger than they
/// are, or else the smallest part that they begin in.
pub fn part(module: &Module, ty: Option<DebugTypeId>, offset: u64, size: u64) -> Part {
    let mut found = Part { path: String::new(), ty, within: offset };
    for _ in 0..DEEPEST {
        let Some(id) = found.ty else { return found };
        let whole = size_of(module, id).unwrap_or(0);
        if found.within == 0 && size >= whole && whole > 0 {
            return found;
        }
        match plain(module, id) {
            Some(DebugType::Struct { members, .. } | DebugType::Union { members, .. }) => {
                let holds = |member: &&ir::DebugMember| {
                    let end = (member.offset + member.bits).div_ceil(8);
                    (member.offset / 8..end).contains(&found.within)
                };
                let Some(member) = members.iter().find(holds) else {
                    return Part { ty: None, ..found };
                };
                found.path += &format!(".{}", member.name);
                found.within -= member.offset / 8;
                found.ty = member.ty;
            }
            Some(DebugType::Array { element: Some(element), lengths }) => {
                let each = size_of(module, *element).unwrap_or(0);
                if each == 0 {
                    return Part { ty: None, ..found };
                }
                found.path += &indices(lengths, found.within / each);
                found.within %= each;
                found.ty = Some(*element);
            }
            _ => return found,
        }
    }
    Part { ty: None, ..found }
}

/// The indices of an element by its number among all.
fn indices(lengths: &[Option<u64>], number: u64) -> String {
    let (mut number, mut indices) = (number, Vec::new());
    for length in lengths.iter().skip(1).rev() {
        let length = length.unwrap_or(1).max(1);
        indices.push(number % length);
        number /= length;
    }
    indices.push(number);
    indices.iter().rev().map(|index| format!("[{index}]")).collect()
}
