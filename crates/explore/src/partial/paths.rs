//! All paths from a start in the middle, with what decides each of them.
//!
//! Depth first: the conditions of a path are negated one after another, the last one first, and each
//! negation that can hold is a path to follow. Decisions that do not matter for what is asked are
//! neither negated nor part of a path: all ways that differ in them only are one path, after
//! Santelices and Harrold (2013), §6.3. What was not followed is a region of its own (`Open`), with
//! the conditions that lead there: nothing is left out silently.
//!
//! Conditions that must hold for a run to be defined, such as an index within its object or that an
//! unknown pointer points to an object of its own, are assumed: they are kept apart and not negated.

use exec::concolic::{Arrival, Concolic, Origin, Step};
use exec::stop::{FaultKind, Site};
use exec::{Machine, Stop};
use ir::StatementId;
use rustc_hash::FxHashMap;
use smt::{Answer, Budget, Model, Path, Solver, TermId};

use super::Partial;

/// The most ways of a decision that has several.
const MOST_WAYS: usize = 64;

/// Bounds of the paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathLimits {
    /// The most decisions of a path.
    pub decisions: usize,
    /// How often a path may go round a loop.
    pub rounds: usize,
    /// The most paths.
    pub paths: usize,
    /// Of a solver query.
    pub conflicts: u32,
}

impl Default for PathLimits {
    fn default() -> PathLimits {
        PathLimits { decisions: 40, rounds: 1, paths: 4000, conflicts: 20_000 }
    }
}

/// What to ask of paths.
pub struct Wish<'a> {
    pub limits: PathLimits,
    /// Whether a decision matters.
    pub matters: &'a dyn Fn(Site) -> bool,
    /// Whether a decision is one of a loop.
    pub repeats: &'a dyn Fn(Site) -> bool,
    /// Whether time is over.
    pub is_over: &'a dyn Fn() -> bool,
}

/// How far a path is known.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// To the end of the program.
    Ended,
    Open(Why),
}

/// Why a path was not followed further.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Why {
    Decisions,
    Rounds,
    /// There are too many paths.
    Paths,
    /// Time is over.
    Time,
    /// The run reached a bound.
    Bound,
    /// The machine does not do something.
    Unsupported(String),
    /// A function whose result depends on more than the unknown state.
    Calls(&'static str),
    /// Another value than the one tried, used in a way that terms do not follow.
    Value,
    /// An unknown pointer leads nowhere.
    Pointer,
    /// The solver does not know.
    Solver,
    /// A path was another one than its conditions say.
    Diverged,
}

/// A path.
#[derive(Clone, Debug)]
pub struct PartialPath {
    pub model: Model,
    /// What decides it: for each condition, the number of conditions of the run before it.
    pub conditions: Vec<(usize, TermId)>,
    /// What is assumed of it, likewise.
    pub assumed: Vec<(usize, TermId)>,
    /// When operations on it are undefined, in the order of arrivals.
    pub undefined: Vec<TermId>,
    pub arrivals: Vec<Arrival>,
    /// From this arrival on, there may be objects that are not known.
    pub made: Option<usize>,
    pub end: End,
}

/// Where paths were not followed.
#[derive(Clone, Debug)]
pub struct Open {
    /// What leads there.
    pub conditions: Vec<TermId>,
    /// How often statements were reached before.
    pub counts: FxHashMap<StatementId, usize>,
    /// The decision, if it is known.
    pub site: Option<Site>,
    pub why: Why,
}

#[derive(Clone, Debug, Default)]
pub struct Paths {
    pub paths: Vec<PartialPath>,
    pub open: Vec<Open>,
    pub runs: u64,
}

/// A way that was not taken yet.
struct Waiting {
    /// The conditions that decide the path before.
    decided: Vec<TermId>,
    /// What is assumed there.
    assumed: Vec<TermId>,
    /// Whether there are decisions before that do not matter.
    has_idle: bool,
    /// What was taken instead.
    taken: Vec<TermId>,
    model: Model,
    counts: FxHashMap<StatementId, usize>,
    site: Site,
}

