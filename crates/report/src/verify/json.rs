//! A verification as JSON, for programs. `docs/verify.md` says what the members mean.

use effects::proved::Described;
use effects::trial::{Fault, Native};
use effects::verify::{
    Check, Outcome, Replay, Step, StepHunks, Tally, UndefinedOn, Verification, Violation,
};
use effects::versions::Place;
use explore::proved::{Verdict, Why};
use inputs::{Input, Test};
use serde::Serialize;
use serde_json::value::RawValue;
use source::{Checkout, HeldPosition};

use super::{
    Standing, agreement, doubt_name, outcome_name, proof, reach, standings, typed, undefined_steps,
};
use crate::bytes::Bytes;
use crate::compare::json::{VersionOf, names_of, observed, pairs, version};
use crate::hunks::{self, HunkOf};
use crate::native;
use crate::partitions::json::{PortionOf, SharesOf, WhenOf, portion, shares, when};
use crate::pieces::{LeftOut, known, left_out, origin, raw, written};
use crate::places::FaultAt;
use crate::words;

/// The most bytes of a condition in SMT-LIB; longer ones are omitted.
const MOST_SMTLIB: usize = 20_000;

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.verify/1";

/// The report as JSON; ends with a newline.
pub fn json(verification: &Verification) -> String {
    written(&Report::of(verification))
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    verdict: &'static str,
    guarantee: &'static str,
    assumes: Vec<&'static str>,
    versions: Vec<VersionOf>,
    entry: Option<String>,
    observe: Vec<&'static str>,
    space: Option<SpaceOf>,
    invalid_inputs: Option<InvalidOf>,
    counts: CountsOf,
    shares: Option<SharesOf>,
    differs_when: Option<WhenOf>,
    partitions: Vec<PartitionOf>,
    partitions_omitted: usize,
    reach: &'static str,
    hunks: Vec<StepHunksOf>,
    positions: Vec<PositionOf>,
    steps: Option<Vec<StepOf>>,
    check: Option<CheckOf>,
    stopped: Option<&'static str>,
    effort: Option<EffortOf>,
}

#[derive(Serialize)]
struct SpaceOf {
    origin: &'static str,
    only: Vec<Vec<String>>,
    narrowed: Vec<String>,
    assumptions: Vec<String>,
    aliases: Vec<[String; 2]>,
    tests_left_out: Vec<LeftOut>,
}

/// The fault that every input ends in.
#[derive(Serialize)]
struct InvalidOf {
    message: String,
    file: Option<String>,
    line: Option<u32>,
    function: Option<String>,
}

#[derive(Serialize)]
struct CountsOf {
    equal: usize,
    different: usize,
    not_replayed: usize,
    unconfirmed: usize,
    unknown: usize,
    left: usize,
    whole_space: bool,
    pinned: bool,
    path_combinations: usize,
}

#[derive(Serialize)]
struct PartitionOf {
    verdict: &'static str,
    reason: Option<&'static str>,
    condition: String,
    smtlib: Option<String>,
    input: Box<RawValue>,
    command: String,
    agreement: Option<String>,
    classes: Vec<usize>,
    outputs: Vec<String>,
    changes: Vec<Vec<PlaceOf>>,
    stops: Vec<Vec<PlaceOf>>,
    native: Vec<NativeOf>,
}

#[derive(Serialize)]
struct PlaceOf {
    file: String,
    line: Option<u32>,
}

#[derive(Serialize)]
struct NativeOf {
    end: &'static str,
    number: Option<i32>,
    stdout: Bytes,
    stderr: Bytes,
    result: Option<String>,
}

/// Where a version was compiled with a position of the one before.
#[derive(Serialize)]
struct PositionOf {
    version: usize,
    file: String,
    line: u32,
    #[serde(rename = "macro")]
    name: &'static str,
}

fn positions(verification: &Verification) -> Vec<PositionOf> {
    let versions = verification.versions.iter().enumerate();
    let of = |(number, checkout): (usize, &Checkout)| {
        let held = checkout.held_positions().into_iter();
        held.map(move |HeldPosition { file, line, name }| PositionOf {
            version: number,
            file,
            line,
            name,
        })
    };
    versions.flat_map(of).collect()
}

