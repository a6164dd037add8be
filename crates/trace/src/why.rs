//! Why two versions behave differently on the same input: the chain from a changed statement to the
//! observable.
//!
//! Both runs are traced and aligned. From the first observable that differs, the search goes back
//! over dependences, through events that differ or that happened in one version only, by the fewest
//! steps to a changed statement (or a global variable whose initial value changed) that no earlier
//! difference explains. An event that both versions executed is explained by what it was computed
//! from; an event of one version by the decision that it depends on, or by how the other version
//! left before.
//!
//! The result is plain data in terms of statements, names and values. The internal state of
//! functions of the machine between calls (positions in files, the state of `rand`) is not
//! followed: there the search goes to the last such call that differs.

mod condense;
mod expressions;
mod names;
mod search;
mod values;

use base::Version;
use exec::undefined::UndefinedKind;
use exec::{Program, Stop};
use inputs::Layout;
use ir::StatementId;

pub use values::Value;

use crate::alignment::Alignment;
use crate::alignment::Run;
use crate::events::{EventId, Kind, Sink, Trace};
use crate::matching::Matching;
use crate::outcome::Observe;
use crate::recorder::{TraceLimits, record};
use crate::recording::Postdominators;
use names::Names;
use search::{Node, Search};

/// One version, ready to be traced: its program with marked statements.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    pub program: &'a Program,
    pub layout: &'a Layout,
    pub postdominators: &'a Postdominators,
    pub assignment: &'a [u64],
}

/// What differs for a user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observable {
    /// The first byte that differs.
    Stdout {
        at: usize,
    },
    Stderr {
        at: usize,
    },
    File {
        path: Vec<u8>,
        at: usize,
    },
    /// How the run ends.
    End,
    /// What the entry, which is not `main`, returns.
    Returned,
    /// What was written through pointers and to global variables.
    Memory,
    /// An undefined operation.
    Undefined(UndefinedKind),
}

/// How the difference of two runs came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Why {
    /// `None` if no observable differs.
    pub observable: Option<Observable>,
    /// The first changed statement that was executed.
    pub reached: Reached,
    /// The first state that differs after that.
    pub infected: Option<Step>,
    /// From the change to the observable, by the fewest steps; the first step has no cause
    /// that differs other than being changed, if the chain is complete. The last step is the observable.
    pub steps: Vec<Step>,
    /// Whether the steps begin with a change.
    pub complete: bool,
    /// Whether a trace was cut, so that this may be incomplete.
    pub truncated: bool,
    /// Changed statements that the observable depends on, in either version.
    pub responsible_old: Vec<StatementId>,
    pub responsible_new: Vec<StatementId>,
}

/// The first changed statement executed in either version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reached {
    pub old: Option<StatementId>,
    pub new: Option<StatementId>,
}

/// An instance of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    pub statement: StatementId,
    /// How many times the statement had done this, including this time.
    pub occurrence: u32,
}

/// One step of the chain: an event of both versions or of one. For a definition that happened in
/// one version only, the other side is what the other version used instead, if anything.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    pub old: Option<Instance>,
    pub new: Option<Instance>,
    pub what: What,
    /// Its counterpart in OLD, if it is something else: another element, another function.
    pub old_what: Option<What>,
    pub old_value: Option<Value>,
    pub new_value: Option<Value>,
    /// Whether it happened in one version only.
    pub only: Option<Version>,
    /// Whether its statement, or the variable's initial value, is changed.
    pub changed: bool,
    /// How it makes the next step differ; `None` for the last.
    pub via: Option<Via>,
    /// How many times the chain repeats this and the steps up to the next one with the same number,
    /// as in the rounds of a loop.
    pub repeats: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Via {
    Data,
    Control,
}

/// The subject of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A variable or a part of one, as in the source.
    Variable(String),
    /// An unnamed part of memory.
    Memory(String),
    /// The initial value of a global variable.
    Initial(String),
    Condition,
    /// The value of an expression.
    Value,
    /// A parameter of a function.
    Argument {
        function: String,
        name: String,
    },
    /// The result of a function.
    Result(String),
    Call(String),
    Output(Observable),
    /// An undefined operation.
    Undefined(UndefinedKind),
    End,
}

/// The difference to explain.
#[derive(Clone, Copy, Debug)]
pub enum Question<'a> {
    /// The first difference of the observables.
    Seen(&'a Observe),
    /// One version executes an undefined operation of a kind.
    Undefined(Version, UndefinedKind),
}

