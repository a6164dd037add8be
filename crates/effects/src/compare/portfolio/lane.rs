//! Strategies that take turns on one thread.
//!
//! Whose turn it is depends on the work that each has done so far and on the results: strategies
//! that found something new get more. Work goes half to strategies that prove something and half to
//! the others.

use explore::pair::{Advance, Aim, Arena, Dropped, Kept, PairEffort, Proof, Searcher};
use explore::proved::{Summary, Wanted};

use crate::trial::Phase;

use super::given_up::GivenUp;

/// The minimum of work in which a strategy that proves something makes progress.
const LEAST_PROOF: u64 = 400;
/// The minimum of work in which any strategy makes progress.
const LEAST_TURN: u64 = 64;
/// The initial weight of a strategy.
const USUAL: u64 = 16;
/// The service of a strategy before the next one comes, and before it is judged.
const FIRST_SHARE: u64 = 200;

/// The minimum of work if nothing was found but undefined operations.
const SILENT_PATIENCE: u64 = 50_000;
/// The same if there are changed statements that no difference executes.
const OPEN_PATIENCE: u64 = 1_000;

/// A strategy and its record.
struct Turn<'s> {
    searcher: Box<dyn Searcher + 's>,
    spent: PairEffort,
    sorts: u64,
    /// Its share, in parts of the usual.
    weight: u64,
    /// The bounds of its weight.
    least_weight: u64,
    most_weight: u64,
    /// Work that it has done, in turns of its weight: the one with the least is next.
    served: u64,
    is_done: bool,
    proves: bool,
    /// Whether it was dropped because memory was short.
    is_given_up: bool,
}

impl<'s> Turn<'s> {
    fn new(searcher: Box<dyn Searcher + 's>) -> Turn<'s> {
        let (weight, least_weight, most_weight) = match searcher.aim() {
            Aim::Blind => (USUAL, USUAL / 16, USUAL / 8),
            Aim::EveryInput => (USUAL, USUAL / 2, USUAL),
            Aim::NewRuns => (USUAL, USUAL / 4, USUAL * 2),
            Aim::Differences => (USUAL * 4, USUAL * 3 / 4, USUAL * 2),
        };
        let proves = searcher.proof().is_some();
        let spent = PairEffort::default();
        let (is_done, is_given_up) = (false, false);
        Turn {
            searcher,
            spent,
            sorts: 0,
            weight,
            least_weight,
            most_weight,
            served: 0,
            is_done,
            proves,
            is_given_up,
        }
    }

    /// Partitions with a proof.
    fn proved(&self) -> u64 {
        self.searcher.proof().map_or(0, |proof| (proof.equal + proof.different) as u64)
    }

    fn take(&mut self, arena: &mut Arena<'s>, work: u64, tell: &(dyn Fn(Phase) + Sync)) {
        tell(Phase::Searching(self.searcher.name()));
        arena.by = self.searcher.name();
        let (before, sorts, kept) = (arena.effort, arena.sorts(), arena.kept.len());
        let (start, proved) = (arena.elapsed(), self.proved());
        self.is_done = self.searcher.advance(arena, work) == Advance::Done;
        self.spent.add_between(&before, &arena.effort);
        self.spent.time += arena.elapsed() - start;
        self.served += (arena.effort.work() - before.work()).max(1) * USUAL / self.weight;
        let sorts = (arena.sorts() - sorts) as u64;
        self.sorts += sorts;
        if self.served < FIRST_SHARE {
            return;
        }
        // Reaching the change is worth more than mere novelty.
        let worth = |kept: &Kept| if kept.reaches || kept.diverges { 4 } else { 1 };
        let gain: u64 = arena.kept[kept..].iter().map(worth).sum();
        self.weight = match gain + (self.proved() - proved) + 50 * sorts {
            0 => (self.weight / 2).max(self.least_weight),
            1..=8 => self.weight.clamp(USUAL / 2, USUAL * 2).min(self.most_weight),
            _ => (self.weight * 2).min(self.most_weight),
        };
    }
}

/// Provides strategies that take time to prepare, one by one.
pub(in crate::compare) type Bring<'b, 's> =
    dyn FnMut(&mut Arena<'s>) -> Option<Box<dyn Searcher + 's>> + Send + 'b;

/// How long to continue after a difference because there may be others: as long as it took to find
/// the last new kind of them if no difference executes some of the changed statements, a quarter of
/// that if all are executed, within bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// Kinds of differences that do not count.
    pub ignored: usize,
    /// Work of the resumed search.
    pub earlier: u64,
    pub least: u64,
    pub most: u64,
}

impl Patience {
    /// Without end: other code decides.
    pub const ENDLESS: Patience =
        Patience { ignored: usize::MAX, earlier: 0, least: u64::MAX, most: u64::MAX };

