//! Faults for editors and code scanning: findings, written by `finding`.

use std::path::Path;

use effects::explore::{Explored, FoundFault};
use effects::trial::Place;

use super::typed;
use crate::finding::{Base, Finding, Location, Rule, Severity, sarif as log, short as lines};
use crate::places::blamed;
use crate::words;

static RULE: Rule = Rule {
    id: "fault",
    title: "The program fails",
    help: "On some input the program has undefined behaviour, aborts or fails an assertion. The \
           finding names the input, and the flow shows the calls that lead there.",
    severity: Severity::Error,
};

/// `file:line:column: severity: message`, one per line; empty if there is no fault.
pub fn short(explored: &Explored, base: &Base, directory: &Path) -> String {
    lines::short(&findings(explored, base, directory))
}

/// SARIF 2.1.0. Names of files are relative to `directory`.
pub fn sarif(explored: &Explored, base: &Base, directory: &Path) -> String {
    let findings = findings(explored, base, directory);
    let mut notes: Vec<String> =
        explored.gaps.iter().map(|incomplete| words::gap(&incomplete.gap)).collect();
    notes.dedup();
    log::sarif("explore", &[&RULE], &findings, &notes)
}

fn findings(explored: &Explored, base: &Base, directory: &Path) -> Vec<Finding> {
    let place = |place: &Place| {
        let file = place.file.as_ref().filter(|_| !place.in_library)?;
        Location::new(base.name(Path::new(file), directory), place)
    };
    let finding = |found: &FoundFault| {
        let fault = &found.fault;
        let what = words::fault(&fault.kind, fault.local.as_deref());
        let input = explored.tests.get(found.test).map(|test| typed(explored, test));
        let at = blamed(&fault.stack);
        let calls = fault
            .stack
            .iter()
            .rev()
            .filter_map(|call| Some((place(call)?, format!("in {}", call.function))));
        let mut related = Vec::new();
        for (at, words) in [(&fault.allocated, "allocated here"), (&fault.freed, "freed here")] {
            related.extend(at.as_ref().and_then(place).map(|at| (at, words.to_owned())));
        }
        let text = at.and_then(|place| place.text.as_deref()).unwrap_or_default().trim();
        let function = at.map(|place| place.function.as_str()).unwrap_or_default();
        Finding {
            rule: &RULE,
            severity: Severity::Error,
            message: format!("{what}, for {}", input.as_deref().unwrap_or("some input")),
            location: at.and_then(place),
            is_change: false,
            related,
            flow: calls.collect(),
            fingerprint: format!("{}:{function}:{text}", words::fault_name(&fault.kind)),
            accepted: None,
        }
    };
    explored.faults.iter().map(finding).collect()
}
