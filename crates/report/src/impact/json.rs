//! What changes may affect, as JSON. `docs/changes.md` says what the members mean.

use effects::versions::{
    AffectedLine, AffectedOutput, Impact, Meeting, NumberedChange, OutputKind, Prediction,
};
use serde::Serialize;

use crate::changes::{Location, kind_word};

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.impact/1";
/// The same under an older name, kept for programs that read it.
const FORMAT: &str = "ripple impact 1";

/// The report as JSON; ends with a newline.
pub fn json(impact: &Impact) -> String {
    let functions = impact.functions.iter().map(|function| Function {
        name: &function.name,
        place: function.place.as_ref().map(Location::of),
        affected: function.affected,
        statements: function.statements,
        changes: &function.changes,
        probability: rounded(function.probability),
        result: function.result.map(rounded),
    });
    written(&Report {
        schema: SCHEMA,
        format: FORMAT,
        old: &impact.old,
        new: &impact.new,
        changes: impact.changes.iter().map(Change::of).collect(),
        lines: impact.lines.iter().map(Line::of).collect(),
        functions: functions.collect(),
        outputs: impact.outputs.iter().map(Output::of).collect(),
        unaffected_functions: impact.unaffected_functions,
        unaffected_lines: impact.unaffected,
        meetings: impact.meetings.iter().map(Met::of).collect(),
        alone: &impact.alone,
    })
}

/// What a future change may affect, as JSON; ends with a newline.
pub fn prediction_json(prediction: &Prediction) -> String {
    written(&Predicted {
        schema: SCHEMA,
        format: FORMAT,
        version: &prediction.version,
        line: prediction.line,
        lines: prediction.lines.iter().map(Line::of).collect(),
    })
}

fn written(report: &impl Serialize) -> String {
    crate::pieces::written(report)
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    format: &'static str,
    old: &'a str,
    new: &'a str,
    changes: Vec<Change<'a>>,
    lines: Vec<Line<'a>>,
    functions: Vec<Function<'a>>,
    outputs: Vec<Output<'a>>,
    unaffected_functions: usize,
    unaffected_lines: usize,
    meetings: Vec<Met<'a>>,
    alone: &'a [usize],
}

#[derive(Serialize)]
struct Predicted<'a> {
    schema: &'static str,
    format: &'static str,
    version: &'a str,
    line: u32,
    lines: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Change<'a> {
    number: usize,
    kind: &'static str,
    function: &'a str,
    is_function: bool,
    old: Option<Location<'a>>,
    new: Option<Location<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    place: Location<'a>,
    /// Between 0 and 1, rounded to four places.
    probability: f64,
    changes: &'a [usize],
    can_be_seen: bool,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    place: Option<Location<'a>>,
    affected: usize,
    statements: usize,
    changes: &'a [usize],
    /// Between 0 and 1, rounded to four places.
    probability: f64,
    result: Option<f64>,
}

#[derive(Serialize)]
struct Output<'a> {
    kind: &'static str,
    by: &'a str,
    function: &'a str,
    place: Location<'a>,
    changes: &'a [usize],
    probability: f64,
}

#[derive(Serialize)]
struct Met<'a> {
    changes: [usize; 2],
    places: Vec<Location<'a>>,
}

impl<'a> Change<'a> {
    fn of(change: &'a NumberedChange) -> Change<'a> {
        Change {
            number: change.number,
            kind: kind_word(change.kind),
            function: &change.function,
            is_function: change.is_function,
            old: change.old.as_ref().map(Location::of),
            new: change.new.as_ref().map(Location::of),
        }
    }
}

impl<'a> Line<'a> {
    fn of(line: &'a AffectedLine) -> Line<'a> {
        Line {
            place: Location::of(&line.place),
            probability: rounded(line.probability),
            changes: &line.changes,
            can_be_seen: line.is_output,
        }
    }
}

impl<'a> Output<'a> {
    fn of(output: &'a AffectedOutput) -> Output<'a> {
        Output {
            kind: match output.kind {
                OutputKind::Stdout => "stdout",
                OutputKind::Stderr => "stderr",
                OutputKind::Files => "files",
                OutputKind::Exit => "exit",
                OutputKind::Result => "result",
            },
            by: &output.by,
            function: &output.function,
            place: Location::of(&output.place),
            changes: &output.changes,
            probability: rounded(output.probability),
        }
    }
}

fn rounded(probability: f64) -> f64 {
    (probability * 1e4).round() / 1e4
}

impl<'a> Met<'a> {
    fn of(meeting: &'a Meeting) -> Met<'a> {
        let (one, other) = meeting.changes;
        Met { changes: [one, other], places: meeting.places.iter().map(Location::of).collect() }
    }
}
