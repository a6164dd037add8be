//! Partial runs of both versions from a change: their paths, the states at the ends of chains, and
//! which path takes which chain.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use base::Version;
use exec::code::Op;
use exec::concolic::{Arrivals, Concolic};
use exec::stop::Site;
use exec::{Input, Limits, Machine, Program};
use explore::partial::{Activation, Naming, PartialPath, Paths, Root, Walker, Wish};
use explore::{Partial, PathLimits};
use graphs::{Direction, Icfg, Slice};
use ir::StatementId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Chain;
use trace::chains::{Common, Point, dependences_alone};
use trace::{Postdominators, Recorder, Run};

use super::Gap;
use super::chains::Chains;
use super::names::Names;
use super::starts::Start;
use super::states::{State, States, slots_of};
use crate::versions::Versions;

/// The most moments to keep of a run.
const MOST_ARRIVALS: usize = 2_000;
/// The most events of a run to trace.
const MOST_EVENTS: u32 = 1 << 18;

/// Both versions, ready for partial runs over the same terms.
pub(super) struct Machines<'p> {
    pub programs: [&'p Program; 2],
    machines: [Machine<'p, Concolic>; 2],
    tracers: [Machine<'p, Recorder<'p>>; 2],
    ends: [&'p Postdominators; 2],
    holder: Version,
    pub solver: Chain,
}

impl<'p> Machines<'p> {
    pub fn new(
        programs: [&'p Program; 2],
        ends: [&'p Postdominators; 2],
        limits: Limits,
    ) -> Machines<'p> {
        let terms = |version: Version| {
            let mut concolic = Concolic::new();
            concolic.watch_undefined();
            Machine::idle(programs[version], &Input::default(), limits, concolic)
        };
        let plain = |version: Version| {
            let recorder = Recorder::new(programs[version], ends[version], MOST_EVENTS);
            Machine::idle(programs[version], &Input::default(), limits, recorder)
        };
        let machines = Version::BOTH.map(terms);
        let tracers = Version::BOTH.map(plain);
        let (holder, solver) = (Version::Old, smt::standard());
        Machines { programs, machines, tracers, ends, holder, solver }
    }

    /// The machine of a version, which then has the terms.
    pub fn at(&mut self, version: Version) -> &mut Machine<'p, Concolic> {
        if self.holder != version {
            let [old, new] = &mut self.machines;
            std::mem::swap(&mut old.observer.terms, &mut new.observer.terms);
            self.holder = version;
        }
        &mut self.machines[version]
    }

    /// The terms, and the solver.
    pub fn terms(&mut self) -> (&mut smt::Terms, &mut Chain) {
        let Machines { machines, holder, solver, .. } = self;
        (&mut machines[*holder].observer.terms, solver)
    }
}

/// What matters for the chains of one change.
pub(super) struct Focus {
    /// The ends of required chains, by version.
    watched: [Vec<StatementId>; 2],
    /// Statements that affect what is compared there, and from which the ends can be reached.
    matters: [FxHashSet<StatementId>; 2],
    /// Decisions of loops.
    repeats: [FxHashSet<StatementId>; 2],
}

/// The graphs of both versions that tell what matters.
pub(super) struct Scenery<'a> {
    versions: &'a Versions,
    icfgs: [Icfg; 2],
    affected: [FxHashSet<StatementId>; 2],
    repeats: [FxHashSet<StatementId>; 2],
}

impl<'a> Scenery<'a> {
    pub fn new(
        versions: &'a Versions,
        common: Common<'_>,
        programs: [&Program; 2],
        points: &[Point],
    ) -> Scenery<'a> {
        let icfgs = Version::BOTH.map(|version| {
            let side = versions.side(version);
            let calls = side.calls();
            Icfg::new(&side.module, &calls.points_to, &calls.calls, Some(programs[version].entry))
        });
        let matching = common.matching;
        let forward = Version::BOTH.map(|version| {
            let graphs = versions.side(version).graphs();
            let changed = matching.changes(version);
            let points = points.iter().filter(|point| point.version == version);
            let start = changed.chain(points.map(|point| point.statement));
            let slice = Slice::of_statements(&graphs.sdg, start, Direction::Forward);
            slice.statements(&graphs.sdg)
        });
        let affected = Version::BOTH.map(|version| {
            let others = forward[version.other()].iter();
            let shared = others.filter_map(|&one| matching.counterpart(version.other(), one));
            forward[version].iter().copied().chain(shared).collect()
        });
        let repeats = Version::BOTH.map(|version| repeating(versions, version));
        Scenery { versions, icfgs, affected, repeats }
    }

    pub fn icfg(&self, version: Version) -> &Icfg {
        &self.icfgs[version]
    }

    /// What matters for chains that end at these statements; everything, if paths are not merged.
    pub fn focus(&self, watched: [Vec<StatementId>; 2], merges: bool) -> Focus {
        let matters = Version::BOTH.map(|version| {
            let side = self.versions.side(version);
            let ends = &watched[version];
            let reaching = self.reaching(version, ends);
            if !merges {
                return reaching;
            }
            let graphs = side.graphs();
            let seen = self.affected[version].iter().chain(ends).copied();
            let slice = Slice::of_statements(&graphs.sdg, seen, Direction::Backward);
            let statements = slice.statements(&graphs.sdg);
            statements.into_iter().filter(|one| reaching.contains(one)).collect()
        });
        Focus { watched, matters, repeats: self.repeats.clone() }
    }

    /// The statements from which some others can be reached.
    pub fn reaching(&self, version: Version, ends: &[StatementId]) -> FxHashSet<StatementId> {
        let module = &self.versions.side(version).module;
        let icfg = &self.icfgs[version];
        let targets: Vec<_> =
            ends.iter().flat_map(|&end| changes::points::segments_of(module, icfg, end)).collect();
        let reached = icfg.reaching(&targets);
        let mut found = FxHashSet::default();
        for (id, data) in module.statements.iter() {
            let last = icfg.last_of(data.function, data.block);
            let own = changes::points::segments_of(module, icfg, id).into_iter();
            if own.chain(last).any(|segment| reached.contains(segment)) {
                found.insert(id);
            }
        }
        found
    }
}

