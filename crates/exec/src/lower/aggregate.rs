//! Aggregates and vectors: consecutive registers, moved one by one.

use ir::{Operand, Type, TypeId};

use super::{Lowered, Lowering, unsupported};
use crate::code::{Op, Reg, Scalar, Slow};

impl Lowering<'_> {
    /// The scalars of a type in register order, with their byte offsets in memory.
    pub(super) fn leaves(&self, ty: TypeId) -> Lowered<Vec<(u64, Scalar)>> {
        let mut leaves = Vec::new();
        self.sized(ty)?;
        self.push_leaves(ty, 0, &mut leaves)?;
        Ok(leaves)
    }

    /// The number of registers of a type whose values fit into registers.
    pub(super) fn sized(&self, ty: TypeId) -> Lowered<u16> {
        match self.width(ty) {
            0 if self.module.types.layout(ty).size > 0 => {
                Err(unsupported("a value of a very large or unusual type"))
            }
            width => Ok(width),
        }
    }

    fn push_leaves(&self, ty: TypeId, at: u64, out: &mut Vec<(u64, Scalar)>) -> Lowered<()> {
        if let Some(scalar) = self.scalar(ty) {
            out.push((at, scalar));
            return Ok(());
        }
        if self.width(ty) == 0 {
            // Empty, however many times.
            return Ok(());
        }
        let types = &self.module.types;
        match types.get(ty) {
            Type::Struct { fields, .. } => {
                for (index, &field) in fields.iter().enumerate() {
                    let offset = types.field_offset(ty, index).unwrap_or(0);
                    self.push_leaves(field, at + offset, out)?;
                }
            }
            Type::Array { element, length } => {
                let size = types.layout(*element).size;
                for index in 0..*length {
                    self.push_leaves(*element, at + index * size, out)?;
                }
            }
            Type::Vector { element, lanes } => {
                let size = types.lane_bits(*element) / 8;
                for index in 0..u64::from(*lanes) {
                    self.push_leaves(*element, at + index * size, out)?;
                }
            }
            _ => return Err(unsupported("a value of an unusual type")),
        }
        Ok(())
    }

    /// First register and number of registers of the part that a path leads to.
    fn part(&self, ty: TypeId, path: &[u32]) -> Lowered<(u16, u16)> {
        let (mut ty, mut first) = (ty, 0);
        self.sized(ty)?;
        for &index in path {
            ty = match self.module.types.get(ty) {
                Type::Struct { fields, .. } => {
                    let before = fields.iter().take(index as usize);
                    first += before.map(|&field| self.width(field)).sum::<u16>();
                    *fields.get(index as usize).ok_or_else(|| unsupported("a bad field index"))?
                }
                Type::Array { element, .. } => {
                    first += self.width(*element) * index as u16;
                    *element
                }
                _ => return Err(unsupported("a path into a scalar")),
            };
        }
        Ok((first, self.width(ty)))
    }

    fn copy_range(&mut self, d: Reg, a: Reg, count: u16) {
        for index in 0..count {
            self.emit(Op::Copy { d: d + index, a: a + index });
        }
    }

    pub(super) fn extract_value(&mut self, aggregate: Operand, path: &[u32]) -> Lowered<()> {
        let (first, count) = self.part(self.operand_type(aggregate), path)?;
        let a = self.take(aggregate)?;
        let d = self.define_apart();
        self.copy_range(d, a + first, count);
        self.registers.flush();
        Ok(())
    }

    pub(super) fn insert_value(
        &mut self,
        aggregate: Operand,
        value: Operand,
        path: &[u32],
    ) -> Lowered<()> {
        let ty = self.operand_type(aggregate);
        let (first, count) = self.part(ty, path)?;
        let (a, b) = (self.take(aggregate)?, self.take(value)?);
        let d = self.define_apart();
        self.copy_range(d, a, self.width(ty));
        self.copy_range(d + first, b, count);
        self.registers.flush();
        Ok(())
    }

    pub(super) fn extract_element(&mut self, vector: Operand, index: Operand) -> Lowered<()> {
        let lanes = self.lanes(self.operand_type(vector))?;
        let width = lanes.scalar.registers();
        let constant = self.immediate(index);
        let base = self.take(vector)?;
        match constant {
            Some(lane) if lane < u64::from(lanes.count) => {
                let d = self.define_apart();
                self.copy_range(d, base + lane as u16 * width, width);
            }
            _ => {
                let index = self.take(index)?;
                let d = self.define_apart();
                let lanes = u32::from(lanes.count);
                self.emit_slow(Slow::ExtractLane { width, lanes, d, base, index });
            }
        }
        self.registers.flush();
        Ok(())
    }

    pub(super) fn insert_element(
        &mut self,
        vector: Operand,
        value: Operand,
        index: Operand,
    ) -> Lowered<()> {
        let lanes = self.lanes(self.operand_type(vector))?;
        let width = lanes.scalar.registers();
        let constant = self.immediate(index);
        let (base, a) = (self.take(vector)?, self.take(value)?);
        let index = self.take(index)?;
        let d = self.define_apart();
        self.copy_range(d, base, width * lanes.count);
        match constant {
            Some(lane) if lane < u64::from(lanes.count) => {
                self.copy_range(d + lane as u16 * width, a, width);
            }
            _ => {
                let lanes = u32::from(lanes.count);
                self.emit_slow(Slow::InsertLane { width, lanes, base: d, index, a });
            }
        }
        self.registers.flush();
        Ok(())
    }

    pub(super) fn shuffle(
        &mut self,
        lhs: Operand,
        rhs: Operand,
        mask: &[Option<u32>],
    ) -> Lowered<()> {
        let lanes = self.lanes(self.operand_type(lhs))?;
        let width = lanes.scalar.registers();
        self.sized(self.result_type())?;
        let (a, b) = (self.take(lhs)?, self.take(rhs)?);
        let d = self.define_apart();
        for (index, lane) in mask.iter().enumerate() {
            let d = d + index as u16 * width;
            match lane {
                Some(lane) if *lane < u32::from(lanes.count) => {
                    self.copy_range(d, a + *lane as u16 * width, width);
                }
                Some(lane) => {
                    self.copy_range(d, b + (*lane as u16 - lanes.count) * width, width);
                }
                None => (0..width).for_each(|at| self.emit(Op::Const { d: d + at, value: 0 })),
            }
        }
        self.registers.flush();
        Ok(())
    }
}
