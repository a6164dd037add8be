//! Types as the programmer wrote them, from metadata.
//!
//! A type gets its id at its first mention and is read from a work list, so that types that contain
//! themselves behind pointers need no special care.

use ir::{DebugMember, DebugType, DebugTypeId, Encoding, Qualifier};

use crate::debug::DebugReader;
use crate::metadata::{Node, number, reference, string};

#[derive(Default)]
struct Raw<'t> {
    tag: &'t [u8],
    name: String,
    base: Option<u32>,
    elements: Option<u32>,
    types: Option<u32>,
    bits: u64,
    offset: u64,
    encoding: &'t [u8],
    flags: &'t [u8],
}

fn raw<'t>(node: Node<'t>) -> Raw<'t> {
    let mut raw = Raw::default();
    node.fields(|name, value| match name {
        b"tag" => raw.tag = value.strip_prefix(b"DW_TAG_").unwrap_or(value),
        b"name" => raw.name = string(value),
        b"baseType" => raw.base = reference(value),
        b"elements" => raw.elements = reference(value),
        b"types" => raw.types = reference(value),
        b"size" => raw.bits = number(value),
        b"offset" => raw.offset = number(value),
        b"encoding" => raw.encoding = value,
        b"flags" => raw.flags = value,
        _ => {}
    });
    raw
}

impl<'t> DebugReader<'t> {
    pub fn ty(&mut self, number: u32) -> DebugTypeId {
        if let Some(&id) = self.type_ids.get(&number) {
            return id;
        }
        let id = self.types.push(DebugType::Void);
        self.type_ids.insert(number, id);
        self.pending_types.push((number, id));
        id
    }

    /// Reads all types that were mentioned, and those that they mention.
    pub fn finish(&mut self) {
        while let Some((number, id)) = self.pending_types.pop() {
            if let Some(ty) = self.read_type(number) {
                self.types[id] = ty;
            }
        }
    }

    fn read_type(&mut self, number: u32) -> Option<DebugType> {
        let node = self.nodes.get(number)?;
        let raw = raw(node);
        Some(match node.kind {
            b"DIBasicType" if raw.tag.is_empty() || raw.tag == b"base_type" => {
                DebugType::Base { name: raw.name, bits: raw.bits, encoding: encoding(raw.encoding) }
            }
            b"DIDerivedType" => self.derived(raw),
            b"DICompositeType" => self.composite(raw),
            b"DISubroutineType" => self.subroutine(raw),
            b"DIStringType" | b"DIBasicType" => other(raw),
            _ => return None,
        })
    }

    fn optional(&mut self, number: Option<u32>) -> Option<DebugTypeId> {
        number.map(|number| self.ty(number))
    }

    fn derived(&mut self, raw: Raw<'t>) -> DebugType {
        let qualifier = match raw.tag {
            b"const_type" => Some(Qualifier::Const),
            b"volatile_type" => Some(Qualifier::Volatile),
            b"restrict_type" => Some(Qualifier::Restrict),
            b"atomic_type" => Some(Qualifier::Atomic),
            _ => None,
        };
        if let Some(qualifier) = qualifier {
            return DebugType::Qualified { qualifier, to: self.optional(raw.base) };
        }
        match raw.tag {
            b"pointer_type" | b"reference_type" | b"rvalue_reference_type" => {
                DebugType::Pointer { to: self.optional(raw.base) }
            }
            b"typedef" => DebugType::Typedef { to: self.optional(raw.base), name: raw.name },
            _ => other(raw),
        }
    }

