//! The condition under which both versions run as they do on a witness, for people.

use exec::{Concolic, Limits, Machine};
use explore::{Harness, InputTerms, Pair, Version};
use smt::{TermId, Terms, people};

/// Conditions beyond which nobody reads.
const MOST_CONDITIONS: usize = 64;

/// The conditions of both paths, joined. Nothing if there are none or too many.
pub(super) fn condition(
    pair: &Pair<'_>,
    name: &[u8],
    limits: Limits,
    assignment: &[u64],
) -> Option<String> {
    let mut conditions: Vec<TermId> = Vec::new();
    let mut terms: Option<Terms> = None;
    for version in Version::BOTH {
        let side = pair.side(version);
        let mut own = Vec::new();
        side.assignment_into(assignment, &mut own);
        let mut observer = Concolic::new();
        // One table of terms for both, so that what they have in common is seen.
        if let Some(terms) = terms.take() {
            observer.terms = terms;
        }
        let inputs = InputTerms::new(&mut observer.terms, side.layout);
        let mut harness = Harness::new(side.concolic, side.layout, name);
        let idle = exec::Input::default();
        let mut machine = Machine::idle(side.concolic, &idle, limits, observer);
        if harness.start_concolic(&mut machine, &inputs, &own).is_ok() {
            machine.run();
        }
        for step in &machine.observer.path {
            if !conditions.contains(&step.condition) {
                conditions.push(step.condition);
            }
        }
        terms = Some(std::mem::take(&mut machine.observer.terms));
    }
    let terms = terms?;
    conditions.retain(|&condition| condition != Terms::TRUE);
    let is_readable = !conditions.is_empty() && conditions.len() <= MOST_CONDITIONS;
    is_readable.then(|| people::conjunction(&terms, &conditions))
}
