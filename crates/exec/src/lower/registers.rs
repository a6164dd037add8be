//! Where the values of a function live while it is lowered.
//!
//! Parameters and slots have fixed registers, as have values that are used outside
//! their block. All other values take a register from their definition to their last use.

use base::entity::{EntityRef, PrimaryMap, filled};
use ir::{BlockId, InstId, Operand, SlotId, ValueId};

use super::{Lowered, Lowering};
use crate::code::{Op, Reg};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Not defined yet, or without registers.
    Nowhere,
    /// The first of the value's registers.
    Register(Reg),
    /// The slot's register, as long as the slot is not written.
    Slot(SlotId),
    /// Not computed yet: its only user computes it.
    Pending(InstId),
}

#[derive(Debug, Default)]
pub(super) struct Registers {
    places: PrimaryMap<ValueId, Place>,
    /// Uses that are still to come.
    uses: PrimaryMap<ValueId, u32>,
    /// The last instruction that uses it.
    users: PrimaryMap<ValueId, Option<InstId>>,
    /// Whether all uses are in the defining block.
    local: PrimaryMap<ValueId, bool>,
    slots: PrimaryMap<SlotId, Reg>,
    /// Values that stand for a slot's register in the current block.
    readers: PrimaryMap<SlotId, Vec<ValueId>>,
    /// Slots with readers, to forget them at the end of the block.
    read: Vec<SlotId>,
    /// Registers below are fixed for the whole function.
    fixed: u32,
    next: u32,
    highest: u32,
    free: Vec<Reg>,
    /// Registers to be freed once the current operation is emitted.
    releases: Vec<Reg>,
    /// Postponed values being computed for the current operation, which may already have taken
    /// registers that such a value uses last.
    nested: u32,
    /// The value that the last emitted operation defines, and the operation's index.
    last: Option<(ValueId, usize)>,
    pub(super) skipped: Vec<InstId>,
}

impl Registers {
    pub(super) fn overflowed(&self) -> bool {
        self.highest > u32::from(u16::MAX)
    }

    pub(super) fn high_water(&self) -> u16 {
        self.highest.min(u32::from(u16::MAX)) as u16
    }

    pub(super) fn start_block(&mut self) {
        self.next = self.fixed;
        self.free.clear();
        self.releases.clear();
        self.last = None;
        for slot in self.read.drain(..) {
            self.readers[slot].clear();
        }
    }

    fn grow(&mut self, count: u16) -> Reg {
        let first = self.next;
        self.next += u32::from(count);
        self.highest = self.highest.max(self.next);
        // Code that needs too many registers is discarded; until then any register will do that
        // leaves room to count the others of a value.
        if self.overflowed() { 0 } else { first as Reg }
    }

    /// A register until the end of the block or until it is released.
    pub(super) fn temporary(&mut self) -> Reg {
        self.free.pop().unwrap_or_else(|| self.grow(1))
    }

    pub(super) fn temporaries(&mut self, count: u16) -> Reg {
        match count {
            1 => self.temporary(),
            count => self.grow(count),
        }
    }

    pub(super) fn release_later(&mut self, register: Reg) {
        self.releases.push(register);
    }

    /// Frees registers that the operands of the current operation do not need any more. Does
    /// nothing while postponed values are computed: their user reads its operands after them.
    pub(super) fn flush(&mut self) {
        if self.nested == 0 {
            self.free.append(&mut self.releases);
        }
    }

    /// A register for the whole function. Call it before the first block.
    pub(super) fn reserve(&mut self) -> Reg {
        let register = self.grow(1);
        self.fixed = self.next;
        register
    }

    pub(super) fn slot(&self, slot: SlotId) -> Reg {
        self.slots[slot]
    }

    pub(super) fn is_single_local_use(&self, value: ValueId) -> bool {
        self.local[value] && self.uses[value] == 1
    }

    /// The only instruction that uses a value, if it is in the same block.
    pub(super) fn only_user(&self, value: ValueId) -> Option<InstId> {
        let user = self.users[value];
        user.filter(|_| self.is_single_local_use(value))
    }

