//! The memory form of a value in registers.

use ir::{FloatKind, Type, TypeId, Types};

/// Bytes of a value that are in one register, from its lowest byte on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Held {
    pub offset: u64,
    pub size: u64,
    /// The number of the register.
    pub register: usize,
}

/// The memory form of a value in registers.
pub(super) fn bytes_of_registers(
    types: &Types,
    ty: TypeId,
    registers: &[u64],
    bytes: &mut Vec<u8>,
) {
    bytes.clear();
    bytes.resize(types.layout(ty).size as usize, 0);
    for Held { offset, size, register } in held(types, ty) {
        let Some(word) = registers.get(register) else { return };
        let places = bytes.iter_mut().skip(offset as usize).take(size as usize);
        places.zip(word.to_le_bytes()).for_each(|(place, byte)| *place = byte);
    }
}

/// Which bytes of a value of a type are in which register.
pub(super) fn held(types: &Types, ty: TypeId) -> Vec<Held> {
    let mut all = Vec::new();
    put(types, ty, 0, &mut all);
    all
}

fn put(types: &Types, ty: TypeId, offset: u64, all: &mut Vec<Held>) {
    let size = match types.get(ty) {
        Type::Void | Type::Opaque => return,
        Type::Int(bits) => u64::from(bits.div_ceil(8)),
        Type::Float(FloatKind::X87) => 10,
        Type::Float(kind) => u64::from(kind.bits().div_ceil(8)),
        Type::Ptr => 8,
        Type::Vector { element, lanes } => {
            let each = types.lane_bits(*element).div_ceil(8);
            for lane in 0..u64::from(*lanes) {
                put(types, *element, offset + lane * each, all);
            }
            return;
        }
        Type::Array { element, length } => {
            let each = types.layout(*element).size;
            for index in 0..*length {
                put(types, *element, offset + index * each, all);
            }
            return;
        }
        Type::Struct { fields, .. } => {
            for (index, &field) in fields.iter().enumerate() {
                put(types, field, offset + types.field_offset(ty, index).unwrap_or(0), all);
            }
            return;
        }
    };
    let mut at = 0;
    while at < size {
        let register = all.len();
        all.push(Held { offset: offset + at, size: (size - at).min(8), register });
        at += 8;
    }
}
