//! An unknown state: what there is, and how it gets into a machine.

use exec::code::{Op, Reg};
use exec::concolic::{Concolic, Tracked};
use exec::memory::{Allocation, Shade};
use exec::observer::Operand;
use exec::stop::{Bound, ObjectKind};
use exec::{Input, Machine, Observer, Stop};
use ir::{GlobalId, SlotId, Type, TypeId, Types};
use smt::{Sort, TermId, Terms, VarId};

use super::{MOST_OBJECTS, OBJECT_BYTES, Partial, local_objects, number};

/// Larger global variables and local objects keep their initial value.
const LARGEST: u64 = 4096;
/// The most objects to pass over until there is room where it is wanted.
const MOST_PASSED: usize = 4096;

/// Something whose contents are unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// A local variable of a frame, counted from the outermost.
    Slot(usize, SlotId),
    /// A local variable in memory: the register with its address.
    Local(usize, Reg),
    Global(GlobalId),
    /// What an unknown pointer points to, by its number.
    Object(usize),
}

/// A part of an unknown state.
#[derive(Clone, Copy, Debug)]
pub struct Unknown {
    pub root: Root,
    /// In bytes, from the beginning of the object.
    pub offset: u64,
    pub bytes: u32,
    pub term: TermId,
    pub variable: VarId,
}

/// Why a part of the state has a value although it should be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Blur {
    /// A value that an expression has computed so far.
    Expression,
    /// A variable or object is too large.
    Large,
}

impl<'p> Partial<'p> {
    /// Where the object with a number lies.
    pub fn object_address(&self, number: usize) -> Option<u64> {
        // Each object has a window of its own.
        let distance =
            exec::memory::Memory::object_address(1) - exec::memory::Memory::object_address(0);
        (self.objects_at > 0).then(|| self.objects_at + number as u64 * distance)
    }

    /// Makes the unknowns, and finds where objects behind pointers begin.
    pub fn prepare(&mut self, machine: &mut Machine<'p, Concolic>) -> Result<(), Stop> {
        if self.is_prepared {
            return Ok(());
        }
        self.is_prepared = true;
        let terms = &mut machine.observer.terms;
        for (id, global) in self.program.module.globals.iter() {
            let is_foreign = self.program.module.in_archive(global.span);
            if global.init.is_none() || global.constant || is_foreign {
                continue;
            }
            self.know_memory(terms, Root::Global(id), global.ty);
        }
        for frame in 0..self.frames.len() {
            self.know_frame(terms, frame);
        }
        let next = self.place_frames(machine, false)?;
        self.objects_at = self.objects_at.max(next);
        for object in 0..self.leads.len() {
            self.know_object(&mut machine.observer.terms, object);
        }
        Ok(())
    }

    fn know_frame(&mut self, terms: &mut Terms, frame: usize) {
        let function = self.frames[frame].function;
        let Some(body) = self.program.module.functions[function].body() else { return };
        let types = &self.program.module.types;
        for (id, slot) in body.slots.iter() {
            let size = types.layout(slot.ty).size;
            if size <= 8 {
                self.know(terms, Root::Slot(frame, id), 0, size.max(1) as u32);
            } else {
                self.blurs.push(Blur::Large);
            }
        }
        for (register, _, inst) in local_objects(self.program, function) {
            if let ir::Op::Alloca { ty, .. } = body.insts[inst].op {
                self.know_memory(terms, Root::Local(frame, register), ty);
            }
        }
        match self.find_constants(frame) {
            Some(constants) => self.constants.extend(constants),
            None => self.blurs.push(Blur::Expression),
        }
    }

    /// The registers besides those of variables that hold values, if these never change.
    fn find_constants(&self, frame: usize) -> Option<Vec<(usize, Reg, u64)>> {
        let at = self.frames[frame];
        let code = self.program.code(at.function);
        // The call of an outer frame is over when the frame goes on.
        let is_last = frame + 1 == self.frames.len();
        let (pc, result) = match code.ops.get(at.pc as usize) {
            Some(&(Op::Call { d, site, .. } | Op::CallIndirect { d, site, .. })) if !is_last => {
                let results = code.sites[site as usize].results;
                (at.pc + 1, d..d + results)
            }
            _ => (at.pc, 0..0),
        };
        let types = &self.program.module.types;
        let body = self.program.module.functions[at.function].body()?;
        let is_slot = |register: Reg| {
            body.slots.values().zip(&code.slots).any(|(slot, &(first, flag))| {
                let words = types.layout(slot.ty).size.div_ceil(8).max(1) as Reg;
                (first..first + words).contains(&register) || flag == Some(register)
            })
        };
        let is_object =
            |register: Reg| local_objects(self.program, at.function).any(|one| one.0 == register);
        let mut others = code.live_at(pc);
        others.retain(|register| {
            !is_slot(*register) && !is_object(*register) && !result.contains(register)
        });
        let constant = |register| Some((frame, register, self.constant_of(frame, register)?));
        others.into_iter().map(constant).collect()
    }

