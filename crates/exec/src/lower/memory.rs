//! Addresses, loads, stores and local memory.

use ir::{BlockId, CastOp, InstId, Operand, RmwOp, Type, TypeId};

use super::{Lowered, Lowering, unsupported};
use crate::code::{Op, Pc, Reg, Scalar, Slow};

/// `base + index·scale + bytes`, not yet in registers.
#[derive(Clone, Copy)]
struct Address {
    base: Operand,
    index: Option<(Operand, i32)>,
    bytes: i64,
    /// Whether it stays within an object, so that an offset from null is undefined.
    within: bool,
}

impl Lowering<'_> {
    pub(super) fn alloca(&mut self, ty: TypeId, count: Operand) -> Lowered<()> {
        let element = self.module.types.layout(ty).size;
        match self.immediate(count).and_then(|count| element.checked_mul(count)) {
            Some(size) => {
                let d = self.define();
                self.emit(Op::Alloca { d, size });
            }
            None => {
                let count = self.take(count)?;
                let d = self.define();
                self.emit_slow(Slow::Alloca { d, count, element });
            }
        }
        Ok(())
    }

    pub(super) fn offset(
        &mut self,
        base: Operand,
        bytes: i64,
        scaled: &[(Operand, i64)],
        within: bool,
    ) -> Lowered<()> {
        let result = self.result_type();
        if let Type::Vector { .. } = self.module.types.get(result) {
            let lanes = self.lanes(result)?.count;
            return self.offset_lanes(lanes, base, bytes, scaled);
        }
        if simple_address(base, bytes, scaled, within).is_some() && self.postpone() {
            return Ok(());
        }
        self.offset_now(base, bytes, scaled, within)
    }

    pub(super) fn offset_now(
        &mut self,
        base: Operand,
        bytes: i64,
        scaled: &[(Operand, i64)],
        within: bool,
    ) -> Lowered<()> {
        match simple_address(base, bytes, scaled, within) {
            Some(address) => {
                let address = self.merge(address);
                self.compute_address(address)
            }
            None => self.general_offset(base, bytes, scaled),
        }
    }

    /// Puts the address into the register of the current instruction's result.
    fn compute_address(&mut self, address: Address) -> Lowered<()> {
        let (a, within) = (self.take(address.base)?, address.within);
        match (address.index, i32::try_from(address.bytes)) {
            (Some((index, scale)), Ok(offset)) => {
                let b = self.take_index(index)?;
                let d = self.define();
                self.emit(Op::Offset { d, a, b, within, scale, offset });
            }
            (Some((index, scale)), Err(_)) => {
                let b = self.take_index(index)?;
                let d = self.define();
                self.emit(Op::Offset { d, a, b, within, scale, offset: 0 });
                self.emit(Op::Add64I { d, a: d, nsw: false, value: address.bytes as u64 });
            }
            (None, _) => {
                let d = self.define();
                let value = address.bytes as u64;
                self.emit(if within {
                    Op::OffsetI { d, a, value }
                } else {
                    Op::Add64I { d, a, nsw: false, value }
                });
            }
        }
        Ok(())
    }

    /// Several indices, or a scale that does not fit.
    fn general_offset(
        &mut self,
        base: Operand,
        bytes: i64,
        scaled: &[(Operand, i64)],
    ) -> Lowered<()> {
        let mut a = self.take(base)?;
        let sum = self.registers.temporary();
        for &(index, scale) in scaled {
            let b = self.take_index(index)?;
            let product = self.registers.temporary();
            self.emit(Op::Mul64I { d: product, a: b, nsw: false, value: scale as u64 });
            self.emit(Op::Add64 { d: sum, a, b: product, nsw: false });
            self.registers.release_later(product);
            a = sum;
        }
        self.registers.release_later(sum);
        let d = self.define();
        self.emit(Op::Add64I { d, a, nsw: false, value: bytes as u64 });
        Ok(())
    }

    /// An index in 64 bits, sign-extended.
    fn take_index(&mut self, index: Operand) -> Lowered<Reg> {
        let ty = self.operand_type(index);
        match self.scalar_or_unsupported(ty)? {
            Scalar::Int(64) => self.take(index),
            Scalar::Int(bits) if bits < 64 => {
                let a = self.take(index)?;
                let d = self.registers.temporary();
                self.emit(Op::Sext { from: bits, to: 64, d, a });
                self.registers.release_later(d);
                Ok(d)
            }
            Scalar::Int(_) => self.take(index),
            _ => Err(unsupported("an index that is not an integer")),
        }
    }

    fn offset_lanes(
        &mut self,
        lanes: u16,
        base: Operand,
        bytes: i64,
        scaled: &[(Operand, i64)],
    ) -> Lowered<()> {
        let base_step = u16::from(self.is_vector(base));
        let a = self.take(base)?;
        let d = self.define_apart();
        for lane in 0..lanes {
            self.emit(Op::Add64I {
                d: d + lane,
                a: a + lane * base_step,
                nsw: false,
                value: bytes as u64,
            });
        }
        for &(index, scale) in scaled {
            let step = u16::from(self.is_vector(index));
            let bits = self.lanes(self.operand_type(index))?.scalar.bits() as u8;
            let b = self.take(index)?;
            let product = self.registers.temporary();
            for lane in 0..lanes {
                self.emit(Op::Sext { from: bits.min(64), to: 64, d: product, a: b + lane * step });
                self.emit(Op::Mul64I { d: product, a: product, nsw: false, value: scale as u64 });
                self.emit(Op::Add64 { d: d + lane, a: d + lane, b: product, nsw: false });
            }
        }
        self.registers.flush();
        Ok(())
    }

    fn is_vector(&self, operand: Operand) -> bool {
        matches!(self.module.types.get(self.operand_type(operand)), Type::Vector { .. })
    }

    /// The address in its most foldable form; absorbs postponed offsets.
    fn address(&mut self, operand: Operand) -> Address {
        self.merge(Address { base: operand, index: None, bytes: 0, within: true })
    }

    fn merge(&mut self, mut address: Address) -> Address {
        while let Some(inst) = self.pending(address.base) {
            let Some(inner) = self.pending_address(inst) else { break };
            let one_index = address.index.is_none() || inner.index.is_none();
            let Some(bytes) = address.bytes.checked_add(inner.bytes) else { break };
            if !one_index {
                break;
            }
            self.absorb(address.base);
            let within = address.within && inner.within;
            let index = address.index.or(inner.index);
            address = Address { base: inner.base, index, bytes, within };
        }
        address
    }

    fn pending_address(&self, inst: InstId) -> Option<Address> {
        match &self.body.insts[inst].op {
            ir::Op::Offset { base, bytes, scaled, wraps } => {
                simple_address(*base, *bytes, scaled, !*wraps)
            }
            ir::Op::Cast { op: CastOp::Bitcast, value } => {
                Some(Address { base: *value, index: None, bytes: 0, within: true })
            }
            _ => None,
        }
    }

    pub(super) fn load(&mut self, block: BlockId, address: Operand) -> Lowered<()> {
        let ty = self.result_type();
        match self.scalar(ty) {
            Some(scalar) => {
                let part = self.partial_read(block, address, scalar);
                self.load_scalar(address, scalar)?;
                self.note_alignment(scalar, 0);
                self.note_partial_read(part);
                Ok(())
            }
            None => self.load_aggregate(address, ty),
        }
    }

    fn load_scalar(&mut self, address: Operand, scalar: Scalar) -> Lowered<()> {
        let address = self.address(address);
        let quick = matches!(scalar, Scalar::Int(8 | 16 | 32 | 64) | Scalar::F32 | Scalar::F64);
        let a = self.take(address.base)?;
        if let (Some((index, scale)), Ok(offset), true) =
            (address.index, i32::try_from(address.bytes), quick)
        {
            let b = self.take_index(index)?;
            let d = self.define();
            self.emit(match scalar.bits() {
                8 => Op::Load8X { d, a, b, scale, offset },
                16 => Op::Load16X { d, a, b, scale, offset },
                32 => Op::Load32X { d, a, b, scale, offset },
                _ => Op::Load64X { d, a, b, scale, offset },
            });
            return Ok(());
        }
        let (a, offset) = self.indexed(a, address)?;
        let wide = scalar.registers() > 1;
        let d = if wide { self.define_apart() } else { self.define() };
        self.load_at(scalar, d, a, offset);
        self.registers.flush();
        Ok(())
    }

    /// Adds the index, if there is one, and leaves a constant offset.
    fn indexed(&mut self, a: Reg, address: Address) -> Lowered<(Reg, i64)> {
        let Some((index, scale)) = address.index else { return Ok((a, address.bytes)) };
        let b = self.take_index(index)?;
        let d = self.registers.temporary();
        self.emit(Op::Offset { d, a, b, within: false, scale, offset: 0 });
        self.registers.release_later(d);
        Ok((d, address.bytes))
    }

    fn load_at(&mut self, scalar: Scalar, d: Reg, a: Reg, offset: i64) {
        match scalar {
            Scalar::Int(8) => self.emit(Op::Load8 { d, a, offset }),
            Scalar::Int(16) => self.emit(Op::Load16 { d, a, offset }),
            Scalar::Int(32) | Scalar::F32 => self.emit(Op::Load32 { d, a, offset }),
            Scalar::Int(64) | Scalar::F64 => self.emit(Op::Load64 { d, a, offset }),
            scalar => self.emit_slow(Slow::Load { scalar, d, a, offset }),
        }
    }

    fn load_aggregate(&mut self, address: Operand, ty: TypeId) -> Lowered<()> {
        self.sized(ty)?;
        let a = self.take(address)?;
        if let Some(bits) = self.addresses.big_bits(&self.module.types, ty) {
            let d = self.define_apart();
            self.emit_slow(Slow::BigLoad { bits, d, a });
            self.registers.flush();
            return Ok(());
        }
        if let Some((bits, lanes)) = self.packed_bits(ty) {
            let d = self.define_apart();
            self.emit_slow(Slow::LoadBits { bits, lanes, d, a });
            self.registers.flush();
            return Ok(());
        }
        let leaves = self.leaves(ty)?;
        let d = self.define_apart();
        let mut register = d;
        for (offset, scalar) in leaves {
            self.load_at(scalar, register, a, offset as i64);
            self.note_alignment(scalar, offset);
            register += scalar.registers();
        }
        self.registers.flush();
        Ok(())
    }

    pub(super) fn store(&mut self, address: Operand, value: Operand) -> Lowered<()> {
        let ty = self.operand_type(value);
        match self.scalar(ty) {
            Some(scalar) => self.store_scalar(address, value, scalar),
            None => self.store_aggregate(address, value, ty),
        }
    }

    fn store_scalar(&mut self, address: Operand, value: Operand, scalar: Scalar) -> Lowered<()> {
        let address = self.address(address);
        let quick = matches!(scalar, Scalar::Int(8 | 16 | 32 | 64) | Scalar::F32 | Scalar::F64);
        let c = self.take(value)?;
        let a = self.take(address.base)?;
        if let (Some((index, scale)), Ok(offset), true) =
            (address.index, i32::try_from(address.bytes), quick)
        {
            let b = self.take_index(index)?;
            self.emit(match scalar.bits() {
                8 => Op::Store8X { c, a, b, scale, offset },
                16 => Op::Store16X { c, a, b, scale, offset },
                32 => Op::Store32X { c, a, b, scale, offset },
                _ => Op::Store64X { c, a, b, scale, offset },
            });
        } else {
            let (a, offset) = self.indexed(a, address)?;
            self.store_at(scalar, a, c, offset);
        }
        self.note_alignment(scalar, 0);
        if self.put_back.contains(&self.inst) {
            self.emit(Op::PutBack);
        }
        self.registers.flush();
        Ok(())
    }

    fn store_at(&mut self, scalar: Scalar, a: Reg, b: Reg, offset: i64) {
        match scalar {
            Scalar::Int(8) => self.emit(Op::Store8 { a, b, offset }),
            Scalar::Int(16) => self.emit(Op::Store16 { a, b, offset }),
            Scalar::Int(32) | Scalar::F32 => self.emit(Op::Store32 { a, b, offset }),
            Scalar::Int(64) | Scalar::F64 => self.emit(Op::Store64 { a, b, offset }),
            scalar => self.emit_slow(Slow::Store { scalar, a, b, offset }),
        }
    }

    fn store_aggregate(&mut self, address: Operand, value: Operand, ty: TypeId) -> Lowered<()> {
        self.sized(ty)?;
        let b = self.take(value)?;
        let a = self.take(address)?;
        if let Some(bits) = self.addresses.big_bits(&self.module.types, ty) {
            self.emit_slow(Slow::BigStore { bits, a, b });
        } else if let Some((bits, lanes)) = self.packed_bits(ty) {
            self.emit_slow(Slow::StoreBits { bits, lanes, a, b });
        } else {
            let mut register = b;
            for (offset, scalar) in self.leaves(ty)? {
                self.store_at(scalar, a, register, offset as i64);
                self.note_alignment(scalar, offset);
                register += scalar.registers();
            }
        }
        self.registers.flush();
        Ok(())
    }

    /// Records that the last emitted access, at this offset from the current instruction's address,
    /// may be at addresses that are no multiple of its size.
    fn note_alignment(&mut self, scalar: Scalar, distance: u64) {
        let (access, ty) = match &self.body.insts[self.inst].op {
            ir::Op::Load { access, .. } => (access, self.result_type()),
            ir::Op::Store { access, value, .. } => (access, self.operand_type(*value)),
            // Nothing else is lowered to such accesses.
            _ => return,
        };
        let align = match access.align {
            0 => self.module.types.layout(ty).align,
            align => align,
        };
        let align = match distance {
            0 => align,
            distance => align.min(1 << distance.trailing_zeros()),
        };
        if align < u64::from(scalar.bytes()) {
            let pc = self.code.ops.len().saturating_sub(1) as Pc;
            self.code.loose.push((pc, align));
        }
    }

    /// Bits and lanes of a vector whose lanes do not fill bytes.
    fn packed_bits(&self, ty: TypeId) -> Option<(u8, u32)> {
        let Type::Vector { element, lanes } = self.module.types.get(ty) else { return None };
        match self.scalar(*element) {
            Some(Scalar::Int(bits)) if bits % 8 != 0 => Some((bits, *lanes)),
            _ => None,
        }
    }

    pub(super) fn atomic_rmw(
        &mut self,
        op: RmwOp,
        address: Operand,
        value: Operand,
    ) -> Lowered<()> {
        let scalar = self.scalar_or_unsupported(self.operand_type(value))?;
        let (a, b) = (self.take(address)?, self.take(value)?);
        let d = self.define_apart();
        self.emit_slow(Slow::AtomicRmw { op, scalar, d, a, b });
        self.registers.flush();
        Ok(())
    }

    pub(super) fn compare_exchange(
        &mut self,
        address: Operand,
        expected: Operand,
        new: Operand,
    ) -> Lowered<()> {
        let scalar = self.scalar_or_unsupported(self.operand_type(new))?;
        let (a, expected, new) = (self.take(address)?, self.take(expected)?, self.take(new)?);
        let d = self.define_apart();
        self.emit_slow(Slow::CompareExchange { scalar, d, a, expected, new });
        self.registers.flush();
        Ok(())
    }
}

/// At most one index, with a scale that fits.
fn simple_address(
    base: Operand,
    bytes: i64,
    scaled: &[(Operand, i64)],
    within: bool,
) -> Option<Address> {
    let index = match scaled {
        [] => None,
        [(index, scale)] => Some((*index, i32::try_from(*scale).ok()?)),
        _ => return None,
    };
    Some(Address { base, index, bytes, within })
}
