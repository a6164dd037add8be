//! Other solvers as a second opinion: if ours does not know, or on every query.
//!
//! Queries are sent as SMT-LIB text. This crate does not run solvers: it only declares what it
//! needs of them. Their models are checked by evaluation like our own.

use crate::eval::Evaluator;
use crate::smtlib::{ExternalAnswer, print_question, read_answer};
use crate::solver::{Answer, Budget, Counter, Reason, SatCounts, Solver};
use crate::term::{TermId, Terms};

/// A solver that reads SMT-LIB text.
pub trait External {
    /// The solver's output for the script; nothing if it fails or exceeds its limits. It has its
    /// own time limit, because our budget may be spent by then.
    fn ask(&mut self, script: &str, budget: &Budget) -> Option<String>;
}

/// Sends a query to another solver. Unknown if its answer cannot be relied on.
fn ask(
    external: &mut dyn External,
    evaluator: &mut Evaluator,
    terms: &Terms,
    conditions: &[TermId],
    budget: &Budget,
) -> Answer {
    let script = print_question(terms, conditions);
    let said = external.ask(&script, budget);
    match said.and_then(|said| read_answer(terms, &said).ok()) {
        // Functions with an implementation are free in the script, which can only add models.
        Some(ExternalAnswer::Unsat) => Answer::Unsat((0..conditions.len()).collect()),
        Some(ExternalAnswer::Sat(model)) if evaluator.holds(terms, &model, conditions) => {
            Answer::Sat(model)
        }
        _ => Answer::Unknown(Reason::External),
    }
}

/// Asks another solver if the inner one does not know.
pub struct Fallback<S, E> {
    inner: S,
    external: E,
    evaluator: Evaluator,
    asked: u64,
    answered: u64,
}

impl<S, E> Fallback<S, E> {
    pub fn new(inner: S, external: E) -> Fallback<S, E> {
        Fallback { inner, external, evaluator: Evaluator::new(), asked: 0, answered: 0 }
    }
}

impl<S: Solver, E: External> Solver for Fallback<S, E> {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer {
        let answer = self.inner.check(terms, conditions, budget);
        let Answer::Unknown(reason) = answer else { return answer };
        if reason == Reason::Stopped {
            return answer;
        }
        self.asked += 1;
        let evaluator = &mut self.evaluator;
        match ask(&mut self.external, evaluator, terms, conditions, budget) {
            // Report what stopped our own solver, because users can change that.
            Answer::Unknown(_) => Answer::Unknown(reason),
            answer => {
                self.answered += 1;
                answer
            }
        }
    }

    fn counters(&self, counters: &mut Vec<Counter>) {
        counters.push(("asked of another solver", self.asked));
        counters.push(("answered by another solver", self.answered));
        self.inner.counters(counters);
    }

    fn sat(&self) -> SatCounts {
        self.inner.sat()
    }
}

/// A query to which two solvers gave different answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    pub ours: &'static str,
    pub theirs: &'static str,
    /// The query as SMT-LIB text.
    pub script: String,
}

/// Asks another solver about everything that the inner one answers. If they disagree, the answer is
/// unknown, and the query is kept.
pub struct CrossCheck<S, E> {
    inner: S,
    external: E,
    evaluator: Evaluator,
    compared: u64,
    disagreements: Vec<Disagreement>,
}

impl<S, E> CrossCheck<S, E> {
    pub fn new(inner: S, external: E) -> CrossCheck<S, E> {
        CrossCheck {
            inner,
            external,
            evaluator: Evaluator::new(),
            compared: 0,
            disagreements: Vec::new(),
        }
    }

    pub fn disagreements(&self) -> &[Disagreement] {
        &self.disagreements
    }
}

impl<S: Solver, E: External> Solver for CrossCheck<S, E> {
    fn check(&mut self, terms: &mut Terms, conditions: &[TermId], budget: &Budget) -> Answer {
        let answer = self.inner.check(terms, conditions, budget);
        let ours = match &answer {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => return answer,
        };
        let evaluator = &mut self.evaluator;
        let theirs = match ask(&mut self.external, evaluator, terms, conditions, budget) {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => return answer,
        };
        self.compared += 1;
        if ours == theirs {
            return answer;
        }
        let script = print_question(terms, conditions);
        self.disagreements.push(Disagreement { ours, theirs, script });
        Answer::Unknown(Reason::Disagreement)
    }