/// The statements that may be executed again without leaving their function.
fn repeating(versions: &Versions, version: Version) -> FxHashSet<StatementId> {
    let module = &versions.side(version).module;
    let mut found = FxHashSet::default();
    for function in module.functions.values() {
        let Some(body) = function.body() else { continue };
        let cfg = graphs::Cfg::of_blocks(body);
        for block in body.blocks.keys() {
            let node = cfg.first_of(block);
            let mut seen = FxHashSet::default();
            let mut open: Vec<_> = cfg.successors(node).iter().map(|(to, _)| *to).collect();
            while let Some(at) = open.pop() {
                if seen.insert(at) {
                    open.extend(cfg.successors(at).iter().map(|(to, _)| *to));
                }
            }
            if seen.contains(&node) {
                found.extend(
                    body.blocks[block].insts.iter().map(|&inst| body.insts[inst].statement),
                );
            }
        }
    }
    found
}

/// How a path comes to the end of a chain, or of OLD to the same statement.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    pub path: usize,
    /// How often the path came to the statement before.
    pub round: usize,
    /// The arrival, by its number.
    pub arrival: usize,
    pub state: Rc<State>,
    /// Whether there may be objects that the state does not have.
    pub is_partial: bool,
}

/// The paths of one version from one start.
pub(super) struct Walked {
    pub paths: Paths,
    /// By the end of a chain, as the version has it.
    pub visits: BTreeMap<StatementId, Vec<Visit>>,
    pub gaps: BTreeSet<Gap>,
}

/// Both versions from one start.
pub(super) struct Walk<'p> {
    pub version: Version,
    pub here: Walked,
    pub there: Option<Walked>,
    pub partials: [Option<Partial<'p>>; 2],
    /// For each required chain, the visits of its end by which paths take it.
    pub taken: BTreeMap<usize, BTreeSet<(usize, usize)>>,
}

/// What walking needs to know.
pub(super) struct Walking<'w, 'p> {
    pub states: &'w States<'p>,
    pub common: Common<'p>,
    pub focus: &'w Focus,
    pub limits: PathLimits,
    pub is_over: &'w dyn Fn() -> bool,
}

