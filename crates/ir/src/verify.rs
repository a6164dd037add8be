//! The invariants of a module, and a check that lists all violations.
//!
//! Of the module:
//!
//! 1. Every id is in range.
//! 2. Functions and globals have distinct names, unless empty.
//! 3. Alignments are powers of two; those of accesses and allocas may be 0.
//! 4. Constants fit their types: integers their width, elements the aggregate, addresses
//!    are pointers. The initialiser of a global has the global's type.
//! 5. Scopes form trees.
//! 6. Statements, once computed, are numbered in the order of functions, blocks and first
//!    instructions, and belong to the block that lists their instructions.
//!
//! Of each body:
//!
//! 7. The first values are the parameters. There is an entry block, which nothing jumps to.
//! 8. Each block ends with its only terminator.
//! 9. Phis come first in their block and have an operand for each predecessor, and no other.
//! 10. No instruction is listed twice, no value is defined twice.
//! 11. A definition dominates its uses, except in blocks that cannot be reached.
//! 12. Operands and results have the types that their instruction demands.
//! 13. Slots are scalars, read and written with their own type.
//! 14. A call of a defined function passes what the function takes, unless the call is
//!     variadic, as calls without a prototype are.
//!
//! If an id is out of range, nothing else is checked of that body, or of the module.

mod body;
mod constant;
mod dominance;
mod inst;
mod ranges;

use std::collections::HashSet;
use std::fmt;

use base::entity::{PrimaryMap, SecondaryMap};

use crate::{BlockId, Body, FuncId, GlobalId, InstId, Module, ScopeId, StatementId};

/// A violated invariant and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub place: Place,
    pub problem: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Module,
    Global(GlobalId),
    Function(FuncId),
    Block(FuncId, BlockId),
    Inst(FuncId, BlockId, InstId),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Place::Module => write!(f, "module")?,
            Place::Global(global) => write!(f, "{global}")?,
            Place::Function(function) => write!(f, "{function}")?,
            Place::Block(function, block) => write!(f, "{function} {block}")?,
            Place::Inst(function, block, inst) => write!(f, "{function} {block} {inst}")?,
        }
        write!(f, ": {}", self.problem)
    }
}

/// All violations, in the order of the module.
pub fn verify(module: &Module) -> Vec<Violation> {
    let mut verifier = Verifier { module, violations: Vec::new() };
    if verifier.module_ranges() {
        verifier.names();
        verifier.scopes();
        verifier.globals();
        for (id, function) in module.functions.iter() {
            if let Some(body) = function.body()
                && verifier.body_ranges(id, body)
            {
                verifier.body(id, function, body);
            }
        }
        if verifier.violations.is_empty() {
            verifier.statements();
        }
    }
    verifier.violations
}

struct Verifier<'a> {
    module: &'a Module,
    violations: Vec<Violation>,
}

impl Verifier<'_> {
    fn report(&mut self, place: Place, problem: impl Into<String>) {
        self.violations.push(Violation { place, problem: problem.into() });
    }

    fn check(&mut self, holds: bool, place: Place, problem: &str) {
        if !holds {
            self.report(place, problem);
        }
    }

    fn names(&mut self) {
        let module = self.module;
        let mut names = HashSet::new();
        let globals = module.globals.iter().map(|(id, g)| (Place::Global(id), &g.name));
        let functions = module.functions.iter().map(|(id, f)| (Place::Function(id), &f.name));
        for (place, name) in globals.chain(functions) {
            if !name.is_empty() && !names.insert(name) {
                self.report(place, format!("the name `{name}` is taken"));
            }
        }
    }

    /// Follows each chain of parents once.
    fn scopes(&mut self) {
        #[derive(Clone, Copy, Default, PartialEq)]
        enum State {
            #[default]
            New,
            OnPath,
            Tree,
        }
        let scopes: &PrimaryMap<ScopeId, _> = &self.module.scopes;
        let mut states: SecondaryMap<ScopeId, State> = SecondaryMap::new();
        let mut path = Vec::new();
        for start in scopes.keys() {
            let mut next = Some(start);
            while let Some(scope) = next {
                match states[scope] {
                    State::New => {
                        states[scope] = State::OnPath;
                        path.push(scope);
                        next = scopes[scope].parent;
                    }
                    State::OnPath => {
                        self.report(Place::Module, format!("{scope} is inside itself"));
                        next = None;
                    }
                    State::Tree => next = None,
                }
            }
            path.drain(..).for_each(|scope| states[scope] = State::Tree);
        }
    }

    fn globals(&mut self) {
        let module = self.module;
        for (id, global) in module.globals.iter() {
            let place = Place::Global(id);
            self.check(global.align.is_power_of_two(), place, "the alignment is no power of two");
            if let Some(init) = &global.init {
                self.check(
                    init.ty == global.ty,
                    place,
                    "the initialiser is of another type than the global",
                );
                self.constant(place, init);
            }
        }
        for alias in &module.aliases {
            self.constant(Place::Module, &alias.target);
        }
    }

    fn statements(&mut self) {
        if self.module.statements.is_empty() {
            return;
        }
        let mut next = StatementId::at(0);
        for (id, function) in self.module.functions.iter() {
            if let Some(body) = function.body() {
                next = self.body_statements(id, body, next);
            }
        }
        let all = next == self.module.statements.next_key();
        self.check(all, Place::Module, "there are statements without instructions");
    }

    /// Checks the statements of a body, which start at `next`; returns the one after them.
    fn body_statements(&mut self, id: FuncId, body: &Body, next: StatementId) -> StatementId {
        let mut next = next;
        for (block_id, block) in body.blocks.iter() {
            let first = next;
            for &inst in &block.insts {
                let statement = body.insts[inst].statement;
                if statement == next {
                    next = StatementId::at(next.as_u32() + 1);
                }
                let here = (first..next).contains(&statement);
                let known = self.module.statements.get(statement);
                let agrees = known.is_some_and(|it| it.function == id && it.block == block_id);
                let place = Place::Inst(id, block_id, inst);
                self.check(here, place, "the statement is out of order");
                self.check(agrees, place, "the statement belongs to another block");
            }
        }
        next
    }
}