#[derive(Serialize)]
struct StepHunksOf {
    from: usize,
    to: usize,
    reach: &'static str,
    hunks: Vec<HunkOf>,
}

fn step_hunks(step: &StepHunks) -> StepHunksOf {
    StepHunksOf {
        from: step.from,
        to: step.from + 1,
        reach: hunks::reach_name(step.reach),
        hunks: hunks::json(&step.hunks),
    }
}

#[derive(Serialize)]
struct StepOf {
    from: usize,
    to: usize,
    equal: usize,
    different: usize,
    progression: usize,
    regression: usize,
    intermediate: usize,
    shares: Option<StepSharesOf>,
}

#[derive(Serialize)]
struct StepSharesOf {
    equal: PortionOf,
    progression: PortionOf,
    regression: PortionOf,
    intermediate: PortionOf,
}

#[derive(Serialize)]
struct CheckOf {
    partitions: usize,
    left: usize,
    inputs: usize,
    undetermined: usize,
    violations: Vec<ViolationOf>,
    judged: usize,
    undefined: Vec<UndefinedOnOf>,
}

#[derive(Serialize)]
struct UndefinedOnOf {
    condition: String,
    input: Box<RawValue>,
    classes: Vec<&'static str>,
    complaints: Vec<Option<String>>,
}

#[derive(Serialize)]
struct ViolationOf {
    condition: String,
    input: Box<RawValue>,
    claimed: Vec<usize>,
    machine: Vec<usize>,
    native: Option<Vec<usize>>,
}

#[derive(Serialize)]
struct EffortOf {
    concolic_runs: u64,
    questions: u64,
    solver_calls: u64,
}

impl Report {
    fn of(verification: &Verification) -> Report {
        let found = verification.found.as_ref();
        let partitions = standings(verification);
        Report {
            schema: SCHEMA,
            verdict: outcome_name(verification.outcome),
            guarantee: guarantee(verification),
            assumes: names_of(&verification.premises()),
            versions: verification.versions.iter().map(version).collect(),
            entry: verification.entry.clone(),
            observe: observed(&verification.observe),
            space: found.map(|found| SpaceOf {
                origin: origin(found.origin),
                only: found.space.only.clone(),
                narrowed: found.space.narrowed.clone(),
                assumptions: found.space.assumptions.iter().map(ToString::to_string).collect(),
                aliases: pairs(&found.space.aliases),
                tests_left_out: left_out(&verification.misfits),
            }),
            invalid_inputs: verification.invalid_inputs.as_ref().map(invalid),
            counts: counts(verification),
            shares: proof(verification).as_ref().map(shares),
            differs_when: proof(verification).as_ref().and_then(when),
            partitions_omitted: verification.omitted(),
            partitions: partitions.map(|one| partition(verification, one)).collect(),
            reach: hunks::reach_name(reach(verification)),
            hunks: verification.hunks.iter().map(step_hunks).collect(),
            positions: positions(verification),
            steps: verification.steps.as_ref().map(|steps| steps.iter().map(step).collect()),
            check: verification.check.as_ref().map(check),
            stopped: found.and_then(|found| found.stopped).map(words::stopped_name),
            effort: found.map(|found| EffortOf {
                concolic_runs: found.effort.runs,
                questions: found.effort.questions,
                solver_calls: found.effort.solver_calls,
            }),
        }
    }
}

/// The basis of the verdict.
fn guarantee(verification: &Verification) -> &'static str {
    let is_complete = verification.found.as_ref().is_some_and(|found| found.is_complete);
    match verification.outcome {
        Outcome::Unchanged => "no_change",
        Outcome::Equal => "proved",
        Outcome::Different if is_complete => "replayed",
        Outcome::Different | Outcome::Inconclusive => "so_far",
    }
}

fn invalid(fault: &Fault) -> InvalidOf {
    let at = FaultAt(fault);
    let place = at.blamed();
    InvalidOf {
        message: words::fault(&fault.kind, fault.local.as_deref()),
        file: place.and_then(|place| place.file.clone()),
        line: place.and_then(|place| known(place.line)),
        function: place.map(|place| place.function.clone()),
    }
}

