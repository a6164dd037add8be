//! Runs that start at any statement, with everything before it unknown.
//!
//! Santelices et al. (2008), §3.2.2: partial symbolic execution. Local variables and memory have
//! unknown values, made as they are needed: if the run dereferences an unknown pointer, the pointer
//! gets an object of its own, and the run restarts with the pointer to that object, whose contents
//! are unknown in turn. So every dereferenced unknown pointer points to the beginning of an object of
//! its own; that two of them point to the same one, or into the middle of one, is not tried.
//!
//! - `place` puts an unknown state in place, and says what each unknown stands for.
//! - `paths` runs all paths from the start, and says what was not followed.

mod paths;
mod place;

use std::rc::Rc;

use base::entity::EntityRef;
use exec::code::{Op, Pc, Reg};
use exec::concolic::{Concolic, Step};
use exec::{Machine, Program, Stop};
use ir::{FuncId, StatementId};
use smt::{Answer, Budget, Evaluator, Model, Path, Solver, Sort, TermId, Terms};

pub use paths::{End, Open, PartialPath, PathLimits, Paths, Walker, Why, Wish};
pub use place::{Blur, Root, Unknown};

/// Bytes of an object behind an unknown pointer.
pub const OBJECT_BYTES: u64 = 256;
/// The most objects to make for unknown pointers.
pub const MOST_OBJECTS: usize = 16;

/// The most times a run restarts with a pointer to an object.
const MOST_TRIES: usize = 4 * MOST_OBJECTS;

/// A function that was entered, and where it is: at the call of the next one, if it is not the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Activation {
    pub function: FuncId,
    pub pc: Pc,
}

/// What unknowns of a start are called. Unknowns of the same name are the same unknown.
/// It is given the object, the offset of the unknown, and its size in bytes.
pub type Naming<'a> = dyn Fn(Root, u64, u32) -> String + 'a;

/// A place to start from and what is known about it.
pub struct Partial<'p> {
    pub program: &'p Program,
    /// The outermost first.
    pub frames: Vec<Activation>,
    /// The values of unknowns; 0 if not set.
    pub model: Model,
    /// The unknown pointers that point to objects of their own, by the number of the object.
    pub leads: Vec<TermId>,
    /// What the runs so far started with.
    pub unknowns: Vec<Unknown>,
    /// Parts of the state that are not as unknown as they should be.
    pub blurs: Vec<Blur>,
    /// Objects behind pointers begin here, or wherever there is room.
    pub objects_at: u64,
    /// Registers of frames that always hold the same value.
    constants: Vec<(usize, Reg, u64)>,
    is_prepared: bool,
    naming: Option<Rc<Naming<'p>>>,
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
        Some(Partial::within(program, vec![Activation { function, pc }], None))
    }

    /// Starts within functions that were entered. Without a naming, unknowns are called as in the
    /// source.
    pub fn within(
        program: &'p Program,
        frames: Vec<Activation>,
        naming: Option<Rc<Naming<'p>>>,
    ) -> Partial<'p> {
        Partial {
            program,
            frames,
            model: Model::new(),
            leads: Vec::new(),
            unknowns: Vec::new(),
            blurs: Vec::new(),
            objects_at: 0,
            constants: Vec::new(),
            is_prepared: false,
            naming,
        }
    }

    /// Runs with the values of the model, making objects for pointers as they are dereferenced.
    pub fn run(
        &mut self,
        machine: &mut Machine<'p, Concolic>,
        solver: &mut impl Solver,
    ) -> PartialRun {
        let mut tries = 0;
        loop {
            tries += 1;
            let stop = match self.start(machine) {
                Ok(()) => machine.run(),
                Err(stop) => stop,
            };
            let path = machine.observer.path.clone();
            let lost = machine.observer.unresolved.take();
            let can_lead = matches!(stop, Stop::Fault(_)) && tries < MOST_TRIES;
            match lost.filter(|_| can_lead) {
                Some(address) if self.lead_to_object(machine, solver, address, &path) => {}
                _ => return PartialRun { stop, path },
            }
        }
    }

    /// Takes over the pointers that another start has found to need an object.
    pub fn adopt(&mut self, terms: &mut Terms, leads: &[TermId]) {
        for &lead in leads.iter().skip(self.leads.len()) {
            self.leads.push(lead);
            self.know_object(terms, self.leads.len() - 1);
        }
    }

    /// Points the pointer of an invalid address to a new object, if possible; returns whether it is.
    fn lead_to_object(
        &mut self,
        machine: &mut Machine<'p, Concolic>,
        solver: &mut impl Solver,
        address: TermId,
        path: &[Step],
    ) -> bool {
        let terms = &mut machine.observer.terms;
        let pointer = pointer_of(terms, address).unwrap_or(address);
        // The other version may have found the pointer first.
        let known = self.leads.iter().position(|&lead| lead == pointer);
        let number = known.unwrap_or(self.leads.len());
        // The last condition says that the pointer is invalid.
        let conditions: Vec<TermId> =
            path[..path.len().saturating_sub(1)].iter().map(|step| step.condition).collect();
        let Some(object) = self.object_address(number).filter(|_| number < MOST_OBJECTS) else {
            return false;
        };
        let value = terms.variable_of(pointer).map(|variable| self.model.get(variable));
        if known.is_some() && value == Some(object) {
            return false;
        }
        let there = terms.constant(64, object);
        let leads_there = terms.eq(pointer, there);
        let mut moved = self.model.clone();
        if let Some(variable) = terms.variable_of(pointer) {
            moved.set(variable, object);
        }
        let all: Vec<TermId> = conditions.iter().copied().chain([leads_there]).collect();
        if !Evaluator::new().holds(terms, &moved, &all) {
            let mut before = Path::new();
            conditions.iter().for_each(|&condition| before.push(terms, condition));
            let budget = Budget { conflicts: Some(50_000), ..Budget::default() };
            match before.ask(solver, terms, &[leads_there], &self.model, &budget) {
                Answer::Sat(model) => moved = model,
                Answer::Unsat(_) | Answer::Unknown(_) => return false,
            }
        }
        self.model = moved;
        if known.is_none() {
            self.leads.push(pointer);
            self.know_object(terms, number);
        }
        true
    }
}

/// The unknown pointer that an address is computed from: a sum of one unknown of 64 bits and of what
/// is none.
fn pointer_of(terms: &Terms, address: TermId) -> Option<TermId> {
    let mut open = vec![address];
    let mut found = None;
    while let Some(term) = open.pop() {
        match terms.op(term) {
            smt::Op::Add => open.extend(terms.operands(term)),
            _ if terms.variable_of(term).is_none() || terms.sort(term) != Sort::Bits(64) => {}
            _ if found.replace(term).is_some() => return None,
            _ => {}
        }
    }
    found
}

/// Where local objects are kept in a function, with the instruction that makes each.
fn local_objects(
    program: &Program,
    function: FuncId,
) -> impl Iterator<Item = (Reg, u64, ir::InstId)> + '_ {
    let code = program.code(function);
    code.ops.iter().zip(&code.origins).filter_map(|(op, &inst)| match *op {
        Op::Alloca { d, size } => Some((d, size, inst)),
        _ => None,
    })
}

/// The number of a function, for messages and names.
fn number(function: FuncId) -> usize {
    function.index()
}
