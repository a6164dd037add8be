//! When runs are undefined: for each kind of operation the condition on the input.

use exec::Concolic;
use exec::undefined::UndefinedKind;
use smt::{TermId, Terms};

use super::shown::Sameness;

/// For every kind whose condition is not always false: when some operation of it is undefined.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Undefined {
    kinds: Vec<(UndefinedKind, TermId)>,
}

impl Undefined {
    /// The operations that the last run noted. Conditions are combined in the order of their terms,
    /// so that the same ones give the same term, in either version.
    pub fn of(observer: &mut Concolic) -> Undefined {
        let mut noted = observer.undefined.as_mut().map(std::mem::take).unwrap_or_default();
        noted.sort_unstable();
        noted.dedup();
        let mut kinds: Vec<(UndefinedKind, TermId)> = Vec::new();
        for (kind, condition) in noted {
            match kinds.last_mut() {
                Some((last, any)) if *last == kind => {
                    *any = observer.terms.or(*any, condition);
                }
                _ => kinds.push((kind, condition)),
            }
        }
        kinds.retain(|(_, any)| *any != Terms::FALSE);
        Undefined { kinds }
    }

    fn when(&self, kind: UndefinedKind) -> TermId {
        let known = self.kinds.iter().find(|(known, _)| *known == kind);
        known.map_or(Terms::FALSE, |(_, condition)| *condition)
    }

    /// When two runs are undefined in the same kinds of operations, or in none.
    pub fn same(&self, terms: &mut Terms, other: &Undefined) -> Sameness {
        let mut same = Sameness::ALWAYS;
        for kind in UndefinedKind::ALL {
            let (one, two) = (self.when(kind), other.when(kind));
            if one != two {
                let equal = terms.eq(one, two);
                same.condition = terms.and(same.condition, equal);
            }
        }
        same
    }

    /// For people.
    pub fn text(&self, terms: &Terms) -> impl Iterator<Item = String> {
        self.kinds.iter().map(|&(kind, condition)| match condition {
            Terms::TRUE => format!("undefined: {}", kind.name()),
            condition => {
                format!("undefined if {}: {}", smt::people::term(terms, condition), kind.name())
            }
        })
    }
}