fn counts(verification: &Verification) -> CountsOf {
    let Tally { equal, different, not_replayed, unconfirmed, unknown, left } = verification.tally();
    let found = verification.found.as_ref();
    CountsOf {
        equal,
        different,
        not_replayed,
        unconfirmed,
        unknown,
        left,
        whole_space: found.is_none_or(|found| found.is_complete),
        pinned: found.is_some_and(|found| found.pinned),
        path_combinations: found.map_or(0, |found| found.path_pairs),
    }
}

fn partition(
    verification: &Verification,
    (standing, one, replay): (Standing, &Described, &Replay),
) -> PartitionOf {
    let places = |all: &[Vec<Place>]| all.iter().map(|of| of.iter().map(place).collect()).collect();
    let natives = match replay {
        Replay::NotRun => &[][..],
        Replay::Confirmed(natives) | Replay::Unconfirmed(_, natives) => natives,
    };
    let is_known = standing != Standing::Unknown && standing != Standing::Unconfirmed;
    PartitionOf {
        verdict: standing.name(),
        reason: reason(one, replay),
        condition: one.condition.clone(),
        smtlib: one.smtlib.clone().filter(|text| text.len() <= MOST_SMTLIB),
        input: raw_input(&one.input),
        command: typed(verification, &one.input),
        agreement: is_known.then(|| agreement(&one.classes)),
        classes: if is_known { one.classes.clone() } else { Vec::new() },
        outputs: one.outputs.clone(),
        changes: places(&one.changes),
        stops: places(&one.stops),
        native: natives.iter().map(native_of).collect(),
    }
}

/// Why the versions are equal, why the verdict is unknown, or why native programs do not confirm
/// it.
fn reason(one: &Described, replay: &Replay) -> Option<&'static str> {
    match (&one.verdict, replay) {
        (Verdict::Equal(Why::NotReached), _) => Some("not_reached"),
        (Verdict::Equal(Why::NotPropagated), _) => Some("not_propagated"),
        (Verdict::Unknown(unclear), _) => Some(words::unclear_name(unclear)),
        (Verdict::Different, Replay::Unconfirmed(doubt, _)) => Some(doubt_name(doubt)),
        (Verdict::Different, _) => None,
    }
}

fn raw_input(input: &Input) -> Box<RawValue> {
    raw(&Test { input: input.clone(), ..Test::default() })
}

fn place(place: &Place) -> PlaceOf {
    PlaceOf { file: place.file.clone(), line: known(place.line) }
}

fn native_of(run: &Native) -> NativeOf {
    NativeOf {
        end: native::end_name(run.end),
        number: native::end_number(run.end),
        stdout: Bytes::of(&run.stdout),
        stderr: Bytes::of(&run.stderr),
        result: run.result.clone(),
    }
}

fn step(step: &Step) -> StepOf {
    StepOf {
        from: step.from,
        to: step.from + 1,
        equal: step.equal,
        different: step.different(),
        progression: step.progression,
        regression: step.regression,
        intermediate: step.intermediate,
        shares: step.shares.as_ref().map(|shares| StepSharesOf {
            equal: portion(&shares.equal),
            progression: portion(&shares.progression),
            regression: portion(&shares.regression),
            intermediate: portion(&shares.intermediate),
        }),
    }
}

fn undefined_on(one: &UndefinedOn) -> UndefinedOnOf {
    UndefinedOnOf {
        condition: one.condition.clone(),
        input: raw_input(&one.input),
        classes: undefined_steps(one).map(|(class, _)| words::class_name(class)).collect(),
        complaints: one.complaints.clone(),
    }
}

fn check(check: &Check) -> CheckOf {
    let violation = |one: &Violation| ViolationOf {
        condition: one.condition.clone(),
        input: raw_input(&one.input),
        claimed: one.claimed.clone(),
        machine: one.machine.clone(),
        native: one.native.clone(),
    };
    CheckOf {
        partitions: check.partitions,
        left: check.left,
        inputs: check.inputs,
        undetermined: check.undetermined,
        violations: check.violations.iter().map(violation).collect(),
        judged: check.judged,
        undefined: check.undefined.iter().map(undefined_on).collect(),
    }
}
