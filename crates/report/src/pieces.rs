//! Common parts of several JSON reports.

use effects::trial::Misfit;
use inputs::{Origin, Test, write_test};
use serde::Serialize;
use serde_json::value::RawValue;

/// A report as text; ends with a newline.
pub(crate) fn written(report: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(report).unwrap_or_default();
    text.push('\n');
    text
}

/// A test as in a file of tests.
pub(crate) fn raw(test: &Test) -> Box<RawValue> {
    RawValue::from_string(write_test(test)).expect("a test is written as JSON")
}

/// The number of a line or column, if known.
pub(crate) fn known(number: u32) -> Option<u32> {
    (number > 0).then_some(number)
}

/// The origin of the input space.
pub(crate) fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::Declared => "declared",
        Origin::InferredFromTests => "tests",
        Origin::Options => "options",
        Origin::Unspecified => "unspecified",
        Origin::Types => "types",
    }
}

/// A test that is not in the space.
#[derive(Serialize)]
pub(crate) struct LeftOut {
    test: usize,
    name: Option<String>,
    reason: String,
}

pub(crate) fn left_out(misfits: &[Misfit]) -> Vec<LeftOut> {
    let left_out = |misfit: &Misfit| LeftOut {
        test: misfit.number,
        name: misfit.name.clone(),
        reason: misfit.mismatch.to_string(),
    };
    misfits.iter().map(left_out).collect()
}
