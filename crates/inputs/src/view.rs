//! Views: how to read memory of a type, down to its scalars, and the targets of its pointers.
//!
//! A view says how to read memory that a caller can reach after a call. It comes from the types of
//! the debug information. Memory with no type or several types (`void *`, unions that contain
//! pointers, incomplete types) is raw: every aligned word that is the address of something is a
//! pointer, and everything else is bytes. Bytes that contain an address elsewhere cannot be
//! compared.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::entity::{PrimaryMap, entity_impl};
use ir::{DebugMember, DebugType, DebugTypeId, Encoding, Module};

use crate::shape::Raw;
use crate::types::{complete, holds_pointer, resolve, resolve_id, size_of};

/// The most scalars of one type; larger ones are raw memory.
const MOST_PARTS: usize = 1 << 12;
/// The most scalars of all types together; further ones are raw memory.
const MOST_IN_ALL: usize = 1 << 14;
/// Types nested deeper than this are raw memory.
const MOST_NESTING: u32 = 64;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ViewId(u32);
entity_impl!(ViewId, "view");

/// Memory of unknown type.
pub const RAW: ViewId = ViewId(0);

/// How to read memory of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// Size of an element in bytes; never 0.
    pub size: u64,
    /// In ascending order. The rest is padding.
    pub parts: Vec<Part>,
    /// The elements after the members of a struct that ends with an array without a length.
    pub tail: Option<Tail>,
}

/// Elements after the fixed part of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tail {
    /// In bytes from the start of the struct.
    pub offset: u64,
    pub view: ViewId,
    /// The member, as the name of a part.
    pub name: String,
}

/// A scalar of at most 64 bits, or a part of a wider one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// In bits from the start of the element.
    pub bit: u64,
    pub bits: u32,
    pub kind: PartKind,
    /// The C suffix to get to it from the element: `.next`, `[3].x`, empty for the element itself.
    pub name: String,
    /// What bytes without a type may mean.
    pub meaning: Option<Arc<Meaning>>,
}

/// The members of a union, or of a type that is too large to be read part by part: by name, a
/// number that is the same for the same layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meaning {
    members: BTreeMap<String, u64>,
}

impl Meaning {
    /// Whether equal bytes mean the same, as far as both know the members.
    pub fn agrees(one: &Option<Arc<Meaning>>, other: &Option<Arc<Meaning>>) -> bool {
        let (Some(one), Some(other)) = (one, other) else { return true };
        let is_same = |(name, layout): (&String, &u64)| {
            other.members.get(name).is_none_or(|known| known == layout)
        };
        one.members.iter().all(is_same)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    Signed,
    Unsigned,
    Character,
    Float,
    /// The mantissa of a `long double`, or after it its sign and exponent.
    LongDouble,
    /// To memory read with this view.
    Pointer(ViewId),
    /// Eight bytes that may be an address.
    Word,
}

impl Part {
    /// The part's bits in memory that holds the element at an offset.
    pub fn read(&self, memory: &[u8], offset: u64) -> u64 {
        let bit = offset * 8 + self.bit;
        if bit.is_multiple_of(8) && self.bits.is_multiple_of(8) {
            let start = (bit / 8) as usize;
            let bytes = memory.get(start..start + self.bits as usize / 8).unwrap_or(&[]);
            return bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        }
        let bit_at = |bit: u64| {
            let byte = memory.get((bit / 8) as usize).copied().unwrap_or(0);
            u64::from(byte >> (bit % 8) & 1)
        };
        (0..u64::from(self.bits)).fold(0, |bits, index| bits | bit_at(bit + index) << index)
    }

    /// Whether it belongs to a `long double` that is a NaN.
    pub fn is_long_nan(&self, memory: &[u8], offset: u64) -> bool {
        let start = match (self.kind, self.bits) {
            (PartKind::LongDouble, 64) => self.bit,
            (PartKind::LongDouble, _) => self.bit.saturating_sub(64),
            _ => return false,
        };
        let piece = |bit: u64, bits: u32| {
            let (kind, name) = (self.kind, String::new());
            Part { bit, bits, kind, name, meaning: None }.read(memory, offset)
        };
        piece(start + 64, 16) & 0x7fff == 0x7fff && piece(start, 64) << 1 != 0
    }