/// The name of the memory that an event of a version writes, without indices.
pub fn memory(runs: [Run<'_>; 2], matching: &Matching, version: Version, event: EventId) -> String {
    let [old, new] = runs;
    let (what, _) = Names::new(old, new, matching).describe(version, event, None);
    match what {
        What::Variable(name) | What::Memory(name) | What::Initial(name) => {
            name.split('[').next().unwrap_or_default().to_owned()
        }
        _ => String::new(),
    }
}

/// Explains the difference of two runs of the same input.
pub fn why(
    old: Side<'_>,
    new: Side<'_>,
    name: &[u8],
    matching: &Matching,
    question: Question<'_>,
    limits: TraceLimits,
) -> Why {
    let trace = |side: Side<'_>| {
        record(side.program, side.layout, name, side.postdominators, side.assignment, limits)
    };
    let (old_trace, new_trace) = (trace(old), trace(new));
    let old = Run { program: old.program, trace: &old_trace };
    let new = Run { program: new.program, trace: &new_trace };
    explain(old, new, matching, question)
}

/// Explains the difference of two traces.
pub fn explain(old: Run<'_>, new: Run<'_>, matching: &Matching, question: Question<'_>) -> Why {
    let alignment = Alignment::new(old, new, matching);
    let search = Search::new(old, new, matching, &alignment);
    let (observable, roots) = match question {
        Question::Seen(observe) => first_difference(&search, observe),
        Question::Undefined(version, kind) => undefined_operation(&search, version, kind),
    };
    let found = search.chain(&roots.nodes);
    let names = Names::new(old, new, matching);
    let steps = told(&search, &names, &found.nodes, &observable, &roots);
    let first = search.first_difference();
    let mut events = roots.nodes.clone();
    events.extend(found.nodes.iter().map(|(node, _)| *node));
    Why {
        reached: reached(old.trace, new.trace, matching),
        infected: first.map(|node| {
            let next = found.nodes.iter().position(|(other, _)| *other == node);
            let next = next.and_then(|index| found.nodes.get(index + 1));
            names.step(search.with_other(node, next.map(|next| next.0)), node, None)
        }),
        steps: condense::condense(steps, old, new, matching),
        complete: found.complete,
        truncated: old.trace.truncated || new.trace.truncated,
        responsible_old: responsible(&search, Version::Old, &events),
        responsible_new: responsible(&search, Version::New, &events),
        observable,
    }
}

/// A chain in readable form.
fn told(
    search: &Search<'_>,
    names: &Names<'_>,
    nodes: &[(Node, Option<Via>)],
    observable: &Option<Observable>,
    roots: &Roots,
) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for (index, &(node, via)) in nodes.iter().enumerate() {
        let next = nodes.get(index + 1).filter(|_| via == Some(Via::Data));
        // The last step shows the output of either version at that place.
        let shown = match nodes.len() - index {
            1 => Node { old: roots.old.or(node.old), new: roots.new.or(node.new) },
            _ => search.with_other(node, next.map(|next| next.0)),
        };
        let mut step = names.step(shown, node, via);
        if index + 1 == nodes.len() {
            match observable {
                Some(Observable::Returned | Observable::Memory | Observable::Undefined(_))
                | None => {}
                Some(seen) => {
                    let is_end = *seen == Observable::End;
                    step.what = if is_end { What::End } else { What::Output(seen.clone()) };
                    step.old_what = None;
                }
            }
        }
        steps.push(step);
    }
    steps
}

/// The events that show a difference.
#[derive(Clone, Debug, Default)]
struct Roots {
    /// Where the search begins.
    nodes: Vec<Node>,
    /// What either version did there.
    old: Option<EventId>,
    new: Option<EventId>,
}

fn reached(old: &Trace, new: &Trace, matching: &Matching) -> Reached {
    let first = |trace: &Trace, version: Version| {
        let executed = trace.executed.iter().filter(|(_, times)| times.1 > 0);
        let reached = executed.filter(|(statement, _)| matching.is_changed(version, *statement));
        reached.min_by_key(|(_, times)| times.0).map(|(statement, _)| statement)
    };
    Reached { old: first(old, Version::Old), new: first(new, Version::New) }
}

