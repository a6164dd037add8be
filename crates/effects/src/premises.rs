//! The assumptions of a verdict.
//!
//! Derived from how the verdict was reached, so that every verdict has its list. The table in
//! `docs/guarantees.md` explains each of them.

use inputs::Origin;

use crate::compare::{Compared, Guarantee};
use crate::verify::{Outcome, Verification};

/// An assumption of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premise {
    /// Versions mean what the compiler generates without optimisation.
    Compiler,
    /// Native programs behave like Ripple's machine.
    Machine,
    /// What the solver reports as unsatisfiable is.
    Solver,
    /// Environment variables, the clock and other files are the same in every run.
    Environment,
    /// `__LINE__` and the like have the values of OLD.
    Positions,
    /// Tests, defaults or types determine what varies.
    ChosenSpace,
    /// Global variables begin with their initial values, unless they vary.
    InitialVariables,
    /// Pointers of the input point to memory of their own.
    SeparateMemory,
    /// The same, except that parameters may be the same object as a whole.
    NoOverlap,
    /// Related parameters are consistent.
    ConsistentParameters,
    /// Undefined operations do not count.
    DefinedArithmetic,
}

impl Premise {
    pub const ALL: [Premise; 11] = [
        Premise::Compiler,
        Premise::Machine,
        Premise::Solver,
        Premise::Environment,
        Premise::Positions,
        Premise::ChosenSpace,
        Premise::InitialVariables,
        Premise::SeparateMemory,
        Premise::NoOverlap,
        Premise::ConsistentParameters,
        Premise::DefinedArithmetic,
    ];

    /// In one word, for other programs.
    pub fn name(self) -> &'static str {
        match self {
            Premise::Compiler => "compiler",
            Premise::Machine => "machine",
            Premise::Solver => "solver",
            Premise::Environment => "environment",
            Premise::Positions => "positions",
            Premise::ChosenSpace => "chosen_space",
            Premise::InitialVariables => "initial_variables",
            Premise::SeparateMemory => "separate_memory",
            Premise::NoOverlap => "no_overlap",
            Premise::ConsistentParameters => "consistent_parameters",
            Premise::DefinedArithmetic => "defined_arithmetic",
        }
    }
}

/// What was run or proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Basis {
    /// The behaviour of the programs did not change.
    NoChange,
    /// Native programs were run.
    Native,
    /// Inputs were run on the machine.
    Runs,
    /// Partitions were proved.
    Proof,
}

/// How a verdict was reached.
struct Way {
    basis: Basis,
    is_function: bool,
    holds_positions: bool,
    is_chosen: bool,
    is_consistent: bool,
    /// Parameters of one type were tried as the same object.
    has_aliases: bool,
    watches_undefined: bool,
}

impl Way {
    fn premises(&self) -> Vec<Premise> {
        let is_run = matches!(self.basis, Basis::Runs | Basis::Proof);
        let holds = |premise: &Premise| match premise {
            Premise::Compiler => true,
            Premise::Machine | Premise::Environment => is_run,
            Premise::Solver => self.basis == Basis::Proof,
            Premise::Positions => self.holds_positions,
            Premise::ChosenSpace => is_run && self.is_chosen,
            Premise::InitialVariables => is_run && self.is_function,
            Premise::SeparateMemory => is_run && self.is_function && !self.has_aliases,
            Premise::NoOverlap => is_run && self.is_function && self.has_aliases,
            Premise::ConsistentParameters => is_run && self.is_consistent,
            Premise::DefinedArithmetic => is_run && !self.watches_undefined,
        };
        Premise::ALL.into_iter().filter(holds).collect()
    }
}

impl Compared {
    /// The assumptions of the verdict.
    pub fn premises(&self) -> Vec<Premise> {
        Way {
            basis: match self.guarantee {
                Guarantee::NoChange => Basis::NoChange,
                Guarantee::Replayed => Basis::Native,
                Guarantee::AllInputs { .. } | Guarantee::Sampled { .. } => Basis::Runs,
                Guarantee::Proved => Basis::Proof,
            },
            is_function: self.entry.is_some(),
            holds_positions: !self.positions.is_empty(),
            is_chosen: self.origin != Origin::Declared,
            is_consistent: !self.space.assumptions.is_empty(),
            has_aliases: !self.space.aliases.is_empty(),
            watches_undefined: self.observe.ub,
        }
        .premises()
    }
}

impl Verification {
    /// The assumptions of the verdict.
    pub fn premises(&self) -> Vec<Premise> {
        let found = self.found.as_ref();
        let moved = |version: &source::Checkout| !version.held_positions().is_empty();
        Way {
            basis: match self.outcome {
                Outcome::Unchanged => Basis::NoChange,
                Outcome::Different => Basis::Native,
                Outcome::Equal | Outcome::Inconclusive => Basis::Proof,
            },
            is_function: self.entry.is_some(),
            holds_positions: self.versions.iter().any(moved),
            is_chosen: found.is_some_and(|found| found.origin != Origin::Declared),
            is_consistent: found.is_some_and(|found| !found.space.assumptions.is_empty()),
            has_aliases: found.is_some_and(|found| !found.space.aliases.is_empty()),
            watches_undefined: self.observe.ub,
        }
        .premises()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(basis: Basis) -> Way {
        Way {
            basis,
            is_function: true,
            holds_positions: false,
            is_chosen: false,
            is_consistent: true,
            has_aliases: false,
            watches_undefined: true,
        }
    }

    #[test]
    fn a_proof_takes_the_machine_and_the_solver_for_granted() {
        let expected = [
            Premise::Compiler,
            Premise::Machine,
            Premise::Solver,
            Premise::Environment,
            Premise::InitialVariables,
            Premise::SeparateMemory,
            Premise::ConsistentParameters,
        ];
        assert_eq!(way(Basis::Proof).premises(), expected);
        let runs = way(Basis::Runs).premises();
        assert!(runs.contains(&Premise::Machine) && !runs.contains(&Premise::Solver));
        let unwatched = Way { watches_undefined: false, ..way(Basis::Proof) };
        assert!(unwatched.premises().contains(&Premise::DefinedArithmetic));
        let aliased = Way { has_aliases: true, ..way(Basis::Proof) }.premises();
        assert!(aliased.contains(&Premise::NoOverlap));
        assert!(!aliased.contains(&Premise::SeparateMemory));
    }

    #[test]
    fn what_was_not_run_takes_only_the_compiler_for_granted() {
        assert_eq!(way(Basis::NoChange).premises(), [Premise::Compiler]);
        assert_eq!(way(Basis::Native).premises(), [Premise::Compiler]);
        let moved = Way { holds_positions: true, ..way(Basis::NoChange) };
        assert_eq!(moved.premises(), [Premise::Compiler, Premise::Positions]);
    }

    #[test]
    fn every_premise_is_in_the_documentation() {
        let page = include_str!("../../../docs/guarantees.md");
        for premise in Premise::ALL {
            let row = format!("| `{}` |", premise.name());
            assert!(page.contains(&row), "docs/guarantees.md lacks {row}");
        }
    }
}