    fn composite(&mut self, raw: Raw<'t>) -> DebugType {
        match raw.tag {
            b"structure_type" | b"class_type" => {
                let members = self.members(raw.elements);
                DebugType::Struct { name: raw.name, bits: raw.bits, members }
            }
            b"union_type" => {
                let members = self.members(raw.elements);
                DebugType::Union { name: raw.name, bits: raw.bits, members }
            }
            b"array_type" => {
                let lengths = self.lengths(raw.elements);
                DebugType::Array { element: self.optional(raw.base), lengths }
            }
            b"enumeration_type" => {
                let enumerators = self.enumerators(raw.elements);
                DebugType::Enum { name: raw.name, bits: raw.bits, enumerators }
            }
            _ => other(raw),
        }
    }

    fn list(&mut self, number: Option<u32>) -> Vec<Option<u32>> {
        if !self.spend(1) {
            return Vec::new();
        }
        let list = number.map(|number| self.nodes.list(number)).unwrap_or_default();
        if self.spend(list.len() * size_of::<DebugMember>()) { list } else { Vec::new() }
    }

    fn elements(&mut self, list: Option<u32>) -> Vec<Node<'t>> {
        let list = self.list(list).into_iter().flatten();
        let nodes: Vec<Node<'t>> = list.filter_map(|number| self.nodes.get(number)).collect();
        let bytes = nodes.iter().map(Node::len).sum();
        if self.spend(bytes) { nodes } else { Vec::new() }
    }

    fn members(&mut self, list: Option<u32>) -> Vec<DebugMember> {
        let members: Vec<Raw<'t>> = self
            .elements(list)
            .into_iter()
            .filter(|node| node.kind == b"DIDerivedType")
            .map(raw)
            .filter(|raw| matches!(raw.tag, b"member" | b"inheritance"))
            .collect();
        members
            .into_iter()
            .map(|raw| DebugMember {
                ty: self.optional(raw.base),
                name: raw.name,
                offset: raw.offset,
                bits: raw.bits,
                bit_field: memchr::memmem::find(raw.flags, b"DIFlagBitField").is_some(),
            })
            .collect()
    }

    fn lengths(&mut self, list: Option<u32>) -> Vec<Option<u64>> {
        self.elements(list)
            .into_iter()
            .filter(|node| node.kind == b"DISubrange")
            .map(|node| {
                let mut length = None;
                node.fields(|name, value| {
                    // -1 means that the length is not known; a reference, that it varies.
                    if name == b"count" && value.first().is_some_and(u8::is_ascii_digit) {
                        length = Some(number(value));
                    }
                });
                length
            })
            .collect()
    }

    fn enumerators(&mut self, list: Option<u32>) -> Vec<(String, i128)> {
        self.elements(list)
            .into_iter()
            .filter(|node| node.kind == b"DIEnumerator")
            .map(|node| {
                let mut entry = (String::new(), 0);
                node.fields(|name, value| match name {
                    b"name" => entry.0 = string(value),
                    b"value" => entry.1 = number(value),
                    _ => {}
                });
                entry
            })
            .collect()
    }

    /// The first type of the list is the result's; `null` is `void`, or `...` at the end.
    fn subroutine(&mut self, raw: Raw<'t>) -> DebugType {
        let mut types = self.list(raw.types).into_iter();
        let returns = types.next().flatten().map(|number| self.ty(number));
        let params = types.map(|number| self.optional(number)).collect();
        DebugType::Function { returns, params }
    }
}

fn other(raw: Raw<'_>) -> DebugType {
    DebugType::Other { tag: String::from_utf8_lossy(raw.tag).into_owned(), name: raw.name }
}

fn encoding(value: &[u8]) -> Encoding {
    match value {
        b"DW_ATE_signed" => Encoding::Signed,
        b"DW_ATE_unsigned" => Encoding::Unsigned,
        b"DW_ATE_signed_char" => Encoding::SignedChar,
        b"DW_ATE_unsigned_char" => Encoding::UnsignedChar,
        b"DW_ATE_boolean" => Encoding::Boolean,
        b"DW_ATE_float" => Encoding::Float,
        b"DW_ATE_UTF" => Encoding::Utf,
        _ => Encoding::Other,
    }
}
