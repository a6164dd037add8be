//! What a function that was called directly left behind, in the words of its native harness.

use exec::{Machine, Program};
use inputs::{Layout, ObjectId, Pointee, Target};
use ir::{FloatKind, Type, TypeId, Types};

use crate::harness::Harness;

/// What clang calls the parameter through which a large struct is returned.
const RESULT: &str = "agg.result";

/// The text that the native harness writes for a run that ended like this one. `registers` is
/// what the function returned.
pub fn function_result<O>(
    caller: &inputs::Harness,
    placed: &Harness<'_>,
    machine: &Machine<'_, O>,
    registers: &[u64],
) -> String {
    let layout = placed.layout;
    let memory = &machine.state.memory;
    let bytes_of = |id: ObjectId| {
        let size = layout.objects[id].fixed.len() as u64;
        memory.bytes(placed.objects[id], size).ok().map(<[u8]>::to_vec)
    };
    let module = &machine.program.module;
    let function = &module.functions[machine.program.entry];
    let returned = match function.params.first().is_some_and(|first| first.name == RESULT) {
        true => {
            let address = machine.state.process.arguments.first().map_or(0, |first| first.bits);
            let ends = caller.returned.iter().flatten().map(|leaf| leaf.bit + u64::from(leaf.bits));
            let size = ends.max().unwrap_or(0).div_ceil(8);
            memory.bytes(address, size).map(<[u8]>::to_vec).unwrap_or_default()
        }
        false => bytes_of_registers(&module.types, function.returns, registers),
    };
    let pointee = |address: u64| pointee(caller, layout, placed, machine.program, address);
    caller.result(layout, &returned, &bytes_of, &pointee)
}

/// Where an address leads, in the order in which a harness looks.
fn pointee(
    caller: &inputs::Harness,
    layout: &Layout,
    placed: &Harness<'_>,
    program: &Program,
    address: u64,
) -> Pointee {
    if address == 0 {
        return Pointee::Null;
    }
    let observed = caller.observed.iter();
    let spans: Vec<(ObjectId, u64, u64)> = observed
        .map(|(id, _)| (*id, placed.objects[*id], layout.objects[*id].fixed.len() as u64))
        .collect();
    let inside = |&&(_, start, size): &&(ObjectId, u64, u64)| {
        start <= address && (address - start < size || size == 0 && address == start)
    };
    let behind = |&&(_, start, size): &&(ObjectId, u64, u64)| address == start + size;
    if let Some(&(id, start, _)) = spans.iter().find(inside).or(spans.iter().find(behind)) {
        return Pointee::Object(id, address - start);
    }
    let functions = &program.module.functions;
    let function = exec::memory::Memory::function_at(address)
        .and_then(|index| functions.get(ir::FuncId::at(index)))
        .map(ir::Function::display_name);
    let mut pointers = layout.objects.values().flat_map(|object| &object.pointers);
    let mut is_given = |name: &str| {
        pointers.any(|pointer| matches!(&pointer.target, Target::Function(given) if given == name))
    };
    match function {
        Some(name) if is_given(name) => Pointee::Function(name.to_owned()),
        _ => Pointee::Other,
    }
}

/// The memory of a value that is held in registers.
fn bytes_of_registers(types: &Types, ty: TypeId, registers: &[u64]) -> Vec<u8> {
    let size = types.layout(ty).size as usize;
    let mut bytes = vec![0; size];
    let mut registers = registers.iter().copied();
    put(types, ty, 0, &mut registers, &mut bytes);
    bytes
}

fn put(
    types: &Types,
    ty: TypeId,
    offset: u64,
    registers: &mut dyn Iterator<Item = u64>,
    bytes: &mut [u8],
) {
    let (size, words) = match types.get(ty) {
        Type::Void | Type::Opaque => return,
        Type::Int(bits) => (u64::from(bits.div_ceil(8)), bits.div_ceil(64)),
        Type::Float(kind) => {
            let words = if matches!(kind, FloatKind::X87 | FloatKind::Quad) { 2 } else { 1 };
            (u64::from(kind.bits().div_ceil(8)), words)
        }
        Type::Ptr => (8, 1),
        Type::Vector { element, lanes } => {
            let each = types.lane_bits(*element).div_ceil(8);
            for lane in 0..u64::from(*lanes) {
                put(types, *element, offset + lane * each, registers, bytes);
            }
            return;
        }
        Type::Array { element, length } => {
            let each = types.layout(*element).size;
            for index in 0..*length {
                put(types, *element, offset + index * each, registers, bytes);
            }
            return;
        }
        Type::Struct { fields, .. } => {
            for (index, &field) in fields.iter().enumerate() {
                let at = offset + types.field_offset(ty, index).unwrap_or(0);
                put(types, field, at, registers, bytes);
            }
            return;
        }
    };
    let words = (0..words).filter_map(|_| registers.next()).flat_map(u64::to_le_bytes);
    let places = bytes.iter_mut().skip(offset as usize).take(size as usize);
    places.zip(words).for_each(|(place, byte)| *place = byte);
}