/// Follows the paths of one start.
pub struct Walker<'w, 'p, S> {
    pub partial: &'w mut Partial<'p>,
    pub machine: &'w mut Machine<'p, Concolic>,
    pub solver: &'w mut S,
    pub wish: Wish<'w>,
    found: Paths,
    waiting: Vec<Waiting>,
    path: Path,
}

/// What a step is for the paths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// It decides, and its negation is to be tried.
    Decides,
    /// One value of many was chosen.
    Chosen,
    Assumed,
    /// It does not matter.
    Idle,
}

impl<'w, 'p, S: Solver> Walker<'w, 'p, S> {
    pub fn new(
        partial: &'w mut Partial<'p>,
        machine: &'w mut Machine<'p, Concolic>,
        solver: &'w mut S,
        wish: Wish<'w>,
    ) -> Walker<'w, 'p, S> {
        let (found, waiting) = (Paths::default(), Vec::new());
        Walker { partial, machine, solver, wish, found, waiting, path: Path::new() }
    }

    /// All paths, or as many as the bounds allow.
    pub fn walk(mut self) -> Paths {
        self.partial.model = Model::new();
        self.follow(None);
        while let Some(next) = self.waiting.pop() {
            let over = match () {
                () if (self.wish.is_over)() => Some(Why::Time),
                () if self.found.paths.len() >= self.wish.limits.paths => Some(Why::Paths),
                () => None,
            };
            match over {
                Some(why) => self.leave(next, why),
                None => self.try_way(next),
            }
        }
        self.found
    }

    /// Notes a way that is not followed.
    fn leave(&mut self, way: Waiting, why: Why) {
        let terms = &mut self.machine.observer.terms;
        let mut conditions = way.decided;
        conditions.extend(way.assumed);
        conditions.extend(way.taken.iter().map(|&taken| terms.not(taken)));
        let (counts, site) = (way.counts, Some(way.site));
        self.found.open.push(Open { conditions, counts, site, why });
    }

    fn try_way(&mut self, way: Waiting) {
        let terms = &mut self.machine.observer.terms;
        let before: Vec<TermId> = way.decided.iter().chain(&way.assumed).copied().collect();
        self.path.follow(terms, 0, &before);
        let others: Vec<TermId> = way.taken.iter().map(|&taken| terms.not(taken)).collect();
        let budget = Budget { conflicts: Some(self.wish.limits.conflicts), ..Budget::default() };
        let mut answer = self.path.ask(self.solver, terms, &others, &way.model, &budget);
        // What is assumed may belong to the other side of a decision that does not matter.
        if let Answer::Unsat(_) = answer
            && way.has_idle
            && !way.assumed.is_empty()
        {
            self.path.follow(terms, 0, &way.decided);
            answer = self.path.ask(self.solver, terms, &others, &way.model, &budget);
        }
        match answer {
            Answer::Unsat(_) => {}
            Answer::Unknown(_) => self.leave(way, Why::Solver),
            Answer::Sat(_) if way.taken.len() >= MOST_WAYS => self.leave(way, Why::Value),
            Answer::Sat(model) => {
                self.partial.model = model;
                self.follow(Some(way));
            }
        }
    }

    fn role(&self, step: &Step) -> Role {
        match step.origin {
            Origin::Branch if !(self.wish.matters)(step.site) => Role::Idle,
            Origin::Switch { .. } if !(self.wish.matters)(step.site) => Role::Idle,
            Origin::Branch | Origin::Switch { .. } => Role::Decides,
            Origin::Check => Role::Assumed,
            Origin::Value { term, .. } if self.is_led(term) => Role::Assumed,
            Origin::Value { .. } => Role::Decides,
            Origin::Extent | Origin::Pin { .. } => Role::Chosen,
        }
    }

