//! The input of a function that is called directly: memory for its parameters and for what
//! they point to, global variables, and the registers of the call.

use base::entity::SecondaryMap;
use exec::code::Passing;
use exec::concolic::Concolic;
use exec::memory::{Allocation, Memory, Shade};
use exec::observer::Operand;
use exec::stop::{Bound, ObjectKind};
use exec::{Machine, Observer, Stop};
use inputs::{CellId, Object, ObjectId, Piece, Target};
use smallvec::SmallVec;
use smt::{TermId, Terms};

use super::{Harness, InputTerms, plain};
use crate::result::RESULT;

/// Where the memory of objects lies.
pub(super) type Addresses = SecondaryMap<ObjectId, u64>;

/// Is given every object with its address, once all are placed.
type Attach<'a, 'p, O> = &'a mut dyn FnMut(&mut Machine<'p, O>, &Addresses, (u64, &Object));

impl<'p> Harness<'p> {
    /// Puts parameters and global variables in place and sets what the entry is called with.
    pub(super) fn place_parameters<O: Observer>(
        &mut self,
        machine: &mut Machine<'p, O>,
        assignment: &[u64],
        attach: Attach<'_, 'p, O>,
        read: &mut dyn FnMut(&mut Machine<'p, O>, u64, u64) -> Operand,
    ) -> Result<(), Stop> {
        let layout = self.layout;
        let addresses = self.place_objects(machine, assignment)?;
        for (id, object) in layout.objects.iter() {
            attach(machine, &addresses, (addresses[id], object));
        }
        if self.calls_function {
            let arguments = self.registers(machine, &addresses, read)?;
            machine.state.process.arguments = arguments;
        }
        self.objects = addresses;
        Ok(())
    }

    /// The memory of all objects, with the addresses in them.
    fn place_objects<O: Observer>(
        &mut self,
        machine: &mut Machine<'p, O>,
        assignment: &[u64],
    ) -> Result<Addresses, Stop> {
        let layout = self.layout;
        let mut addresses = SecondaryMap::new();
        for (id, object) in layout.objects.iter() {
            let global = layout.globals.iter().find(|(_, other)| *other == id);
            addresses[id] = match global {
                Some((name, _)) => self.global(name).unwrap_or(0),
                None => {
                    // What a pointer leads to may be freed, as natively.
                    let is_param = layout.params.contains(&id);
                    let kind = if is_param { ObjectKind::System } else { ObjectKind::Heap };
                    allocate(&mut machine.state.memory, kind, object.fixed.len() as u64)?
                }
            };
        }
        let mut bytes = Vec::new();
        let settled = layout.settled(assignment);
        for (id, object) in layout.objects.iter() {
            layout.settled_memory_into(id, &settled, &mut bytes);
            for pointer in &object.pointers {
                let is_null =
                    pointer.null.is_some_and(|cell| assignment.get(cell.position()) == Some(&1));
                let start = |target: ObjectId| {
                    let mut instead = pointer.instead.iter();
                    let is_instead =
                        |(cell, _): &&(CellId, _)| settled.get(cell.position()) == Some(&1);
                    addresses[instead.find(is_instead).map_or(target, |(_, object)| *object)]
                };
                let target = match &pointer.target {
                    _ if is_null => 0,
                    Target::Null => 0,
                    Target::Object(other) => start(*other),
                    Target::Inside { object, cell, size } => {
                        let element = settled.get(cell.position()).copied().unwrap_or(0);
                        start(*object) + element * size
                    }
                    Target::Function(name) => self.function(name).unwrap_or(0),
                };
                let at = pointer.offset as usize;
                bytes[at..at + 8].copy_from_slice(&target.to_le_bytes());
            }
            if !bytes.is_empty() {
                let written = machine.state.memory.write_bytes(addresses[id], &bytes);
                written.map_err(|_| Stop::Exhausted(Bound::Memory))?;
            }
        }
        Ok(addresses)
    }

    fn global(&self, name: &str) -> Option<u64> {
        let globals = &self.program.module.globals;
        let named = |global: &ir::Global| {
            global.name == name || global.source_name.as_deref() == Some(name)
        };
        let (id, _) = globals.iter().find(|(_, global)| named(global))?;
        Some(self.program.addresses.globals[id])
    }

    fn function(&self, name: &str) -> Option<u64> {
        let functions = &self.program.module.functions;
        let (id, _) = functions.iter().find(|(_, function)| function.name == name)?;
        Some(Memory::function_address(id.as_u32()))
    }

    /// The registers of the call. Structs travel in pieces of eight bytes or by address, as
    /// the compiler has arranged it in the function's own parameters.
    fn registers<O: Observer>(
        &self,
        machine: &mut Machine<'p, O>,
        addresses: &Addresses,
        read: &mut dyn FnMut(&mut Machine<'p, O>, u64, u64) -> Operand,
    ) -> Result<SmallVec<[Operand; 3]>, Stop> {
        let function = &self.program.module.functions[self.program.entry];
        let passing = &self.program.code(self.program.entry).named;
        let types = &self.program.module.types;
        let mut params = function.params.iter().zip(passing);
        let mut registers = SmallVec::new();
        if function.params.first().is_some_and(|first| first.name == RESULT) {
            params.next();
            registers.push(plain(allocate(
                &mut machine.state.memory,
                ObjectKind::System,
                RESULT_BYTES,
            )?));
        }
        for &id in &self.layout.params {
            let (address, size) = (addresses[id], self.layout.objects[id].fixed.len() as u64);
            let mut offset = 0;
            while offset < size.max(1) {
                let Some((param, passing)) = params.next() else { break };
                if matches!(passing, Passing::Struct { .. }) {
                    registers.push(plain(address));
                    break;
                }
                let width = types.layout(param.ty).size.min(size - offset).max(1);
                let words = u64::from(passing.registers()).max(1);
                let each = width.div_ceil(words).min(8);
                for word in 0..words {
                    let start = offset + word * each;
                    let count = each.min(size.saturating_sub(start));
                    registers.push(match count {
                        0 => plain(0),
                        count => read(machine, address + start, count),
                    });
                }
                offset = (offset + width).next_multiple_of(8);
            }
        }
        Ok(registers)
    }
}

/// Room for a returned struct; larger ones run off its end, which is noticed.
const RESULT_BYTES: u64 = 1 << 16;

fn allocate(memory: &mut Memory, kind: ObjectKind, size: u64) -> Result<u64, Stop> {
    let what = Allocation { kind, size, defined: true, site: None };
    memory.allocate(what).map_err(|_| Stop::Exhausted(Bound::Memory))
}

/// The value of some bytes of memory without terms.
pub(super) fn read_plain<O: Observer>(
    machine: &mut Machine<'_, O>,
    address: u64,
    size: u64,
) -> Operand {
    let bytes = machine.state.memory.bytes(address, size).unwrap_or_default();
    plain(bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
}

/// The value of some bytes of memory with its term.
pub(super) fn read_term(machine: &mut Machine<'_, Concolic>, address: u64, size: u64) -> Operand {
    machine.observer.value_at(&machine.state.memory, address, size)
}

/// Gives the bytes of an object the terms of its cells.
pub(super) fn attach_terms(
    machine: &mut Machine<'_, Concolic>,
    terms: &InputTerms,
    placed: &Addresses,
    (address, object): (u64, &Object),
) {
    for piece in &object.pieces {
        let Some((offset, size)) = piece.bytes() else { continue };
        let cell = terms.values[piece.cell.position()];
        if machine.observer.terms.is_constant(cell) {
            continue;
        }
        let shadow = cell.raw();
        let shades: SmallVec<[Shade; 8]> =
            (0..size as u8).map(|part| Shade { shadow, part, size: size as u8 }).collect();
        // The object has just been put there.
        let _ = machine.state.memory.set_shades(address + offset, &shades);
    }
    attach_bits(machine, terms, address, object);
    attach_pointers(machine, terms, placed, (address, object));
}

/// Bit-fields share bytes: each byte is put together bit by bit.
fn attach_bits(
    machine: &mut Machine<'_, Concolic>,
    terms: &InputTerms,
    address: u64,
    object: &Object,
) {
    let fields: Vec<&Piece> = object.pieces.iter().filter(|p| p.bytes().is_none()).collect();
    for byte in 0..object.fixed.len() as u64 {
        let covers =
            |piece: &&&Piece, bit: u64| piece.bit <= bit && bit < piece.bit + u64::from(piece.bits);
        if !fields.iter().any(|piece| (0..8).any(|bit| covers(&piece, 8 * byte + bit))) {
            continue;
        }
        let table = &mut machine.observer.terms;
        let mut value: Option<TermId> = None;
        for bit in 0..8 {
            let at = 8 * byte + bit;
            let this = match fields.iter().find(|piece| covers(piece, at)) {
                Some(piece) => {
                    let cell = terms.values[piece.cell.position()];
                    table.extract(cell, (at - piece.bit) as u32, 1)
                }
                None => table.constant(1, u64::from(object.fixed[byte as usize] >> bit & 1)),
            };
            value = Some(value.map_or(this, |low| table.concat(this, low)));
        }
        let Some(value) = value.filter(|&value| !table.is_constant(value)) else { continue };
        let shade = Shade { shadow: value.raw(), part: 0, size: 1 };
        let _ = machine.state.memory.set_shades(address + byte, &[shade]);
    }
}

/// Pointers that may be null, and those that lead to any place of an object.
fn attach_pointers(
    machine: &mut Machine<'_, Concolic>,
    terms: &InputTerms,
    placed: &Addresses,
    (address, object): (u64, &Object),
) {
    for pointer in &object.pointers {
        let table = &mut machine.observer.terms;
        let start = |table: &mut Terms, target: ObjectId| {
            let mut start = table.constant(64, placed[target]);
            for (cell, object) in &pointer.instead {
                let is_instead = table.trunc(terms.values[cell.position()], 1);
                let other = table.constant(64, placed[*object]);
                start = table.ite(is_instead, other, start);
            }
            start
        };
        let there = match &pointer.target {
            Target::Object(target) => start(table, *target),
            Target::Inside { object, cell, size } => {
                let element = table.zext(terms.values[cell.position()], 64);
                let (start, size) = (start(table, *object), table.constant(64, *size));
                let offset = table.mul(element, size);
                table.add(start, offset)
            }
            Target::Null | Target::Function(_) => continue,
        };
        let value = match pointer.null {
            Some(null) => {
                let is_null = table.trunc(terms.cells[null.position()], 1);
                let nowhere = table.constant(64, 0);
                table.ite(is_null, nowhere, there)
            }
            None => there,
        };
        if table.is_constant(value) {
            continue;
        }
        let shades: SmallVec<[Shade; 8]> =
            (0..8).map(|part| Shade { shadow: value.raw(), part, size: 8 }).collect();
        let _ = machine.state.memory.set_shades(address + pointer.offset, &shades);
    }
}
