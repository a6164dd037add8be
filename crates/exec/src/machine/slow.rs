//! Operations that have no instruction of their own.

use base::bits;
use ir::{BinaryOp, Builtin, CompareOp, RmwOp};

use super::Machine;
use crate::code::{Reg, Scalar, Slow};
use crate::memory::{Memory, MemoryResult};
use crate::observer::{At, Observer};
use crate::stop::{Bound, FaultKind, Feature, Stop};
use crate::undefined::{self, UndefinedKind};
use crate::varargs::LIST_BYTES;
use crate::{assembly, big, builtin, float, operator};

impl<O: Observer> Machine<'_, O> {
    /// `steps` are those of the run up to the last jump, which identify the instance to observers.
    pub(super) fn slow(&mut self, index: u32, steps: u64) -> Result<(), Stop> {
        let frame = self.state.frames.last().expect("a running program has a frame");
        let slow = &self.program.code(frame.function).slow[index as usize];
        match slow {
            Slow::Binary { op, scalar, nsw, d, a, b } => {
                let (a, b) = (self.wide(*scalar, *a), self.wide(*scalar, *b));
                if let Scalar::Int(bits) = *scalar {
                    let kind = undefined::of_binary(*op, bits.into(), *nsw, a, b);
                    if let Some(kind) = kind {
                        self.note_undefined(kind, steps);
                    }
                }
                let value =
                    operator::binary(*op, *scalar, a, b).map_err(|kind| self.fault(kind))?;
                self.set_wide(*scalar, *d, value);
            }
            Slow::BigBinary { op, bits, d, a, b } => {
                let (a, b) = (self.words(*a, *bits), self.words(*b, *bits));
                let value = big::binary(*op, *bits, &a, &b).map_err(|kind| self.fault(kind))?;
                self.set_words(*d, &value);
            }
            Slow::BigCompare { op, bits, d, a, b } => {
                let (a, b) = (self.words(*a, *bits), self.words(*b, *bits));
                self.set(*d, u64::from(big::compare(*op, *bits, &a, &b)));
            }
            Slow::BigCast { op, from, to, d, a } => {
                let value = big::cast(*op, *from, *to, &self.words(*a, *from));
                self.set_words(*d, &value);
            }
            Slow::BigLoad { bits, d, a } => self.load_big(*bits, *d, *a)?,
            Slow::BigStore { bits, a, b } => self.store_big(*bits, *a, *b)?,
            Slow::Negate { scalar, d, a } => {
                let value = float::negate(*scalar, self.wide(*scalar, *a));
                self.set_wide(*scalar, *d, value);
            }
            Slow::Compare { op, scalar, d, a, b } => {
                let (a, b) = (self.wide(*scalar, *a), self.wide(*scalar, *b));
                self.set(*d, u64::from(operator::compare(*op, *scalar, a, b)));
            }
            Slow::Cast { op, from, to, d, a } => {
                let value = self.wide(*from, *a);
                if let Some(kind) = undefined::of_cast(*op, *from, *to, value) {
                    self.note_undefined(kind, steps);
                }
                let value = operator::cast(*op, *from, *to, value);
                let Some(value) = value else {
                    return Err(self.unknown(op.name()));
                };
                self.set_wide(*to, *d, value);
            }
            Slow::Bitcast { from, from_lanes, to, to_lanes, d, a } => {
                self.bitcast((*from, *from_lanes, *a), (*to, *to_lanes, *d));
            }
            Slow::Load { scalar, d, a, offset } => {
                let value = self.load_scalar(*scalar, self.get(*a).wrapping_add_signed(*offset))?;
                self.set_wide(*scalar, *d, value);
            }
            Slow::Store { scalar, a, b, offset } => {
                let value = self.wide(*scalar, *b);
                self.store_scalar(*scalar, self.get(*a).wrapping_add_signed(*offset), value)?;
            }
            Slow::LoadBits { bits, lanes, d, a } => self.load_bits(*bits, *lanes, *d, *a)?,
            Slow::StoreBits { bits, lanes, a, b } => self.store_bits(*bits, *lanes, *a, *b)?,
            Slow::ExtractLane { width, lanes, d, base, index } => {
                let lane = (self.get(*index) % u64::from(*lanes)) as u16;
                self.copy_registers(*d, base + lane * width, *width);
            }
            Slow::InsertLane { width, lanes, base, index, a } => {
                let lane = (self.get(*index) % u64::from(*lanes)) as u16;
                self.copy_registers(base + lane * width, *a, *width);
            }
            Slow::Builtin { builtin, scalar, result, d, args } => {
                self.builtin(*builtin, *scalar, *result, *d, args)?;
            }
            Slow::Reduce { builtin, scalar, lanes, d, a, start } => {
                let start = start.map(|start| self.wide(*scalar, start));
                let lanes: Vec<u128> = (0..*lanes as u16)
                    .map(|lane| self.wide(*scalar, a + lane * scalar.registers()))
                    .collect();
                let Some(value) = builtin::reduce(*builtin, *scalar, start, &lanes) else {
                    return Err(self.unknown(builtin.name()));
                };
                self.set_wide(*scalar, *d, value);
            }
            Slow::MoveMask { lanes, d, a } => {
                let sign = |lane: u32| (self.get(a + lane as u16) >> 7 & 1) << lane;
                let bits = (0..*lanes).map(sign).sum();
                self.set(*d, bits);
            }
            Slow::Memory { builtin, to, from, size } => {
                let (to, from, size) = (self.get(*to), self.get(*from), self.get(*size));
                let is_null = to == 0 || from == 0 && *builtin != Builtin::Memset;
                if is_null && size == 0 {
                    self.note_undefined(UndefinedKind::Null, steps);
                }
                self.move_memory(*builtin, to, from, size)?;
                self.state.count_work();
            }
            Slow::Alloca { d, count, element } => {
                let Some(size) = self.get(*count).checked_mul(*element) else {
                    return Err(Stop::Exhausted(Bound::Memory));
                };
                self.alloca(*d, size)?;
            }
            Slow::AtomicRmw { op, scalar, d, a, b } => self.rmw(*op, *scalar, *d, *a, *b)?,
            Slow::CompareExchange { scalar, d, a, expected, new } => {
                self.compare_exchange(*scalar, *d, *a, (*expected, *new))?;
            }
            Slow::VaStart { list } => self.va_start(self.get(*list))?,
            Slow::VaCopy { to, from } => {
                let (to, from) = (self.get(*to), self.get(*from));
                self.ok(|memory| memory.copy(to, from, LIST_BYTES))?;
            }
            Slow::VaArg { scalar, d, list } => self.va_arg(*scalar, *d, *list)?,
            Slow::StackSave { d } => {
                let count = self.state.locals.len() as u64;
                self.set(*d, Memory::label_address(count as u32));
            }
            Slow::StackRestore { a } => {
                let kept = self.state.frames.last().map_or(0, |frame| frame.locals);
                let saved = Memory::label_at(self.get(*a)).unwrap_or(u32::MAX);
                self.state.free_locals(saved.max(kept));
            }
            Slow::FrameAddress { d, level } => {
                let address = self.frame_address(self.get(*level));
                self.set(*d, address);
            }
            Slow::CycleCounter { d } => {
                self.state.clocked = true;
                self.set(*d, self.state.steps);
            }
            Slow::Assembly { code, d, args } => {
                let args: smallvec::SmallVec<[u64; 8]> =
                    args.iter().map(|&a| self.get(a)).collect();
                // It may ask how many cycles have passed.
                self.state.clocked = true;
                let results = code.run(&args, self)?;
                self.set_words(*d, &results);
            }
        }
        Ok(())
    }

    pub(super) fn ok<T>(
        &mut self,
        act: impl FnOnce(&mut Memory) -> MemoryResult<T>,
    ) -> Result<T, Stop> {
        act(&mut self.state.memory).map_err(|violation| self.violated(violation))
    }

    fn unknown(&self, what: &str) -> Stop {
        self.unsupported(Feature::Instruction(format!("{what} of this type")))
    }

    /// The value of a scalar. Truncated to its width, because a `longjmp` or a call with other
    /// types may leave anything in a register.
    pub(super) fn wide(&self, scalar: Scalar, a: Reg) -> u128 {
        let low = u128::from(self.get(a));
        let value = match scalar.registers() {
            2 => low | u128::from(self.get(a + 1)) << 64,
            _ => low,
        };
        bits::truncate(value, scalar.bits())
    }

    pub(super) fn set_wide(&mut self, scalar: Scalar, d: Reg, value: u128) {
        self.set(d, value as u64);
        if scalar.registers() == 2 {
            self.set(d + 1, (value >> 64) as u64);
        }
    }

    fn copy_registers(&mut self, d: Reg, a: Reg, count: u16) {
        for index in 0..count {
            let value = self.get(a + index);
            self.set(d + index, value);
        }
    }

    /// Records what is undefined about the last executed operation.
    #[cold]
    #[inline(never)]
    pub(super) fn note_undefined(&mut self, kind: UndefinedKind, steps: u64) {
        let Some(frame) = self.state.frames.last().filter(|_| O::UNDEFINED) else { return };
        let code = self.program.code(frame.function);
        if code.in_archive {
            return;
        }
        let pc = (frame.pc as usize).saturating_sub(1);
        let at = At { code, pc, steps };
        self.state.undefined.note(kind, at.site());
        self.observer.undefined(at, kind);
    }

    fn watch(&mut self, address: u64, size: u64, write: bool) {
        let Some(frame) = self.state.frames.last() else { return };
        let code = self.program.code(frame.function);
        let steps = self.state.steps;
        let at = At { code, pc: (frame.pc as usize).saturating_sub(1), steps };
        if write {
            self.observer.write(at, address, size)
        } else {
            self.observer.read(at, address, size)
        }
    }

    fn load_scalar(&mut self, scalar: Scalar, address: u64) -> Result<u128, Stop> {
        let size = scalar.bytes() as usize;
        self.watch(address, size as u64, false);
        let mut bytes = [0u8; 16];
        match self.state.memory.bytes(address, size as u64) {
            Ok(read) => bytes[..size].copy_from_slice(read),
            Err(violation) => return Err(self.violated(violation)),
        }
        let part = self.state.frames.last().and_then(|frame| {
            self.program.code(frame.function).partial_read((frame.pc as usize).wrapping_sub(1))
        });
        let before = self.state.memory.undefined_reads;
        self.ok(|memory| memory.notice_undefined(address, size, part))?;
        if self.state.memory.undefined_reads != before {
            self.note_undefined(UndefinedKind::Uninitialised, self.state.steps);
        }
        Ok(bits::truncate(u128::from_le_bytes(bytes), scalar.bits()))
    }

    fn store_scalar(&mut self, scalar: Scalar, address: u64, value: u128) -> Result<(), Stop> {
        let size = scalar.bytes() as usize;
        self.watch(address, size as u64, true);
        let value = bits::truncate(value, scalar.bits());
        self.ok(|memory| memory.write_bytes(address, &value.to_le_bytes()[..size]))
    }

    fn words(&self, a: Reg, bits: u32) -> Vec<u64> {
        (0..big::words(bits) as Reg).map(|index| self.get(a + index)).collect()
    }

    fn set_words(&mut self, d: Reg, words: &[u64]) {
        for (index, &word) in words.iter().enumerate() {
            self.set(d + index as Reg, word);
        }
    }

    fn load_big(&mut self, bits: u32, d: Reg, a: Reg) -> Result<(), Stop> {
        let (address, size) = (self.get(a), u64::from(bits.div_ceil(8)));
        self.watch(address, size, false);
        let mut bytes = self.ok(|memory| memory.bytes(address, size).map(<[u8]>::to_vec))?;
        bytes.resize(8 * big::words(bits), 0);
        for (index, word) in bytes.chunks_exact(8).enumerate() {
            let word = word.try_into().map_or(0, u64::from_le_bytes);
            self.set(d + index as Reg, word);
        }
        Ok(())
    }

    fn store_big(&mut self, bits: u32, a: Reg, b: Reg) -> Result<(), Stop> {
        let (address, size) = (self.get(a), bits.div_ceil(8) as usize);
        let words = self.words(b, bits);
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.watch(address, size as u64, true);
        self.ok(|memory| memory.write_bytes(address, &bytes[..size]))
    }

    fn load_bits(&mut self, bits: u8, lanes: u32, d: Reg, a: Reg) -> Result<(), Stop> {
        let address = self.get(a);
        let size = (u64::from(bits) * u64::from(lanes)).div_ceil(8);
        self.watch(address, size, false);
        let bytes = match self.state.memory.bytes(address, size) {
            Ok(bytes) => bytes.to_vec(),
            Err(violation) => return Err(self.violated(violation)),
        };
        for lane in 0..lanes {
            let value = gather_bits(&bytes, lane * u32::from(bits), u32::from(bits));
            self.set(d + lane as Reg, value as u64);
        }
        Ok(())
    }

    fn store_bits(&mut self, bits: u8, lanes: u32, a: Reg, b: Reg) -> Result<(), Stop> {
        let address = self.get(a);
        let mut bytes = vec![0u8; (usize::from(bits) * lanes as usize).div_ceil(8)];
        for lane in 0..lanes {
            let value = u128::from(self.get(b + lane as Reg));
            scatter_bits(&mut bytes, lane * u32::from(bits), u32::from(bits), value);
        }
        self.watch(address, bytes.len() as u64, true);
        self.ok(|memory| memory.write_bytes(address, &bytes))
    }

    fn bitcast(&mut self, from: (Scalar, u32, Reg), to: (Scalar, u32, Reg)) {
        let (scalar, lanes, a) = from;
        let mut bytes = vec![0u8; (scalar.bits() as usize * lanes as usize).div_ceil(8)];
        for lane in 0..lanes {
            let value = self.wide(scalar, a + lane as Reg * scalar.registers());
            scatter_bits(&mut bytes, lane * scalar.bits(), scalar.bits(), value);
        }
        let (scalar, lanes, d) = to;
        for lane in 0..lanes {
            let value = gather_bits(&bytes, lane * scalar.bits(), scalar.bits());
            self.set_wide(scalar, d + lane as Reg * scalar.registers(), value);
        }
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        scalar: Scalar,
        result: Scalar,
        d: Reg,
        args: &[Reg],
    ) -> Result<(), Stop> {
        let values: smallvec::SmallVec<[u128; 4]> = args
            .iter()
            .enumerate()
            .map(|(index, &a)| match (builtin, index) {
                // An integer next to floats.
                (Builtin::Powi | Builtin::Ldexp | Builtin::IsFpClass, 1) => u128::from(self.get(a)),
                _ => self.wide(scalar, a),
            })
            .collect();
        let Some(answer) = builtin::evaluate(builtin, scalar, &values, result) else {
            return Err(self.unknown(builtin.name()));
        };
        self.set_wide(result, d, answer.value);
        if let Some(overflow) = answer.overflow {
            self.set(d + result.registers(), u64::from(overflow));
        }
        Ok(())
    }

    fn move_memory(&mut self, builtin: Builtin, to: u64, from: u64, size: u64) -> Result<(), Stop> {
        if size == 0 {
            return Ok(());
        }
        if builtin != Builtin::Memset {
            self.watch(from, size, false);
        }
        self.watch(to, size, true);
        match builtin {
            Builtin::Memset => self.ok(|memory| memory.fill(to, from as u8, size)),
            // The compiler copies structs onto themselves.
            Builtin::Memcpy if to != from && to.abs_diff(from) < size => {
                Err(self.fault(FaultKind::Overlap { size }))
            }
            _ => self.ok(|memory| memory.copy(to, from, size)),
        }
    }

    fn rmw(&mut self, op: RmwOp, scalar: Scalar, d: Reg, a: Reg, b: Reg) -> Result<(), Stop> {
        let address = self.get(a);
        let old = self.load_scalar(scalar, address)?;
        let operand = self.wide(scalar, b);
        let Some(new) = modify(op, scalar, old, operand) else {
            return Err(self.unknown(op.name()));
        };
        self.store_scalar(scalar, address, new)?;
        self.set_wide(scalar, d, old);
        Ok(())
    }

    fn compare_exchange(
        &mut self,
        scalar: Scalar,
        d: Reg,
        a: Reg,
        (expected, new): (Reg, Reg),
    ) -> Result<(), Stop> {
        let address = self.get(a);
        let old = self.load_scalar(scalar, address)?;
        let equal = old == self.wide(scalar, expected);
        if equal {
            let new = self.wide(scalar, new);
            self.store_scalar(scalar, address, new)?;
        }
        self.set_wide(scalar, d, old);
        self.set(d + scalar.registers(), u64::from(equal));
        Ok(())
    }
}

