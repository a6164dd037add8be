//! Strategies taking turns.
//!
//! Tests come first, then `random` and `fuzz`, which find most differences in no time; then all
//! strategies take turns, and those that brought something new get more. Turns are measured in
//! work, not in time, so that the same search is made on every machine. The clock matters where
//! the budget of time ends, and where a strategy has to sit out because its questions are hard.

use std::time::Duration;

use explore::Stopped;
use explore::pair::{Advance, Arena, PairEffort, Searcher};

use super::Phase;

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

    /// Whether it needs nothing but plain runs.
    pub fn is_plain(self) -> bool {
        matches!(self, Strategy::Random | Strategy::Fuzz)
    }
}

/// Work of the first turn, and how much a turn may grow.
const FIRST_TURN: u64 = 500;
const LONGEST_TURN: u64 = 400_000;
/// Strategies that ask a solver join when turns are this long: by then plain runs have found
/// what is easy, and a hard question may take as long as all of them together.
const LATE_TURN: u64 = 8_000;
/// Work that is always done after the last new sort of difference was found.
const LEAST_PATIENCE: u64 = 2_000;
const MOST_PATIENCE: u64 = 4_000_000;
/// Work without anything new after which plain runs are taken to find nothing more, once all
/// other strategies are done.
const SATURATED: u64 = 3_000_000;
/// Time that a strategy may take although plain runs took less.
const GRACE: Duration = Duration::from_millis(300);
/// Spaces up to this size are run in full.
const SMALL_SPACE: u128 = 50_000;

/// A strategy and what it has done.
pub(super) struct Turn<'s> {
    pub searcher: Box<dyn Searcher + 's>,
    pub spent: PairEffort,
    pub sorts: u64,
    /// Its share of a round, in quarters of the usual.
    weight: u64,
    is_done: bool,
}

impl<'s> Turn<'s> {
    pub fn new(searcher: Box<dyn Searcher + 's>) -> Turn<'s> {
        Turn { searcher, spent: PairEffort::default(), sorts: 0, weight: 4, is_done: false }
    }

    fn is_plain(&self) -> bool {
        matches!(self.searcher.name(), "random" | "fuzz")
    }
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    /// Nothing new was found for long after the last difference.
    Satisfied,
    /// All strategies are done or find nothing new.
    Saturated,
    /// Every input of the space was run.
    AllInputs,
    Budget(Stopped),
}

pub(super) struct Portfolio<'s> {
    pub turns: Vec<Turn<'s>>,
    turn: u64,
    /// Work after which the last new sort of difference was found, and how many there were.
    last_sort: (u64, usize),
    last_new: u64,
    /// Sorts of differences that turned out to be none.
    ignored: usize,
    pub first_only: bool,
    /// Whether the whole budget is to be used.
    pub thorough: bool,
}

