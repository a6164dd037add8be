//! Which decisions of a run to flip so that another run gets nearer to a target.
//!
//! Qi, Roychoudhury, Liang (2010), §3.1, §4.2 and §4.3. A decision on the input is flipped
//! directly. A decision that does not depend on the input by data has no condition and is never
//! queried; its operands may have been defined under decisions on the input, or may be defined
//! elsewhere if these go another way, so these are flipped instead. The paper considers the former
//! only. Only local variables are followed to definitions that did not happen. If conditions
//! contradict each other, the query omits those that the decision does not depend on.

use std::cmp::Reverse;
use std::sync::Arc;

use exec::Program;
use exec::concolic::{Concolic, Origin, Step};
use ir::{BlockId, FuncId, Op, SlotId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::TermId;
use trace::{EventId, Trace};

use crate::control::{ControlGraph, Distances};
use crate::edges::{Edge, Edges, block_of};
use crate::symbolic::{Instance, decisions, instance};

/// The most decisions without a condition whose dependences are examined.
const MOST_PLACES: usize = 8;

/// The most local variables behind a decision without a condition whose definitions are searched.
const MOST_VARIABLES: usize = 12;

/// Where local variables of a version are defined, and the distances of all places to that.
pub(crate) struct Definitions<'p> {
    program: &'p Program,
    control: &'p ControlGraph,
    known: FxHashMap<(FuncId, SlotId), Arc<Distances>>,
}

impl<'p> Definitions<'p> {
    pub fn new(program: &'p Program, control: &'p ControlGraph) -> Definitions<'p> {
        Definitions { program, control, known: FxHashMap::default() }
    }

    /// Distances to the definitions of a local variable.
    fn of(&mut self, function: FuncId, slot: SlotId) -> Arc<Distances> {
        let Definitions { program, control, known } = self;
        let distances = known.entry((function, slot)).or_insert_with(|| {
            let body = program.module.functions[function].body();
            let blocks = body.into_iter().flat_map(|body| {
                let writes = |inst: &ir::InstId| {
                    matches!(body.insts[*inst].op, Op::WriteSlot { slot: to, .. } if to == slot)
                };
                body.blocks.iter().filter(move |(_, block)| block.insts.iter().any(writes))
            });
            let places: Vec<(FuncId, BlockId)> = blocks.map(|(id, _)| (function, id)).collect();
            Arc::new(control.distances(&places))
        });
        Arc::clone(distances)
    }
}

/// Another outcome of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flip {
    /// How near it leads; smaller is nearer.
    pub rank: u32,
    pub position: usize,
    pub outcome: u64,
    pub condition: TermId,
}

/// Steps that a run decided by branching.
fn is_decision(step: &Step) -> bool {
    matches!(step.origin, Origin::Branch | Origin::Switch { .. })
}

/// Outcomes of a run's own decisions that lead nearer. Outcomes that do not lead there by
/// themselves come after those of the same decision that do.
pub(crate) fn direct_flips(
    observer: &mut Concolic,
    edges: &mut Edges<'_>,
    distances: &Distances,
    steps: &[Step],
) -> Vec<Flip> {
    let program = edges.program();
    let mut flips = Vec::new();
    for (position, step) in steps.iter().enumerate().filter(|(_, step)| is_decision(step)) {
        let around = edges.block_of(step);
        let around = around.and_then(|block| distances.block(step.site.function, block));
        let Some(around) = around else { continue };
        for (outcome, condition) in observer.alternatives(program, step) {
            let ahead = edges.edge(step, outcome).and_then(|edge| distances.edge(edge));
            let rank = ahead.map_or(2 * around + 1, |distance| 2 * distance);
            flips.push(Flip { rank, position, outcome, condition });
        }
    }
    flips
}

/// Outcomes of decisions on the input that nearer decisions without a condition depend on, or that
/// lead to other definitions of their operands.
pub(crate) fn correlated_flips(
    observer: &mut Concolic,
    edges: &mut Edges<'_>,
    definitions: &mut Definitions<'_>,
    distances: &Distances,
    steps: &[Step],
    trace: &Trace,
) -> Vec<Flip> {
    let program = edges.program();
    let positions = positions(steps);
    let mut near: Vec<(u32, Reverse<EventId>)> = Vec::new();
    for &(event, moment) in &trace.decisions {
        let is_by_input =
            instance_of(trace, event, moment).is_some_and(|i| positions.contains_key(&i));
        let others = if is_by_input { Vec::new() } else { other_edges(program, trace, event) };
        let distance = others.into_iter().filter_map(|edge| distances.edge(edge)).min();
        near.extend(distance.map(|distance| (distance, Reverse(event))));
    }
    near.sort_unstable();
    let mut places = FxHashSet::default();
    let mut flips = Vec::new();
    for (distance, Reverse(event)) in near {
        if places.len() >= MOST_PLACES {
            break;
        }
        if places.insert(trace.events[event].site) {
            let rank = 2 * distance + 1;
            flips.extend(flips_behind(observer, program, steps, trace, event, rank));
            let before = &steps[..steps_before(steps, trace, event)];
            for (function, slot) in variables_behind(trace, event) {
                let nearest = definitions.of(function, slot);
                let found = direct_flips(observer, edges, &nearest, before);
                let leads = found.into_iter().filter(|flip| flip.rank % 2 == 0);
                flips.extend(leads.map(|flip| Flip { rank: flip.rank + rank, ..flip }));
            }
        }
    }
    flips
}

