//! Strategies that take turns.
//!
//! Tests come first, then `random` and `fuzz`, which find most differences quickly; then these
//! continue while those that use a solver take turns on other threads. Plain runs never wait for
//! them (`free`), unless the search must be the same on every machine: then threads meet after
//! rounds that are measured in work, not in time, and the clock matters only at the end of the
//! budget.

mod free;
mod given_up;
mod lane;

use base::parallel::side_by_side;
use explore::Stopped;
use explore::pair::{Arena, Meeting, PairEffort, Searcher};
use explore::proved::{Summary, Wanted};

use super::saved::spent;
use crate::trial::Phase;

use self::free::{Companion, Seat};
pub(super) use self::lane::Bring;
use self::lane::{Lane, LaneState, Patience, Until};

/// How to find inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strategy {
    /// All of them, taking turns.
    #[default]
    Portfolio,
    Random,
    Fuzz,
    Dart,
    Express,
    Reach,
    Propagate,
    Partitions,
}

impl Strategy {
    pub fn name(self) -> &'static str {
        match self {
            Strategy::Portfolio => "portfolio",
            Strategy::Random => "random",
            Strategy::Fuzz => "fuzz",
            Strategy::Dart => "dart",
            Strategy::Express => "express",
            Strategy::Reach => "reach",
            Strategy::Propagate => "propagate",
            Strategy::Partitions => "partitions",
        }
    }

    /// Its strategies that need more than plain runs, in order.
    pub fn symbolic(self) -> Vec<Strategy> {
        use Strategy::*;
        match self {
            Random | Fuzz => Vec::new(),
            Portfolio => vec![Propagate, Express, Dart, Partitions],
            Dart | Express | Reach | Propagate | Partitions => vec![self],
        }
    }
}

/// Work of the shortest round on each thread, and of the longest. A unit takes about 10 to 20 µs.
const SHORTEST_ROUND: u64 = 200;
const LONGEST_ROUND: u64 = 25_600;
/// A round is this fraction of all work so far, so that little is wasted when it ends, and where
/// single solver queries are hard.
const ROUNDS: u64 = 8;
const HARD_ROUNDS: u64 = 4;
/// Work of plain runs while strategies that need more are loaded.
const LOADING: u64 = 800;
/// The minimum of work after the last new kind of difference was found.
const LEAST_PATIENCE: u64 = 200;
const MOST_PATIENCE: u64 = 4_000_000;
/// Work without anything new after which plain runs count as saturated, once all other strategies
/// are done, if the search does not end with its time.
const SATURATED: u64 = 1_000_000;
/// Spaces up to this size are run completely.
const SMALL_SPACE: u64 = 50_000;

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing new was found for a long time after the last difference.
    Satisfied,
    /// All strategies are done or find nothing new.
    Saturated,
    /// Every input of the space was run, and there are this many.
    AllInputs {
        inputs: u64,
    },
    /// All inputs are proved equal in both versions.
    Proved,
    Budget(Stopped),
}

pub(super) struct Portfolio<'s> {
    /// Strategies that need only plain runs, and those that use a solver.
    plain: Lane<'s>,
    solving: Lane<'s>,
    /// Where the latter work in parallel with the former, in rounds.
    beside: Option<(Arena<'s>, Meeting)>,
    /// The same if nobody waits.
    seat: Option<Seat<'s>>,
    /// Further strategies with threads of their own, if there are cores for them.
    companions: Vec<Companion<'s>>,
    /// Their work beyond the target in the last rounds. Plain runs wait for that, unless rounds are
    /// as long.
    overdone: u64,
    /// The number of kept inputs, and the work at which it last grew.
    last_new: (usize, u64),
    /// Kinds of differences that turned out to be none.
    ignored: usize,
    pub first_only: bool,
    /// Whether to use the whole budget.
    pub thorough: bool,
    /// Whether the search must be the same on every machine.
    pub deterministic: bool,
    /// Work of the resumed search.
    pub earlier: u64,
}