    /// The bytes that contain it, from the start of the element.
    pub fn bytes(&self) -> std::ops::Range<u64> {
        self.bit / 8..(self.bit + u64::from(self.bits)).div_ceil(8)
    }
}

/// The rest of an object after its elements.
static REST_WORD: Part =
    Part { bit: 0, bits: 64, kind: PartKind::Word, name: String::new(), meaning: None };
static REST_BYTE: Part =
    Part { bit: 0, bits: 8, kind: PartKind::Unsigned, name: String::new(), meaning: None };

impl View {
    /// How many elements fit into this many bytes.
    pub fn elements(&self, size: u64) -> u64 {
        match &self.tail {
            Some(tail) => u64::from(size >= tail.offset),
            None => size / self.size,
        }
    }
}

/// All views reachable from some types.
#[derive(Clone, Debug)]
pub struct Views {
    pub all: PrimaryMap<ViewId, View>,
    known: BTreeMap<DebugTypeId, ViewId>,
    /// The number of scalars in all of them.
    total: usize,
}

impl Default for Views {
    fn default() -> Views {
        let mut all = PrimaryMap::new();
        let word = REST_WORD.clone();
        all.push(View { size: 8, parts: vec![word], tail: None });
        Views { all, known: BTreeMap::new(), total: 0 }
    }
}

impl Views {
    pub fn get(&self, id: ViewId) -> &View {
        &self.all[id]
    }

    /// Every part of an object of this size under a view, with the offset of its element.
    pub fn each_part<'v>(&'v self, view: ViewId, size: u64, mut take: impl FnMut(u64, &'v Part)) {
        let view = self.get(view);
        let count = view.elements(size);
        for offset in (0..count).map(|index| index * view.size) {
            let whole = view.parts.iter().filter(|part| offset + part.bytes().end <= size);
            whole.for_each(|part| take(offset, part));
        }
        let mut at = count * view.size;
        if let Some(tail) = view.tail.as_ref().filter(|_| count > 0) {
            let elements = self.get(tail.view);
            at = tail.offset;
            while at + elements.size <= size {
                elements.parts.iter().for_each(|part| take(at, part));
                at += elements.size;
            }
        }
        while at < size {
            let is_word = at.is_multiple_of(8) && at + 8 <= size;
            let part = if is_word { &REST_WORD } else { &REST_BYTE };
            take(at, part);
            at += u64::from(part.bits) / 8;
        }
    }

    /// The part with a number in memory of this many elements of a view, or in the tail after them.
    pub fn part(&self, view: ViewId, elements: u32, number: u32) -> Option<&Part> {
        let view = self.get(view);
        let each = view.parts.len() as u32;
        if number < each * elements {
            return view.parts.get((number % each) as usize);
        }
        let tail = self.get(view.tail.as_ref()?.view);
        let left = (number - each * elements) as usize;
        tail.parts.get(left % tail.parts.len().max(1))
    }

    /// The view of memory of a type.
    pub fn of(&mut self, module: &Module, ty: Option<DebugTypeId>) -> ViewId {
        let Some(id) = resolve_id(module, complete(module, ty)) else { return RAW };
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let size = size_of(module, Some(id)).filter(|&size| size > 0);
        let is_opaque = matches!(resolve(module, Some(id)), DebugType::Struct { name, .. }
            if name == "_IO_FILE");
        let Some(size) = size.filter(|_| !is_opaque) else {
            self.known.insert(id, RAW);
            return RAW;
        };
        // Types may refer to themselves, so reserve the number first.
        let view = self.all.push(View { size, parts: Vec::new(), tail: None });
        self.known.insert(id, view);
        let mut parts = Vec::new();
        let collected = self.collect(module, Some(id), 0, String::new(), &mut parts, 0);
        match collected.filter(|()| parts.len() <= MOST_PARTS) {
            Some(()) => {
                self.total += parts.len();
                self.all[view].parts = parts;
            }
            None => {
                self.all[view] = self.all[RAW].clone();
                let members = [(String::new(), layout_of(module, Some(id), 0))].into();
                self.all[view].parts[0].meaning = Some(Arc::new(Meaning { members }));
            }
        }
        if let DebugType::Struct { members, .. } = resolve(module, Some(id)) {
            self.all[view].tail = self.tail(module, members);
        }
        view
    }

