//! Variable arguments in memory, as the x86-64 System V calling convention passes them.
//!
//! The compiler itself turns `va_arg` into reads of the register save area and of the
//! overflow area, so both exist in memory from `va_start` on.

use crate::code::{Passing, Scalar};
use crate::memory::{Memory, MemoryResult};
use crate::state::ExtraArguments;

/// Size of `va_list`.
pub const LIST_BYTES: u64 = 24;
const INT_REGISTERS: usize = 6;
const FLOAT_REGISTERS: usize = 8;
/// Where the float registers start in the save area.
pub const FLOATS_AT: usize = 8 * INT_REGISTERS;
pub const SAVE_BYTES: usize = FLOATS_AT + 16 * FLOAT_REGISTERS;

/// The areas that a `va_list` points to, and how far they are used.
pub struct Areas {
    pub ints: usize,
    pub floats: usize,
    pub save: [u8; SAVE_BYTES],
    pub overflow: Vec<u8>,
    /// Where shadowed words lie: in the overflow area or not, the offset, the shadow.
    pub shadowed: Vec<(bool, usize, u32)>,
}

impl Areas {
    /// Accounts for the named parameters.
    pub fn after(named: &[Passing]) -> Areas {
        let mut areas = Areas {
            ints: 0,
            floats: 0,
            save: [0; SAVE_BYTES],
            overflow: Vec::new(),
            shadowed: Vec::new(),
        };
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
    pub fn fill(&mut self, extra: &ExtraArguments, structs: &[Vec<u8>]) {
        let (mut ints, mut floats) = (self.ints, self.floats);
        let mut words = extra.words.iter().copied();
        let mut structs = structs.iter();
        for passing in &extra.passing {
            let number = extra.words.len() - words.len();
            let low = words.next().unwrap_or(0);
            self.note_shadow(extra, number, *passing, (ints, floats));
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
                    if bytes.len() <= 16 && floats < FLOAT_REGISTERS {
                        let at = FLOATS_AT + 16 * floats;
                        self.save[at..at + bytes.len()].copy_from_slice(&bytes);
                        floats += 1;
                    } else {
                        self.align(bytes.len().next_power_of_two().max(8));
                        self.overflow.extend(bytes);
                        self.align(8);
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

    /// Records where a shadowed argument of one word will be.
    fn note_shadow(
        &mut self,
        extra: &ExtraArguments,
        number: usize,
        passing: Passing,
        (ints, floats): (usize, usize),
    ) {
        let shadow = extra.shadows.get(number).copied().unwrap_or(0);
        let (in_overflow, at) = match passing {
            _ if shadow == 0 => return,
            Passing::Int if ints < INT_REGISTERS => (false, 8 * ints),
            Passing::Double if floats < FLOAT_REGISTERS => (false, FLOATS_AT + 16 * floats),
            Passing::Int | Passing::Double => (true, self.overflow.len()),
            // Reported to the observer when the call was made.
            _ => return,
        };
        self.shadowed.push((in_overflow, at, shadow));
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

/// A `va_list` in memory.
#[derive(Clone, Copy, Debug)]
pub struct VaList {
    pub list: u64,
}

impl VaList {
    /// Reads the next argument and moves on.
    pub fn next(self, memory: &mut Memory, scalar: Scalar) -> MemoryResult<u128> {
        let at = self.peek(memory, scalar)?;
        let (cell, step, wide) = self.place(scalar);
        if self.is_saved(memory, scalar)? {
            let used = memory.read_u32(cell)?;
            memory.write_u32(cell, used + step)?;
        } else {
            let size = if wide { 16 } else { 8 };
            memory.write_u64(self.list + 8, at.wrapping_add(size))?;
        }
        let low = u128::from(memory.read_u64(at)?);
        if wide {
            Ok(low | u128::from(memory.read_u64(at.wrapping_add(8))?) << 64)
        } else {
            Ok(low)
        }
    }

    /// Where the next argument lies.
    pub fn peek(self, memory: &Memory, scalar: Scalar) -> MemoryResult<u64> {
        let (cell, _, wide) = self.place(scalar);
        if self.is_saved(memory, scalar)? {
            let used = number(memory.bytes(cell, 4)?);
            Ok(number(memory.bytes(self.list + 16, 8)?).wrapping_add(used))
        } else {
            let area = number(memory.bytes(self.list + 8, 8)?);
            let align = if wide { 16 } else { 8 };
            Ok(area.checked_next_multiple_of(align).unwrap_or(area))
        }
    }

    /// The counter of the registers that may hold the argument, its increment, and whether the
    /// argument has two words.
    fn place(self, scalar: Scalar) -> (u64, u32, bool) {
        match scalar {
            Scalar::F32 | Scalar::F64 => (self.list + 4, 16, false),
            Scalar::F80 | Scalar::F128 => (self.list, 0, true),
            Scalar::Int(bits) if bits > 64 => (self.list, 16, true),
            _ => (self.list, 8, false),
        }
    }

    /// Whether the argument is in the save area.
    fn is_saved(self, memory: &Memory, scalar: Scalar) -> MemoryResult<bool> {
        let (cell, step, _) = self.place(scalar);
        let end = if cell == self.list { FLOATS_AT } else { SAVE_BYTES } as u64;
        let used = number(memory.bytes(cell, 4)?);
        Ok(step > 0 && used + u64::from(step) <= end)
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}