    /// Whether a value is the object that an unknown pointer points to.
    fn is_led(&self, term: TermId) -> bool {
        let terms = &self.machine.observer.terms;
        let mut open = vec![term];
        let mut looked = 0;
        while let Some(term) = open.pop() {
            looked += 1;
            if self.partial.leads.contains(&term) {
                return true;
            }
            if looked < 64 {
                open.extend(terms.operands(term));
            }
        }
        false
    }

    /// Runs with the model, and notes the path and the ways that leave it behind the one that led
    /// here.
    fn follow(&mut self, way: Option<Waiting>) {
        let run = self.partial.run(self.machine, self.solver);
        self.found.runs += 1;
        let steps = run.path;
        let roles: Vec<Role> = steps.iter().map(|step| self.role(step)).collect();
        let (cut, why) = self.cut(&steps, &roles, &run.stop);
        let arrivals = self.machine.observer.arrivals.as_ref();
        let mut kept: Vec<Arrival> = arrivals.map_or(Vec::new(), |all| all.all.clone());
        let asked = arrivals.and_then(|all| all.asked);
        let made = arrivals.and_then(|all| all.made).map(|moment| moment.arrivals);
        let is_cut = arrivals.is_some_and(|all| all.is_cut);
        let (cut, end) = match asked {
            Some((name, moment)) if moment.path <= cut => {
                kept.truncate(moment.arrivals);
                (moment.path, End::Open(Why::Calls(name)))
            }
            _ => (cut, why.map_or(End::Ended, End::Open)),
        };
        let end = if is_cut && end == End::Ended { End::Open(Why::Bound) } else { end };
        kept.retain(|arrival| arrival.path <= cut);
        let (mut conditions, mut assumed) = (Vec::new(), Vec::new());
        for (number, (step, role)) in steps[..cut].iter().zip(&roles).enumerate() {
            match role {
                Role::Decides | Role::Chosen => conditions.push((number, step.condition)),
                Role::Assumed => assumed.push((number, step.condition)),
                Role::Idle => {}
            }
        }
        let depth = way.as_ref().map(|way| way.decided.len());
        if let Some(way) = way {
            let before = conditions.iter().take(way.decided.len()).map(|one| one.1);
            if !before.eq(way.decided.iter().copied()) || conditions.len() <= way.decided.len() {
                return self.leave(way, Why::Diverged);
            }
            if let Some(&(at, taken)) = conditions.get(way.decided.len()) {
                let several = !matches!(steps[at].origin, Origin::Branch);
                if several {
                    let taken = way.taken.iter().copied().chain([taken]).collect();
                    self.waiting.push(Waiting { taken, ..way });
                }
            }
        }
        let counts = Counts::new(&kept);
        self.branch_off(&steps, &roles, cut, depth, &counts);
        let undefined = self.machine.observer.undefined.as_ref();
        let undefined = undefined.map_or(Vec::new(), |all| all.iter().map(|one| one.1).collect());
        if let End::Open(why) = &end {
            let all = conditions.iter().chain(&assumed).map(|(_, condition)| *condition);
            self.found.open.push(Open {
                conditions: all.collect(),
                counts: counts.before(usize::MAX),
                site: steps.get(cut).or(steps.last()).map(|step| step.site),
                why: why.clone(),
            });
        }
        let model = self.partial.model.clone();
        let path = PartialPath { model, conditions, assumed, undefined, arrivals: kept, made, end };
        self.found.paths.push(path);
    }

