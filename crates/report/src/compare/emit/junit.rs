//! The replays of both versions as a JUnit report: a test for each difference, which fails, unless
//! users accepted it. No times, so that the same result gives the same text.

use effects::compare::{Compared, Witness};
use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Emitted, EmittedFile};
use crate::compare::differences::{differences, end};
use crate::compare::findings::{first_difference, sentence};
use crate::compare::typed;
use crate::conditions::readable_condition;
use crate::counting::shortened;
use crate::printable::{harmless, printable};
use crate::words;

/// The most characters of a name, and of an output.
const MOST_NAME: usize = 300;

const FILE: &str = "junit.xml";

pub(super) fn emit(compared: &Compared) -> Emitted {
    let mut suite = TestSuite::new(subject(compared));
    for witness in compared.witnesses.iter().filter(|witness| !witness.is_consistent()) {
        let mut status = TestCaseStatus::skipped();
        status.set_message(harmless(&sentence(compared, witness)));
        suite.add_test_case(case(compared, witness, status));
    }
    for witness in compared.consistent() {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status
            .set_message(harmless(&sentence(compared, witness)))
            .set_type(words::class_name(witness.class))
            .set_description(description(compared, witness));
        suite.add_test_case(case(compared, witness, status));
    }
    for accepted in &compared.accepted {
        let mut status = TestCaseStatus::skipped();
        status.set_message(printable(accepted.acceptance.reason.as_bytes()));
        suite.add_test_case(case(compared, &accepted.witness, status));
    }
    let mut report = Report::new("ripple compare");
    report.add_test_suite(suite);
    match report.to_string() {
        Ok(text) => Emitted { files: vec![EmittedFile::text(FILE, text)], left_out: Vec::new() },
        Err(error) => {
            Emitted { files: Vec::new(), left_out: vec![format!("no JUnit report: {error}")] }
        }
    }
}

fn subject(compared: &Compared) -> String {
    let [old, new] = [&compared.old, &compared.new].map(|side| printable(side.name.as_bytes()));
    match &compared.entry {
        Some(entry) => format!("{} of {old} and {new}", printable(entry.as_bytes())),
        None => format!("{old} and {new}"),
    }
}

fn case(compared: &Compared, witness: &Witness, status: TestCaseStatus) -> TestCase {
    let name = shortened(&harmless(&typed(compared, &witness.test)), MOST_NAME);
    let mut case = TestCase::new(name, status);
    case.set_classname(subject(compared));
    case
}

fn description(compared: &Compared, witness: &Witness) -> String {
    let is_function = compared.entry.is_some();
    let mut text = String::new();
    for (name, behaviour) in [("OLD", &witness.old), ("NEW", &witness.new)] {
        text.push_str(&format!("{name} {}\n", end(behaviour, is_function)));
    }
    for difference in differences(compared, &witness.old, &witness.new) {
        let (old, new) = first_difference(difference.old, difference.new);
        text.push_str(&format!("{}: {old} in OLD, {new} in NEW\n", difference.name));
    }
    if let Some(condition) = &witness.condition {
        let condition = harmless(&readable_condition(condition));
        text.push_str(&format!("when {condition}\n"));
    }
    text
}
