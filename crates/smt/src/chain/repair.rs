//! Local search from a nearly satisfying model.
//!
//! Repairs a violated comparison by moving one of its variables by the distance between the two
//! sides, which solves sums at once, or for floats to where the sides meet. Makes the move that
//! leaves the fewest conditions violated. The number of moves bounds the effort, so that the search
//! is the same on every machine. It never shows that there is no model.

mod floats;

use rustc_hash::FxHashMap;

use crate::eval::Evaluator;
use crate::model::Model;
use crate::term::{Op, Sort, TermId, Terms, VarId, mask};

/// In conditions over more variables, moving them one by one is not worthwhile.
const MOST_VARIABLES: usize = 8;
/// Only this many comparisons of a condition are repaired.
const MOST_COMPARISONS: usize = 6;
/// A variable that was just moved stays for this many moves.
const REST: usize = 3;

/// A model of all conditions, reached from the given one in at most `moves` moves.
pub fn repair(
    terms: &mut Terms,
    evaluator: &mut Evaluator,
    conditions: &[TermId],
    model: &Model,
    moves: usize,
) -> Option<Model> {
    let mut search = Search::new(terms, evaluator, conditions, model);
    for step in 0..moves {
        let Some(violated) = search.next_violated(step) else {
            return Some(search.model);
        };
        if !search.make_move(terms, evaluator, violated, step) {
            return None;
        }
    }
    search.next_violated(0).is_none().then_some(search.model)
}

struct Search<'a> {
    conditions: &'a [TermId],
    model: Model,
    /// Which conditions hold.
    holds: Vec<bool>,
    violated: usize,
    /// Conditions by variable.
    users: FxHashMap<VarId, Vec<usize>>,
    moved: FxHashMap<VarId, usize>,
    proposals: Vec<u64>,
}

/// A variable and its new value, and how many conditions it leaves violated.
struct Move {
    variable: VarId,
    value: u64,
    violated: usize,
}

impl<'a> Search<'a> {
    fn new(
        terms: &mut Terms,
        evaluator: &mut Evaluator,
        conditions: &'a [TermId],
        model: &Model,
    ) -> Search<'a> {
        let mut users: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
        evaluator.restart();
        let mut holds = Vec::with_capacity(conditions.len());
        for (position, condition) in conditions.iter().enumerate() {
            for variable in &terms.support(*condition).variables {
                users.entry(*variable).or_default().push(position);
            }
            holds.push(evaluator.value(terms, model, *condition) == 1);
        }
        let violated = holds.iter().filter(|holds| !**holds).count();
        Search {
            conditions,
            model: model.clone(),
            holds,
            violated,
            users,
            moved: FxHashMap::default(),
            proposals: Vec::new(),
        }
    }

    /// A violated condition, another one each time.
    fn next_violated(&self, step: usize) -> Option<usize> {
        if self.violated == 0 {
            return None;
        }
        let mut positions = (0..self.holds.len()).filter(|at| !self.holds[*at]);
        positions.nth(step % self.violated)
    }

    fn make_move(
        &mut self,
        terms: &mut Terms,
        evaluator: &mut Evaluator,
        violated: usize,
        step: usize,
    ) -> bool {
        let Some(best) = self.best_move(terms, evaluator, violated, step) else {
            return false;
        };
        self.model.set(best.variable, best.value);
        self.moved.insert(best.variable, step);
        evaluator.restart();
        for &position in &self.users[&best.variable] {
            self.holds[position] =
                evaluator.value(terms, &self.model, self.conditions[position]) == 1;
        }
        self.violated = best.violated;
        true
    }

    fn best_move(
        &mut self,
        terms: &mut Terms,
        evaluator: &mut Evaluator,
        violated: usize,
        step: usize,
    ) -> Option<Move> {
        let condition = self.conditions[violated];
        let support = terms.support(condition);
        if support.variables.len() > MOST_VARIABLES {
            return None;
        }
        let comparisons = comparisons(terms, condition);
        let mut best: Option<Move> = None;
        for &variable in &support.variables {
            let Sort::Bits(width @ 1..=64) = terms.variable_info(variable).sort else { continue };
            let rests = self.moved.get(&variable).is_some_and(|at| at + REST > step && step > *at);
            if rests && support.variables.len() > 1 {
                continue;
            }
            let old = self.model.get(variable);
            self.propose(terms, evaluator, &comparisons, variable);
            for at in 0..self.proposals.len() {
                let value = self.proposals[at] & mask(width);
                if value == old {
                    continue;
                }
                self.model.set(variable, value);
                let left = self.violated_with(terms, evaluator, variable, violated);
                if let Some(left) = left
                    && best.as_ref().is_none_or(|best| left < best.violated)
                {
                    best = Some(Move { variable, value, violated: left });
                    if left == 0 {
                        break;
                    }
                }
            }
            self.model.set(variable, old);
        }
        best
    }

    /// Values that may change the outcome of one of the comparisons.
    fn propose(
        &mut self,
        terms: &Terms,
        evaluator: &mut Evaluator,
        comparisons: &[TermId],
        variable: VarId,
    ) {
        self.proposals.clear();
        let old = self.model.get(variable);
        for &comparison in comparisons {
            if floats::is_about_floats(terms, comparison) {
                let (model, proposals) = (&mut self.model, &mut self.proposals);
                floats::propose(terms, evaluator, model, comparison, variable, proposals);
            }
            if matches!(terms.op(comparison), Op::FEq | Op::FLt | Op::FLe) {
                continue;
            }
            evaluator.restart();
            let [x, y] = [0, 1]
                .map(|side| evaluator.value(terms, &self.model, terms.operand(comparison, side)));
            // The distance closes the gap; one more or less opens it to either side.
            let distance = y.wrapping_sub(x);
            for step in [distance, distance.wrapping_add(1), distance.wrapping_sub(1)] {
                self.proposals.extend([old.wrapping_add(step), old.wrapping_sub(step)]);
            }
        }
        if comparisons.is_empty() {
            // A flag without a comparison.
            self.proposals.extend([0, 1, !old]);
        }
    }

    /// How many conditions are violated with the variable's value in the model, provided that
    /// the wanted one is not.
    fn violated_with(
        &self,
        terms: &Terms,
        evaluator: &mut Evaluator,
        variable: VarId,
        wanted: usize,
    ) -> Option<usize> {
        evaluator.restart();
        if evaluator.value(terms, &self.model, self.conditions[wanted]) == 0 {
            return None;
        }
        let mut left = self.violated;
        for &position in &self.users[&variable] {
            let holds = evaluator.value(terms, &self.model, self.conditions[position]) == 1;
            match (self.holds[position], holds) {
                (true, false) => left += 1,
                (false, true) => left -= 1,
                _ => {}
            }
        }
        Some(left)
    }
}

/// The first few comparisons of narrow terms in a condition.
fn comparisons(terms: &Terms, condition: TermId) -> Vec<TermId> {
    let mut found = Vec::new();
    let mut stack = vec![condition];
    let mut left = 4 * MOST_COMPARISONS;
    while let Some(term) = stack.pop()
        && found.len() < MOST_COMPARISONS
        && left > 0
    {
        left -= 1;
        match terms.op(term) {
            Op::Not | Op::And | Op::Or | Op::Xor | Op::Ite => stack.extend(terms.operands(term)),
            Op::Eq | Op::Ult | Op::Slt | Op::FEq | Op::FLt | Op::FLe => {
                let is_narrow = terms.width(terms.operand(term, 0)) <= 64;
                if is_narrow && !found.contains(&term) {
                    found.push(term);
                }
            }
            _ => {}
        }
    }
    found
}
