//! Change interaction errors: inputs on which NEW is not correct, and the sequence of parts that all
//! of them pass.
//!
//! Böhme (2014), definition 10: an error with a sequence of changed statements such that some input
//! that exercises all of it in order fails, and every input that skips one of them is correct. No
//! set of inputs proves the second half; it is evidence, with its numbers. Errors are told apart by
//! what differs between OLD and NEW.

use exec::Limits;
use explore::Pair;
use explore::pair::Plain;
use inputs::snapshot::Comparer;
use trace::Observe;
use trace::outcome::{Contrast, Observable};

use super::order::{common, contains};
use crate::trial::Subject;

/// The most failing inputs to intersect.
const MOST_FAILURES: usize = 256;

/// An error of NEW, and what its inputs have in common.
#[derive(Clone, Debug)]
pub struct ErrorOf {
    /// The sequence that all inputs with this error pass, by indices of parts.
    pub sequence: Vec<usize>,
    /// Inputs that were seen to fail in this way.
    pub failing: usize,
    /// Inputs that pass the whole sequence, and those that skip some of it.
    pub exercising: usize,
    pub skipping: usize,
    /// How many of the latter fail in another way.
    pub skipping_otherwise: usize,
}

impl ErrorOf {
    /// Whether more than one part is needed, as far as the inputs show.
    pub fn is_interaction(&self) -> bool {
        self.sequence.len() > 1
    }
}

/// An input whose parts are known.
pub(super) struct Followed {
    pub assignment: Box<[u64]>,
    pub order: Vec<usize>,
    /// What differs between OLD and NEW.
    pub differs: Option<Observable>,
}

/// Whether NEW is correct on each input; `None` if unknown.
pub(super) fn correct(
    golden: &Subject<'_>,
    pair: &Pair<'_>,
    observe: &Observe,
    (name, limits): (&[u8], Limits),
    followed: &[Followed],
    is_over: &dyn Fn() -> bool,
) -> Vec<Option<bool>> {
    let mut right = Plain::new(golden.side(None), name, limits, observe.leaks);
    let mut new = Plain::new(pair.new, name, limits, observe.leaks);
    let mut comparer = Comparer::default();
    let correct = |one: &Followed| {
        if is_over() {
            return None;
        }
        let input = pair.layout().decode(&one.assignment);
        let own = golden.layout.encode(&input).ok()?;
        right.run(&own);
        new.run(&one.assignment);
        let contrast = observe.contrast(&right.seen(), &new.seen(), &mut comparer);
        match contrast {
            Contrast::Unclear(_) | Contrast::Unwritten(_) => None,
            other => {
                let is_known = right.seen().ending.is_known() && new.seen().ending.is_known();
                is_known.then(|| other.differs().is_none())
            }
        }
    };
    followed.iter().map(correct).collect()
}

/// The error of a difference that differs in this way, if any followed input fails so.
pub(super) fn error(
    followed: &[Followed],
    correct: &[Option<bool>],
    observable: Observable,
) -> Option<ErrorOf> {
    let both = || followed.iter().zip(correct);
    let fails = |one: &Followed, correct: &Option<bool>| {
        *correct == Some(false) && one.differs == Some(observable)
    };
    let failing: Vec<&Followed> =
        both().filter(|(one, correct)| fails(one, correct)).map(|(one, _)| one).collect();
    let mut orders = failing.iter().take(MOST_FAILURES).map(|one| &one.order);
    let first = orders.next()?.clone();
    let sequence = orders.fold(first, |known, order| common(&known, order));
    let mut found = ErrorOf {
        sequence,
        failing: failing.len(),
        exercising: 0,
        skipping: 0,
        skipping_otherwise: 0,
    };
    for (one, correct) in both().filter(|(_, correct)| correct.is_some()) {
        if contains(&one.order, &found.sequence) {
            found.exercising += 1;
        } else {
            found.skipping += 1;
            found.skipping_otherwise += usize::from(*correct == Some(false));
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(order: &[usize], differs: bool) -> Followed {
        let differs = differs.then_some(Observable::Stdout);
        Followed { assignment: Box::new([]), order: order.to_vec(), differs }
    }

    #[test]
    fn the_critical_sequence_is_what_all_failing_inputs_pass() {
        let followed = [
            input(&[0, 1, 2], true),
            input(&[0, 2, 1, 2], true),
            input(&[0, 2, 1], false),
            input(&[0], false),
        ];
        let correct = [Some(false), Some(false), Some(true), None];
        let error = error(&followed, &correct, Observable::Stdout).expect("two inputs fail");
        assert_eq!(error.sequence, [0, 1, 2]);
        assert!(error.is_interaction());
        assert_eq!((error.failing, error.exercising, error.skipping), (2, 2, 1));
        assert_eq!(error.skipping_otherwise, 0);
    }

    #[test]
    fn a_correct_program_has_no_error() {
        let followed = [input(&[0, 1], true)];
        assert!(error(&followed, &[Some(true)], Observable::Stdout).is_none());
    }
}
