//! Shadows: how values that depend on the input are followed through a run.
//!
//! Runs beside the evaluator for observers that ask for it. Before an operation the
//! shadows of its operands decide the shadow of its result; what it writes to memory gets
//! its shadow afterwards. What a shadow means is the observer's matter. A value that is
//! used up where no shadow can follow it is told to the observer. Bytes that functions of
//! the machine read from memory themselves are not told.

use smallvec::SmallVec;

use super::Machine;
use crate::code::flow::{Access, Flow, Range};
use crate::code::{Code, Op, Reg, Slow};
use crate::memory::Shade;
use crate::observer::{At, Observer, Use};

/// Shadows that memory gets once the operation is done.
#[derive(Clone, Debug, Default)]
pub(super) struct Pending {
    address: u64,
    shades: SmallVec<[Shade; 8]>,
}

impl<O: Observer> Machine<'_, O> {
    /// Accounts for an operation that is about to be executed.
    pub(super) fn shadow(&mut self, code: &Code, pc: usize, base: usize, op: Op) -> Pending {
        let at = At { code, pc };
        if let Some(access) = op.access() {
            return self.shadow_access(at, base, access);
        }
        match op {
            Op::Slow { index } => {
                return self.shadow_slow(at, base, &code.slow[index as usize]);
            }
            Op::Call { d, site, function } => {
                let callee = self.program.code(ir::FuncId::at(function));
                self.shadow_call(at, base, d, site, Some(callee));
            }
            Op::CallIndirect { d, a, site } => {
                self.consume(at, base, (a, 1), Use::Control);
                self.shadow_call(at, base, d, site, None);
            }
            Op::CallShim { site, d, .. } => self.shadow_shim(at, base, d, site),
            Op::Return { a, count } => self.shadow_return(base, a, count),
            op => self.shadow_flow(at, base, &op.flow()),
        }
        Pending::default()
    }

    /// Gives memory the shadows of what was just written.
    pub(super) fn settle_shadows(&mut self, pending: Pending) {
        if pending.shades.iter().any(|shade| shade.shadow != 0) {
            // The write itself succeeded, so the range can be written.
            let _ = self.state.memory.set_shades(pending.address, &pending.shades);
        }
    }

    fn range(&self, base: usize, (first, count): Range) -> &[u32] {
        let start = base + usize::from(first);
        &self.state.shadows[start..start + usize::from(count)]
    }

    fn set_range(&mut self, base: usize, (first, count): Range, shadow: u32) {
        let start = base + usize::from(first);
        self.state.shadows[start..start + usize::from(count)].fill(shadow);
    }

    fn shadow_flow(&mut self, at: At<'_>, base: usize, flow: &Flow) {
        let sources: SmallVec<[u32; 8]> =
            flow.reads.iter().flat_map(|&range| self.range(base, range)).copied().collect();
        let shadowed = sources.iter().any(|&shadow| shadow != 0);
        match flow.writes {
            Some(writes) => {
                let shadow = if shadowed { self.observer.derive(at, &sources) } else { 0 };
                self.set_range(base, writes, shadow);
            }
            None => {
                for &shadow in sources.iter().filter(|&&shadow| shadow != 0) {
                    self.observer.consume(at, Use::Control, shadow);
                }
            }
        }
    }

    fn consume(&mut self, at: At<'_>, base: usize, range: Range, how: Use) {
        let shadows: SmallVec<[u32; 4]> = self.range(base, range).into();
        for shadow in shadows.into_iter().filter(|&shadow| shadow != 0) {
            self.observer.consume(at, how, shadow);
        }
    }

    fn shadow_access(&mut self, at: At<'_>, base: usize, access: Access) -> Pending {
        self.consume(at, base, (access.base, 1), Use::Address);
        let mut address = self.state.word(base, access.base).wrapping_add_signed(access.offset);
        if let Some((index, scale)) = access.index {
            self.consume(at, base, (index, 1), Use::Address);
            let distance = self.state.word(base, index).wrapping_mul(i64::from(scale) as u64);
            address = address.wrapping_add(distance);
        }
        let mut pending = Pending { address, shades: SmallVec::new() };
        for (word, start) in (0u16..).zip((0..access.bytes).step_by(8)) {
            let bytes = (access.bytes - start).min(8);
            let register = access.value + word;
            if access.write {
                let shadow = self.range(base, (register, 1))[0];
                pending.shades.extend(shades_of(shadow, bytes as u8));
            } else {
                let from = address.wrapping_add(u64::from(start));
                let shadow = self.loaded(at, from, u64::from(bytes));
                self.set_range(base, (register, 1), shadow);
            }
        }
        pending
    }

    /// The shadow of a value in memory.
    fn loaded(&mut self, at: At<'_>, address: u64, bytes: u64) -> u32 {
        let shades = self.state.memory.shades(address, bytes);
        if shades.iter().all(|shade| shade.shadow == 0) {
            return 0;
        }
        let whole = shades_of(shades[0].shadow, bytes as u8).eq(shades.iter().copied());
        match whole {
            true => shades[0].shadow,
            false => self.observer.assemble(at, shades),
        }
    }

    fn shadow_slow(&mut self, at: At<'_>, base: usize, slow: &Slow) -> Pending {
        if let Some(access) = slow.access() {
            return self.shadow_access(at, base, access);
        }
        match slow {
            // Copying memory copies its shadows.
            Slow::Memory { builtin, to, from, size } => {
                for range in [(*to, 1), (*size, 1)] {
                    self.consume(at, base, range, Use::Address);
                }
                if *builtin != ir::Builtin::Memset {
                    self.consume(at, base, (*from, 1), Use::Address);
                    return Pending::default();
                }
                let shadow = self.range(base, (*from, 1))[0];
                let count = if shadow == 0 { 0 } else { self.state.word(base, *size) };
                let shades = (0..count).flat_map(|_| shades_of(shadow, 1)).collect();
                Pending { address: self.state.word(base, *to), shades }
            }
            Slow::AtomicRmw { scalar, d, a, b, .. } => {
                let address = self.state.word(base, *a);
                let old = self.loaded(at, address, u64::from(scalar.bytes().min(8)));
                let sources = [old, self.range(base, (*b, 1))[0]];
                let new = match sources {
                    [0, 0] => 0,
                    sources => self.observer.derive(at, &sources),
                };
                self.consume(at, base, (*a, 1), Use::Address);
                self.set_range(base, (*d, scalar.registers()), old);
                Pending { address, shades: shades_of(new, scalar.bytes() as u8).collect() }
            }
            Slow::CompareExchange { scalar, d, a, expected, new } => {
                let address = self.state.word(base, *a);
                let old = self.loaded(at, address, u64::from(scalar.bytes().min(8)));
                if old != 0 {
                    self.observer.consume(at, Use::Control, old);
                }
                self.consume(at, base, (*a, 1), Use::Address);
                for range in [(*expected, 1), (*new, 1)] {
                    self.consume(at, base, range, Use::Control);
                }
                self.set_range(base, (*d, scalar.registers() + 1), 0);
                Pending::default()
            }
            Slow::LoadBits { lanes, d, a, bits } => {
                let bytes = u64::from((u32::from(*bits) * lanes).div_ceil(8));
                let shadow = self.loaded(at, self.state.word(base, *a), bytes);
                self.set_range(base, (*d, *lanes as u16), shadow);
                Pending::default()
            }
            Slow::StoreBits { lanes, b, .. } => {
                self.consume(at, base, (*b, *lanes as u16), Use::Argument);
                Pending::default()
            }
            Slow::VaArg { scalar, d, .. } => {
                self.set_range(base, (*d, scalar.registers()), 0);
                Pending::default()
            }
            Slow::Alloca { count, .. } => {
                self.consume(at, base, (*count, 1), Use::Address);
                self.shadow_flow(at, base, &slow.flow());
                Pending::default()
            }
            Slow::Builtin { d, result, builtin, .. } => {
                self.shadow_flow(at, base, &slow.flow());
                if builtin.name().ends_with(".overflow") {
                    let shadow = self.range(base, (*d, 1))[0];
                    self.set_range(base, (d + result.registers(), 1), shadow);
                }
                Pending::default()
            }
            slow => {
                self.shadow_flow(at, base, &slow.flow());
                Pending::default()
            }
        }
    }

    /// The arguments of a call are the parameters of the next frame.
    fn shadow_call(&mut self, at: At<'_>, base: usize, d: Reg, site: u32, callee: Option<&Code>) {
        let site = &at.code.sites[site as usize];
        let top = base + usize::from(at.code.registers);
        let named = callee.map_or(usize::MAX, |callee| usize::from(callee.parameters));
        for (index, &register) in site.registers.iter().enumerate() {
            let shadow = self.range(base, (register, 1))[0];
            if index < named {
                self.state.shadows[top + index] = shadow;
            } else if shadow != 0 {
                self.observer.consume(at, Use::Argument, shadow);
            }
        }
        self.set_range(base, (d, site.results), 0);
    }

    fn shadow_shim(&mut self, at: At<'_>, base: usize, d: Reg, site: u32) {
        let site = &at.code.sites[site as usize];
        for &register in &site.registers {
            self.consume(at, base, (register, 1), Use::Argument);
        }
        self.set_range(base, (d, site.results), 0);
    }

    fn shadow_return(&mut self, base: usize, a: Reg, count: u16) {
        let [.., caller, frame] = &self.state.frames[..] else { return };
        let to = caller.base as usize + usize::from(frame.result);
        let from = base + usize::from(a);
        for index in 0..usize::from(count.min(frame.results)) {
            self.state.shadows[to + index] = self.state.shadows[from + index];
        }
    }
}

/// The bytes of a shadowed value.
fn shades_of(shadow: u32, bytes: u8) -> impl Iterator<Item = Shade> {
    (0..bytes).map(move |part| match shadow {
        0 => Shade::default(),
        shadow => Shade { shadow, part, size: bytes },
    })
}
