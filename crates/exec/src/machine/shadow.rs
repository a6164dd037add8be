//! Shadows: tracks values that depend on the input through a run.
//!
//! Runs beside the evaluator for observers that ask for it. Before an operation the shadows of its
//! operands decide the shadow of its result; memory that it writes gets its shadow afterwards. The
//! observer defines what a shadow means, and learns of every value that is consumed where no shadow
//! can follow it.

use smallvec::SmallVec;

use super::Machine;
use crate::code::flow::{Access, Flow, Operands, Range};
use crate::code::{CallSite, Code, Op, Passing, Reg, Slow};
use crate::memory::Shade;
use crate::observer::{At, Observer, Operand, Pointer, Use};
use crate::state::Then;

impl<O: Observer> Machine<'_, O> {
    /// Accounts for an operation that is about to be executed. Returns whether memory gets shadows
    /// when it is done.
    #[inline]
    pub(super) fn shadow(&mut self, code: &Code, pc: usize, base: usize, op: Op) -> bool {
        if let Some(operands) = op.operands() {
            self.shadow_operands(code, pc, base, op, operands);
            return false;
        }
        let at = At { code, pc, steps: self.state.steps };
        if let Some(access) = op.access() {
            return self.shadow_access(at, base, access);
        }
        match op {
            Op::Const { d, .. } | Op::Alloca { d, .. } => {
                self.state.shadows[base + usize::from(d)] = 0;
            }
            Op::Slow { index } => return self.shadow_slow(at, base, &code.slow[index as usize]),
            Op::Call { d, site, function } => {
                if O::DEFINITIONS {
                    self.observer.invoke(at, None);
                }
                let callee = self.program.code(ir::FuncId::at(function));
                self.shadow_call(at, base, d, site, Some(callee));
            }
            Op::CallIndirect { d, a, site } => {
                let target = self.operand(base, a);
                if O::DEFINITIONS {
                    self.observer.invoke(at, Some(target));
                } else if target.shadow != 0 {
                    self.observer.decide(at, &[target]);
                }
                self.shadow_call(at, base, d, site, None);
            }
            Op::Return { a, count } => self.shadow_return(at, base, a, count),
            // Functions of the machine are reported to the observer when they are called; all
            // others neither read nor write a register.
            _ => {}
        }
        false
    }

    /// Reports the registers that an operation, which has just been executed, defined in a frame.
    /// Those of a call are reported when it returns.
    pub(super) fn define(&mut self, code: &Code, pc: usize, base: usize, op: Op) {
        let at = At { code, pc, steps: self.state.steps };
        if let Op::Return { .. } = op {
            return self.define_results();
        }
        let (first, count) = match op {
            Op::Const { d, .. } | Op::Alloca { d, .. } => (d, 1),
            Op::Call { .. } => return,
            Op::CallShim { d, site, .. } | Op::CallIndirect { d, site, .. } => {
                // A function that was entered has not returned yet.
                match self.state.frames.last() {
                    Some(frame) if frame.base as usize == base => {}
                    _ => return,
                }
                (d, code.sites[site as usize].results)
            }
            Op::Slow { index } => match defined_by(&code.slow[index as usize]) {
                Some(range) => range,
                None => return,
            },
            op => match (op.operands(), op.access()) {
                (Some(Operands { writes: Some(d), .. }), _) => (d, 1),
                (None, Some(Access { value, write: false, .. })) => (value, 1),
                (None, Some(_)) if O::CHANGES => {
                    return self.observer.written(at, &mut self.state.memory);
                }
                _ => return,
            },
        };
        self.define_range(at, base, (first, count));
    }

    /// The results of a call whose function has just returned.
    fn define_results(&mut self) {
        let Some(frame) = self.state.frames.last() else { return };
        let code = self.program.code(frame.function);
        let (pc, base) = ((frame.pc as usize).wrapping_sub(1), frame.base as usize);
        let (d, site) = match code.ops.get(pc) {
            Some(Op::Call { d, site, .. } | Op::CallIndirect { d, site, .. }) => (*d, *site),
            Some(Op::CallShim { d, site, .. }) => (*d, *site),
            _ => return,
        };
        let at = At { code, pc, steps: self.state.steps };
        self.define_range(at, base, (d, code.sites[site as usize].results));
    }

    fn define_range(&mut self, at: At<'_>, base: usize, (first, count): Range) {
        for register in first..first + count {
            let mut value = self.operand(base, register);
            if O::CHANGES {
                value.bits = self.observer.change(at, register, value.bits);
                self.state.registers[base + usize::from(register)] = value.bits;
            }
            let shadow = self.observer.define(at, register, value);
            self.state.shadows[base + usize::from(register)] = shadow;
        }
    }

    /// Gives memory the shadows of what was just written.
    pub(super) fn settle_shadows(&mut self) {
        let spread = &self.state.spread;
        if spread.shades.iter().any(|shade| shade.shadow != 0) {
            // The write itself succeeded, so the range can be written.
            let _ = self.state.memory.set_shades(spread.address, &spread.shades);
        }
        self.state.spread.shades.clear();
    }

    #[inline]
    fn operand(&self, base: usize, register: Reg) -> Operand {
        let at = base + usize::from(register);
        Operand { bits: self.state.registers[at], shadow: self.state.shadows[at] }
    }

    fn set_range(&mut self, base: usize, (first, count): Range, shadow: u32) {
        let start = base + usize::from(first);
        self.state.shadows[start..start + usize::from(count)].fill(shadow);
    }

    #[inline]
    fn shadow_operands(&mut self, code: &Code, pc: usize, base: usize, op: Op, regs: Operands) {
        let shadows = &mut self.state.shadows[base..];
        let any = regs.reads.iter().fold(0, |any, &read| any | shadows[usize::from(read)]);
        if any == 0 && !(O::DEFINITIONS && regs.writes.is_none()) {
            if let Some(d) = regs.writes {
                shadows[usize::from(d)] = 0;
            }
            return;
        }
        let at = At { code, pc, steps: self.state.steps };
        if let Op::Copy { d, .. } = op {
            shadows[usize::from(d)] = any;
            self.observer.copy(at, any);
            return;
        }
        let sources = regs.reads.map(|register| self.operand(base, register));
        let sources = &sources[..usize::from(regs.count)];
        match regs.writes {
            Some(d) => {
                let mut result = [0];
                self.observer.derive(at, sources, &mut result);
                self.state.shadows[base + usize::from(d)] = result[0];
            }
            None => self.observer.decide(at, sources),
        }
    }

    /// The operands of consecutive registers.
    fn sources(&self, base: usize, ranges: &[Range]) -> SmallVec<[Operand; 8]> {
        let registers = ranges.iter().flat_map(|&(first, count)| first..first + count);
        registers.map(|register| self.operand(base, register)).collect()
    }

    fn shadow_flow(&mut self, at: At<'_>, base: usize, flow: &Flow) {
        let sources = self.sources(base, &flow.reads);
        let Some((first, count)) = flow.writes else { return };
        let mut results: SmallVec<[u32; 4]> = smallvec::smallvec![0; usize::from(count)];
        if sources.iter().any(|source| source.shadow != 0) {
            self.observer.derive(at, &sources, &mut results);
        }
        let start = base + usize::from(first);
        self.state.shadows[start..start + results.len()].copy_from_slice(&results);
    }

    fn consume(&mut self, at: At<'_>, base: usize, range: Range, how: Use) {
        for operand in self.sources(base, &[range]) {
            if operand.shadow != 0 {
                self.observer.consume(at, how, operand);
            }
        }
    }

    #[inline]
    fn shadow_access(&mut self, at: At<'_>, base: usize, access: Access) -> bool {
        let (index, scale) = match access.index {
            Some((index, scale)) => (self.operand(base, index), i64::from(scale)),
            None => (Operand::default(), 0),
        };
        let Access { offset, bytes, .. } = access;
        let pointer =
            Pointer { base: self.operand(base, access.base), index, scale, offset, bytes };
        if access.write {
            self.shadow_store(at, base, &pointer, access.value)
        } else {
            self.shadow_load(at, base, &pointer, access.value);
            false
        }
    }

    fn shadow_store(&mut self, at: At<'_>, base: usize, to: &Pointer, value: Reg) -> bool {
        if !O::DEFINITIONS && to.bytes <= 8 && !to.is_shadowed() {
            let shadow = self.operand(base, value).shadow;
            if shadow != 0 {
                self.state.spread.address = to.address();
                self.state.spread.shades.extend(shades_of(shadow, to.bytes as u8));
            }
            return shadow != 0;
        }
        let words = self.sources(base, &[(value, to.bytes.div_ceil(8) as u16)]);
        if (O::DEFINITIONS || to.is_shadowed())
            && let Some(spread) = self.observer.store(at, &self.state.memory, to, &words)
        {
            self.state.spread = spread;
            return true;
        }
        self.state.spread.address = to.address();
        for (word, start) in words.iter().zip((0..to.bytes).step_by(8)) {
            let bytes = (to.bytes - start).min(8) as u8;
            self.state.spread.shades.extend(shades_of(word.shadow, bytes));
        }
        true
    }

    fn shadow_load(&mut self, at: At<'_>, base: usize, from: &Pointer, value: Reg) {
        let count = from.bytes.div_ceil(8) as usize;
        let start = base + usize::from(value);
        if O::DEFINITIONS || from.is_shadowed() {
            let mut words: SmallVec<[u32; 2]> = smallvec::smallvec![0; count];
            if self.observer.load(at, &self.state.memory, from, &mut words) {
                self.state.shadows[start..start + count].copy_from_slice(&words);
                return;
            }
        }
        let address = from.address();
        for (word, first) in (0..from.bytes).step_by(8).enumerate() {
            let bytes = (from.bytes - first).min(8);
            let shadow = self.loaded(at, address.wrapping_add(first.into()), bytes.into());
            self.state.shadows[start + word] = shadow;
        }
    }

    /// The shadow of a value in memory.
    fn loaded(&mut self, at: At<'_>, address: u64, bytes: u64) -> u32 {
        let shades = self.state.memory.shades(address, bytes);
        if shades.iter().all(|shade| shade.shadow == 0) {
            return 0;
        }
        self.observer.see(at, address, bytes);
        let shades = self.state.memory.shades(address, bytes);
        let whole = shades_of(shades[0].shadow, bytes as u8).eq(shades.iter().copied());
        if whole {
            let shadow = shades[0].shadow;
            self.observer.recall(at, shadow)
        } else {
            let values = self.state.memory.bytes(address, bytes).unwrap_or_default();
            self.observer.assemble(at, shades, values)
        }
    }

    fn shadow_slow(&mut self, at: At<'_>, base: usize, slow: &Slow) -> bool {
        if let Some(access) = slow.access() {
            return self.shadow_access(at, base, access);
        }
        match slow {
            Slow::Memory { builtin, to, from, size } => {
                return self.shadow_move(at, base, *builtin, [*to, *from, *size]);
            }
            Slow::AtomicRmw { scalar, d, a, b, .. } => {
                let (address, bytes) = (self.state.word(base, *a), scalar.bytes().min(8));
                self.consume(at, base, (*a, 1), Use::Address);
                let old = self.loaded(at, address, u64::from(bytes));
                let bits = self.state.memory.bytes(address, bytes.into()).unwrap_or_default();
                let sources = [Operand { bits: word(bits), shadow: old }, self.operand(base, *b)];
                let mut new = [0];
                if sources.iter().any(|source| source.shadow != 0) {
                    self.observer.derive(at, &sources, &mut new);
                }
                self.set_range(base, (*d, scalar.registers()), 0);
                self.set_range(base, (*d, 1), old);
                self.state.spread.address = address;
                self.state.spread.shades.extend(shades_of(new[0], scalar.bytes() as u8));
                return true;
            }
            Slow::CompareExchange { scalar, d, a, expected, new } => {
                let (address, bytes) = (self.state.word(base, *a), scalar.bytes().min(8));
                let shadow = self.loaded(at, address, u64::from(bytes));
                if shadow != 0 {
                    let bits = self.state.memory.bytes(address, bytes.into()).unwrap_or_default();
                    let old = Operand { bits: word(bits), shadow };
                    self.observer.consume(at, Use::Argument, old);
                }
                self.consume(at, base, (*a, 1), Use::Address);
                for range in [(*expected, 1), (*new, 1)] {
                    self.consume(at, base, range, Use::Argument);
                }
                self.set_range(base, (*d, scalar.registers() + 1), 0);
            }
            Slow::LoadBits { lanes, d, a, bits } => {
                let bytes = u64::from((u32::from(*bits) * lanes).div_ceil(8));
                let address = self.state.word(base, *a);
                self.use_up_memory(at, address, bytes);
                self.set_range(base, (*d, *lanes as u16), 0);
            }
            Slow::StoreBits { lanes, b, .. } => {
                self.consume(at, base, (*b, *lanes as u16), Use::Argument);
            }
            Slow::VaArg { scalar, d, list } => {
                self.consume(at, base, (*list, 1), Use::Address);
                self.set_range(base, (*d, scalar.registers()), 0);
                let address = self.next_argument(self.state.word(base, *list), *scalar);
                for index in 0..scalar.registers() {
                    let from = address.wrapping_add(8 * u64::from(index));
                    let shadow = self.loaded(at, from, 8);
                    self.set_range(base, (d + index, 1), shadow);
                }
            }
            Slow::Alloca { count, d, .. } => {
                self.consume(at, base, (*count, 1), Use::Address);
                self.set_range(base, (*d, 1), 0);
            }
            Slow::Builtin { d, result, builtin, .. } => {
                let mut flow = slow.flow();
                if builtin.name().ends_with(".overflow") {
                    flow.writes = Some((*d, result.registers() + 1));
                }
                self.shadow_flow(at, base, &flow);
            }
            slow => self.shadow_flow(at, base, &slow.flow()),
        }
        false
    }

    /// Copying memory copies its shadows.
    fn shadow_move(&mut self, at: At<'_>, base: usize, how: ir::Builtin, regs: [Reg; 3]) -> bool {
        if O::DEFINITIONS {
            let operands = regs.map(|register| self.operand(base, register));
            let spread = self.observer.transfer(at, &self.state.memory, how, operands);
            if let Some(spread) = spread {
                self.state.spread = spread;
                return true;
            }
        }
        let [to, from, size] = regs;
        for register in [to, size] {
            self.consume(at, base, (register, 1), Use::Address);
        }
        let count = self.state.word(base, size);
        if how != ir::Builtin::Memset {
            self.consume(at, base, (from, 1), Use::Address);
            let from = self.state.word(base, from);
            if self.state.memory.shades(from, count).iter().any(|shade| shade.shadow != 0) {
                self.observer.see(at, from, count);
            }
            return false;
        }
        let shadow = self.operand(base, from).shadow;
        if shadow == 0 {
            return false;
        }
        self.state.spread.address = self.state.word(base, to);
        // Writing more than there is room for ends the run.
        let count = count.min(crate::memory::MAX_OBJECT);
        let shade = Shade { shadow, part: 0, size: 1 };
        self.state.spread.shades.resize(count as usize, shade);
        true
    }

    /// Bytes of memory are read where no shadow can follow them.
    fn use_up_memory(&mut self, at: At<'_>, address: u64, size: u64) {
        for byte in address..address.saturating_add(size) {
            let shadow = self.loaded(at, byte, 1);
            if shadow != 0 {
                let bits = self.state.memory.bytes(byte, 1).map_or(0, |bytes| bytes[0].into());
                self.observer.consume(at, Use::Argument, Operand { bits, shadow });
            }
        }
    }

    /// The arguments of a call are the parameters of the next frame.
    fn shadow_call(&mut self, at: At<'_>, base: usize, d: Reg, site: u32, callee: Option<&Code>) {
        let site = &at.code.sites[site as usize];
        let top = base + usize::from(at.code.registers);
        let named = callee.map_or(usize::MAX, |callee| usize::from(callee.parameters));
        for (index, &register) in site.registers.iter().take(named).enumerate() {
            let value = self.operand(base, register);
            self.state.shadows[top + index] =
                if O::DEFINITIONS { self.observer.pass(at, index, value) } else { value.shadow };
        }
        // Parameters that the call does not pass.
        if let Some(missing) = named.checked_sub(site.registers.len())
            && named != usize::MAX
        {
            self.state.shadows[top + site.registers.len()..][..missing].fill(0);
        }
        if site.passing.len() > site.fixed {
            self.shadow_extra(at, base, site);
        }
        self.set_range(base, (d, site.results), 0);
    }

    /// Variable arguments keep their shadows if they are one word each.
    fn shadow_extra(&mut self, at: At<'_>, base: usize, site: &CallSite) {
        let mut first = 0;
        for (index, passing) in site.passing.iter().enumerate() {
            let count = usize::from(passing.registers());
            let registers = &site.registers[first..first + count];
            first += count;
            if index < site.fixed || matches!(passing, Passing::Int | Passing::Double) {
                continue;
            }
            for &register in registers {
                self.consume(at, base, (register, 1), Use::Argument);
            }
            if let Passing::Struct { size, .. } = passing {
                self.use_up_memory(at, self.state.word(base, registers[0]), *size);
            }
        }
    }

    fn shadow_return(&mut self, at: At<'_>, base: usize, a: Reg, count: u16) {
        let from = base + usize::from(a);
        if O::DEFINITIONS {
            for index in 0..count {
                let value = self.operand(base, a + index);
                let shadow = self.observer.give(at, usize::from(index), value);
                self.state.shadows[from + usize::from(index)] = shadow;
            }
        }
        self.observer.returning(&self.state, from, count);
        let Some(frame) = self.state.frames.last() else { return };
        if frame.then == Then::Entry {
            let results = self.sources(base, &[(a, count)]);
            self.observer.finish(&results);
        }
        let [.., caller, frame] = &self.state.frames[..] else { return };
        let to = caller.base as usize + usize::from(frame.result);
        for index in 0..usize::from(count.min(frame.results)) {
            self.state.shadows[to + index] = self.state.shadows[from + index];
        }
    }
}

/// The registers that an operation in the side table defines.
fn defined_by(slow: &Slow) -> Option<Range> {
    match slow {
        Slow::AtomicRmw { scalar, d, .. } | Slow::VaArg { scalar, d, .. } => {
            Some((*d, scalar.registers()))
        }
        Slow::CompareExchange { scalar, d, .. } => Some((*d, scalar.registers() + 1)),
        Slow::LoadBits { lanes, d, .. } => Some((*d, *lanes as u16)),
        slow => match slow.access() {
            Some(access) if access.write => None,
            Some(access) => Some((access.value, access.bytes.div_ceil(8) as u16)),
            None => slow.flow().writes,
        },
    }
}

/// The bytes of a shadowed value.
pub(crate) fn shades_of(shadow: u32, bytes: u8) -> impl Iterator<Item = Shade> {
    (0..bytes).map(move |part| match shadow {
        0 => Shade::default(),
        shadow => Shade { shadow, part, size: bytes },
    })
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}
