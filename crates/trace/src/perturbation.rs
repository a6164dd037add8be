//! Runs in which the value of one assignment is changed, and what statements do in them.
//!
//! Whenever the assignment is executed, bits of its integer are flipped, and the run continues with
//! the changed value. Besides, every statement records the integers that it assigns, passes and
//! returns, and its decisions. Comparing two such logs shows what a changed value reaches.
//! Addresses are not recorded: the layout of memory may change although nothing computes with it.

use std::collections::BTreeSet;

use base::entity::SecondaryMap;
use exec::code::{Op as Code, Reg};
use exec::memory::Memory;
use exec::observer::{At, Operand, Pointer, Spread};
use exec::shims::Shim;
use exec::state::State;
use exec::{Input, Limits, Machine, Observer, Program, Stop};
use ir::{Body, FuncId, InstId, Op, StatementId, Type, TypeId};

use crate::sites::Places;

/// An instruction of a function.
pub type Instruction = (FuncId, InstId);

/// An assignment whose values are changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    pub at: Instruction,
    /// The bits to flip, among the lowest eight.
    pub bits: u8,
}

/// What statements did in a run.
#[derive(Clone, Debug)]
pub struct Log {
    /// The integers that statements recorded, in chronological order.
    pub values: SecondaryMap<StatementId, Vec<u64>>,
    /// Assignments of integers that were executed and can be changed.
    pub assignments: BTreeSet<Instruction>,
    pub stop: Stop,
}

/// Runs a program, with a change if there is one. Fails if its input does not fit.
pub fn run(
    program: &Program,
    input: &Input,
    limits: Limits,
    change: Option<Change>,
) -> Result<Log, Stop> {
    let mut machine = Machine::new(program, input, limits, Perturber::new(program, change))?;
    let stop = machine.run();
    let Perturber { values, assignments, .. } = machine.observer;
    Ok(Log { values, assignments, stop })
}

/// The observer that changes values and records what statements do.
pub struct Perturber<'p> {
    program: &'p Program,
    places: Places<'p>,
    change: Option<Change>,
    values: SecondaryMap<StatementId, Vec<u64>>,
    assignments: BTreeSet<Instruction>,
    /// Where an integer is being written.
    storing: Option<u64>,
}

impl<'p> Perturber<'p> {
    pub fn new(program: &'p Program, change: Option<Change>) -> Perturber<'p> {
        Perturber {
            program,
            places: Places::new(program),
            change,
            values: SecondaryMap::new(),
            assignments: BTreeSet::new(),
            storing: None,
        }
    }

    fn body(&self, at: At<'_>) -> Option<&'p Body> {
        self.program.module.functions[at.function()].body()
    }

    fn note(&mut self, at: At<'_>, value: u64) {
        if let Some(body) = self.body(at) {
            self.values[body.insts[at.inst()].statement].push(value);
        }
    }

    /// Records a computed operand; constants are not interesting.
    fn note_operand(&mut self, at: At<'_>, operand: ir::Operand, value: u64) {
        let Some(body) = self.body(at) else { return };
        let is_computed = matches!(operand, ir::Operand::Value(_));
        if is_computed && self.is_integer(body.operand_type(operand)) {
            self.note(at, value);
        }
    }

    fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.program.module.types.get(ty), Type::Int(1..=64))
    }

    fn can_change(&self, ty: TypeId) -> bool {
        matches!(self.program.module.types.get(ty), Type::Int(8..=64))
    }

    /// The bits of an assignment, which can be changed, to flip.
    fn flipped(&mut self, at: At<'_>) -> u8 {
        let at = (at.function(), at.inst());
        self.assignments.insert(at);
        self.change.filter(|change| change.at == at).map_or(0, |change| change.bits)
    }

    /// The argument of a call whose registers begin at a position among those of all arguments.
    fn argument(&self, at: At<'_>, position: usize) -> Option<ir::Operand> {
        let Op::Call(call) = &self.body(at)?.insts[at.inst()].op else { return None };
        let (Code::Call { site, .. }
        | Code::CallIndirect { site, .. }
        | Code::CallShim { site, .. }) = at.op()
        else {
            return None;
        };
        let mut first = 0;
        for (argument, passing) in call.args.iter().zip(&at.code.sites[site as usize].passing) {
            if first == position {
                return Some(argument.value);
            }
            first += usize::from(passing.registers());
        }
        None
    }

    /// The type of the local variable in a register.
    fn slot_type(&mut self, at: At<'_>, register: Reg) -> Option<TypeId> {
        let slot = self.places.of(at.function()).slot(register)?;
        Some(self.body(at)?.slots[slot].ty)
    }
}

impl Observer for Perturber<'_> {
    const SHADOWS: bool = true;
    const DEFINITIONS: bool = true;
    const CHANGES: bool = true;

    fn change(&mut self, at: At<'_>, register: Reg, bits: u64) -> u64 {
        match self.slot_type(at, register) {
            Some(ty) if self.can_change(ty) => bits ^ u64::from(self.flipped(at)),
            _ => bits,
        }
    }

    fn define(&mut self, at: At<'_>, register: Reg, value: Operand) -> u32 {
        let Some(ty) = self.slot_type(at, register) else { return 0 };
        let is_constant = self.body(at).is_some_and(|body| {
            matches!(body.insts[at.inst()].op, Op::WriteSlot { value: ir::Operand::Const(_), .. })
        });
        if !is_constant && self.is_integer(ty) {
            self.note(at, value.bits);
        }
        0
    }

    fn store(&mut self, at: At<'_>, _: &Memory, to: &Pointer, words: &[Operand]) -> Option<Spread> {
        self.storing = None;
        let body = self.body(at)?;
        if let (&Op::Store { value, .. }, [word]) = (&body.insts[at.inst()].op, words) {
            self.note_operand(at, value, word.bits);
            self.storing = self.can_change(body.operand_type(value)).then(|| to.address());
        }
        None
    }

    fn written(&mut self, at: At<'_>, memory: &mut Memory) {
        let Some(address) = self.storing.take() else { return };
        let bits = self.flipped(at);
        if bits != 0
            && let Ok(&[low]) = memory.bytes(address, 1)
        {
            // It has just been written to.
            let _ = memory.write_bytes(address, &[low ^ bits]);
        }
    }

    fn branch(&mut self, at: At<'_>, taken: bool) {
        self.note(at, taken.into());
    }

    fn jump(&mut self, at: At<'_>, target: u32) {
        self.note(at, target.into());
    }

    fn pass(&mut self, at: At<'_>, parameter: usize, value: Operand) -> u32 {
        if let Some(argument) = self.argument(at, parameter) {
            self.note_operand(at, argument, value.bits);
        }
        0
    }

    fn give(&mut self, at: At<'_>, _: usize, value: Operand) -> u32 {
        if let Some(Op::Return { value: Some(returned) }) =
            self.body(at).map(|body| &body.insts[at.inst()].op)
        {
            self.note_operand(at, *returned, value.bits);
        }
        0
    }

    fn call(&mut self, at: At<'_>, _: &'static Shim, args: &[Operand], _: &mut State) {
        for (register, value) in args.iter().enumerate() {
            if let Some(argument) = self.argument(at, register) {
                self.note_operand(at, argument, value.bits);
            }
        }
    }
}
