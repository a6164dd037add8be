//! Requirements as JSON. `docs/requirements.md` says what the members mean.

use effects::adequacy::TestState;
use effects::requirements::{
    ChainRequirement, ChangeRequirements, Condition, Gap, Limit, Requirements, Stateless,
};
use serde::Serialize;

use super::{gap, gap_name, infection_name, limit, limit_name, verdict_name};
use crate::adequacy::json::{At, Stepped};
use crate::adequacy::{state, state_name};
use crate::pieces::written;
use crate::words;

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.requirements/1";

/// The report as JSON; ends with a newline.
pub fn json(requirements: &Requirements) -> String {
    written(&Report {
        schema: SCHEMA,
        complete: requirements.is_complete(),
        old: &requirements.old.name,
        new: &requirements.new.name,
        entry: requirements.entry.as_deref(),
        distance: requirements.distance,
        path_limit: requirements.paths.decisions,
        loop_bound: requirements.paths.rounds,
        infection: infection_name(requirements.infection),
        changes: requirements.changes.iter().map(Change::of).collect(),
        tests: (1..).zip(&requirements.tests).map(Test::of).collect(),
        limits: requirements.limits.iter().map(Limited::of).collect(),
    })
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    complete: bool,
    old: &'a str,
    new: &'a str,
    entry: Option<&'a str>,
    distance: u32,
    path_limit: usize,
    loop_bound: usize,
    infection: &'static str,
    changes: Vec<Change<'a>>,
    tests: Vec<Test>,
    limits: Vec<Limited>,
}

#[derive(Serialize)]
struct Change<'a> {
    version: &'static str,
    place: At<'a>,
    clear: bool,
    /// The length up to which all chains are known.
    complete: u32,
    paths: usize,
    reached: Vec<usize>,
    chains: Vec<Chain<'a>>,
}

impl<'a> Change<'a> {
    fn of(change: &'a ChangeRequirements) -> Change<'a> {
        Change {
            version: words::version_name(change.version),
            place: At::of(&change.place),
            clear: change.is_clear,
            complete: change.complete,
            paths: change.paths,
            reached: numbers(&change.reached),
            chains: change.chains.iter().map(Chain::of).collect(),
        }
    }
}

/// Numbers of tests, from 1.
fn numbers(tests: &[usize]) -> Vec<usize> {
    tests.iter().map(|test| test + 1).collect()
}

#[derive(Serialize)]
struct Chain<'a> {
    number: usize,
    verdict: &'static str,
    steps: Vec<Stepped<'a>>,
    values: Option<Conditioned<'a>>,
    path: Option<Conditioned<'a>>,
    stateless: Option<&'static str>,
    covered: Vec<usize>,
    satisfied: Vec<usize>,
    unknown: Vec<usize>,
}

impl<'a> Chain<'a> {
    fn of(chain: &'a ChainRequirement) -> Chain<'a> {
        let state = chain.state.as_ref();
        Chain {
            number: chain.number,
            verdict: verdict_name(chain.verdict()),
            steps: chain.steps.iter().map(Stepped::of).collect(),
            values: state.ok().map(|state| Conditioned::of(&state.values)),
            path: state.ok().map(|state| Conditioned::of(&state.path)),
            stateless: state.err().map(|why| match why {
                Stateless::ChangeItself => "change_itself",
                Stateless::NoClearPath => "no_clear_path",
            }),
            covered: numbers(&chain.covered),
            satisfied: numbers(&chain.satisfied()),
            unknown: numbers(&chain.unknown),
        }
    }
}

#[derive(Serialize)]
struct Conditioned<'a> {
    verdict: &'static str,
    ways: &'a [String],
    gaps: Vec<Limited>,
    satisfied: Vec<usize>,
}

impl<'a> Conditioned<'a> {
    fn of(condition: &'a Condition) -> Conditioned<'a> {
        let gaps = condition.gaps.iter();
        Conditioned {
            verdict: verdict_name(condition.verdict),
            ways: &condition.ways,
            gaps: gaps.map(Limited::of_gap).collect(),
            satisfied: numbers(&condition.satisfied),
        }
    }
}

#[derive(Serialize)]
struct Test {
    number: usize,
    state: &'static str,
    reason: Option<String>,
}

impl Test {
    fn of((number, test): (usize, &TestState)) -> Test {
        Test { number, state: state_name(test), reason: state(test) }
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

    fn of_gap(one: &Gap) -> Limited {
        Limited { kind: gap_name(one), message: gap(one) }
    }
}
