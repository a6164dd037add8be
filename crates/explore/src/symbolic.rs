//! Shared parts of the strategies that use a solver: the concolic machine of one version, seeds
//! from tests and from inputs that other strategies kept, and the accounting of effort.

use base::Version;
use exec::concolic::Step;
use inputs::Layout;
use ir::{FuncId, InstId};
use rustc_hash::{FxHashMap, FxHashSet};
use smt::Terms;
use smt::path::PathCounts;
use trace::{Harness, Trace, TraceLimits, Tracer};

use crate::candidate::{Candidate, Frontier, Search};
use crate::cells::CellFrom;
use crate::guidance::Guidance;
use crate::input_terms::InputTerms;
use crate::pair::{Advance, Arena, Side};
use crate::worker::Worker;

/// The most events of a trace; later ones are ignored.
const MOST_EVENTS: u32 = 1 << 19;

/// Repeats a step until it and the steps before it took that much work, or until one finds nothing
/// to do. The step gets the work of the arena at which the turn ends.
pub(crate) fn repeat(
    arena: &mut Arena<'_>,
    work: u64,
    mut step: impl FnMut(&mut Arena<'_>, u64) -> bool,
) -> Advance {
    let until = arena.effort.work().saturating_add(work);
    while arena.effort.work() < until && arena.exhausted().is_none() {
        if !step(arena, until) {
            return Advance::Done;
        }
    }
    Advance::More
}

/// A worker on one version of a pair.
pub(crate) fn worker<'p>(arena: &Arena<'p>, version: Version, name: &[u8]) -> Worker<'p> {
    worker_with(arena, version, name, Terms::new())
}

/// A worker on one version of a pair that continues with an existing table of terms.
pub(crate) fn worker_with<'p>(
    arena: &Arena<'p>,
    version: Version,
    name: &[u8],
    mut terms: Terms,
) -> Worker<'p> {
    let Side { concolic: program, layout, .. } = *arena.pair.side(version);
    let harness = Harness::new(program, layout, name);
    let frontier = Frontier::new(Search::default());
    let (limits, question) = (arena.limits, arena.question());
    let inputs = InputTerms::new(&mut terms, layout);
    let mut worker = Worker::with_terms(harness, inputs, limits, frontier, question, terms);
    worker.expect_many_seeds();
    worker
}

/// An input of one version as one of the common space; cells that the version does not have are
/// taken from another input. `None` if that is outside of the common space: a cell without a
/// counterpart has another value than it must, or a number is not one of both versions.
pub(crate) fn common_input(side: &Side<'_>, own: &[u64], other: &[u64]) -> Option<Box<[u64]>> {
    let Some(cells) = side.cells else { return Some(own.into()) };
    let mut common: Box<[u64]> = other.into();
    for ((from, cell), &value) in cells.iter().zip(side.layout.cells.values()).zip(own) {
        match from {
            CellFrom::Fixed(fixed) if *fixed != value => return None,
            CellFrom::Fixed(_) => {}
            CellFrom::Common { position, domain } => {
                let number = cell.domain.decode(value);
                if !domain.contains_number(number) {
                    return None;
                }
                common[*position] = domain.encode(number);
            }
        }
    }
    Some(common)
}

/// Inputs that a strategy starts from: the given ones, and those that were kept since its last
/// look.
#[derive(Clone, Debug)]
pub(crate) struct Seeds {
    given: Vec<Box<[u64]>>,
    /// How many of the kept inputs were already taken.
    looked: usize,
    known: FxHashSet<Box<[u64]>>,
    /// Whether to take over inputs that others keep.
    shares: bool,
}

impl Seeds {
    /// Without any, the smallest input is one.
    pub fn new(layout: &Layout, given: &[Box<[u64]>], shares: bool) -> Seeds {
        let mut given = given.to_vec();
        if given.is_empty() {
            given.push(layout.cells.values().map(|cell| cell.domain.nth(0)).collect());
        }
        Seeds { given, looked: 0, known: FxHashSet::default(), shares }
    }

    /// Notes that an input comes from the strategy itself.
    pub fn tried(&mut self, assignment: &[u64]) {
        if self.shares {
            self.known.insert(assignment.into());
        }
    }

    /// The next inputs to start from.
    pub fn take(&mut self, arena: &Arena<'_>) -> Vec<Box<[u64]>> {
        let mut seeds = std::mem::take(&mut self.given);
        if self.shares {
            let kept = arena.kept.iter().skip(self.looked);
            seeds.extend(kept.map(|kept| kept.assignment.clone()));
            self.looked = arena.kept.len();
        }
        seeds.retain(|seed| self.known.insert(seed.clone()));
        seeds
    }

    /// Gives a worker the next inputs to start from.
    pub fn give(&mut self, arena: &Arena<'_>, worker: &mut Worker<'_>) {
        for seed in self.take(arena) {
            worker.frontier.push_seed(Candidate::seed(seed));
        }
    }
}

/// Which part of a worker's effort was already charged to an arena.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    runs: u64,
    counts: PathCounts,
}

impl Meter {
    /// Charges the effort of a worker since the last call.
    pub fn charge(&mut self, worker: &Worker<'_>, arena: &mut Arena<'_>) {
        let counts = worker.path.counts();
        arena.charge_concolic(worker.runs - self.runs);
        arena.charge_questions(&self.counts, &counts);
        *self = Meter { runs: worker.runs, counts };
    }

    /// Notes a run that was charged separately.
    pub fn charged_run(&mut self) {
        self.runs += 1;
    }
}

/// Records traces of one version.
pub(crate) fn tracer<'p>(
    arena: &Arena<'p>,
    version: Version,
    name: &[u8],
    guidance: &'p Guidance,
) -> Tracer<'p> {
    let Side { concolic: program, layout, .. } = *arena.pair.side(version);
    let limits = TraceLimits { events: MOST_EVENTS, run: arena.limits };
    Tracer::new(program, layout, name, &guidance.postdominators[version], limits)
}

/// A branch instance: its place and the steps of the run at that time.
pub(crate) type Instance = (FuncId, InstId, u64);

/// The instance of a step.
pub(crate) fn instance(step: &Step) -> Instance {
    (step.site.function, step.site.inst, step.moment)
}

/// The position of each instance in the list of a trace's decisions.
pub(crate) fn decisions(trace: &Trace) -> FxHashMap<Instance, usize> {
    let decisions = trace.decisions.iter().enumerate();
    let known = decisions.filter_map(|(index, &(event, moment))| {
        let site = trace.site(event);
        Some(((site.function, site.inst?, moment), index))
    });
    known.collect()
}
