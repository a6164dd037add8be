//! Variable arguments, as the x86-64 System V calling convention passes them.
//!
//! The compiler itself turns `va_arg` into reads of the register save area and of the
//! overflow area, so both exist in memory from `va_start` on.

use super::Machine;
use crate::code::{Passing, Reg, Scalar};
use crate::observer::Observer;
use crate::state::ExtraArguments;
use crate::stop::Stop;

/// Size of `va_list`.
pub(super) const LIST_BYTES: u64 = 24;
const INT_REGISTERS: usize = 6;
const FLOAT_REGISTERS: usize = 8;
/// Where the float registers start in the save area.
const FLOATS_AT: usize = 8 * INT_REGISTERS;
const SAVE_BYTES: usize = FLOATS_AT + 16 * FLOAT_REGISTERS;

/// The areas that a `va_list` points to, and how far they are used.
struct Areas {
    ints: usize,
    floats: usize,
    save: [u8; SAVE_BYTES],
    overflow: Vec<u8>,
}

impl Areas {
    /// Accounts for the named parameters.
    fn after(named: &[Passing]) -> Areas {
        let mut areas = Areas { ints: 0, floats: 0, save: [0; SAVE_BYTES], overflow: Vec::new() };
        for passing in named {
            match passing {
                Passing::Int => areas.ints += 1,
                Passing::Wide if areas.ints + 2 <= INT_REGISTERS => areas.ints += 2,
                Passing::Double | Passing::Vector { .. } => areas.floats += 1,
                // These live on the stack and take no register.
                Passing::Wide
                | Passing::LongDouble
                | Passing::Struct { .. }
                | Passing::Other { .. } => {}
            }
        }
        areas.ints = areas.ints.min(INT_REGISTERS);
        areas.floats = areas.floats.min(FLOAT_REGISTERS);
        areas
    }

    /// Fills the areas from the given point on; `ints` and `floats` stay at the start.
    fn fill(&mut self, extra: &ExtraArguments, structs: &[Vec<u8>]) {
        let (mut ints, mut floats) = (self.ints, self.floats);
        let mut words = extra.words.iter().copied();
        let mut structs = structs.iter();
        for passing in &extra.passing {
            let low = words.next().unwrap_or(0);
            match *passing {
                Passing::Int if ints < INT_REGISTERS => {
                    self.put(8 * ints, low);
                    ints += 1;
                }
                Passing::Double if floats < FLOAT_REGISTERS => {
                    self.put(FLOATS_AT + 16 * floats, low);
                    floats += 1;
                }
                Passing::Int | Passing::Double => self.overflow.extend(low.to_le_bytes()),
                Passing::Wide if ints + 2 <= INT_REGISTERS => {
                    self.put(8 * ints, low);
                    self.put(8 * ints + 8, words.next().unwrap_or(0));
                    ints += 2;
                }
                Passing::Wide | Passing::LongDouble => {
                    self.align(16);
                    self.overflow.extend(low.to_le_bytes());
                    self.overflow.extend(words.next().unwrap_or(0).to_le_bytes());
                }
                Passing::Struct { align, .. } => {
                    self.align(align.max(8) as usize);
                    self.overflow.extend(structs.next().into_iter().flatten());
                    self.align(8);
                }
                Passing::Vector { bits, .. } => {
                    let rest = usize::from(passing.registers()).saturating_sub(1);
                    let lanes = std::iter::once(low).chain(words.by_ref().take(rest));
                    let bytes = pack(lanes, bits);
                    match bytes.len() <= 16 && floats < FLOAT_REGISTERS {
                        true => {
                            let at = FLOATS_AT + 16 * floats;
                            self.save[at..at + bytes.len()].copy_from_slice(&bytes);
                            floats += 1;
                        }
                        false => {
                            self.align(bytes.len().next_power_of_two().max(8));
                            self.overflow.extend(bytes);
                            self.align(8);
                        }
                    }
                }
                Passing::Other { registers } => {
                    self.align(16);
                    self.overflow.extend(low.to_le_bytes());
                    let rest = words.by_ref().take(usize::from(registers).saturating_sub(1));
                    self.overflow.extend(rest.flat_map(u64::to_le_bytes));
                }
            }
        }
    }

    fn put(&mut self, at: usize, word: u64) {
        self.save[at..at + 8].copy_from_slice(&word.to_le_bytes());
    }

    fn align(&mut self, to: usize) {
        let length = self.overflow.len().next_multiple_of(to.clamp(1, 4096));
        self.overflow.resize(length, 0);
    }
}