    /// The value of a register that always has the same.
    fn constant_of(&self, frame: usize, register: Reg) -> Option<u64> {
        let code = self.program.code(self.frames[frame].function);
        let mut found = None;
        for (at, op) in code.ops.iter().enumerate() {
            let Some((first, count)) = code.written(at) else { continue };
            if !(first..first + count).contains(&register) {
                continue;
            }
            match *op {
                Op::Const { value, .. } if found.is_none_or(|known| known == value) => {
                    found = Some(value);
                }
                _ => return None,
            }
        }
        found.filter(|_| register >= code.parameters)
    }

    fn know_memory(&mut self, terms: &mut Terms, root: Root, ty: TypeId) {
        let types = &self.program.module.types;
        if types.layout(ty).size > LARGEST {
            self.blurs.push(Blur::Large);
            return;
        }
        let mut all = Vec::new();
        scalars(types, ty, 0, &mut all);
        for (offset, bytes) in all {
            self.know(terms, root, offset, bytes);
        }
    }

    /// The words of an object behind a pointer are unknown.
    pub(super) fn know_object(&mut self, terms: &mut Terms, object: usize) {
        for word in 0..OBJECT_BYTES / 8 {
            self.know(terms, Root::Object(object), 8 * word, 8);
        }
    }

    fn know(&mut self, terms: &mut Terms, root: Root, offset: u64, bytes: u32) {
        let name = match &self.naming {
            Some(naming) => naming(root, offset, bytes),
            None => self.plain_name(root, offset, bytes),
        };
        let term = terms.variable(&name, Sort::Bits(8 * bytes));
        if let Some(variable) = terms.variable_of(term) {
            self.unknowns.push(Unknown { root, offset, bytes, term, variable });
        }
    }

    fn plain_name(&self, root: Root, offset: u64, bytes: u32) -> String {
        match root {
            Root::Slot(frame, slot) => {
                let function = self.frames[frame].function;
                let body = self.program.module.functions[function].body();
                let name = body.map_or("", |body| &body.slots[slot].name);
                match frame + 1 == self.frames.len() {
                    true => format!("{name}:{}", 8 * bytes),
                    false => format!("{name}:{}@{frame}", 8 * bytes),
                }
            }
            Root::Local(frame, register) => {
                let function = number(self.frames[frame].function);
                format!("local{register}[{offset}]@{function}.{frame}")
            }
            Root::Global(id) => {
                let global = &self.program.module.globals[id];
                let name = global.source_name.as_deref().unwrap_or(&global.name);
                format!("{name}[{offset}]:{}", 8 * bytes)
            }
            Root::Object(object) => format!("object{object}[{offset}]"),
        }
    }

    /// Puts the state in place for a run with terms.
    pub(super) fn start(&mut self, machine: &mut Machine<'p, Concolic>) -> Result<(), Stop> {
        self.prepare(machine)?;
        machine.observer.start();
        self.place_frames(machine, true)?;
        let tracked = self.tracked();
        if let Some(arrivals) = &mut machine.observer.arrivals {
            arrivals.objects = tracked
                .iter()
                .filter_map(|&root| self.address(&machine.state, root))
                .map(|(address, size)| Tracked::new(address, size, &machine.state))
                .collect();
        }
        Ok(())
    }

    /// The objects of memory that are unknown, in the order in which they are tracked.
    pub fn tracked(&self) -> Vec<Root> {
        let mut roots: Vec<Root> = self.unknowns.iter().map(|unknown| unknown.root).collect();
        roots.retain(|root| !matches!(root, Root::Slot(..)));
        roots.dedup();
        roots
    }

    /// Where the memory of something unknown lies, and its size.
    pub fn address(&self, state: &exec::state::State, root: Root) -> Option<(u64, u64)> {
        let address = match root {
            Root::Slot(..) => return None,
            Root::Local(frame, register) => state.register_of(frame, register).bits,
            Root::Global(id) => self.program.addresses.globals[id],
            Root::Object(object) => self.object_address(object)?,
        };
        let size = state.memory.object_at(address)?.size;
        Some((address, size))
    }