    /// Remaining work; `None` if no difference was found.
    pub fn left(&self, arena: &Arena<'_>) -> Option<u64> {
        if arena.sorts() <= self.ignored {
            return None;
        }
        let after = arena.last_sort.work();
        // An invisible difference is no reason to miss visible ones.
        let so_far = self.earlier + after;
        let (patience, least) = if !arena.has_visible_sort() {
            (so_far, SILENT_PATIENCE)
        } else if !arena.all_shown() {
            // As long again as so far, for changes that no difference executes.
            (so_far, OPEN_PATIENCE)
        } else {
            (so_far / 4, 0)
        };
        let patience = patience.max(least.min(self.most)).max(self.least).min(self.most);
        Some(patience.saturating_sub(arena.effort.work() - after))
    }
}

/// When strategies must stop: after this much work, or when patience ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Until {
    pub work: u64,
    pub patience: Patience,
}

/// The state of strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LaneState {
    Busy,
    /// No strategy has anything left to do.
    Done,
    /// All inputs are proved equal in both versions.
    Equal,
}

impl LaneState {
    /// The state of two lanes together.
    pub fn with(self, other: LaneState) -> LaneState {
        use LaneState::*;
        match (self, other) {
            (Equal, _) | (_, Equal) => Equal,
            (Done, Done) => Done,
            _ => Busy,
        }
    }
}

pub(super) struct Lane<'s> {
    turns: Vec<Turn<'s>>,
    /// Whether no more strategies will come.
    is_complete: bool,
    /// Whether strategies need only plain runs.
    is_plain: bool,
}

impl<'s> Lane<'s> {
    /// A lane of strategies that need only plain runs.
    pub fn plain(searchers: Vec<Box<dyn Searcher + 's>>) -> Lane<'s> {
        let turns = searchers.into_iter().map(Turn::new).collect();
        Lane { turns, is_complete: true, is_plain: true }
    }

    /// A lane whose strategies are all still to come.
    pub fn coming() -> Lane<'s> {
        Lane { turns: Vec::new(), is_complete: false, is_plain: false }
    }

    pub fn add(&mut self, searcher: Box<dyn Searcher + 's>) {
        self.turns.push(Turn::new(searcher));
    }

    /// Lets strategies take turns. Those still to come begin one after the other, as long as there
    /// is work to do.
    pub fn advance(
        &mut self,
        arena: &mut Arena<'s>,
        Until { work, patience }: Until,
        bring: &mut Bring<'_, 's>,
        tell: &(dyn Fn(Phase) + Sync),
    ) {
        let until = arena.effort.work().saturating_add(work);
        loop {
            self.drop_for_memory(arena);
            let left = until.saturating_sub(arena.effort.work());
            let left = patience.left(arena).map_or(left, |patience| left.min(patience));
            if left == 0 || arena.exhausted().is_some() || self.is_equal() {
                return;
            }
            let Some(index) = self.next(arena, bring) else { return };
            let least = if self.turns[index].proves { LEAST_PROOF } else { LEAST_TURN };
            let share = work * self.turns[index].weight / (2 * USUAL);
            self.turns[index].take(arena, share.min(left).max(least), tell);
        }
    }

