//! `va_start` and `va_arg`. [`crate::varargs`] has the layout of the arguments.

use super::Machine;
use super::shadow::shades_of;
use crate::code::{Passing, Reg, Scalar};
use crate::memory::Shade;
use crate::observer::Observer;
use crate::state::ExtraArguments;
use crate::stop::Stop;
use crate::varargs::{Areas, FLOATS_AT, LIST_BYTES, SAVE_BYTES, VaList};

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
            memory.write_bytes(list, &head)?;
            for &(in_overflow, at, shadow) in &areas.shadowed {
                let area = if in_overflow { overflow } else { save };
                let shades: Vec<Shade> = shades_of(shadow, 8).collect();
                memory.set_shades(area + at as u64, &shades)?;
            }
            Ok(())
        })
    }

    /// Where the next argument of a list lies; null if the list cannot be read.
    pub(super) fn next_argument(&self, list: u64, scalar: Scalar) -> u64 {
        VaList { list }.peek(&self.state.memory, scalar).unwrap_or(0)
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
