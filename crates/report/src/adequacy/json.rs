//! The adequacy of tests as JSON. `docs/adequacy.md` says what the members mean.

use effects::adequacy::{
    Adequacy, ChangedLine, Counts, Coverage, Fate, HunkCounts, Limit, Mutant, Requirement, Step,
    TestResult, TreeRow,
};
use effects::trial::Place;
use serde::Serialize;
use serde_json::value::RawValue;

use super::{limit, limit_name, state, state_name, steps, verdict_name};
use crate::hunks::{number, place_of_hunk};
use crate::pieces::{known, raw, written};
use crate::words;

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.adequacy/1";

/// The report as JSON; ends with a newline.
pub fn json(adequacy: &Adequacy) -> String {
    written(&Report {
        schema: SCHEMA,
        verdict: verdict_name(adequacy.verdict),
        old: &adequacy.old.name,
        new: &adequacy.new.name,
        entry: adequacy.entry.as_deref(),
        distance: adequacy.distance,
        lines: adequacy.lines.iter().map(Line::of).collect(),
        hunks: adequacy.hunks.iter().map(Hunk::of).collect(),
        coverage: adequacy.criteria.iter().map(Covered::of).collect(),
        missing: adequacy.missing.iter().map(Missed::of).collect(),
        mutants: adequacy.mutants.as_ref().map(|all| all.iter().map(Mutated::of).collect()),
        tests: (1..).zip(&adequacy.tests).map(Test::of).collect(),
        limits: adequacy.limits.iter().map(Limited::of).collect(),
    })
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    verdict: &'static str,
    old: &'a str,
    new: &'a str,
    entry: Option<&'a str>,
    distance: u32,
    lines: Vec<Line<'a>>,
    hunks: Vec<Hunk>,
    coverage: Vec<Covered>,
    missing: Vec<Missed<'a>>,
    mutants: Option<Vec<Mutated<'a>>>,
    tests: Vec<Test<'a>>,
    limits: Vec<Limited>,
}

#[derive(Serialize)]
pub(crate) struct At<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
    function: &'a str,
}

impl<'a> At<'a> {
    pub fn of(place: &'a Place) -> At<'a> {
        let (file, line) = (place.file.as_deref(), known(place.line));
        At { file, line, function: &place.function }
    }
}

#[derive(Serialize)]
struct Counted {
    reach: usize,
    infect: usize,
    propagate: usize,
    show: usize,
    /// Between 0 and 1, rounded to four places.
    detectability: Option<f64>,
}

impl Counted {
    fn of(counts: &Counts) -> Counted {
        let Counts { reach, infect, propagate, show } = *counts;
        let detectability = counts.detectability().map(|one| (one * 1e4).round() / 1e4);
        Counted { reach, infect, propagate, show, detectability }
    }
}

#[derive(Serialize)]
struct Line<'a> {
    number: usize,
    version: &'static str,
    place: At<'a>,
    counts: Counted,
    /// The number of a test, from 1.
    confirmed_by: Option<usize>,
    chains: Vec<Chain<'a>>,
}

impl<'a> Line<'a> {
    fn of(line: &'a ChangedLine) -> Line<'a> {
        Line {
            number: line.number,
            version: words::version_name(line.version),
            place: At::of(&line.place),
            counts: Counted::of(&line.counts),
            confirmed_by: line.confirmed.map(|number| number + 1),
            chains: line.tree.iter().map(Chain::of).collect(),
        }
    }
}

#[derive(Serialize)]
struct Chain<'a> {
    length: u32,
    step: Option<Stepped<'a>>,
    covered: usize,
    propagated: usize,
    shown: usize,
}

impl<'a> Chain<'a> {
    fn of(row: &'a TreeRow) -> Chain<'a> {
        let step = row.step.as_ref().map(Stepped::of);
        let &TreeRow { length, covered, propagated, shown, .. } = row;
        Chain { length, step, covered, propagated, shown }
    }
}

#[derive(Serialize)]
pub(crate) struct Stepped<'a> {
    from: At<'a>,
    to: At<'a>,
    kind: &'static str,
    through: String,
}

impl<'a> Stepped<'a> {
    pub fn of(step: &'a Step) -> Stepped<'a> {
        Stepped {
            from: At::of(&step.from),
            to: At::of(&step.to),
            kind: steps::kind(&step.through),
            through: steps::through(&step.through),
        }
    }
}

#[derive(Serialize)]
struct Hunk {
    id: u32,
    lines: String,
    counts: Counted,
}

impl Hunk {
    fn of(hunk: &HunkCounts) -> Hunk {
        Hunk {
            id: number(hunk.meaning.hunk.id),
            lines: place_of_hunk(&hunk.meaning.hunk),
            counts: Counted::of(&hunk.counts),
        }
    }
}

#[derive(Serialize)]
struct Covered {
    criterion: &'static str,
    distance: Option<u32>,
    satisfied: usize,
    total: usize,
    percent: f64,
}

impl Covered {
    fn of(coverage: &Coverage) -> Covered {
        let Coverage { criterion, distance, satisfied, total } = *coverage;
        let (criterion, percent) = (criterion.name(), coverage.percent());
        Covered { criterion, distance, satisfied, total, percent }
    }
}

#[derive(Serialize)]
struct Missed<'a> {
    kind: &'static str,
    change: At<'a>,
    deleted: bool,
    steps: Vec<Stepped<'a>>,
    near: usize,
    message: String,
}

impl<'a> Missed<'a> {
    fn of(one: &'a Requirement) -> Missed<'a> {
        Missed {
            kind: steps::missing_name(one.missing),
            change: At::of(&one.change),
            deleted: one.is_deleted,
            steps: one.steps.iter().map(Stepped::of).collect(),
            near: one.near,
            message: steps::missing(one),
        }
    }
}

#[derive(Serialize)]
struct Mutated<'a> {
    place: At<'a>,
    edit: String,
    fate: &'static str,
    /// The number of the test that kills it, from 1.
    killed_by: Option<usize>,
    /// A test that would kill it.
    test: Option<Box<RawValue>>,
    message: String,
}

impl<'a> Mutated<'a> {
    fn of(mutant: &'a Mutant) -> Mutated<'a> {
        let (mut killed_by, mut test) = (None, None);
        match &mutant.fate {
            Fate::Killed { test } => killed_by = Some(test + 1),
            Fate::Survived { input, .. } => {
                let input = (**input).clone();
                test = Some(raw(&inputs::Test { input, ..inputs::Test::default() }));
            }
            _ => {}
        }
        let (place, edit) = (At::of(&mutant.place), steps::edit(&mutant.edit));
        let (fate, message) = (steps::fate_name(&mutant.fate), steps::fate(&mutant.fate));
        Mutated { place, edit, fate, killed_by, test, message }
    }
}

#[derive(Serialize)]
struct Test<'a> {
    number: usize,
    name: Option<&'a str>,
    state: &'static str,
    reason: Option<String>,
    reaches: bool,
    infects: bool,
    differs: bool,
    confirmed: Option<bool>,
}

impl<'a> Test<'a> {
    fn of((number, test): (usize, &'a TestResult)) -> Test<'a> {
        Test {
            number,
            name: test.name.as_deref(),
            state: state_name(&test.state),
            reason: state(&test.state),
            reaches: test.reaches,
            infects: test.infects,
            differs: test.differs,
            confirmed: test.confirmed,
        }
    }
}

#[derive(Serialize)]
struct Limited {
    kind: &'static str,
    message: String,
}

impl Limited {
    fn of(one: &Limit) -> Limited {
        Limited { kind: limit_name(one), message: limit(one) }
    }
}