/// The bytes of lanes that lie one after the other; a lane of more than 64 bits takes
/// several words.
fn pack(words: impl Iterator<Item = u64>, bits: u8) -> Vec<u8> {
    let bytes = usize::from(bits).div_ceil(8).clamp(1, 8);
    words.flat_map(|word| word.to_le_bytes().into_iter().take(bytes)).collect()
}

impl<O: Observer> Machine<'_, O> {
    pub(super) fn va_start(&mut self, list: u64) -> Result<(), Stop> {
        let extra = self.state.frames.last_mut().and_then(|frame| frame.extra.take());
        let mut areas = Areas::after(self.named_parameters());
        if let Some(extra) = &extra {
            let structs = self.struct_arguments(extra)?;
            areas.fill(extra, &structs);
        }
        if let Some(frame) = self.state.frames.last_mut() {
            frame.extra = extra;
        }
        let save = self.state.allocate_local(SAVE_BYTES as u64).map_err(Stop::Exhausted)?;
        let overflow =
            self.state.allocate_local(areas.overflow.len() as u64).map_err(Stop::Exhausted)?;
        let mut head = [0u8; LIST_BYTES as usize];
        head[0..4].copy_from_slice(&(8 * areas.ints as u32).to_le_bytes());
        head[4..8].copy_from_slice(&((FLOATS_AT + 16 * areas.floats) as u32).to_le_bytes());
        head[8..16].copy_from_slice(&overflow.to_le_bytes());
        head[16..24].copy_from_slice(&save.to_le_bytes());
        self.ok(|memory| {
            memory.write_bytes(save, &areas.save)?;
            memory.write_bytes(overflow, &areas.overflow)?;
            memory.write_bytes(list, &head)
        })
    }

    /// The bytes of the structs among the arguments, in order.
    fn struct_arguments(&mut self, extra: &ExtraArguments) -> Result<Vec<Vec<u8>>, Stop> {
        let mut structs = Vec::new();
        let mut at = 0;
        for passing in &extra.passing {
            if let Passing::Struct { size, .. } = *passing {
                let address = extra.words.get(at).copied().unwrap_or(0);
                let bytes = self.ok(|memory| memory.bytes(address, size).map(<[u8]>::to_vec))?;
                structs.push(bytes);
            }
            at += usize::from(passing.registers());
        }
        Ok(structs)
    }

    pub(super) fn va_arg(&mut self, scalar: Scalar, d: Reg, list: Reg) -> Result<(), Stop> {
        let list = self.get(list);
        let value = self.ok(|memory| VaList { list }.next(memory, scalar))?;
        self.set_wide(scalar, d, value);
        Ok(())
    }
}

/// A `va_list` in memory.
#[derive(Clone, Copy, Debug)]
pub struct VaList {
    pub list: u64,
}

impl VaList {
    /// Reads the next argument and moves on.
    pub fn next(
        self,
        memory: &mut crate::memory::Memory,
        scalar: Scalar,
    ) -> crate::memory::MemoryResult<u128> {
        let (cell, step, end) = match scalar {
            Scalar::F32 | Scalar::F64 => (self.list + 4, 16, SAVE_BYTES as u32),
            Scalar::F80 | Scalar::F128 => return self.overflow_area(memory, 16),
            Scalar::Int(bits) if bits > 64 => (self.list, 16, FLOATS_AT as u32),
            _ => (self.list, 8, FLOATS_AT as u32),
        };
        let used = memory.read_u32(cell)?;
        if used.saturating_add(step) > end {
            return self
                .overflow_area(memory, if step == 16 && cell == self.list { 16 } else { 8 });
        }
        memory.write_u32(cell, used + step)?;
        let at = memory.read_u64(self.list + 16)?.wrapping_add(u64::from(used));
        let low = u128::from(memory.read_u64(at)?);
        match scalar {
            Scalar::Int(bits) if bits > 64 => {
                Ok(low | u128::from(memory.read_u64(at.wrapping_add(8))?) << 64)
            }
            _ => Ok(low),
        }
    }

    fn overflow_area(
        self,
        memory: &mut crate::memory::Memory,
        size: u64,
    ) -> crate::memory::MemoryResult<u128> {
        let at = memory.read_u64(self.list + 8)?.next_multiple_of(size);
        memory.write_u64(self.list + 8, at.wrapping_add(size))?;
        let low = u128::from(memory.read_u64(at)?);
        match size {
            16 => Ok(low | u128::from(memory.read_u64(at.wrapping_add(8))?) << 64),
            _ => Ok(low),
        }
    }
}
