//! Strategies taking turns.
//!
//! Tests come first, then `random` and `fuzz`, which find most differences in no time; then all
//! strategies take turns, and those that brought something new get more. Turns are measured in
//! work, not in time, so that the same search is made on every machine. The clock matters only
//! where the budget of time ends.

use explore::Stopped;
use explore::pair::{Advance, Arena, PairEffort, Proof, Searcher};
use explore::partitions::{Summary, Wanted};

use super::Phase;
use super::saved::spent;

/// How inputs are found.
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

    /// The strategies of which it consists and that need more than plain runs, in their order.
    pub fn symbolic(self) -> Vec<Strategy> {
        use Strategy::*;
        match self {
            Random | Fuzz => Vec::new(),
            Portfolio => vec![Propagate, Express, Dart, Partitions],
            Dart | Express | Reach | Propagate | Partitions => vec![self],
        }
    }
}

/// Work of the first turn, and how much a turn may grow. A unit takes some 20 µs.
const FIRST_TURN: u64 = 100;
const LONGEST_TURN: u64 = 51_200;
/// Work in which a strategy that proves something gets nowhere if there is less.
const LEAST_PROOF: u64 = 400;
/// The weight with which a strategy begins, and one that aims at differences.
const USUAL: u64 = 4;
const FIRST_AIM: u64 = 16;
/// Work that is always done after the last new sort of difference was found.
const LEAST_PATIENCE: u64 = 200;
const MOST_PATIENCE: u64 = 4_000_000;
/// Work without anything new after which plain runs are taken to find nothing more, once all
/// other strategies are done.
const SATURATED: u64 = 1_000_000;
/// Spaces up to this size are run in full.
const SMALL_SPACE: u64 = 50_000;

/// A strategy and what it has done.
pub(super) struct Turn<'s> {
    searcher: Box<dyn Searcher + 's>,
    spent: PairEffort,
    sorts: u64,
    /// Its share of a round, in quarters of the usual.
    weight: u64,
    is_done: bool,
    sort: Sort,
}

/// What a strategy rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// Plain runs alone.
    Plain,
    /// A solver's answers.
    Solving,
    /// The same, and it proves something.
    Proving,
}