impl<'s> Portfolio<'s> {
    pub fn new(searchers: Vec<Box<dyn Searcher + 's>>) -> Portfolio<'s> {
        Portfolio {
            turns: searchers.into_iter().map(Turn::new).collect(),
            turn: FIRST_TURN,
            last_sort: (0, 0),
            last_new: 0,
            ignored: 0,
            first_only: false,
            thorough: false,
        }
    }

    /// Lets strategies take turns until there is a reason to stop. `more` brings the strategies
    /// that take time to prepare, once plain runs have had theirs.
    pub fn search(
        &mut self,
        arena: &mut Arena<'s>,
        more: &mut dyn FnMut(&mut Arena<'s>) -> Vec<Box<dyn Searcher + 's>>,
        tell: &(dyn Fn(Phase) + Sync),
    ) -> Ended {
        if let Some(ended) = self.ended(arena) {
            return ended;
        }
        loop {
            for index in 0..self.turns.len() {
                if self.turns[index].is_done || self.has_had_its_share(index) {
                    continue;
                }
                let work = (self.turn * self.turns[index].weight / 4).max(64);
                self.take_turn(arena, index, work, tell);
                if let Some(ended) = self.ended(arena) {
                    return ended;
                }
            }
            if self.turns.is_empty() || self.turn >= LATE_TURN {
                self.turns.extend(more(arena).into_iter().map(Turn::new));
            }
            if self.turns.is_empty() {
                return Ended::Saturated;
            }
            self.turn = (self.turn * 2).min(LONGEST_TURN);
        }
    }

    /// Whether a strategy that asks a solver has taken as much time as plain runs have. Questions
    /// can be so hard that their number says nothing about what they cost.
    fn has_had_its_share(&self, index: usize) -> bool {
        let plain = self.turns.iter().filter(|turn| turn.is_plain());
        let (count, time) =
            plain.fold((0, GRACE), |(count, time), turn| (count + 1, time + turn.spent.time));
        count > 0 && !self.turns[index].is_plain() && self.turns[index].spent.time > time
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
        let start = arena.elapsed();
        let advance = turn.searcher.advance(arena, work);
        turn.is_done = advance == Advance::Done;
        let now = arena.effort;
        turn.spent.runs += now.runs - before.runs;
        turn.spent.concolic += now.concolic - before.concolic;
        turn.spent.questions += now.questions - before.questions;
        turn.spent.solver_calls += now.solver_calls - before.solver_calls;
        turn.spent.time += arena.elapsed() - start;
        turn.sorts += (arena.sorts() - sorts) as u64;
        // What reaches the change is worth more than what is only new.
        let worth = |kept: &explore::pair::Kept| match kept.reaches || kept.diverges {
            true => 4,
            false => 1,
        };
        let gain: u64 = arena.kept[kept..].iter().map(worth).sum();
        turn.weight = match gain + 50 * (arena.sorts() - sorts) as u64 {
            0 => (turn.weight / 2).max(1),
            1..=8 => turn.weight.clamp(2, 8),
            _ => (turn.weight * 2).min(16),
        };
        if arena.kept.len() > kept {
            self.last_new = arena.effort.work();
        }
    }

    /// Does not count what was found so far.
    pub fn ignore_sorts(&mut self, arena: &Arena<'_>) {
        self.ignored = arena.sorts();
    }

    fn ended(&mut self, arena: &Arena<'_>) -> Option<Ended> {
        if let Some(stopped) = arena.exhausted() {
            return Some(Ended::Budget(stopped));
        }
        let work = arena.effort.work();
        if arena.sorts() > self.last_sort.1 {
            self.last_sort = (work, arena.sorts());
        }
        let (after, sorts) = self.last_sort;
        let has_found = sorts > self.ignored;
        if has_found && self.first_only {
            return Some(Ended::Satisfied);
        }
        let patience = (2 * after).clamp(LEAST_PATIENCE, MOST_PATIENCE);
        if has_found && !self.thorough && work - after > patience {
            return Some(Ended::Satisfied);
        }
        let others_done = self.turns.iter().all(|turn| turn.is_done || turn.is_plain());
        let has_plain = self.turns.iter().any(Turn::is_plain);
        let is_stale = !has_plain || work - self.last_new > SATURATED;
        let has_begun = self.turns.iter().any(|turn| turn.spent.runs > 0);
        (has_begun && others_done && is_stale).then_some(Ended::Saturated)
    }
}

/// Runs every input of a small space. `None` if the space is large.
pub(super) fn run_all(arena: &mut Arena<'_>, size: Option<u128>) -> Option<Ended> {
    let size = size.filter(|&size| size <= SMALL_SPACE)?;
    arena.by = "all inputs";
    let layout = arena.pair.layout();
    let counts: Vec<u128> = layout.cells.values().map(|cell| cell.domain.count()).collect();
    let mut input = vec![0; counts.len()];
    for number in 0..size {
        if number % 64 == 0
            && let Some(stopped) = arena.exhausted()
        {
            return Some(Ended::Budget(stopped));
        }
        let mut left = number;
        for ((value, cell), count) in input.iter_mut().zip(layout.cells.values()).zip(&counts) {
            *value = cell.domain.nth(left % count);
            left /= count;
        }
        arena.try_input(&input);
    }
    Some(Ended::AllInputs)
}