    /// Puts the same state in place for a run that only has its values.
    pub fn place<O: Observer>(&self, machine: &mut Machine<'p, O>) -> Result<(), Stop> {
        self.place_frames(machine, false).map(|_| ())
    }

    /// Returns where the first object behind a pointer lies.
    fn place_frames<O: Observer>(
        &self,
        machine: &mut Machine<'p, O>,
        with_terms: bool,
    ) -> Result<u64, Stop> {
        machine.reset(&Input::default())?;
        for (frame, at) in self.frames.iter().enumerate() {
            match frame {
                0 => machine.begin_at(at.function, at.pc)?,
                _ => machine
                    .call_at(at.function, at.pc)
                    .unwrap_or(Err(Stop::Exhausted(Bound::Depth)))?,
            }
            self.place_constants(machine, frame);
            self.place_slots(machine, frame, with_terms);
        }
        let first = self.place_objects(machine)?;
        for unknown in &self.unknowns {
            let Some((address, size)) = self.address(&machine.state, unknown.root) else {
                continue;
            };
            if unknown.offset + u64::from(unknown.bytes) > size {
                continue;
            }
            let value = self.model.get(unknown.variable).to_le_bytes();
            let (at, bytes) = (address + unknown.offset, unknown.bytes as usize);
            // Constant objects stay as they are.
            if machine.state.memory.write_bytes(at, &value[..bytes]).is_ok() && with_terms {
                let shade = |part| Shade {
                    shadow: unknown.term.raw(),
                    part: part as u8,
                    size: bytes as u8,
                };
                let shades: Vec<Shade> = (0..bytes).map(shade).collect();
                let _ = machine.state.memory.set_shades(at, &shades);
            }
        }
        Ok(first)
    }

    /// Registers that always hold the same value hold it.
    fn place_constants<O: Observer>(&self, machine: &mut Machine<'p, O>, frame: usize) {
        for &(_, register, bits) in self.constants.iter().filter(|one| one.0 == frame) {
            machine.set_register(register, Operand { bits, shadow: 0 });
        }
    }

    fn place_slots<O: Observer>(
        &self,
        machine: &mut Machine<'p, O>,
        frame: usize,
        with_terms: bool,
    ) {
        let code = self.program.code(self.frames[frame].function);
        for unknown in &self.unknowns {
            let Root::Slot(of, slot) = unknown.root else { continue };
            if of != frame {
                continue;
            }
            let (register, _) = code.slots[base::entity::EntityRef::index(slot)];
            let bits = self.model.get(unknown.variable);
            let shadow = if with_terms { unknown.term.raw() } else { 0 };
            machine.set_register(register, Operand { bits, shadow });
        }
    }

    fn place_objects<O: Observer>(&self, machine: &mut Machine<'p, O>) -> Result<u64, Stop> {
        let mut allocate = |size: u64| {
            let (kind, site) = (ObjectKind::System, None);
            let what = Allocation { kind, size, defined: true, site };
            let made = machine.state.memory.allocate(what);
            made.map_err(|_| Stop::Exhausted(Bound::Memory))
        };
        let mut first = allocate(OBJECT_BYTES)?;
        for _ in 0..MOST_PASSED {
            if first >= self.objects_at {
                break;
            }
            first = allocate(OBJECT_BYTES)?;
        }
        for _ in 1..MOST_OBJECTS {
            allocate(OBJECT_BYTES)?;
        }
        Ok(first)
    }
}

/// The scalars of a type, with their offsets and sizes in bytes; bytes for those that are wide.
fn scalars(types: &Types, ty: TypeId, start: u64, all: &mut Vec<(u64, u32)>) {
    let size = types.layout(ty).size;
    match types.get(ty) {
        Type::Array { element, length } => {
            let step = types.layout(*element).size;
            for index in 0..*length {
                scalars(types, *element, start + index * step, all);
            }
        }
        Type::Struct { fields, .. } => {
            for (index, &field) in fields.iter().enumerate() {
                if let Some(offset) = types.field_offset(ty, index) {
                    scalars(types, field, start + offset, all);
                }
            }
        }
        Type::Int(_) | Type::Float(_) | Type::Ptr if matches!(size, 1 | 2 | 4 | 8) => {
            all.push((start, size as u32));
        }
        _ => all.extend((0..size).map(|offset| (start + offset, 1))),
    }
}