impl<'p> Walking<'_, 'p> {
    /// Walks both versions from a start, and finds which paths take which chains.
    pub fn walk(
        &self,
        machines: &mut Machines<'p>,
        (version, start): (Version, &Start),
        chains: &Chains,
    ) -> Walk<'p> {
        let other = version.other();
        let programs = machines.programs;
        let partial = |version: Version, frames: &Vec<_>| {
            let naming = naming(self.states.names, version, frames.clone());
            Partial::within(programs[version], frames.clone(), Some(naming))
        };
        let mut here = partial(version, &start.here);
        let mut there = start.there.as_ref().map(|frames| partial(other, frames));
        // Objects behind pointers have the same addresses in both versions.
        let mut failed = here.prepare(machines.at(version)).is_err();
        if let Some(there) = &mut there {
            failed |= there.prepare(machines.at(other)).is_err();
            let at = here.objects_at.max(there.objects_at);
            (here.objects_at, there.objects_at) = (at, at);
        }
        let mut walked = self.one(machines, version, &mut here);
        let mut beside = there.as_mut().map(|there| {
            there.adopt(&mut machines.at(other).observer.terms, &here.leads);
            self.one(machines, other, there)
        });
        if let Some(there) = &there {
            here.adopt(&mut machines.at(version).observer.terms, &there.leads);
        }
        if failed {
            walked.gaps.insert(Gap::Start);
        }
        if !here.leads.is_empty() {
            walked.gaps.insert(Gap::Alias);
        }
        if let Some(beside) = &mut beside {
            walked.gaps.append(&mut beside.gaps);
        }
        let taken = self.taken(machines, version, &mut here, &mut walked, chains);
        let partials = match version {
            Version::Old => [Some(here), there],
            Version::New => [there, Some(here)],
        };
        Walk { version, here: walked, there: beside, partials, taken }
    }

    fn one(
        &self,
        machines: &mut Machines<'p>,
        version: Version,
        partial: &mut Partial<'p>,
    ) -> Walked {
        let program = machines.programs[version];
        machines.at(version);
        let Machines { machines: both, solver, .. } = machines;
        let machine = &mut both[version];
        let mut arrivals = Arrivals { most: MOST_ARRIVALS, ..Arrivals::default() };
        arrivals.watched.clone_from(&self.focus.watched[version]);
        for function in program.module.functions.keys() {
            if self.common.matching.is_own(version, function) {
                let slots = slots_of(program, function);
                let registers = slots.iter().map(|&(_, register, _)| register).collect();
                arrivals.registers.insert(function, registers);
            }
        }
        arrivals.resumed = resumed(program, &arrivals.watched);
        machine.observer.arrivals = Some(Box::new(arrivals));
        let statement = |site: Site| {
            let body = program.module.functions[site.function].body()?;
            Some(body.insts.get(site.inst)?.statement)
        };
        let matters = |site: Site| {
            statement(site).is_none_or(|one| self.focus.matters[version].contains(&one))
        };
        let repeats = |site: Site| {
            statement(site).is_some_and(|one| self.focus.repeats[version].contains(&one))
        };
        let wish = Wish {
            limits: self.limits,
            matters: &matters,
            repeats: &repeats,
            is_over: self.is_over,
        };
        let paths = Walker::new(partial, machine, solver, wish).walk();
        let tracked: Vec<(Root, u64)> = {
            let objects = machine.observer.arrivals.as_ref().map(|all| all.objects.clone());
            let objects = objects.unwrap_or_default();
            partial
                .tracked()
                .into_iter()
                .zip(objects)
                .map(|(root, one)| (root, one.address))
                .collect()
        };
        let gaps = partial.blurs.iter().map(|&blur| Gap::Blur(blur)).collect();
        let mut walked = Walked { paths, visits: BTreeMap::new(), gaps };
        let mut known: FxHashMap<State, Rc<State>> = FxHashMap::default();
        for (number, path) in walked.paths.paths.iter().enumerate() {
            let mut rounds: FxHashMap<StatementId, usize> = FxHashMap::default();
            for (index, arrival) in path.arrivals.iter().enumerate() {
                let round = rounds.entry(arrival.statement).or_default();
                let state = self.states.of(version, arrival, partial, machine, &tracked);
                let state = match known.get(&state) {
                    Some(known) => Rc::clone(known),
                    None => {
                        let made = Rc::new(state.clone());
                        known.insert(state, Rc::clone(&made));
                        made
                    }
                };
                let is_partial = path.made.is_some_and(|made| index >= made);
                let visit =
                    Visit { path: number, round: *round, arrival: index, state, is_partial };
                walked.visits.entry(arrival.statement).or_default().push(visit);
                *round += 1;
            }
        }
        machine.observer.arrivals = None;
        walked
    }

    /// For each required chain, the visits (of its end, in order) by which paths take it.
    fn taken(
        &self,
        machines: &mut Machines<'p>,
        version: Version,
        partial: &mut Partial<'p>,
        walked: &mut Walked,
        chains: &Chains,
    ) -> BTreeMap<usize, BTreeSet<(usize, usize)>> {
        let mut taken: BTreeMap<usize, BTreeSet<(usize, usize)>> = BTreeMap::new();
        for (number, path) in walked.paths.paths.iter().enumerate() {
            let Some(trace) = trace_of(machines, version, partial, path) else {
                walked.gaps.insert(Gap::Trace);
                continue;
            };
            let run = Run { program: machines.programs[version], trace: &trace };
            let found = dependences_alone(self.common, version, run);
            for ending in chains.taken(&found, true) {
                let end = chains.all[ending.chain].end;
                let Some(statement) = statement_of(self.common, version, end) else { continue };
                let count = trace.arrivals.iter().filter(|(at, event)| {
                    *at == statement && (*event <= ending.event || ending.chain == 0)
                });
                let round = match (ending.chain, count.count()) {
                    (0, _) => 0,
                    // It began before the change, and goes on.
                    (_, 0) => {
                        walked.gaps.insert(Gap::Inside);
                        continue;
                    }
                    (_, count) => count - 1,
                };
                taken.entry(ending.chain).or_default().insert((number, round));
            }
        }
        taken
    }
}