    /// Notes the ways that leave a path at its decisions, or at those behind one of them.
    fn branch_off(
        &mut self,
        steps: &[Step],
        roles: &[Role],
        cut: usize,
        behind: Option<usize>,
        counts: &Counts,
    ) {
        let (mut decided, mut assumed) = (Vec::new(), Vec::new());
        let mut has_idle = false;
        for (number, (step, role)) in steps[..cut].iter().zip(roles).enumerate() {
            let is_new = behind.is_none_or(|behind| decided.len() > behind);
            match role {
                Role::Decides if is_new => self.waiting.push(Waiting {
                    decided: decided.clone(),
                    assumed: assumed.clone(),
                    has_idle,
                    taken: vec![step.condition],
                    model: self.partial.model.clone(),
                    counts: counts.before(number),
                    site: step.site,
                }),
                Role::Chosen if is_new => {
                    let terms = &mut self.machine.observer.terms;
                    let other = terms.not(step.condition);
                    let before = decided.iter().chain(&assumed).copied();
                    let conditions = before.chain([other]).collect();
                    let (counts, site) = (counts.before(number), Some(step.site));
                    self.found.open.push(Open { conditions, counts, site, why: Why::Value });
                }
                _ => {}
            }
            match role {
                Role::Decides | Role::Chosen => decided.push(step.condition),
                Role::Assumed => assumed.push(step.condition),
                Role::Idle => has_idle = true,
            }
        }
    }

    /// How many steps of a run count, and why not more.
    fn cut(&self, steps: &[Step], roles: &[Role], stop: &Stop) -> (usize, Option<Why>) {
        let limits = &self.wish.limits;
        let mut decided = 0;
        let mut rounds: FxHashMap<Site, usize> = FxHashMap::default();
        for (number, (step, role)) in steps.iter().zip(roles).enumerate() {
            if *role != Role::Decides {
                continue;
            }
            decided += 1;
            if decided > limits.decisions {
                return (number, Some(Why::Decisions));
            }
            let count = rounds.entry(step.site).or_default();
            *count += 1;
            if *count > limits.rounds + 1 && (self.wish.repeats)(step.site) {
                return (number, Some(Why::Rounds));
            }
        }
        (steps.len(), open(stop))
    }
}

/// Why what follows the end of a run is not known, if it is not.
fn open(stop: &Stop) -> Option<Why> {
    match stop {
        Stop::Exit(_) | Stop::Signal(_) => None,
        Stop::Exhausted(_) => Some(Why::Bound),
        Stop::Unsupported(what) => Some(Why::Unsupported(format!("{:?}", what.feature))),
        Stop::Fault(fault) => match fault.kind {
            FaultKind::DivisionByZero
            | FaultKind::DivisionOverflow
            | FaultKind::Null { .. }
            | FaultKind::Unreachable
            | FaultKind::Trap
            | FaultKind::Abort
            | FaultKind::Assertion { .. }
            | FaultKind::BufferOverflow => None,
            _ => Some(Why::Pointer),
        },
    }
}

/// How often statements were reached.
struct Counts {
    /// The number of conditions before, and the statement.
    arrivals: Vec<(usize, StatementId)>,
}

impl Counts {
    fn new(arrivals: &[Arrival]) -> Counts {
        Counts { arrivals: arrivals.iter().map(|one| (one.path, one.statement)).collect() }
    }

    /// Before that many conditions and the next one.
    fn before(&self, path: usize) -> FxHashMap<StatementId, usize> {
        let mut counts = FxHashMap::default();
        for (_, statement) in self.arrivals.iter().filter(|(at, _)| *at <= path) {
            *counts.entry(*statement).or_default() += 1;
        }
        counts
    }
}

impl PartialPath {
    /// What leads to an arrival: decisions, and what is assumed.
    pub fn leading_to(&self, arrival: &Arrival) -> (Vec<TermId>, Vec<TermId>) {
        let before = |all: &[(usize, TermId)]| {
            let all = all.iter().take_while(|(number, _)| *number < arrival.path);
            all.map(|(_, condition)| *condition).collect()
        };
        (before(&self.conditions), before(&self.assumed))
    }

    /// When operations before an arrival are undefined.
    pub fn undefined_before(&self, arrival: &Arrival) -> &[TermId] {
        &self.undefined[..arrival.undefined.min(self.undefined.len())]
    }
}