/// The changed statements in the dynamic slice of some nodes.
fn responsible(search: &Search<'_>, version: Version, from: &[Node]) -> Vec<StatementId> {
    let trace = search.run(version).trace;
    let events: Vec<EventId> = from.iter().filter_map(|node| node.of(version)).collect();
    let slice = trace.slice(&events);
    let statements = slice.into_iter().filter_map(|event| trace.statement(event));
    let changed = |statement: &StatementId| search.matching.is_changed(version, *statement);
    let mut found: Vec<StatementId> = statements.filter(changed).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The first undefined operation of a kind in one version.
fn undefined_operation(
    search: &Search<'_>,
    version: Version,
    kind: UndefinedKind,
) -> (Option<Observable>, Roots) {
    let Some(event) = search.run(version).trace.undefined(kind) else {
        return (None, Roots::default());
    };
    let node = search.node(version, event);
    let roots = Roots { nodes: vec![node], old: node.old, new: node.new };
    (Some(Observable::Undefined(kind)), roots)
}

/// The first observable that differs, and the events that show it.
fn first_difference(search: &Search<'_>, observe: &Observe) -> (Option<Observable>, Roots) {
    let (old, new) = (search.old.trace, search.new.trace);
    let ends = || {
        let (old, new) = (old.end(), new.end());
        (Some(Observable::End), Roots { nodes: vec![Node { old, new }], old, new })
    };
    let failed = |trace: &Trace| matches!(trace.stop, Some(Stop::Fault(_) | Stop::Signal(_)));
    let ends_differ = observe.exit
        && match (old.end(), new.end()) {
            (Some(one), Some(other)) => search.differ(one, other),
            _ => true,
        };
    if ends_differ && (failed(old) || failed(new)) {
        return ends();
    }
    let mut sinks = vec![(Sink::Stdout, Sink::Stdout), (Sink::Stderr, Sink::Stderr)];
    for (node, path) in &old.files {
        let there = new.files.iter().find(|(_, other)| other == path);
        let other = there.map_or(u32::MAX, |(node, _)| *node);
        sinks.insert(1, (Sink::File(*node), Sink::File(other)));
    }
    for (node, path) in &new.files {
        if !old.files.iter().any(|(_, other)| other == path) {
            sinks.insert(1, (Sink::File(u32::MAX), Sink::File(*node)));
        }
    }
    for (one, other) in sinks {
        let is_observed = match one {
            Sink::Stdout => observe.stdout,
            Sink::Stderr => observe.stderr,
            Sink::File(_) => observe.files,
        };
        let apart = observe.first_difference(&old.written(one), &new.written(other));
        let Some([old_at, at]) = apart.filter(|_| is_observed) else { continue };
        let (left, right) = (old.writer(one, old_at), new.writer(other, at));
        let nodes = [
            left.map(|event| search.node(Version::Old, event)),
            right.map(|event| search.node(Version::New, event)),
        ];
        let nodes = search.different_first(nodes.into_iter().flatten().collect());
        let observable = match one {
            Sink::Stdout => Observable::Stdout { at },
            Sink::Stderr => Observable::Stderr { at },
            Sink::File(node) => {
                let known = old.files.iter().find(|file| file.0 == node);
                let file = known.or_else(|| match other {
                    Sink::File(node) => new.files.iter().find(|file| file.0 == node),
                    _ => None,
                });
                Observable::File { path: file.map_or(Vec::new(), |file| file.1.clone()), at }
            }
        };
        return (Some(observable), Roots { nodes, old: left, new: right });
    }
    if let Some((left, right)) = search.returned().filter(|_| observe.result) {
        let nodes = vec![search.node(Version::Old, left), search.node(Version::New, right)];
        let nodes = search.different_first(nodes);
        let roots = Roots { nodes, old: Some(left), new: Some(right) };
        return (Some(Observable::Returned), roots);
    }
    if ends_differ {
        return ends();
    }
    match search.memory().filter(|_| observe.result) {
        Some(root) => {
            let roots = Roots { nodes: vec![root], old: root.old, new: root.new };
            (Some(Observable::Memory), roots)
        }
        None => (None, Roots::default()),
    }
}

/// Whether an event is a state of the program that people can inspect.
fn is_state(kind: Kind) -> bool {
    match kind {
        Kind::Slot(_) | Kind::Store | Kind::Transfer | Kind::Branch => true,
        Kind::Parameter(..) | Kind::Return | Kind::Shim(_) | Kind::Initial(_) | Kind::End => true,
        Kind::Start | Kind::Phi | Kind::Call(_) | Kind::Object | Kind::Undefined(_) => false,
    }
}