impl<O: Observer> assembly::Surroundings for Machine<'_, O> {
    fn load(&mut self, address: u64, bytes: u32) -> Result<u64, Stop> {
        Ok(self.load_scalar(Scalar::Int(8 * bytes as u8), address)? as u64)
    }

    fn store(&mut self, address: u64, bytes: u32, value: u64) -> Result<(), Stop> {
        self.store_scalar(Scalar::Int(8 * bytes as u8), address, u128::from(value))
    }

    fn cycles(&self) -> u64 {
        self.state.steps
    }

    fn fault(&self, kind: FaultKind) -> Stop {
        Machine::fault(self, kind)
    }
}

/// The value that an atomic operation leaves in memory.
fn modify(op: RmwOp, scalar: Scalar, old: u128, operand: u128) -> Option<u128> {
    use RmwOp::*;
    let bits = scalar.bits();
    let binary = |op| operator::binary(op, scalar, old, operand).ok();
    let pick = |op| Some(if operator::compare(op, scalar, old, operand) { old } else { operand });
    match op {
        Xchg => Some(operand),
        Add => binary(BinaryOp::Add),
        Sub => binary(BinaryOp::Sub),
        And => Some(old & operand),
        Nand => Some(bits::truncate(!(old & operand), bits)),
        Or => Some(old | operand),
        Xor => Some(old ^ operand),
        Max => pick(CompareOp::Sgt),
        Min => pick(CompareOp::Slt),
        UMax => pick(CompareOp::Ugt),
        UMin => pick(CompareOp::Ult),
        FAdd => binary(BinaryOp::FAdd),
        FSub => binary(BinaryOp::FSub),
        FMax => pick(CompareOp::FOgt),
        FMin => pick(CompareOp::FOlt),
        UIncWrap => Some(if old >= operand { 0 } else { old + 1 }),
        UDecWrap => Some(if old == 0 || old > operand { operand } else { old - 1 }),
    }
}

fn gather_bits(bytes: &[u8], first: u32, count: u32) -> u128 {
    (0..count).fold(0, |value, bit| {
        let at = first + bit;
        let set = bytes[at as usize / 8] >> (at % 8) & 1;
        value | u128::from(set) << bit
    })
}

fn scatter_bits(bytes: &mut [u8], first: u32, count: u32, value: u128) {
    for bit in 0..count {
        let at = first + bit;
        if value >> bit & 1 == 1 {
            bytes[at as usize / 8] |= 1 << (at % 8);
        }
    }
}