/// Where statements go on behind calls.
fn resumed(
    program: &Program,
    watched: &[StatementId],
) -> FxHashMap<(ir::FuncId, u32), StatementId> {
    let mut found = FxHashMap::default();
    for &statement in watched {
        let function = program.module.statements[statement].function;
        let Some(body) = program.module.functions[function].body() else { continue };
        let code = program.code(function);
        for (at, (op, &inst)) in code.ops.iter().zip(&code.origins).enumerate() {
            let calls = matches!(op, Op::Call { .. } | Op::CallIndirect { .. });
            if calls && body.insts[inst].statement == statement {
                found.insert((function, at as u32 + 1), statement);
            }
        }
    }
    found
}

/// What unknowns of a start are called.
fn naming<'p>(names: Names<'p>, version: Version, frames: Vec<Activation>) -> Rc<Naming<'p>> {
    let known: RefCell<FxHashMap<Root, String>> = RefCell::default();
    Rc::new(move |root, offset, bytes| {
        let mut known = known.borrow_mut();
        let name = known.entry(root).or_insert_with(|| names.of(version, &frames, root));
        format!("{name}+{offset}:{}", 8 * bytes)
    })
}

/// The statement of a version that a point of chains is.
pub(super) fn statement_of(
    common: Common<'_>,
    version: Version,
    point: Point,
) -> Option<StatementId> {
    match point.version == version {
        true => Some(point.statement),
        false => common.matching.counterpart(point.version, point.statement),
    }
}

/// The trace of a path; `None` if it is cut.
fn trace_of<'p>(
    machines: &mut Machines<'p>,
    version: Version,
    partial: &mut Partial<'p>,
    path: &PartialPath,
) -> Option<trace::Trace> {
    let program = machines.programs[version];
    let recorder = Recorder::new(program, machines.ends[version], MOST_EVENTS).keep_arrivals();
    let machine = &mut machines.tracers[version];
    machine.observer = recorder;
    partial.model = path.model.clone();
    let stop = match partial.place(machine) {
        Ok(()) => machine.run(),
        Err(stop) => stop,
    };
    let next = Recorder::new(program, machines.ends[version], MOST_EVENTS);
    let recorder = std::mem::replace(&mut machine.observer, next);
    let trace = recorder.finish(stop, &machine.state);
    (!trace.truncated).then_some(trace)
}