    fn counters(&self, counters: &mut Vec<Counter>) {
        counters.push(("compared with another solver", self.compared));
        counters.push(("disagreements", self.disagreements.len() as u64));
        self.inner.counters(counters);
    }

    fn sat(&self) -> SatCounts {
        self.inner.sat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Function, Sort};

    /// Always gives the same answer.
    struct Parrot(&'static str);

    impl External for Parrot {
        fn ask(&mut self, script: &str, _: &Budget) -> Option<String> {
            assert!(script.contains("(check-sat)"));
            Some(self.0.to_owned())
        }
    }

    /// Never knows.
    struct Clueless;

    impl Solver for Clueless {
        fn check(&mut self, _: &mut Terms, _: &[TermId], _: &Budget) -> Answer {
            Answer::Unknown(Reason::Conflicts)
        }

        fn counters(&self, _: &mut Vec<Counter>) {}

        fn sat(&self) -> SatCounts {
            SatCounts::default()
        }
    }

    fn question(terms: &mut Terms) -> TermId {
        let x = terms.variable("x", Sort::Bits(8));
        let nine = terms.constant(8, 9);
        let square = terms.mul(x, x);
        terms.eq(square, nine)
    }

    #[test]
    fn another_solver_is_believed_only_with_a_model_that_holds() {
        let terms = &mut Terms::new();
        let condition = question(terms);
        let mut ask = |said: &'static str| {
            let mut solver = Fallback::new(Clueless, Parrot(said));
            solver.check(terms, &[condition], &Budget::default())
        };
        let unknown = Answer::Unknown(Reason::Conflicts);
        assert!(matches!(ask("sat\n((x #x03))\n"), Answer::Sat(_)));
        assert_eq!(ask("sat\n((x #x04))\n"), unknown);
        assert_eq!(ask("unsat\n(error \"no model\")\n"), Answer::Unsat(vec![0]));
        assert_eq!(ask("unknown\n"), unknown);
        assert_eq!(ask("timeout\n"), unknown);
        assert_eq!(ask("sat\n((x (("), unknown);
    }

    #[test]
    fn models_of_others_say_what_arrays_and_functions_are() {
        let terms = &mut Terms::new();
        let i = terms.variable("i", Sort::Bits(8));
        let array = terms.variable("m", Sort::Array { index: 8, element: 8 });
        let function = terms.function(Function {
            name: "f".to_owned(),
            arguments: vec![8],
            result: 8,
            value: None,
        });
        let five = terms.constant(8, 5);
        let written = terms.store(array, i, five);
        let read = terms.select(written, five);
        let applied = terms.apply(function, &[read]);
        let seven = terms.constant(8, 7);
        let condition = terms.eq(applied, seven);
        let script = print_question(terms, &[condition]);
        let name = |term: TermId| format!("t!{}", term.raw());
        assert!(script.contains(&name(read)), "{script}");
        let said = format!("sat\n((i #x01) ({} #x2a) ({} #x07))\n", name(read), name(applied));
        let Ok(ExternalAnswer::Sat(model)) = read_answer(terms, &said) else {
            panic!("it is an answer")
        };
        assert_eq!(model.element(terms.variable_of(array).expect("a variable"), 5), 0x2a);
        assert_eq!(model.application(function, &[0x2a]), 7);
        assert!(Evaluator::new().holds(terms, &model, &[condition]));
    }

    #[test]
    fn a_disagreement_is_kept_and_nobody_is_believed() {
        let terms = &mut Terms::new();
        let condition = question(terms);
        let mut solver = CrossCheck::new(crate::standard(), Parrot("unsat\n"));
        let answer = solver.check(terms, &[condition], &Budget::default());
        assert_eq!(answer, Answer::Unknown(Reason::Disagreement));
        let [found] = solver.disagreements() else { panic!("there is one") };
        assert_eq!((found.ours, found.theirs), ("sat", "unsat"));
        let mut solver = CrossCheck::new(crate::standard(), Parrot("sat\n((x #x03))"));
        assert!(matches!(solver.check(terms, &[condition], &Budget::default()), Answer::Sat(_)));
        assert!(solver.disagreements().is_empty());
    }
}