    /// The view of an `int`.
    pub(crate) fn integer(&mut self) -> ViewId {
        let (kind, name) = (PartKind::Signed, String::new());
        let part = Part { bit: 0, bits: 32, kind, name, meaning: None };
        self.all.push(View { size: 4, parts: vec![part], tail: None })
    }

    /// The scalars of a type; `None` if there are too many.
    fn collect(
        &mut self,
        module: &Module,
        ty: Option<DebugTypeId>,
        bit: u64,
        name: String,
        parts: &mut Vec<Part>,
        nesting: u32,
    ) -> Option<()> {
        if nesting > MOST_NESTING || parts.len() > MOST_PARTS || self.total > MOST_IN_ALL {
            return None;
        }
        let one = |bits, kind| Part { bit, bits, kind, name: name.clone(), meaning: None };
        match resolve(module, ty) {
            DebugType::Base { bits, encoding, name: called } => match (encoding, *bits) {
                (Encoding::Float, bits @ (32 | 64)) => {
                    parts.push(one(bits as u32, PartKind::Float))
                }
                (Encoding::SignedChar | Encoding::UnsignedChar, 8) => {
                    parts.push(one(8, PartKind::Character));
                }
                (Encoding::Signed, bits @ 1..=64) => parts.push(one(bits as u32, PartKind::Signed)),
                (_, bits @ 1..=64) => parts.push(one(bits as u32, PartKind::Unsigned)),
                _ => {
                    let is_long_double = called == "long double";
                    let kind = if is_long_double { Raw::LongDouble } else { Raw::UnsignedInt };
                    let bits = if is_long_double { 80 } else { *bits };
                    self.pieces(bit, kind, bits, &name, parts);
                }
            },
            DebugType::Enum { bits, .. } => {
                parts.push(one(u32::try_from(*bits).ok()?, PartKind::Signed));
            }
            DebugType::Pointer { to } => {
                let target = self.of(module, *to);
                parts.push(one(64, PartKind::Pointer(target)));
            }
            // A part for each byte or word, however large it is.
            DebugType::Union { bits, .. } if bits.div_ceil(8) > MOST_PARTS as u64 => return None,
            DebugType::Union { bits, members, .. } => {
                let first = parts.len();
                if holds_pointer(module, ty) {
                    words(bit, bits.div_ceil(8), &name, parts)
                } else {
                    self.pieces(bit, Raw::Union, *bits, &name, parts)
                }
                let members = members.iter().map(|m| (m.name.clone(), layout_of(module, m.ty, 0)));
                let meaning = Arc::new(Meaning { members: members.collect() });
                parts[first..].iter_mut().for_each(|part| part.meaning = Some(meaning.clone()));
            }
            // The contents of `jmp_buf` are private to the library.
            DebugType::Struct { name, .. } if name == "__jmp_buf_tag" => {}
            DebugType::Struct { members, .. } => {
                for member in members {
                    let at = bit + member.offset;
                    let name = if member.name.is_empty() {
                        name.clone()
                    } else {
                        format!("{name}.{}", member.name)
                    };
                    if member.bit_field {
                        let bits = u32::try_from(member.bits).ok().filter(|bits| *bits <= 64)?;
                        let kind = field_kind(module, member);
                        parts.push(Part { bit: at, bits, kind, name, meaning: None });
                    } else {
                        self.collect(module, member.ty, at, name, parts, nesting + 1)?;
                    }
                }
            }
            DebugType::Array { element, lengths } => {
                let each = size_of(module, *element)? * 8;
                let count =
                    lengths.iter().try_fold(1u64, |n, len| n.checked_mul(len.unwrap_or(0)))?;
                if count > MOST_PARTS as u64 {
                    return None;
                }
                for index in 0..count {
                    let name = format!("{name}{}", indices(lengths, index));
                    self.collect(module, *element, bit + index * each, name, parts, nesting + 1)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn pieces(&self, bit: u64, raw: Raw, bits: u64, name: &str, parts: &mut Vec<Part>) {
        let kind = match raw {
            Raw::LongDouble => PartKind::LongDouble,
            _ => PartKind::Unsigned,
        };
        let pieces = raw.pieces(bits).map(|(at, bits)| Part {
            bit: bit + at,
            bits,
            kind,
            name: name.to_owned(),
            meaning: None,
        });
        parts.extend(pieces);
    }

    /// The array without a length at the end of a struct.
    fn tail(&mut self, module: &Module, members: &[DebugMember]) -> Option<Tail> {
        let last = members.last()?;
        let DebugType::Array { element, lengths } = resolve(module, last.ty) else { return None };
        let is_open = matches!(lengths.as_slice(), [None | Some(0)]);
        is_open.then(|| Tail {
            offset: last.offset / 8,
            view: self.of(module, *element),
            name: format!(".{}", last.name),
        })
    }
}

/// A number for the layout of a type, down to its scalars; all pointers count as equal.
fn layout_of(module: &Module, ty: Option<DebugTypeId>, nesting: u32) -> u64 {
    let mix = |hash: u64, number: u64| (hash ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    if nesting > MOST_NESTING {
        return 0;
    }
    let member = |member: &DebugMember| {
        let name = member.name.bytes().fold(0, |hash, byte| mix(hash, byte.into()));
        let inner = layout_of(module, member.ty, nesting + 1);
        mix(mix(mix(name, member.offset), member.bits), inner)
    };
    match resolve(module, ty) {
        DebugType::Base { bits, encoding, .. } => mix(mix(1, *bits), *encoding as u64),
        DebugType::Enum { bits, .. } => mix(2, *bits),
        DebugType::Pointer { .. } => 3,
        DebugType::Struct { members, bits, .. } | DebugType::Union { members, bits, .. } => {
            // The order of declaration does not matter.
            members.iter().map(member).fold(mix(4, *bits), u64::wrapping_add)
        }
        DebugType::Array { element, lengths } => {
            let element = layout_of(module, *element, nesting + 1);
            lengths.iter().fold(mix(5, element), |hash, length| mix(hash, length.unwrap_or(0)))
        }
        _ => 6,
    }
}

/// Bytes that may be addresses if they are aligned.
fn words(bit: u64, size: u64, name: &str, parts: &mut Vec<Part>) {
    let mut at = 0;
    while at < size {
        let is_word = (bit / 8 + at).is_multiple_of(8) && at + 8 <= size;
        let (bytes, kind) = if is_word { (8, PartKind::Word) } else { (1, PartKind::Unsigned) };
        let name = name.to_owned();
        parts.push(Part { bit: bit + at * 8, bits: bytes * 8, kind, name, meaning: None });
        at += u64::from(bytes);
    }
}

fn field_kind(module: &Module, member: &DebugMember) -> PartKind {
    match resolve(module, member.ty) {
        DebugType::Base { encoding: Encoding::Signed, .. } => PartKind::Signed,
        _ => PartKind::Unsigned,
    }
}

/// The indices of an element in a multi-dimensional array.
fn indices(lengths: &[Option<u64>], index: u64) -> String {
    let mut left = index;
    let mut text = String::new();
    for length in lengths.iter().rev() {
        let length = length.unwrap_or(0).max(1);
        text = format!("[{}]{text}", left % length);
        left /= length;
    }
    text
}