impl<'s> Portfolio<'s> {
    /// Begins with strategies that need only plain runs.
    pub fn new(plain: Vec<Box<dyn Searcher + 's>>) -> Portfolio<'s> {
        Portfolio {
            plain: Lane::plain(plain),
            solving: Lane::coming(),
            beside: None,
            seat: None,
            companions: Vec::new(),
            overdone: 0,
            last_new: (0, 0),
            ignored: 0,
            first_only: false,
            thorough: false,
            deterministic: false,
            earlier: 0,
        }
    }

    /// Adds a strategy that an earlier search left unfinished.
    pub fn take_up(&mut self, searcher: Box<dyn Searcher + 's>) {
        self.solving.add(searcher);
    }

    /// Adds a thread for strategies that need only plain runs.
    pub fn add_plain(&mut self, plain: Vec<Box<dyn Searcher + 's>>) {
        self.companions.push(Companion::new(Lane::plain(plain)));
    }

    /// Adds a thread for strategies that use a solver.
    pub fn add_solving(&mut self) {
        self.companions.push(Companion::new(Lane::coming()));
    }

    /// Lets strategies take turns until there is a reason to stop. After the first round, `bring`
    /// provides those that take time to prepare, one by one.
    pub fn search(
        &mut self,
        arena: &mut Arena<'s>,
        bring: &mut Bring<'_, 's>,
        tell: &(dyn Fn(Phase) + Sync),
    ) -> Ended {
        // Threads share a bound on runs only in rounds.
        let is_free = !self.deterministic && arena.most_runs.is_none() && !self.plain.is_empty();
        let ended = loop {
            let work = self.keep(arena);
            if let Some(ended) = self.ended(arena, self.solving.state()) {
                break ended;
            }
            let round = (work / ROUNDS).max(self.overdone.min(work / HARD_ROUNDS));
            let round = round.clamp(SHORTEST_ROUND, LONGEST_ROUND);
            let until = Until { work: round, patience: self.patience() };
            if self.plain.is_empty() {
                self.solving.advance(arena, until, bring, tell);
            } else if work < SHORTEST_ROUND {
                self.plain.advance(arena, until, &mut |_| None, tell);
            } else if is_free {
                break self.run_freely(arena, bring, tell);
            } else if self.solving.is_done() {
                if let Some((_, meeting)) = &self.beside {
                    arena.part(meeting);
                }
                self.plain.advance(arena, until, &mut |_| None, tell);
            } else {
                self.side_by_side(arena, until, bring, tell);
            }
        };
        if let Some((other, _)) = &mut self.beside {
            arena.join(other);
        }
        ended
    }

    /// Passes on what a later search would start with. Returns the work that was done.
    fn keep(&self, arena: &mut Arena<'s>) -> u64 {
        let work = arena.effort.work();
        arena.keep_inputs();
        arena.keep(|| spent(self.earlier + work));
        work
    }

    /// Lets plain runs and other strategies work in parallel.
    fn side_by_side(
        &mut self,
        arena: &mut Arena<'s>,
        until: Until,
        bring: &mut Bring<'_, 's>,
        tell: &(dyn Fn(Phase) + Sync),
    ) {
        let loading = if self.beside.is_none() { LOADING } else { 0 };
        let Portfolio { plain, solving, beside, overdone, .. } = self;
        let (other, meeting) = beside.get_or_insert_with(|| {
            let mut other = arena.fork();
            let meeting = arena.meeting(&mut other);
            (other, meeting)
        });
        let before = other.effort.work();
        let plainly = Until { work: until.work + loading, ..until };
        side_by_side(
            || solving.advance(other, until, bring, tell),
            || plain.advance(arena, plainly, &mut |_| None, tell),
        );
        let done = other.effort.work() - before;
        *overdone = done.saturating_sub(until.work).max(*overdone / 2);
        arena.meet(other, meeting);
    }

    /// The effort of each strategy, and how many new kinds of differences it found.
    pub fn effort(&self) -> Vec<(&'static str, PairEffort, u64)> {
        let mut all: Vec<(&'static str, PairEffort, u64)> = Vec::new();
        for (name, effort, sorts) in self.lanes().flat_map(Lane::effort) {
            match all.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, known, known_sorts)) => {
                    known.add_between(&PairEffort::default(), &effort);
                    known.time += effort.time;
                    *known_sorts += sorts;
                }
                None => all.push((name, effort, sorts)),
            }
        }
        all
    }

    /// Strategies that were dropped because memory was short.
    pub fn given_up(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = self.lanes().flat_map(Lane::given_up).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    fn lanes(&self) -> impl Iterator<Item = &Lane<'s>> {
        let companions = self.companions.iter().map(|companion| &companion.lane);
        [&self.plain, &self.solving].into_iter().chain(companions)
    }

    /// Removes what is not needed after the search: strategies that prove nothing, and the second
    /// arena.
    pub fn retire(&mut self) -> impl Send + use<'s> {
        let companions = self.companions.iter_mut();
        let (lanes, seats): (Vec<_>, Vec<_>) =
            companions.map(|companion| (&mut companion.lane, companion.seat.take())).unzip();
        let lanes = [&mut self.plain, &mut self.solving].into_iter().chain(lanes);
        let strategies: Vec<_> = lanes.flat_map(Lane::retire).collect();
        (strategies, self.beside.take(), self.seat.take(), seats)
    }

    /// Ignores the differences found so far.
    pub fn ignore_sorts(&mut self, arena: &Arena<'_>) {
        self.ignored = arena.sorts();
    }

    /// How long to continue because there may be differences of other kinds.
    fn patience(&self) -> Patience {
        let (least, most) = match (self.first_only, self.thorough) {
            (true, _) => (0, 0),
            (false, true) => (u64::MAX, u64::MAX),
            (false, false) => (LEAST_PATIENCE, MOST_PATIENCE),
        };
        Patience { ignored: self.ignored, earlier: self.earlier, least, most }
    }

    /// Everything that is proved, if a strategy proves anything.
    pub fn summary(&mut self, tests: &[Box<[u64]>], wanted: Wanted) -> Option<Summary> {
        let companions = self.companions.iter_mut().map(|companion| &mut companion.lane);
        let mut lanes = std::iter::once(&mut self.solving).chain(companions);
        lanes.find_map(|lane| lane.summary(tests, wanted))
    }

    /// Why to stop, given the state of the strategies that use a solver.
    fn ended(&mut self, arena: &Arena<'_>, solving: LaneState) -> Option<Ended> {
        if let Some(stopped) = arena.exhausted() {
            return Some(Ended::Budget(stopped));
        }
        if let Some(inputs) = self.plain.ran_all() {
            return Some(Ended::AllInputs { inputs });
        }
        let work = arena.effort.work();
        if arena.kept.len() > self.last_new.0 {
            self.last_new = (arena.kept.len(), work);
        }
        if self.patience().left(arena) == Some(0) {
            return Some(Ended::Satisfied);
        }
        if solving == LaneState::Equal {
            return Some(Ended::Proved);
        }
        // The remaining time is for open changes, unless time does not matter.
        let is_timed = arena.is_timed() && !self.deterministic;
        let is_stale = self.plain.is_empty() || !is_timed && work - self.last_new.1 > SATURATED;
        (solving == LaneState::Done && is_stale).then_some(Ended::Saturated)
    }
}

/// Runs every input of a small space. `None` if the space is large.
pub(super) fn run_all(arena: &mut Arena<'_>, size: Option<u128>) -> Option<Ended> {
    let size =
        size.and_then(|size| u64::try_from(size).ok()).filter(|&size| size <= SMALL_SPACE)?;
    arena.by = "all inputs";
    let layout = arena.pair.layout();
    for number in 0..size {
        if number % 64 == 0 {
            arena.keep_inputs();
            if let Some(stopped) = arena.exhausted() {
                return Some(Ended::Budget(stopped));
            }
        }
        arena.try_input(&layout.nth(u128::from(number)));
    }
    arena.keep_inputs();
    Some(Ended::AllInputs { inputs: size })
}
