//! A comparison as JSON, for programs. `docs/compare.md` says what the members mean.

mod witness;

use effects::compare::{Accepted, Compared, Guarantee, Hidden, Slower};
use effects::premises::Premise;
use explore::pair::PairEffort;
use inputs::Alias;
use serde::Serialize;
use serde_json::value::RawValue;
use source::{Checkout, HeldPosition};
use trace::Observe;

use self::witness::{UnconfirmedOf, WitnessOf, unconfirmed, witness};
use super::findings::sentence;
use super::{typed, typed_input};
use crate::changes::Changed;
use crate::hunks::{self, HunkOf};
use crate::partitions::json::{CountsOf, PartitionsOf, counts, partitions};
use crate::pieces::{self, LeftOut, known, left_out, raw, written};
use crate::words;

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.compare/1";

/// The report as JSON; ends with a newline.
pub fn json(compared: &Compared) -> String {
    written(&Report::of(compared))
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    verdict: &'static str,
    guarantee: GuaranteeOf,
    old: VersionOf,
    new: VersionOf,
    golden: Option<VersionOf>,
    entry: Option<String>,
    strategy: &'static str,
    observe: Vec<&'static str>,
    space: Space,
    witnesses: Vec<WitnessOf>,
    accepted: Vec<AcceptedOf>,
    unconfirmed: Vec<UnconfirmedOf>,
    slower: Vec<SlowerOf>,
    hidden: Vec<HiddenOf>,
    changes: Changed<'a>,
    reach: &'static str,
    hunks: Vec<HunkOf>,
    positions: Vec<PositionOf<'a>>,
    partitions: Option<PartitionsOf>,
    limits: Vec<LimitOf>,
    effort: EffortOf,
}

#[derive(Serialize)]
struct GuaranteeOf {
    kind: &'static str,
    inputs: Option<u64>,
    partitions: Option<CountsOf>,
    assumes: Vec<&'static str>,
}

#[derive(Serialize)]
pub(crate) struct VersionOf {
    name: String,
    commit: Option<String>,
    files: Vec<String>,
}

#[derive(Serialize)]
struct Space {
    origin: &'static str,
    cells: usize,
    /// A decimal number as text, because it may not fit into the numbers of JSON readers.
    size: Option<String>,
    only_old: Vec<String>,
    only_new: Vec<String>,
    narrowed: Vec<String>,
    assumptions: Vec<String>,
    aliases: Vec<[String; 2]>,
    tests_left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
pub(crate) struct PositionOf<'a> {
    file: &'a str,
    line: u32,
    #[serde(rename = "macro")]
    name: &'static str,
}

/// Where positions moved, which does not count.
pub(crate) fn positions(held: &[HeldPosition]) -> Vec<PositionOf<'_>> {
    held.iter().map(|at| PositionOf { file: &at.file, line: at.line, name: at.name }).collect()
}

#[derive(Serialize)]
struct AcceptedOf {
    id: String,
    reason: String,
    expires: Option<String>,
    input: Box<RawValue>,
    command: String,
    summary: String,
}

#[derive(Serialize)]
struct SlowerOf {
    input: Box<RawValue>,
    command: String,
    version: &'static str,
    old_steps: u64,
    new_steps: u64,
    natively: &'static str,
}

#[derive(Serialize)]
struct HiddenOf {
    hunk: u32,
    input: Box<RawValue>,
    command: String,
}

#[derive(PartialEq, Serialize)]
struct LimitOf {
    kind: &'static str,
    message: String,
    version: Option<&'static str>,
    file: Option<String>,
    line: Option<u32>,
    function: Option<String>,
}

#[derive(Serialize)]
struct EffortOf {
    total: Spent,
    reached: Option<Spent>,
    infected: Option<Spent>,
    propagated: Option<Spent>,
    strategies: Vec<Share>,
}

#[derive(Serialize)]
struct Spent {
    runs: u64,
    concolic_runs: u64,
    questions: u64,
    solver_calls: u64,
}

#[derive(Serialize)]
struct Share {
    name: &'static str,
    runs: u64,
    concolic_runs: u64,
    questions: u64,
    solver_calls: u64,
    found: u64,
}

