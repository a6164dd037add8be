//! Missing requirements as findings at the changed lines.

use effects::adequacy::{Adequacy, Missing, Requirement};

use super::steps;
use crate::finding::{Base, Finding, Location, Rule, Severity};
use crate::places::position;

/// The most findings of one changed line.
const MOST_OF_LINE: usize = 5;

static RULES: [&Rule; 4] = [
    &Rule {
        id: "change-not-executed",
        title: "No test executes a changed line",
        help: "No test of the suite executes this changed line in either version.",
        severity: Severity::Warning,
    },
    &Rule {
        id: "change-not-noticed",
        title: "No test gets another state at a changed line",
        help: "Tests execute this changed line, and it never makes the state of the program \
               another one than in the old version.",
        severity: Severity::Warning,
    },
    &Rule {
        id: "effect-not-tested",
        title: "No test takes an effect of a change further",
        help: "A chain of dependences leads from this changed line to a statement, and no test \
               takes an effect of the change along it.",
        severity: Severity::Note,
    },
    &Rule {
        id: "change-not-alone",
        title: "No test gets another state by a changed line alone",
        help: "Wherever the state differs at this changed line, another part of the change has \
               made it different before, so tests do not tell what this line does.",
        severity: Severity::Note,
    },
];

pub(super) fn rules() -> &'static [&'static Rule] {
    &RULES
}

pub(super) fn findings(adequacy: &Adequacy, base: &Base) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for line in &adequacy.lines {
        let own = adequacy.missing.iter().filter(|one| {
            (&one.change.file, one.change.line) == (&line.place.file, line.place.line)
        });
        findings.extend(own.take(MOST_OF_LINE).map(|one| finding(adequacy, one, base)));
    }
    findings
}

fn finding(adequacy: &Adequacy, one: &Requirement, base: &Base) -> Finding {
    let rule = match one.missing {
        Missing::Execution => RULES[0],
        Missing::Infection => RULES[1],
        Missing::Confounded if one.steps.is_empty() => RULES[3],
        Missing::Dependence | Missing::Difference | Missing::Confounded => RULES[2],
    };
    let checkout = if one.is_deleted { &adequacy.old } else { &adequacy.new };
    let at = |place| base.place(checkout, place);
    let flow = one
        .steps
        .iter()
        .filter_map(|step| Some((at(&step.to)?, format!("by {}", steps::through(&step.through)))));
    let flow: Vec<(Location, String)> = flow.collect();
    let place = position(&one.change);
    let text = one.change.text.as_deref().unwrap_or_default().trim();
    let chain = one.steps.iter().map(|step| {
        let text = step.to.text.as_deref().unwrap_or_default().trim();
        format!("{}>{text}", steps::through(&step.through))
    });
    let chain: Vec<String> = chain.collect();
    Finding {
        rule,
        severity: rule.severity,
        message: format!("{place}: {}", steps::missing(one)),
        location: at(&one.change),
        is_change: true,
        related: Vec::new(),
        flow,
        // Lines may move, their texts stay.
        fingerprint: format!("{}/{text}/{}", rule.id, chain.join("/")),
        accepted: None,
    }
}