impl<'s> Turn<'s> {
    fn plain(searcher: Box<dyn Searcher + 's>) -> Turn<'s> {
        let spent = PairEffort::default();
        Turn { searcher, spent, sorts: 0, weight: USUAL, is_done: false, sort: Sort::Plain }
    }

    fn symbolic(searcher: Box<dyn Searcher + 's>) -> Turn<'s> {
        let sort = match searcher.proof() {
            Some(_) => Sort::Proving,
            None => Sort::Solving,
        };
        let weight = if searcher.is_aimed() { FIRST_AIM } else { USUAL };
        Turn { sort, weight, ..Turn::plain(searcher) }
    }

    /// Partitions of which something is proved.
    fn proved(&self) -> u64 {
        self.searcher.proof().map_or(0, |proof| (proof.equal + proof.different) as u64)
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing new was found for long after the last difference.
    Satisfied,
    /// All strategies are done or find nothing new.
    Saturated,
    /// Every input of the space was run, and there are this many.
    AllInputs {
        inputs: u64,
    },
    /// All inputs are proved to be alike in both versions.
    Proved,
    Budget(Stopped),
}

pub(super) struct Portfolio<'s> {
    turns: Vec<Turn<'s>>,
    turn: u64,
    /// Work after which the last new sort of difference was found, and how many there were.
    last_sort: (u64, usize),
    last_new: u64,
    /// Sorts of differences that turned out to be none.
    ignored: usize,
    pub first_only: bool,
    /// Whether the whole budget is to be used.
    pub thorough: bool,
    /// Work of the search that is taken up.
    pub earlier: u64,
}

impl<'s> Portfolio<'s> {
    /// Begins with strategies that need nothing but plain runs.
    pub fn new(plain: Vec<Box<dyn Searcher + 's>>) -> Portfolio<'s> {
        Portfolio {
            turns: plain.into_iter().map(Turn::plain).collect(),
            turn: FIRST_TURN,
            last_sort: (0, 0),
            last_new: 0,
            ignored: 0,
            first_only: false,
            thorough: false,
            earlier: 0,
        }
    }

    /// Adds a strategy that an earlier search left in the middle of its work.
    pub fn take_up(&mut self, searcher: Box<dyn Searcher + 's>) {
        self.turns.push(Turn::symbolic(searcher));
    }

    /// Lets strategies take turns until there is a reason to stop. After the first round, `next`
    /// brings those that take time to prepare, one by one; each begins when it comes.
    pub fn search(
        &mut self,
        arena: &mut Arena<'s>,
        next: &mut dyn FnMut(&mut Arena<'s>) -> Option<Box<dyn Searcher + 's>>,
        tell: &(dyn Fn(Phase) + Sync),
    ) -> Ended {
        if let Some(ended) = self.ended(arena) {
            return ended;
        }
        loop {
            if let Some(ended) = self.round(arena, 0, tell) {
                return ended;
            }
            self.turn = (self.turn * 2).min(LONGEST_TURN);
            while let Some(searcher) = next(arena) {
                let known = self.turns.len();
                self.turns.push(Turn::symbolic(searcher));
                if let Some(ended) = self.round(arena, known, tell) {
                    return ended;
                }
            }
            if self.turns.is_empty() {
                return Ended::Saturated;
            }
        }
    }

    /// What each strategy did, and how many new sorts of differences it found.
    pub fn effort(&self) -> Vec<(&'static str, PairEffort, u64)> {
        let turns = self.turns.iter();
        turns.map(|turn| (turn.searcher.name(), turn.spent, turn.sorts)).collect()
    }

    /// Takes out the strategies of which nothing more is asked when the search is over.
    pub fn retire(&mut self) -> Vec<Box<dyn Searcher + 's>> {
        let retired = self.turns.extract_if(.., |turn| turn.sort != Sort::Proving);
        retired.map(|turn| turn.searcher).collect()
    }

    /// Lets each strategy take a turn, from one on.
    fn round(
        &mut self,
        arena: &mut Arena<'s>,
        first: usize,
        tell: &(dyn Fn(Phase) + Sync),
    ) -> Option<Ended> {
        let has_others = self.turns.len() > 1;
        for index in first..self.turns.len() {
            if self.turns[index].is_done || self.has_had_its_share(index) {
                continue;
            }
            let work = self.turn * self.turns[index].weight / USUAL;
            let work = self.patience(arena).map_or(work, |patience| work.min(patience));
            if self.turns[index].sort == Sort::Proving && work < LEAST_PROOF && has_others {
                continue;
            }
            self.take_turn(arena, index, work.max(64), tell);
            if let Some(ended) = self.ended(arena) {
                return Some(ended);
            }
        }
        None
    }

    /// Whether a strategy has to wait: those that ask a solver do no more together than plain
    /// runs do, and neither do those that prove something.
    fn has_had_its_share(&self, index: usize) -> bool {
        let spent = |sort: Sort| -> u64 {
            let turns = self.turns.iter().filter(|turn| turn.sort == sort);
            turns.map(|turn| turn.spent.work()).sum()
        };
        let sort = self.turns[index].sort;
        let has_plain = self.turns.iter().any(|turn| turn.sort == Sort::Plain);
        has_plain && sort != Sort::Plain && spent(sort) > spent(Sort::Plain)
    }

    fn take_turn(
        &mut self,
        arena: &mut Arena<'_>,
        index: usize,
        work: u64,
        tell: &(dyn Fn(Phase) + Sync),
    ) {
        let turn = &mut self.turns[index];
        tell(Phase::Searching(turn.searcher.name()));
        arena.by = turn.searcher.name();
        let (before, sorts, kept) = (arena.effort, arena.sorts(), arena.kept.len());
        let (start, proved) = (arena.elapsed(), turn.proved());
        let advance = turn.searcher.advance(arena, work);
        turn.is_done = advance == Advance::Done;
        turn.spent.add_between(&before, &arena.effort);
        turn.spent.time += arena.elapsed() - start;
        turn.sorts += (arena.sorts() - sorts) as u64;
        // What reaches the change is worth more than what is only new.
        let worth = |kept: &explore::pair::Kept| match kept.reaches || kept.diverges {
            true => 4,
            false => 1,
        };
        let gain: u64 = arena.kept[kept..].iter().map(worth).sum();
        let gain = gain + (turn.proved() - proved);
        turn.weight = match gain + 50 * (arena.sorts() - sorts) as u64 {
            0 => (turn.weight / 2).max(1),
            1..=8 => turn.weight.clamp(2, 8),
            _ => (turn.weight * 2).min(8),
        };
        if arena.kept.len() > kept {
            self.last_new = arena.effort.work();
        }
        let work = self.earlier + arena.effort.work();
        arena.keep(|| spent(work));
    }

    /// Does not count what was found so far.
    pub fn ignore_sorts(&mut self, arena: &Arena<'_>) {
        self.ignored = arena.sorts();
    }

    /// Work that is left to be done because there may be differences of other sorts, if there
    /// is one at all.
    fn patience(&self, arena: &Arena<'_>) -> Option<u64> {
        let (after, sorts) = self.last_sort;
        if sorts <= self.ignored || self.thorough && !self.first_only {
            return None;
        }
        let patience = match self.first_only {
            true => 0,
            false => ((self.earlier + after) / 4).clamp(LEAST_PATIENCE, MOST_PATIENCE),
        };
        Some(patience.saturating_sub(arena.effort.work() - after))
    }

    /// What is proved so far, if a strategy proves anything.
    pub fn proof(&self) -> Option<Proof> {
        self.turns.iter().find_map(|turn| turn.searcher.proof())
    }

    /// All that is proved, if a strategy proves anything.
    pub fn summary(&mut self, tests: &[Box<[u64]>], wanted: Wanted) -> Option<Summary> {
        self.turns.iter_mut().find_map(|turn| turn.searcher.summary(tests, wanted))
    }

    fn ended(&mut self, arena: &Arena<'_>) -> Option<Ended> {
        if let Some(stopped) = arena.exhausted() {
            return Some(Ended::Budget(stopped));
        }
        let work = arena.effort.work();
        if arena.sorts() > self.last_sort.1 {
            self.last_sort = (work, arena.sorts());
        }
        if self.patience(arena) == Some(0) {
            return Some(Ended::Satisfied);
        }
        if self.proof().is_some_and(|proof| proof.is_equal) {
            return Some(Ended::Proved);
        }
        let others_done = self.turns.iter().all(|turn| turn.is_done || turn.sort == Sort::Plain);
        let has_plain = self.turns.iter().any(|turn| turn.sort == Sort::Plain);
        let is_stale = !has_plain || work - self.last_new > SATURATED;
        let has_begun = self.turns.iter().any(|turn| turn.spent.runs > 0);
        (has_begun && others_done && is_stale).then_some(Ended::Saturated)
    }
}

/// Runs every input of a small space. `None` if the space is large.
pub(super) fn run_all(arena: &mut Arena<'_>, size: Option<u128>) -> Option<Ended> {
    let size =
        size.and_then(|size| u64::try_from(size).ok()).filter(|&size| size <= SMALL_SPACE)?;
    arena.by = "all inputs";
    let layout = arena.pair.layout();
    for number in 0..size {
        if number % 64 == 0
            && let Some(stopped) = arena.exhausted()
        {
            return Some(Ended::Budget(stopped));
        }
        arena.try_input(&layout.nth(u128::from(number)));
    }
    Some(Ended::AllInputs { inputs: size })
}