/// The number of steps of a path before an event.
pub(crate) fn steps_before(steps: &[Step], trace: &Trace, event: EventId) -> usize {
    let known = decisions(trace);
    let is_later = |step: &Step| match known.get(&instance(step)) {
        Some(&at) => trace.decisions[at].0 >= event,
        // A step that is no decision has no event, and between two jumps it has no order.
        None => step.moment >= trace.events[event].moment,
    };
    steps.iter().position(is_later).unwrap_or(steps.len())
}

/// Local variables that an event depends on, the latest definitions first.
fn variables_behind(trace: &Trace, event: EventId) -> Vec<(FuncId, SlotId)> {
    let mut found = Vec::new();
    for behind in trace.slice(&[event]).into_iter().rev() {
        let trace::Kind::Slot(slot) = trace.events[behind].kind else { continue };
        let variable = (trace.site(behind).function, slot);
        if !found.contains(&variable) {
            found.push(variable);
        }
        if found.len() >= MOST_VARIABLES {
            break;
        }
    }
    found
}

/// Outcomes of decisions on the input that an event depends on, the latest first.
pub(crate) fn flips_behind(
    observer: &mut Concolic,
    program: &Program,
    steps: &[Step],
    trace: &Trace,
    event: EventId,
    rank: u32,
) -> Vec<Flip> {
    let mut flips = Vec::new();
    for position in in_slice(steps, trace, event).into_iter().rev() {
        let alternatives = observer.alternatives(program, &steps[position]);
        let of = alternatives.into_iter();
        flips.extend(of.map(|(outcome, condition)| Flip { rank, position, outcome, condition }));
    }
    flips
}

/// The steps that an event depends on, by data or control, in ascending order.
pub(crate) fn in_slice(steps: &[Step], trace: &Trace, event: EventId) -> Vec<usize> {
    let positions = positions(steps);
    let slice: FxHashSet<EventId> = trace.slice(&[event]).into_iter().collect();
    let inside = trace.decisions.iter().filter(|(decision, _)| slice.contains(decision));
    let mut found: Vec<usize> = inside
        .filter_map(|&(decision, moment)| instance_of(trace, decision, moment))
        .filter_map(|instance| positions.get(&instance).copied())
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The conditions before a step that it depends on.
pub(crate) fn sliced(steps: &[Step], trace: &Trace, position: usize) -> Option<Vec<TermId>> {
    let index = *decisions(trace).get(&instance(&steps[position]))?;
    let kept = in_slice(steps, trace, trace.decisions[index].0);
    let before = kept.into_iter().filter(|&other| other < position);
    let conditions: Vec<TermId> = before.map(|other| steps[other].condition).collect();
    (conditions.len() < position).then_some(conditions)
}

/// The position of each instance of a decision on a path.
fn positions(steps: &[Step]) -> FxHashMap<Instance, usize> {
    let decided = steps.iter().enumerate().filter(|(_, step)| is_decision(step));
    decided.map(|(position, step)| (instance(step), position)).collect()
}

fn instance_of(trace: &Trace, event: EventId, moment: u64) -> Option<Instance> {
    let site = trace.site(event);
    Some((site.function, site.inst?, moment))
}

/// The other edges of a decision.
fn other_edges(program: &Program, trace: &Trace, event: EventId) -> Vec<Edge> {
    let site = trace.site(event);
    let of = || {
        let inst = site.inst?;
        let body = program.module.functions[site.function].body()?;
        let from = block_of(program, site.function, inst)?;
        Some((from, others_than(&body.insts[inst].op, trace.events[event].value)))
    };
    let Some((from, others)) = of() else { return Vec::new() };
    others.into_iter().map(|to| Edge { function: site.function, from, to }).collect()
}

/// The targets of a terminator that an outcome does not lead to.
fn others_than(op: &Op, value: u64) -> Vec<BlockId> {
    match op {
        Op::Branch { then, otherwise, .. } => match value {
            0 => vec![*then],
            _ => vec![*otherwise],
        },
        Op::Switch { default, cases, .. } => {
            let taken = cases.iter().find(|(case, _)| *case == u128::from(value));
            let taken = taken.map_or(*default, |(_, to)| *to);
            let all = cases.iter().map(|(_, to)| *to).chain([*default]);
            all.filter(|to| *to != taken).collect()
        }
        _ => Vec::new(),
    }
}
