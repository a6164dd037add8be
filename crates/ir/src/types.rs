//! Interned types and their layout on x86-64 Linux.
//!
//! Pointers are opaque and structs are structural: two structs with the same
//! fields are one type. Source-level names live in the debug information.

use std::collections::HashMap;

use base::entity::PrimaryMap;

use crate::TypeId;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Void,
    /// An integer of 1 to 2^23 bits.
    Int(u32),
    Float(FloatKind),
    Ptr,
    Vector {
        element: TypeId,
        lanes: u32,
    },
    Array {
        element: TypeId,
        length: u64,
    },
    Struct {
        fields: Box<[TypeId]>,
        packed: bool,
    },
    /// A type without a size: an opaque struct, a label, a token, metadata.
    Opaque,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FloatKind {
    Half,
    BFloat,
    Single,
    Double,
    /// The x87 80-bit format: `long double` on x86-64.
    X87,
    Quad,
}

impl FloatKind {
    /// Width of the value in bits, without padding.
    pub fn bits(self) -> u32 {
        match self {
            FloatKind::Half | FloatKind::BFloat => 16,
            FloatKind::Single => 32,
            FloatKind::Double => 64,
            FloatKind::X87 => 80,
            FloatKind::Quad => 128,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Distance between two consecutive elements of an array of the type.
    pub size: u64,
    pub align: u64,
}

/// The types of a module, interned: equal types have equal ids.
#[derive(Clone, Debug)]
pub struct Types {
    table: PrimaryMap<TypeId, Type>,
    index: HashMap<Type, TypeId>,
    layouts: PrimaryMap<TypeId, Layout>,
    i128_align: u64,
}

impl Default for Types {
    fn default() -> Self {
        Types::new()
    }
}

impl Types {
    pub const VOID: TypeId = TypeId::at(0);
    pub const I1: TypeId = TypeId::at(1);
    pub const I8: TypeId = TypeId::at(2);
    pub const I16: TypeId = TypeId::at(3);
    pub const I32: TypeId = TypeId::at(4);
    pub const I64: TypeId = TypeId::at(5);
    pub const I128: TypeId = TypeId::at(6);
    pub const PTR: TypeId = TypeId::at(7);
    pub const F32: TypeId = TypeId::at(8);
    pub const F64: TypeId = TypeId::at(9);
    pub const F80: TypeId = TypeId::at(10);
    pub const OPAQUE: TypeId = TypeId::at(11);

    pub fn new() -> Types {
        let mut types = Types {
            table: PrimaryMap::new(),
            index: HashMap::new(),
            layouts: PrimaryMap::new(),
            i128_align: 8,
        };
        for ty in [
            Type::Void,
            Type::Int(1),
            Type::Int(8),
            Type::Int(16),
            Type::Int(32),
            Type::Int(64),
            Type::Int(128),
            Type::Ptr,
            Type::Float(FloatKind::Single),
            Type::Float(FloatKind::Double),
            Type::Float(FloatKind::X87),
            Type::Opaque,
        ] {
            types.intern(ty);
        }
        types
    }

    /// Alignment of `i128`: 8 up to LLVM 17, 16 since then.
    pub fn i128_align(&self) -> u64 {
        self.i128_align
    }

    /// Sets the alignment of `i128`, a power of two, and recomputes all layouts.
    pub fn set_i128_align(&mut self, align: u64) {
        if self.i128_align == align {
            return;
        }
        self.i128_align = align;
        // Parts precede the types they are part of, so one pass in order is enough.
        for (id, ty) in self.table.iter() {
            self.layouts[id] = self.compute_layout(ty);
        }
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.index.get(&ty) {
            return id;
        }
        let layout = self.compute_layout(&ty);
        let id = self.table.push(ty.clone());
        self.index.insert(ty, id);
        self.layouts.push(layout);
        id
    }

    pub fn int(&mut self, bits: u32) -> TypeId {
        self.intern(Type::Int(bits))
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.table[id]
    }

    pub fn iter(&self) -> impl Iterator<Item = (TypeId, &Type)> {
        self.table.iter()
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Size and alignment in memory. Types without a size have size 0 and alignment 1.
    pub fn layout(&self, id: TypeId) -> Layout {
        self.layouts[id]
    }

    /// Number of bytes that a store of the type writes, without tail padding.
    pub fn store_size(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Int(bits) => u64::from(*bits).div_ceil(8),
            Type::Float(kind) => u64::from(kind.bits() / 8),
            Type::Vector { element, lanes } => {
                (self.lane_bits(*element) * u64::from(*lanes)).div_ceil(8)
            }
            _ => self.layout(id).size,
        }
    }

    /// Width in bits of a scalar as a vector lane.
    pub fn lane_bits(&self, id: TypeId) -> u64 {
        match self.get(id) {
            Type::Int(bits) => u64::from(*bits),
            Type::Float(kind) => u64::from(kind.bits()),
            Type::Ptr => 64,
            _ => self.layout(id).size * 8,
        }
    }

    /// Byte offset of a field of a struct; `None` if there is no such field.
    pub fn field_offset(&self, id: TypeId, field: usize) -> Option<u64> {
        let Type::Struct { fields, packed } = self.get(id) else {
            return None;
        };
        if field >= fields.len() {
            return None;
        }
        let mut offset = 0u64;
        for (index, &ty) in fields.iter().enumerate() {
            let layout = self.layout(ty);
            if !packed {
                offset = align_up(offset, layout.align);
            }
            if index == field {
                return Some(offset);
            }
            offset = offset.saturating_add(layout.size);
        }
        None
    }

    fn compute_layout(&self, ty: &Type) -> Layout {
        match ty {
            Type::Void | Type::Opaque => Layout { size: 0, align: 1 },
            Type::Int(bits) => self.int_layout(*bits),
            Type::Float(kind) => {
                let size = match kind {
                    FloatKind::X87 => 16,
                    kind => u64::from(kind.bits() / 8),
                };
                Layout { size, align: size }
            }
            Type::Ptr => Layout { size: 8, align: 8 },
            Type::Vector { element, lanes } => {
                let bits = self.lane_bits(*element).saturating_mul(u64::from(*lanes));
                let bytes = bits.div_ceil(8).max(1);
                let align = bytes.checked_next_power_of_two().unwrap_or(1 << 62);
                Layout { size: align_up(bytes, align), align }
            }
            Type::Array { element, length } => {
                let layout = self.layout(*element);
                Layout { size: layout.size.saturating_mul(*length), align: layout.align }
            }
            Type::Struct { fields, packed } => self.struct_layout(fields, *packed),
        }
    }

    fn int_layout(&self, bits: u32) -> Layout {
        let bytes = u64::from(bits).div_ceil(8).max(1);
        let align = match bytes {
            0..=8 => bytes.next_power_of_two(),
            _ => self.i128_align,
        };
        Layout { size: align_up(bytes, align), align }
    }

    fn struct_layout(&self, fields: &[TypeId], packed: bool) -> Layout {
        let mut size = 0u64;
        let mut align = 1;
        for &field in fields {
            let layout = self.layout(field);
            if !packed {
                size = align_up(size, layout.align);
                align = align.max(layout.align);
            }
            size = size.saturating_add(layout.size);
        }
        Layout { size: align_up(size, align), align }
    }
}

/// Rounds up to a multiple of a power of two, saturating.
pub fn align_up(value: u64, align: u64) -> u64 {
    value.checked_add(align - 1).map_or(!(align - 1), |sum| sum & !(align - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn struct_fields_are_aligned_and_the_tail_is_padded() {
        let mut types = Types::new();
        let fields = vec![Types::I8, Types::I32, Types::I8].into_boxed_slice();
        let padded = types.intern(Type::Struct { fields: fields.clone(), packed: false });
        let packed = types.intern(Type::Struct { fields, packed: true });
        assert_eq!(types.layout(padded), Layout { size: 12, align: 4 });
        assert_eq!(types.field_offset(padded, 2), Some(8));
        assert_eq!(types.layout(packed), Layout { size: 6, align: 1 });
        assert_eq!(types.field_offset(packed, 2), Some(5));
    }

    #[test]
    fn a_new_alignment_of_i128_reaches_the_types_that_contain_it() {
        let mut types = Types::new();
        let fields = vec![Types::I64, Types::I128].into_boxed_slice();
        let pair = types.intern(Type::Struct { fields, packed: false });
        assert_eq!(types.layout(pair), Layout { size: 24, align: 8 });
        types.set_i128_align(16);
        assert_eq!(types.layout(Types::I128), Layout { size: 16, align: 16 });
        assert_eq!(types.layout(pair), Layout { size: 32, align: 16 });
    }

    #[test]
    fn long_double_takes_sixteen_bytes_and_stores_ten() {
        let types = Types::new();
        assert_eq!(types.layout(Types::F80), Layout { size: 16, align: 16 });
        assert_eq!(types.store_size(Types::F80), 10);
    }
}
