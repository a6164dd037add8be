//! The interaction of parts as JSON, for programs. `docs/interact.md` says what the members mean.

use effects::interact::{Difference, Interacted, Location, Minimal, Of, Part, Sequences};
use serde::Serialize;
use serde_json::value::RawValue;

use super::{kind_name, numbers, place, shown_name, test_of, verdict};
use crate::compare;
use crate::hunks;
use crate::pieces::{raw, written};

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.interact/1";

/// The report as JSON; ends with a newline.
pub fn json(interacted: &Interacted) -> String {
    written(&Report::of(interacted))
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    verdict: &'static str,
    parts: Vec<PartOf>,
    hunks_without_effect: Vec<u32>,
    differences: Vec<DifferenceOf>,
    sequences: SequencesOf,
    locations: Vec<LocationOf>,
    configurations: ConfigurationsOf,
    comparison: Box<RawValue>,
}

#[derive(Serialize)]
struct PartOf {
    part: usize,
    hunk: u32,
    place: String,
    functions: Vec<String>,
    has_code: bool,
}

#[derive(Serialize)]
struct DifferenceOf {
    kind: &'static str,
    /// The number of the witness of the comparison, from 1.
    witness: Option<usize>,
    /// The part that shows it alone, if others hide it.
    hidden_part: Option<usize>,
    test: Option<Box<RawValue>>,
    minimal: Vec<MinimalOf>,
    complete_up_to: usize,
    alone: Vec<&'static str>,
    without: Vec<&'static str>,
    sequence: Vec<usize>,
    error: Option<ErrorIs>,
}

#[derive(Serialize)]
struct MinimalOf {
    parts: Vec<usize>,
    is_proved: bool,
    single_part: Option<usize>,
    masked_by: Vec<Vec<usize>>,
}

#[derive(Serialize)]
struct ErrorIs {
    is_interaction: bool,
    critical: Vec<usize>,
    failing: usize,
    exercising: usize,
    skipping: usize,
    skipping_and_failing_otherwise: usize,
}

#[derive(Serialize)]
struct SequencesOf {
    first: Vec<usize>,
    steps: Vec<[usize; 2]>,
    last: Vec<usize>,
    exercised: Vec<ExercisedOf>,
    left: Vec<Vec<usize>>,
    is_cut: bool,
    inputs_followed: usize,
    inputs_known: usize,
}

#[derive(Serialize)]
struct ExercisedOf {
    sequence: Vec<usize>,
    test: Box<RawValue>,
    inputs: usize,
    different: usize,
}

#[derive(Serialize)]
struct LocationOf {
    file: String,
    line: u32,
    parts: Vec<usize>,
}

#[derive(Serialize)]
struct ConfigurationsOf {
    built: usize,
    is_cut: bool,
    do_not_build: Vec<Vec<usize>>,
}

impl Report {
    fn of(interacted: &Interacted) -> Report {
        let comparison = compare::json(&interacted.compared);
        let comparison = RawValue::from_string(comparison.trim_end().to_owned());
        Report {
            schema: SCHEMA,
            verdict: verdict(interacted).0,
            parts: interacted.parts.iter().map(part).collect(),
            hunks_without_effect: interacted
                .apart
                .iter()
                .map(|meaning| hunks::number(meaning.hunk.id))
                .collect(),
            differences: interacted
                .differences
                .iter()
                .map(|difference| of_difference(interacted, difference))
                .collect(),
            sequences: sequences(&interacted.sequences),
            locations: interacted.sequences.locations.iter().map(location).collect(),
            configurations: ConfigurationsOf {
                built: interacted.built,
                is_cut: interacted.is_cut,
                do_not_build: interacted.broken.iter().map(|parts| numbers(parts)).collect(),
            },
            comparison: comparison.expect("a comparison is written as JSON"),
        }
    }
}

fn part(part: &Part) -> PartOf {
    PartOf {
        part: part.number,
        hunk: hunks::number(part.hunk.id),
        place: place(part),
        functions: part.functions.clone(),
        has_code: part.is_placed,
    }
}

fn of_difference(interacted: &Interacted, difference: &Difference) -> DifferenceOf {
    let analysis = &difference.analysis;
    let (witness, hidden_part) = match difference.of {
        Of::Witness(index) => (Some(index + 1), None),
        Of::Hidden(part) => (None, Some(part + 1)),
    };
    DifferenceOf {
        kind: kind_name(analysis.kind),
        witness,
        hidden_part,
        test: test_of(interacted, difference).map(raw),
        minimal: analysis.minimal.iter().map(minimal).collect(),
        complete_up_to: analysis.complete,
        alone: analysis.alone.iter().map(|&shown| shown_name(shown)).collect(),
        without: analysis.without.iter().map(|&shown| shown_name(shown)).collect(),
        sequence: numbers(&difference.order),
        error: difference.error.as_ref().map(|error| ErrorIs {
            is_interaction: error.is_interaction(),
            critical: numbers(&error.sequence),
            failing: error.failing,
            exercising: error.exercising,
            skipping: error.skipping,
            skipping_and_failing_otherwise: error.skipping_otherwise,
        }),
    }
}

fn minimal(one: &Minimal) -> MinimalOf {
    MinimalOf {
        parts: numbers(&one.parts),
        is_proved: one.is_proved,
        single_part: one.of.map(|part| part + 1),
        masked_by: one.masks.iter().map(|parts| numbers(parts)).collect(),
    }
}

fn sequences(sequences: &Sequences) -> SequencesOf {
    let exercised = sequences.exercised.iter().map(|one| ExercisedOf {
        sequence: numbers(&one.sequence),
        test: raw(&one.test),
        inputs: one.inputs,
        different: one.different,
    });
    SequencesOf {
        first: sequences.first.iter().map(|part| part + 1).collect(),
        steps: sequences.steps.iter().map(|&(from, to)| [from + 1, to + 1]).collect(),
        last: sequences.last.iter().map(|part| part + 1).collect(),
        exercised: exercised.collect(),
        left: sequences.left.iter().map(|one| numbers(one)).collect(),
        is_cut: sequences.is_cut,
        inputs_followed: sequences.followed.0,
        inputs_known: sequences.followed.1,
    }
}

fn location(location: &Location) -> LocationOf {
    LocationOf {
        file: location.place.file.clone(),
        line: location.place.line,
        parts: numbers(&location.parts),
    }
}
