//! The input of a function that is called directly: memory for its parameters and for what they
//! point to, global variables, and the registers of the call.

use base::entity::SecondaryMap;
use exec::code::Passing;
use exec::memory::{Allocation, Memory};
use exec::observer::Operand;
use exec::stop::{Bound, ObjectKind};
use exec::{Machine, Observer, Stop};
use inputs::{CellId, ObjectId, Target};
use smallvec::SmallVec;

use super::{Addresses, Companion, Harness, RESULT, plain};

impl<'p> Harness<'p> {
    /// Puts parameters and global variables in place and sets what the entry is called with.
    pub(super) fn place_parameters<O: Observer>(
        &mut self,
        machine: &mut Machine<'p, O>,
        assignment: &[u64],
        companion: &mut impl Companion<O>,
    ) -> Result<(), Stop> {
        let layout = self.layout;
        let addresses = self.place_objects(machine, assignment)?;
        for (id, object) in layout.objects.iter() {
            companion.placed(machine, &addresses, (addresses[id], object));
        }
        if self.calls_function {
            let arguments = self.registers(machine, &addresses, companion)?;
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
                    // The program may free the target of a pointer, as in a native run.
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

    /// The registers of the call. Structs are passed in pieces of eight bytes or by address, as the
    /// compiler has arranged it in the function's own parameters.
    fn registers<O: Observer>(
        &self,
        machine: &mut Machine<'p, O>,
        addresses: &Addresses,
        companion: &mut impl Companion<O>,
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
                        count => companion.read(machine, address + start, count),
                    });
                }
                offset = (offset + width).next_multiple_of(8);
            }
        }
        Ok(registers)
    }
}

/// Room for a returned struct; a larger one overruns it, which is detected.
const RESULT_BYTES: u64 = 1 << 16;

fn allocate(memory: &mut Memory, kind: ObjectKind, size: u64) -> Result<u64, Stop> {
    let what = Allocation { kind, size, defined: true, site: None };
    memory.allocate(what).map_err(|_| Stop::Exhausted(Bound::Memory))
}
