//! Runs that start at any statement, with everything before it unknown.
//!
//! Registers and memory have unknown values. If the run dereferences an unknown pointer, the
//! pointer gets an object of its own: the run restarts with the pointer to that object, whose
//! contents are unknown in turn. So every dereferenced unknown pointer points to an object of its
//! own; that two of them point to the same one, or into the middle of one, is not tried.

use exec::code::Pc;
use exec::concolic::{Concolic, Step};
use exec::memory::{Allocation, Shade};
use exec::observer::Operand;
use exec::stop::{Bound, ObjectKind};
use exec::{Input, Machine, Program, Stop};
use ir::{FuncId, StatementId};
use smt::{Answer, Budget, Model, Path, Solver, Sort, TermId};

/// Bytes of an object behind an unknown pointer.
const OBJECT_BYTES: u64 = 256;
/// The most objects to make for unknown pointers.
const MOST_OBJECTS: usize = 64;
/// Larger global variables keep their initial value.
const LARGEST_GLOBAL: u64 = 4096;

/// A place to start from and what is known about it.
pub struct Partial<'p> {
    program: &'p Program,
    function: FuncId,
    pc: Pc,
    objects: usize,
    /// The values of unknowns; 0 if not set.
    pub model: Model,
}

/// How a run from the middle went.
#[derive(Clone, Debug)]
pub struct PartialRun {
    pub stop: Stop,
    pub path: Vec<Step>,
}

impl<'p> Partial<'p> {
    /// Starts at a statement; `None` if it has no code.
    pub fn at(program: &'p Program, statement: StatementId) -> Option<Partial<'p>> {
        let (function, pc) = program.place_of(statement)?;
        Some(Partial { program, function, pc, objects: 0, model: Model::new() })
    }

    /// Runs with the values of the model, making objects for pointers as they are dereferenced.
    pub fn run(
        &mut self,
        machine: &mut Machine<'p, Concolic>,
        solver: &mut impl Solver,
    ) -> PartialRun {
        loop {
            let stop = match self.start(machine) {
                Ok(_) => machine.run(),
                Err(stop) => stop,
            };
            let path = machine.observer.path.clone();
            let lost = machine.observer.unresolved.take();
            match lost.filter(|_| matches!(stop, Stop::Fault(_)) && self.objects < MOST_OBJECTS) {
                Some(pointer) if self.lead_to_object(machine, solver, pointer, &path) => {}
                _ => return PartialRun { stop, path },
            }
        }
    }

    /// Sets up the unknown state; returns the address of the next object.
    fn start(&mut self, machine: &mut Machine<'p, Concolic>) -> Result<u64, Stop> {
        machine.reset(&Input::default())?;
        machine.observer.start();
        let mut next = 0;
        for number in 0..=self.objects {
            let what = Allocation {
                kind: ObjectKind::System,
                size: OBJECT_BYTES,
                defined: true,
                site: None,
            };
            let allocated = machine.state.memory.allocate(what);
            next = allocated.map_err(|_| Stop::Exhausted(Bound::Memory))?;
            if number < self.objects {
                self.forget_memory(machine, &format!("object{number}"), next, OBJECT_BYTES);
            }
        }
        self.forget_globals(machine);
        machine.begin_at(self.function, self.pc)?;
        self.forget_registers(machine);
        Ok(next)
    }

    /// Makes bytes of memory unknown.
    fn forget_memory(
        &self,
        machine: &mut Machine<'p, Concolic>,
        name: &str,
        address: u64,
        size: u64,
    ) {
        let (mut shades, mut bytes) = (Vec::new(), Vec::new());
        for offset in 0..size {
            let (term, value) = self.unknown(machine, &format!("{name}[{offset}]"), 8);
            shades.push(Shade { shadow: term.raw(), part: 0, size: 1 });
            bytes.push(value as u8);
        }
        // Constant objects stay as they are.
        if machine.state.memory.write_bytes(address, &bytes).is_ok() {
            let _ = machine.state.memory.set_shades(address, &shades);
        }
    }

    fn forget_globals(&self, machine: &mut Machine<'p, Concolic>) {
        for (id, global) in self.program.module.globals.iter() {
            let address = self.program.addresses.globals[id];
            let size = machine.state.memory.object_at(address).map_or(0, |object| object.size);
            if !global.constant && size <= LARGEST_GLOBAL {
                let name = global.source_name.as_deref().unwrap_or(&global.name);
                self.forget_memory(machine, name, address, size);
            }
        }
    }

    /// Makes slots and other registers unknown, except those with addresses of local objects.
    fn forget_registers(&self, machine: &mut Machine<'p, Concolic>) {
        let code = self.program.code(self.function);
        let Some(body) = self.program.module.functions[self.function].body() else { return };
        let types = &self.program.module.types;
        for (slot, &(register, _)) in body.slots.values().zip(&code.slots) {
            let bits = (8 * types.layout(slot.ty).size).clamp(1, 64) as u32;
            if types.layout(slot.ty).size <= 8 {
                let (term, value) = self.unknown(machine, &slot.name, bits);
                machine.set_register(register, Operand { bits: value, shadow: term.raw() });
            }
        }
        let local_objects: Vec<(u16, u64)> = code
            .ops
            .iter()
            .filter_map(|op| match op {
                exec::code::Op::Alloca { d, size } => Some((*d, *size)),
                _ => None,
            })
            .collect();
        for (register, size) in local_objects {
            let address = machine.register(register);
            self.forget_memory(machine, &format!("local{register}"), address, size);
        }
    }

    fn unknown(&self, machine: &mut Machine<'p, Concolic>, name: &str, bits: u32) -> (TermId, u64) {
        let terms = &mut machine.observer.terms;
        let term = terms.variable(&format!("{name}:{bits}"), Sort::Bits(bits));
        let value = terms.variable_of(term).map_or(0, |variable| self.model.get(variable));
        (term, value)
    }

    /// Points a pointer to a new object, if possible; returns whether it is.
    fn lead_to_object(
        &mut self,
        machine: &mut Machine<'p, Concolic>,
        solver: &mut impl Solver,
        pointer: TermId,
        path: &[Step],
    ) -> bool {
        let Ok(address) = self.start(machine) else { return false };
        let terms = &mut machine.observer.terms;
        let mut before = Path::new();
        // The last condition says that the pointer is invalid.
        for step in &path[..path.len().saturating_sub(1)] {
            before.push(terms, step.condition);
        }
        let there = terms.constant(64, address);
        let leads_there = terms.eq(pointer, there);
        match before.ask(solver, terms, &[leads_there], &self.model, &Budget::default()) {
            Answer::Sat(model) => {
                self.model = model;
                self.objects += 1;
                true
            }
            Answer::Unsat(_) | Answer::Unknown(_) => false,
        }
    }
}