    pub(super) fn is_local(&self, value: ValueId) -> bool {
        self.local[value]
    }

    pub(super) fn place(&self, value: ValueId) -> Place {
        self.places[value]
    }

    pub(super) fn set_place(&mut self, value: ValueId, place: Place) {
        self.places[value] = place;
    }

    pub(super) fn defined_by_last(&mut self, value: ValueId, op: usize) {
        self.last = Some((value, op));
    }

    /// Counts one use of a value; frees its register after the last one.
    fn count_use(&mut self, value: ValueId, single: bool) {
        self.uses[value] = self.uses[value].saturating_sub(1);
        if let Place::Register(register) = self.places[value]
            && self.uses[value] == 0
            && self.local[value]
            && single
            && u32::from(register) >= self.fixed
        {
            self.releases.push(register);
        }
    }
}

impl Lowering<'_> {
    /// Gives registers to parameters, slots and values that outlive their block.
    pub(super) fn assign_registers(&mut self) {
        let values = &self.body.values;
        self.registers.places = filled(values.len(), Place::Nowhere);
        self.count_uses();
        let parameters = self.parameter_count();
        for (id, value) in values.iter().take(parameters) {
            let first = self.registers.grow(self.width(value.ty));
            self.registers.set_place(id, Place::Register(first));
            self.registers.local[id] = false;
        }
        self.assign_slots();
        for (id, value) in values.iter().skip(parameters) {
            if !self.registers.local[id] {
                let first = self.registers.grow(self.width(value.ty));
                self.registers.set_place(id, Place::Register(first));
            }
        }
        self.registers.fixed = self.registers.next;
    }

    fn count_uses(&mut self) {
        let values = self.body.values.len();
        let mut uses: PrimaryMap<ValueId, u32> = filled(values, 0);
        let mut local: PrimaryMap<ValueId, bool> = filled(values, true);
        let mut home: PrimaryMap<ValueId, Option<BlockId>> = filled(values, None);
        let mut users: PrimaryMap<ValueId, Option<InstId>> = filled(values, None);
        for (block, data) in self.body.blocks.iter() {
            for &inst in &data.insts {
                if let Some(result) = self.body.insts[inst].result {
                    home[result] = Some(block);
                }
            }
        }
        for (block, data) in self.body.blocks.iter() {
            for &id in &data.insts {
                let inst = &self.body.insts[id];
                let is_phi = matches!(inst.op, ir::Op::Phi { .. });
                if let (true, Some(result)) = (is_phi, inst.result) {
                    local[result] = false;
                }
                inst.op.operands(|operand| {
                    if let Operand::Value(value) = operand {
                        uses[value] += 1;
                        users[value] = Some(id);
                        local[value] &= !is_phi && home[value] == Some(block);
                    }
                });
            }
        }
        self.registers.uses = uses;
        self.registers.users = users;
        self.registers.local = local;
    }

    /// A slot that starts with a parameter's value takes over the parameter's register.
    fn assign_slots(&mut self) {
        let slots = self.body.slots.len();
        self.registers.readers = filled(slots, Vec::new());
        let mut assigned: PrimaryMap<SlotId, Option<Reg>> = filled(slots, None);
        let mut touched: PrimaryMap<SlotId, bool> = filled(slots, false);
        let entry = self.body.blocks.get(ir::Body::ENTRY);
        for &inst in entry.iter().flat_map(|block| &block.insts) {
            match self.body.insts[inst].op {
                ir::Op::WriteSlot { slot, value: Operand::Value(value) } => {
                    let parameter = value.index() < self.parameter_count();
                    let only_use = self.registers.uses[value] == 1;
                    if let Place::Register(register) = self.registers.place(value)
                        && parameter
                        && only_use
                        && !touched[slot]
                    {
                        assigned[slot] = Some(register);
                        self.registers.skipped.push(inst);
                    }
                    touched[slot] = true;
                }
                ir::Op::WriteSlot { slot, .. } | ir::Op::ReadSlot { slot } => {
                    touched[slot] = true;
                }
                // Only slots matter here.
                _ => {}
            }
        }
        for (slot, data) in self.body.slots.iter() {
            let register = match assigned[slot] {
                Some(register) => register,
                None => self.registers.grow(self.width(data.ty)),
            };
            self.registers.slots.push(register);
        }
    }

    fn parameter_count(&self) -> usize {
        self.module.functions[self.code.function].params.len()
    }

    /// The first register of an operand, which counts as one use of it. Valid until the
    /// registers are flushed and a new one is taken.
    pub(super) fn take(&mut self, operand: Operand) -> Lowered<Reg> {
        let value = match operand {
            Operand::Value(value) => value,
            Operand::Const(constant) => return self.take_constant(constant),
        };
        let single = self.width(self.body.values[value].ty) == 1;
        match self.registers.place(value) {
            Place::Register(register) => {
                self.registers.count_use(value, single);
                Ok(register)
            }
            Place::Slot(slot) => {
                self.registers.count_use(value, single);
                Ok(self.registers.slot(slot))
            }
            Place::Pending(inst) => self.compute_pending(value, inst),
            // A use before the definition: only in unreachable code.
            Place::Nowhere => {
                Ok(self.registers.temporaries(self.width(self.body.values[value].ty)))
            }
        }
    }

    fn take_constant(&mut self, constant: ir::ConstId) -> Lowered<Reg> {
        let constant = &self.body.consts[constant];
        self.sized(constant.ty)?;
        let words = self.constant_words(constant)?;
        let first = self.registers.temporaries(words.len() as u16);
        for (index, &value) in words.iter().enumerate() {
            self.emit(Op::Const { d: first + index as Reg, value });
            self.registers.release_later(first + index as Reg);
        }
        Ok(first)
    }

    /// Computes a postponed value for its only user.
    fn compute_pending(&mut self, value: ValueId, inst: InstId) -> Lowered<Reg> {
        self.registers.uses[value] = 0;
        if let Some(same) = identity(&self.body.insts[inst].op) {
            return self.take(same);
        }
        self.registers.set_place(value, Place::Nowhere);
        let user = std::mem::replace(&mut self.inst, inst);
        self.registers.nested += 1;
        let computed = self.compute_now(inst);
        self.registers.nested -= 1;
        self.inst = user;
        computed?;
        let Place::Register(register) = self.registers.place(value) else {
            unreachable!("computing a value gives it a register");
        };
        self.registers.release_later(register);
        Ok(register)
    }

    fn compute_now(&mut self, inst: InstId) -> Lowered<()> {
        match &self.body.insts[inst].op {
            ir::Op::Offset { base, bytes, scaled, wraps } => {
                self.offset_now(*base, *bytes, scaled, !*wraps)
            }
            ir::Op::Compare { op, lhs, rhs } => self.compare_now(*op, *lhs, *rhs),
            other => unreachable!("{other:?} is never postponed"),
        }
    }

    /// Postpones the current instruction to its user, if that is the only one and in the
    /// same block.
    pub(super) fn postpone(&mut self) -> bool {
        match self.body.insts[self.inst].result {
            Some(value) if self.registers.is_single_local_use(value) => {
                self.registers.set_place(value, Place::Pending(self.inst));
                true
            }
            _ => false,
        }
    }

    /// The postponed instruction that computes an operand.
    pub(super) fn pending(&self, operand: Operand) -> Option<InstId> {
        let Operand::Value(value) = operand else { return None };
        match self.registers.place(value) {
            Place::Pending(inst) => Some(inst),
            _ => None,
        }
    }

    /// Marks a postponed value as computed by its user.
    pub(super) fn absorb(&mut self, operand: Operand) {
        if let Operand::Value(value) = operand {
            self.registers.uses[value] = 0;
        }
    }

    /// The register for the result of the current instruction, whose operands are all read: it may
    /// reuse their registers. Call it before `emit`.
    pub(super) fn define(&mut self) -> Reg {
        self.registers.flush();
        self.define_apart()
    }

    /// As `define`, for results of several registers that are filled while operands are read.
    pub(super) fn define_apart(&mut self) -> Reg {
        let Some(value) = self.body.insts[self.inst].result else {
            return self.registers.temporary();
        };
        let register = match self.registers.place(value) {
            Place::Register(register) => register,
            _ => {
                let width = self.width(self.body.values[value].ty);
                let register = self.registers.temporaries(width.max(1));
                self.registers.set_place(value, Place::Register(register));
                register
            }
        };
        self.registers.defined_by_last(value, self.code.ops.len());
        register
    }

    pub(super) fn read_slot(&mut self, slot: SlotId) -> Lowered<()> {
        let Some(value) = self.body.insts[self.inst].result else { return Ok(()) };
        if let Some(flag) = self.flags[slot] {
            self.emit(Op::CheckSlot { flag });
        }
        if self.registers.is_local(value) {
            self.registers.set_place(value, Place::Slot(slot));
            let readers = &mut self.registers.readers[slot];
            if readers.is_empty() {
                self.registers.read.push(slot);
            }
            readers.push(value);
            return Ok(());
        }
        let a = self.registers.slot(slot);
        let d = self.define();
        for index in 0..self.width(self.body.slots[slot].ty) {
            self.emit(Op::Copy { d: d + index, a: a + index });
        }
        self.registers.last = None;
        Ok(())
    }

    pub(super) fn write_slot(&mut self, slot: SlotId, value: Operand) -> Lowered<()> {
        if let Some(flag) = self.flags[slot] {
            self.emit(Op::Const { d: flag, value: 1 });
            self.registers.last = None;
        }
        if self.registers.skipped.contains(&self.inst) {
            return Ok(());
        }
        let d = self.registers.slot(slot);
        let width = self.width(self.body.slots[slot].ty);
        if let Operand::Const(constant) = value {
            self.keep_readers(slot);
            let words = self.constant_words(&self.body.consts[constant])?;
            for (index, value) in words.into_iter().enumerate() {
                self.emit(Op::Const { d: d + index as Reg, value });
            }
            return Ok(());
        }
        let a = self.take(value)?;
        let kept = self.keep_readers(slot);
        self.registers.flush();
        if !kept && width == 1 && self.retarget_last(value, d) {
            return Ok(());
        }
        if a != d {
            for index in 0..width {
                self.emit(Op::Copy { d: d + index, a: a + index });
            }
        }
        Ok(())
    }

    /// Saves the slot's value for readers that still need it; returns whether there were any.
    fn keep_readers(&mut self, slot: SlotId) -> bool {
        let readers = std::mem::take(&mut self.registers.readers[slot]);
        let mut kept = false;
        for value in readers {
            let alive = self.registers.uses[value] > 0;
            if !alive || self.registers.place(value) != Place::Slot(slot) {
                continue;
            }
            kept = true;
            let width = self.width(self.body.values[value].ty);
            let d = self.registers.temporaries(width);
            let a = self.registers.slot(slot);
            for offset in 0..width {
                self.emit(Op::Copy { d: d + offset, a: a + offset });
            }
            self.registers.set_place(value, Place::Register(d));
        }
        kept
    }

    /// If the last operation computed just this value, makes it write to `d` instead.
    fn retarget_last(&mut self, operand: Operand, d: Reg) -> bool {
        let Operand::Value(value) = operand else { return false };
        let Some((defined, index)) = self.registers.last else { return false };
        let dead = self.registers.uses[value] == 0;
        if defined != value || index + 1 != self.code.ops.len() || !dead {
            return false;
        }
        if !self.registers.is_local(value) {
            return false;
        }
        self.code.ops[index].set_destination(d)
    }
}

/// The operand that an instruction passes on unchanged in one register.
pub(super) fn identity(op: &ir::Op) -> Option<Operand> {
    match op {
        ir::Op::Cast { value, .. } => Some(*value),
        ir::Op::Unary { op: ir::UnaryOp::Copy, value } => Some(*value),
        _ => None,
    }
}