impl<'a> Report<'a> {
    fn of(compared: &'a Compared) -> Report<'a> {
        let witnesses = compared.witnesses.iter().enumerate();
        Report {
            schema: SCHEMA,
            verdict: words::verdict_name(compared.verdict),
            guarantee: guarantee(compared),
            old: version(&compared.old),
            new: version(&compared.new),
            golden: compared.golden.as_ref().map(version),
            entry: compared.entry.clone(),
            strategy: compared.strategy.name(),
            observe: observed(&compared.observe),
            space: space(compared),
            witnesses: witnesses.map(|(index, one)| witness(compared, one, index)).collect(),
            accepted: accepted(compared),
            unconfirmed: compared
                .unconfirmed
                .iter()
                .map(|one| unconfirmed(compared, one))
                .collect(),
            slower: compared.slower.iter().map(|one| slower(compared, one)).collect(),
            hidden: compared.hidden.iter().map(|one| hidden(compared, one)).collect(),
            changes: Changed::of(&compared.changes),
            reach: hunks::reach_name(compared.reach),
            hunks: hunks::json(&compared.hunks()),
            positions: positions(&compared.positions),
            partitions: compared
                .proof
                .as_ref()
                .map(|proof| partitions(&proof.into(), &|input| typed_input(compared, input))),
            limits: limits(compared),
            effort: effort(compared),
        }
    }
}

fn accepted(compared: &Compared) -> Vec<AcceptedOf> {
    let accepted = |one: &Accepted| AcceptedOf {
        id: one.acceptance.id.clone(),
        reason: one.acceptance.reason.clone(),
        expires: one.acceptance.expires.clone(),
        input: raw(&one.witness.test),
        command: typed(compared, &one.witness.test),
        summary: sentence(compared, &one.witness),
    };
    compared.accepted.iter().map(accepted).collect()
}

fn slower(compared: &Compared, one: &Slower) -> SlowerOf {
    SlowerOf {
        input: raw(&one.test),
        command: typed(compared, &one.test),
        version: words::version_name(one.version),
        old_steps: one.steps[0],
        new_steps: one.steps[1],
        natively: words::natively_name(one.natively),
    }
}

fn hidden(compared: &Compared, one: &Hidden) -> HiddenOf {
    let (input, command) = (raw(&one.test), typed(compared, &one.test));
    HiddenOf { hunk: hunks::number(one.hunk), input, command }
}

fn guarantee(compared: &Compared) -> GuaranteeOf {
    let (kind, inputs) = match compared.guarantee {
        Guarantee::NoChange => ("no_change", None),
        Guarantee::AllInputs { inputs } => ("all_inputs", Some(inputs)),
        Guarantee::Sampled { inputs } => ("sampled", Some(inputs)),
        Guarantee::Proved => ("proved", None),
        Guarantee::Replayed => ("replayed", None),
    };
    let partitions = compared.proof.as_ref().map(|proof| counts(&proof.into()));
    GuaranteeOf { kind, inputs, partitions, assumes: names_of(&compared.premises()) }
}

/// The assumptions of a verdict.
pub(crate) fn names_of(premises: &[Premise]) -> Vec<&'static str> {
    premises.iter().map(|premise| premise.name()).collect()
}

pub(crate) fn version(checkout: &Checkout) -> VersionOf {
    let files = checkout.files.iter().map(|file| file.display().to_string());
    VersionOf {
        name: checkout.name.clone(),
        commit: checkout.revision.as_ref().map(|revision| revision.commit.clone()),
        files: files.collect(),
    }
}

/// What counts as a difference.
pub(crate) fn observed(observe: &Observe) -> Vec<&'static str> {
    let all = [
        (observe.exit, "exit"),
        (observe.stdout, "stdout"),
        (observe.stderr, "stderr"),
        (observe.files, "files"),
        (observe.result, "result"),
        (observe.memory, "memory"),
        (observe.globals, "globals"),
        (observe.globals && !observe.internal, "public"),
        (observe.leaks, "leaks"),
        (observe.ub, "ub"),
        (observe.positions, "positions"),
    ];
    all.into_iter().filter(|(is_observed, _)| *is_observed).map(|(_, name)| name).collect()
}

/// Names of parameters that are, or may be, the same object.
pub(crate) fn pairs(aliases: &[Alias]) -> Vec<[String; 2]> {
    aliases.iter().map(|alias| [alias.of.clone(), alias.pointer.clone()]).collect()
}

fn space(compared: &Compared) -> Space {
    let space = &compared.space;
    Space {
        origin: pieces::origin(compared.origin),
        cells: space.cells,
        size: space.size.map(|size| size.to_string()),
        only_old: space.only_in(0).to_vec(),
        only_new: space.only_in(1).to_vec(),
        narrowed: space.narrowed.clone(),
        assumptions: space.assumptions.iter().map(ToString::to_string).collect(),
        aliases: pairs(&space.aliases),
        tests_left_out: left_out(&compared.misfits),
    }
}

fn limits(compared: &Compared) -> Vec<LimitOf> {
    let mut limits: Vec<LimitOf> = Vec::new();
    for limit in &compared.limits {
        let at = limit.place();
        let limit = LimitOf {
            kind: words::limit_name(limit),
            message: words::limit(limit),
            version: limit.version().map(words::version_name),
            file: at.and_then(|place| place.file.clone()),
            line: at.and_then(|place| known(place.line)),
            function: at.map(|place| place.function.clone()),
        };
        if !limits.contains(&limit) {
            limits.push(limit);
        }
    }
    limits
}

fn effort(compared: &Compared) -> EffortOf {
    let effort = &compared.effort;
    let milestones = &effort.milestones;
    let share = |(name, spent, found): &(&'static str, PairEffort, u64)| Share {
        name,
        runs: spent.runs,
        concolic_runs: spent.concolic,
        questions: spent.questions,
        solver_calls: spent.solver_calls,
        found: *found,
    };
    EffortOf {
        total: spent(&effort.total),
        reached: milestones.reached.as_ref().map(spent),
        infected: milestones.infected.as_ref().map(spent),
        propagated: milestones.propagated.as_ref().map(spent),
        strategies: effort.strategies.iter().map(share).collect(),
    }
}

fn spent(effort: &PairEffort) -> Spent {
    Spent {
        runs: effort.runs,
        concolic_runs: effort.concolic,
        questions: effort.questions,
        solver_calls: effort.solver_calls,
    }
}