    /// Whose turn it is: a new strategy, or of those that prove something and of the others, the
    /// one with the least service.
    fn next(&mut self, arena: &mut Arena<'s>, bring: &mut Bring<'_, 's>) -> Option<usize> {
        let has_begun = |turn: &Turn<'_>| turn.is_done || turn.served >= FIRST_SHARE;
        if !self.is_complete && self.turns.iter().all(has_begun) {
            match bring(arena) {
                Some(searcher) => {
                    self.add(searcher);
                    return Some(self.turns.len() - 1);
                }
                None => self.is_complete = true,
            }
        }
        let work = |proves: bool| -> u64 {
            let turns = self.turns.iter().filter(|turn| turn.proves == proves);
            turns.map(|turn| turn.spent.work()).sum()
        };
        let prove = work(true) < work(false);
        let waiting = self.turns.iter().enumerate().filter(|(_, turn)| !turn.is_done);
        let next = waiting.min_by_key(|(_, turn)| (turn.proves != prove, turn.served));
        next.map(|(index, _)| index)
    }

    /// Drops strategies that hold much memory if memory is short. Plain runs need little.
    fn drop_for_memory(&mut self, arena: &Arena<'s>) {
        if self.is_plain {
            return;
        }
        let dropped = arena.dropped();
        let is_dropped = |turn: &Turn<'_>| match dropped {
            Dropped::Nobody => false,
            Dropped::Unproving => !turn.proves,
            Dropped::Solving => true,
        };
        let mut has_dropped = false;
        for turn in self.turns.iter_mut().filter(|turn| !turn.is_given_up && is_dropped(turn)) {
            turn.searcher = Box::new(GivenUp(turn.searcher.name()));
            (turn.is_given_up, turn.is_done, turn.proves) = (true, true, false);
            has_dropped = true;
        }
        if has_dropped {
            arena.give_back();
        }
    }

    /// Strategies that were dropped because memory was short.
    pub fn given_up(&self) -> impl Iterator<Item = &'static str> {
        self.turns.iter().filter(|turn| turn.is_given_up).map(|turn| turn.searcher.name())
    }

    pub fn is_empty(&self) -> bool {
        self.is_complete && self.turns.is_empty()
    }

    /// Whether no strategy has anything left to do.
    pub fn is_done(&self) -> bool {
        self.is_complete && self.turns.iter().all(|turn| turn.is_done)
    }

    /// The effort of each strategy, and how many new kinds of differences it found.
    pub fn effort(&self) -> impl Iterator<Item = (&'static str, PairEffort, u64)> {
        self.turns.iter().map(|turn| (turn.searcher.name(), turn.spent, turn.sorts))
    }

    /// Removes the strategies that prove nothing.
    pub fn retire(&mut self) -> impl Iterator<Item = Box<dyn Searcher + 's>> {
        self.turns.extract_if(.., |turn| !turn.proves).map(|turn| turn.searcher)
    }

    /// The proof so far, if a strategy proves anything.
    pub fn proof(&self) -> Option<Proof> {
        self.turns.iter().find_map(|turn| turn.searcher.proof())
    }

    /// How many inputs the space has, if a strategy ran all of them.
    pub fn ran_all(&self) -> Option<u64> {
        self.turns.iter().find_map(|turn| turn.searcher.ran_all())
    }

    fn is_equal(&self) -> bool {
        self.proof().is_some_and(|proof| proof.is_equal)
    }

    /// Strategies that need only plain runs are never done, and nobody waits for them.
    pub fn state(&self) -> LaneState {
        if self.is_equal() {
            LaneState::Equal
        } else if self.is_done() || self.is_plain {
            LaneState::Done
        } else {
            LaneState::Busy
        }
    }

    /// Lets finished strategies examine inputs that others have kept since.
    pub fn revive(&mut self) {
        let waiting = self.turns.iter_mut().filter(|turn| !turn.proves && !turn.is_given_up);
        waiting.for_each(|turn| turn.is_done = false);
    }

    /// Everything that is proved, if a strategy proves anything.
    pub fn summary(&mut self, tests: &[Box<[u64]>], wanted: Wanted) -> Option<Summary> {
        self.turns.iter_mut().find_map(|turn| turn.searcher.summary(tests, wanted))
    }
}
