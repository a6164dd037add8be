//! A comparison as JSON, for other programs. `docs/compare.md` says what the members mean.

use effects::compare::{Behaviour, Compared, Guarantee, Limit, Unconfirmed, Witness};
use effects::explore::Place as SourcePlace;
use effects::versions::{ChangeKind, ChangedFunction, Place as Line};
use explore::Version;
use explore::pair::PairEffort;
use inputs::{Origin, Test, write_test};
use serde::Serialize;
use serde_json::value::RawValue;
use source::Checkout;

use super::differences::differences;
use super::{fault_at, script_name, typed};
use crate::bytes::Bytes;
use crate::{native, words};

/// What the member `schema` says.
pub const SCHEMA: &str = "ripple.compare/1";

/// The report as JSON; ends with a newline.
pub fn json(compared: &Compared) -> String {
    let mut text = serde_json::to_string_pretty(&Report::of(compared)).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Report {
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
    unconfirmed: Vec<UnconfirmedOf>,
    changes: ChangesOf,
    limits: Vec<LimitOf>,
    effort: EffortOf,
}

#[derive(Serialize)]
struct GuaranteeOf {
    kind: &'static str,
    inputs: Option<u64>,
}

#[derive(Serialize)]
struct VersionOf {
    name: String,
    files: Vec<String>,
}

#[derive(Serialize)]
struct Space {
    origin: &'static str,
    cells: usize,
    /// A decimal number as text, because it may not fit into what JSON's readers have.
    size: Option<String>,
    only_old: Vec<String>,
    only_new: Vec<String>,
    narrowed: Vec<String>,
    tests_left_out: Vec<LeftOut>,
}

#[derive(Serialize)]
struct LeftOut {
    test: usize,
    name: Option<String>,
    reason: String,
}

#[derive(Serialize)]
struct WitnessOf {
    input: Box<RawValue>,
    command: String,
    script: String,
    class: &'static str,
    observable: &'static str,
    differs: Vec<&'static str>,
    old: BehaviourOf,
    new: BehaviourOf,
    golden: Option<GoldenOf>,
    reached: Reached,
    condition: Option<String>,
    undefined_behaviour: Option<String>,
    found_by: &'static str,
    found_after: Spent,
    alike: usize,
}

#[derive(Serialize)]
struct BehaviourOf {
    end: &'static str,
    number: Option<i32>,
    stdout: Bytes,
    stderr: Bytes,
    files: Vec<FileOf>,
    result: Option<String>,
    fault: Option<FaultOf>,
    sanitizer: Option<String>,
}

#[derive(Serialize)]
struct FileOf {
    name: String,
    content: Option<Bytes>,
}

#[derive(Serialize)]
struct FaultOf {
    kind: &'static str,
    message: String,
    place: Option<Place>,
    stack: Vec<Place>,
    allocated: Option<Place>,
    freed: Option<Place>,
}

#[derive(Serialize)]
struct GoldenOf {
    judgement: &'static str,
    behaviour: BehaviourOf,
}

#[derive(Serialize)]
struct Reached {
    old: Vec<Place>,
    new: Vec<Place>,
}

#[derive(Serialize)]
struct Place {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    function: String,
    text: Option<String>,
    in_library: bool,
}

#[derive(Serialize)]
struct UnconfirmedOf {
    input: Box<RawValue>,
    command: String,
    observable: &'static str,
    old: BehaviourOf,
    new: BehaviourOf,
}

#[derive(Serialize)]
struct ChangesOf {
    functions: Vec<FunctionOf>,
    added: Vec<NameAt>,
    removed: Vec<NameAt>,
    globals: Vec<GlobalOf>,
    only_text: Vec<NameAt>,
}

#[derive(Serialize)]
struct FunctionOf {
    name: String,
    at: Option<At>,
    signature: bool,
    statements: Vec<StatementOf>,
}

#[derive(Serialize)]
struct StatementOf {
    kind: &'static str,
    old: Option<At>,
    new: Option<At>,
}

#[derive(Serialize)]
struct NameAt {
    name: String,
    at: Option<At>,
}

#[derive(Serialize)]
struct At {
    file: String,
    line: u32,
}

#[derive(Serialize)]
struct GlobalOf {
    name: String,
    kind: &'static str,
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
    seconds: f64,
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
    seconds: f64,
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

impl Report {
    fn of(compared: &Compared) -> Report {
        let witnesses = compared.witnesses.iter().enumerate();
        Report {
            schema: SCHEMA,
            verdict: words::verdict_name(compared.verdict),
            guarantee: guarantee(compared.guarantee),
            old: version(&compared.old),
            new: version(&compared.new),
            golden: compared.golden.as_ref().map(version),
            entry: compared.entry.clone(),
            strategy: compared.strategy.name(),
            observe: observed(compared),
            space: space(compared),
            witnesses: witnesses.map(|(index, one)| witness(compared, one, index)).collect(),
            unconfirmed: compared
                .unconfirmed
                .iter()
                .map(|one| unconfirmed(compared, one))
                .collect(),
            changes: changes(compared),
            limits: limits(compared),
            effort: effort(compared),
        }
    }
}

fn guarantee(guarantee: Guarantee) -> GuaranteeOf {
    let (kind, inputs) = match guarantee {
        Guarantee::NoChange => ("no_change", None),
        Guarantee::AllInputs { inputs } => ("all_inputs", Some(inputs)),
        Guarantee::Sampled { inputs } => ("sampled", Some(inputs)),
        Guarantee::Replayed => ("replayed", None),
    };
    GuaranteeOf { kind, inputs }
}

fn version(checkout: &Checkout) -> VersionOf {
    let files = checkout.files.iter().map(|file| file.display().to_string());
    VersionOf { name: checkout.name.clone(), files: files.collect() }
}

fn observed(compared: &Compared) -> Vec<&'static str> {
    let observe = &compared.observe;
    let all = [
        (observe.exit, "exit"),
        (observe.stdout, "stdout"),
        (observe.stderr, "stderr"),
        (observe.files, "files"),
        (observe.result, "result"),
    ];
    all.into_iter().filter(|(is_observed, _)| *is_observed).map(|(_, name)| name).collect()
}

fn space(compared: &Compared) -> Space {
    let space = &compared.space;
    let left_out = compared.misfits.iter().map(|misfit| LeftOut {
        test: misfit.number,
        name: misfit.name.clone(),
        reason: misfit.mismatch.to_string(),
    });
    Space {
        origin: match compared.origin {
            Origin::Declared => "declared",
            Origin::InferredFromTests => "tests",
            Origin::Unspecified => "unspecified",
        },
        cells: space.cells,
        size: space.size.map(|size| size.to_string()),
        only_old: space.only[0].clone(),
        only_new: space.only[1].clone(),
        narrowed: space.narrowed.clone(),
        tests_left_out: left_out.collect(),
    }
}

fn raw(test: &Test) -> Box<RawValue> {
    RawValue::from_string(write_test(test)).expect("a test is written as JSON")
}

fn witness(compared: &Compared, witness: &Witness, index: usize) -> WitnessOf {
    let mut differs: Vec<&'static str> = Vec::new();
    let [old, new] = [&witness.old, &witness.new];
    if compared.observe.exit && old.native.status() != new.native.status() {
        differs.push("exit");
    }
    let shown = differences(compared, old, new);
    differs.extend(shown.iter().map(|one| words::observable_name(one.observable)));
    differs.dedup();
    let places = |places: &[SourcePlace]| places.iter().map(place).collect();
    WitnessOf {
        input: raw(&witness.test),
        command: typed(compared, &witness.test),
        script: script_name(index),
        class: words::class_name(witness.class),
        observable: words::observable_name(witness.observable),
        differs,
        old: behaviour(old),
        new: behaviour(new),
        golden: witness.golden.as_ref().map(|(golden, judgement)| GoldenOf {
            judgement: words::judgement_name(*judgement),
            behaviour: behaviour(golden),
        }),
        reached: Reached { old: places(&witness.reached[0]), new: places(&witness.reached[1]) },
        condition: witness.condition.clone(),
        undefined_behaviour: witness.undefined_behaviour.clone(),
        found_by: witness.found_by,
        found_after: spent(&witness.found_after),
        alike: witness.alike,
    }
}

fn behaviour(behaviour: &Behaviour) -> BehaviourOf {
    let native = &behaviour.native;
    let file = |(name, content): &(String, Option<Vec<u8>>)| FileOf {
        name: name.clone(),
        content: content.as_deref().map(Bytes::of),
    };
    BehaviourOf {
        end: native::end_name(native.end),
        number: native::end_number(native.end),
        stdout: Bytes::of(&native.stdout),
        stderr: Bytes::of(&native.stderr),
        files: native.files.iter().map(file).collect(),
        result: native.result.clone(),
        fault: behaviour.fault.as_ref().map(|fault| {
            let at = fault_at(fault);
            FaultOf {
                kind: words::fault_name(&fault.kind),
                message: words::fault(&fault.kind, fault.local.as_deref()),
                place: at.blamed().map(place),
                stack: fault.stack.iter().map(place).collect(),
                allocated: fault.allocated.as_ref().map(place),
                freed: fault.freed.as_ref().map(place),
            }
        }),
        sanitizer: behaviour.sanitizer.clone(),
    }
}

fn place(place: &SourcePlace) -> Place {
    let known = |number: u32| (number > 0).then_some(number);
    Place {
        file: place.file.clone(),
        line: known(place.line),
        column: known(place.column),
        function: place.function.clone(),
        text: place.text.clone(),
        in_library: place.in_library,
    }
}

fn unconfirmed(compared: &Compared, unconfirmed: &Unconfirmed) -> UnconfirmedOf {
    UnconfirmedOf {
        input: raw(&unconfirmed.test),
        command: typed(compared, &unconfirmed.test),
        observable: words::observable_name(unconfirmed.observable),
        old: behaviour(&unconfirmed.old),
        new: behaviour(&unconfirmed.new),
    }
}

fn changes(compared: &Compared) -> ChangesOf {
    let changes = &compared.changes;
    let named = |(name, line): &(String, Option<Line>)| NameAt {
        name: name.clone(),
        at: line.as_ref().map(at),
    };
    let global = |(name, in_old, in_new): &(String, bool, bool)| GlobalOf {
        name: name.clone(),
        kind: match (in_old, in_new) {
            (true, true) => "modified",
            (false, _) => "added",
            (true, false) => "removed",
        },
    };
    let only_text = changes.not_changes.iter().map(|function| NameAt {
        name: function.name.clone(),
        at: function.place.as_ref().map(at),
    });
    ChangesOf {
        functions: changes.functions.iter().map(function).collect(),
        added: changes.added.iter().map(named).collect(),
        removed: changes.removed.iter().map(named).collect(),
        globals: changes.globals.iter().map(global).collect(),
        only_text: only_text.collect(),
    }
}

fn function(function: &ChangedFunction) -> FunctionOf {
    let statements = function.statements.iter().map(|statement| StatementOf {
        kind: match statement.kind {
            ChangeKind::Added => "added",
            ChangeKind::Deleted => "deleted",
            ChangeKind::Modified => "modified",
            ChangeKind::Moved => "moved",
        },
        old: statement.old.as_ref().map(at),
        new: statement.new.as_ref().map(at),
    });
    FunctionOf {
        name: function.name.clone(),
        at: function.place.as_ref().map(at),
        signature: function.signature,
        statements: statements.collect(),
    }
}

fn at(line: &Line) -> At {
    At { file: line.file.clone(), line: line.line }
}

fn limits(compared: &Compared) -> Vec<LimitOf> {
    let mut limits: Vec<LimitOf> = Vec::new();
    for limit in &compared.limits {
        let (version, at) = match limit {
            Limit::Unsupported { version, place, .. } => (Some(*version), place.as_ref()),
            Limit::Exhausted { version, .. } => (Some(*version), None),
            Limit::Stopped(_) => (None, None),
        };
        let limit = LimitOf {
            kind: words::limit_name(limit),
            message: words::limit(limit),
            version: version.map(|version| match version {
                Version::Old => "old",
                Version::New => "new",
            }),
            file: at.and_then(|place| place.file.clone()),
            line: at.map(|place| place.line).filter(|line| *line > 0),
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
        seconds: effort.time.as_secs_f64(),
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
        seconds: effort.time.as_secs_f64(),
    }
}
