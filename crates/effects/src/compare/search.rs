//! The search for differences.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use std::time::Duration;

use base::parallel::{join, side_by_side};
use explore::fuzz::{FuzzSearch, RandomSearch, Tokens};
use explore::pair::{Arena, Keeper, Slow};
use explore::proved::Wanted;
use explore::saved::StateError;
use explore::sweep::Sweep;
use explore::{Budget, Progress, Searcher, Stopped};
use inputs::Layout;

use super::alone::{self, First, Hidden};
use super::beside::Beside;
use super::conclude::{Found, conclude};
use super::examine::{Examined, Examiner};
use super::illustration::{
    Illustration, LEAST_TIME, MOST_STATEMENTS, MOST_TIME, Setting, illustrate,
};
use super::open::Open;
use super::portfolio::{Bring, Ended, Portfolio, Strategy, run_all};
use super::requests::Requests;
use super::saved::{Earlier, Journal, State};
use super::slower::{Closing, Slowly};
use super::{Compared, Limit, Options, Witness};
use crate::error::Error;
use crate::marked::Tracing;
use crate::pairing::{Ready, Targets};
use crate::trial::{Allowance, Deadline, Phase, RESERVE, Saving, Subject};
use crate::versions::Versions;

/// The program's name in its runs.
pub(crate) const NAME: &[u8] = b"program";
/// Conflicts of the SAT solver per query if several strategies take turns.
const CONFLICTS: u32 = 500;
/// Time of the budget that long native runs leave for what follows.
const SLOW_RESERVE: Duration = Duration::from_millis(500);
/// Time to describe partitions even if the budget is exhausted.
const LEAST_TELLING: Duration = Duration::from_millis(200);
/// The most partitions to describe, and the queries for a short predicate that says when the
/// versions differ: alone, and if several strategies take turns.
const MOST_PARTITIONS: usize = 300;
const MOST_QUESTIONS: usize = 2000;
const FEW_QUESTIONS: usize = 300;

/// The observers of a comparison.
#[derive(Clone, Copy)]
pub(super) struct Watching<'a> {
    pub progress: &'a Progress,
    pub tell: &'a (dyn Fn(Phase) + Sync),
    pub deadline: &'a Deadline<'a>,
}

/// `beside` and `setting` may already be in progress; there is a setting if pictures are requested.
pub(super) fn compare<'v>(
    requests: &Requests<'_>,
    versions: &'v Versions,
    beside: &Beside,
    setting: impl FnOnce() -> Option<Setting<'v>>,
    saving: Saving<'_>,
    watching: Watching<'_>,
) -> Result<Compared, Error> {
    let Watching { progress, tell, deadline } = watching;
    let options = &requests.request.options;
    let targets = Targets::of(&requests.pairing);
    let matching = versions.matching();
    let ready = Ready::load(&targets, versions, &matching)?;
    let tokens = tokens(versions);
    let pair = ready.pair(&matching);
    // Compiling large programs may take longer than a budget that is enough for their functions.
    let spent = Allowance::start(&options.budget);
    let Ready { old, new, golden, written, space, .. } = &ready;
    let examiner = Examiner::new(requests, [old, new], golden.as_ref(), written.as_ref());
    // Long native runs may continue as long as the budget lasts and nothing is found.
    let is_satisfied = AtomicBool::new(false);
    let is_wanted = || {
        let has_time = spent.left().is_none_or(|left| left > SLOW_RESERVE);
        has_time && !is_satisfied.load(Relaxed) && !progress.is_stopped()
    };
    let (runners, as_written) = (examiner.runners(), examiner.written());
    let slowly = Slowly::new(runners, as_written, &pair, &options.observe, &is_wanted);
    let bring_slow = |slow: &Slow| slowly.add(slow);
    let journal = Journal::new(saving.keep);
    let add = |lines: &str| journal.add(lines);
    let keep = saving.keep.map(|_| &add as Keeper<'_>);
    let state = State::begin(saving.resume, keep, requests.request, versions, &new.layout)?;
    let budget = search_budget(options, versions, spent);
    let mut arena =
        Arena::new(pair, options.observe.clone(), options.limits, NAME, budget, progress);
    arena.slow_watch = Some(&bring_slow);
    if saving.resume.is_none() {
        deadline.begin(spent);
    }
    let load = || beside.open(requests, deadline);
    let given = Given { options, versions, new, tokens: &tokens, size: space.size, load: &load };
    let start = begin(&mut arena, given, state, tell)?;
    let spent = start.spent.unwrap_or(spent);
    deadline.begin(spent);
    let mut searching = Searching {
        options,
        examiner: &examiner,
        examined: Examined::default(),
        is_satisfied: &is_satisfied,
        portfolio: start.portfolio,
        tell,
    };
    let mut coming = start.coming.into_iter();
    let shares = options.strategy == Strategy::Portfolio;
    let mut next = bringing(|arena| {
        let strategy = coming.next()?;
        let open = load()?;
        open.attach(arena);
        open.searcher(strategy, arena, NAME, &start.inputs, shares)
    });
    let ended = std::thread::scope(|scope| {
        let slow = scope.spawn(|| slowly.work());
        let closing = Closing(&slowly);
        let ended = searching.search(&mut arena, space.size, &mut next);
        is_satisfied.fetch_or(ended.is_err(), Relaxed);
        begin_replaying(versions, options, watching);
        drop(closing);
        join(slow);
        ended
    })?;
    journal.check()?;
    let Searching { mut examined, mut portfolio, .. } = searching;
    examiner.examine_slow(&mut arena, slowly.settled()?, &mut examined)?;
    rank(&examiner, &mut examined.witnesses, options.most_witnesses);
    if let Some(open) = load() {
        open.attach(&mut arena);
    }
    tell(Phase::Explaining);
    let tracing = Tracing::new(versions, NAME, arena.limits);
    let (strategies, dropped) = (portfolio.effort(), dropped(&portfolio));
    let retired = portfolio.retire();
    let summarize = || {
        let summary = portfolio.summary(&start.tests, wanted(options, spent));
        // They are large.
        drop(retired);
        summary
    };
    let witnesses = &mut examined.witnesses;
    let explain = || {
        let (examiner, tracing, arena) = (&examiner, &tracing, &mut arena);
        let first = First { requests, versions, examiner, tracing, arena, spent, watching };
        explain(first, setting, witnesses)
    };
    let (summary, explained) = side_by_side(summarize, explain);
    let (hidden, illustration) = explained?;
    let hunks = beside.hunks(requests, versions, deadline)?;
    let found = Found { ended, examined, summary, strategies, hunks, hidden, dropped };
    let compared = conclude(requests, versions, &ready, &arena, &examiner, load(), found)?;
    Ok(Compared { illustration, ..compared })
}

/// Explains differences, searches those of hunks without one, and draws pictures.
fn explain<'v>(
    mut first: First<'_, '_>,
    setting: impl FnOnce() -> Option<Setting<'v>>,
    witnesses: &mut Vec<Witness>,
) -> Result<(Vec<Hidden>, Option<Illustration>), Error> {
    first.examiner.explain(first.arena, first.tracing, first.spent, witnesses);
    let hidden = alone::look(&mut first, witnesses)?;
    (first.watching.tell)(Phase::Illustrating);
    let First { requests, versions, tracing, arena, spent, .. } = first;
    let tests = requests.request.scope.tests;
    let time = || spent.left().unwrap_or(MOST_TIME).clamp(LEAST_TIME, MOST_TIME);
    let illustration = setting().map(|it| {
        let time = (!requests.request.options.deterministic).then(time);
        illustrate(it, arena, versions, tests, witnesses, tracing, time)
    });
    Ok((hidden, illustration))
}

/// Ends the search. A verdict about a large program does not wait for graphs that only make its
/// explanation nicer.
fn begin_replaying(versions: &Versions, options: &Options, watching: Watching<'_>) {
    let is_large = versions.new.module.statements.len() > MOST_STATEMENTS;
    if is_large && !options.deterministic {
        watching.deadline.search_ended();
    }
    (watching.tell)(Phase::Replaying);
}

/// What lacked memory.
fn dropped(portfolio: &Portfolio<'_>) -> Vec<Limit> {
    let strategies = portfolio.given_up();
    let dropped = (!strategies.is_empty()).then_some(Limit::Memory { strategies });
    dropped.into_iter().collect()
}

/// The start of a search.
struct Start<'s, 'a> {
    portfolio: Portfolio<'s>,
    /// Strategies still to come.
    coming: Vec<Strategy>,
    /// Known inputs.
    inputs: Vec<Box<[u64]>>,
    /// Which of them are tests.
    tests: Vec<Box<[u64]>>,
    /// The budget, if it counts only from here on.
    spent: Option<Allowance<'a>>,
}

/// What exists before a search begins.
struct Given<'b, 's, 'a> {
    options: &'a Options,
    versions: &'b Versions,
    new: &'b Subject<'b>,
    tokens: &'s Tokens,
    /// How many inputs the space has, if that is known.
    size: Option<u128>,
    load: &'b dyn Fn() -> Option<&'s Open>,
}

/// Runs the tests and the inputs that an earlier search kept.
fn begin<'s, 'a>(
    arena: &mut Arena<'s>,
    Given { options, versions, new, tokens, size, load }: Given<'_, 's, 'a>,
    state: State<'s>,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Start<'s, 'a>, Error> {
    let State { earlier, mut keeper } = state;
    let resumes = earlier.is_some();
    let earlier = earlier.unwrap_or_default();
    if !resumes {
        arena.keeper = keeper.take();
    }
    tell(Phase::Searching("tests"));
    let (seeds, has_tests) = seeds(&new.layout, &new.seeds, options.use_tests);
    arena.by = if has_tests { "tests" } else { "plain input" };
    for seed in &seeds {
        arena.try_input(seed);
    }
    let (mut known, mut spent) = (None, None);
    if resumes {
        tell(Phase::Resuming);
        known = take_up(arena, &earlier, load)?;
        // The budget is not for resuming: a small one would never lead further.
        let anew = Allowance::start(&options.budget);
        arena.restart(search_budget(options, versions, anew));
        spent = Some(anew);
        arena.keeper = keeper;
    }
    // Do not draw the same inputs again.
    let seed = options.seed.wrapping_add(earlier.spent);
    let tests = if has_tests { seeds.clone() } else { Vec::new() };
    let plain = |arena: &Arena<'s>, seed: u64| {
        plain_searchers(options.strategy, arena, tokens, seed, &tests)
    };
    let mut searchers = plain(arena, seed);
    if options.strategy == Strategy::Portfolio {
        let sweep = Sweep::new(size);
        searchers.extend(sweep.map(|sweep| -> Box<dyn Searcher + 's> { Box::new(sweep) }));
    }
    let mut portfolio = Portfolio::new(searchers);
    portfolio.earlier = earlier.spent;
    portfolio.first_only = options.first_only;
    portfolio.thorough = options.thorough;
    portfolio.deterministic = options.deterministic;
    if options.strategy == Strategy::Portfolio {
        // Additional threads alternate between both kinds.
        for job in 2..options.jobs as u64 {
            if job % 2 == 0 {
                let seed = seed.wrapping_add(job << 32);
                portfolio.add_plain(plain(arena, seed));
            } else {
                portfolio.add_solving();
            }
        }
    }
    let mut coming = options.strategy.symbolic();
    if let Some(known) = known {
        portfolio.take_up(known);
        coming.retain(|&strategy| strategy != Strategy::Partitions);
    }
    let inputs = [&seeds[..], &earlier.inputs].concat();
    Ok(Start { portfolio, coming, inputs, tests, spent })
}

/// A search in progress.
struct Searching<'c, 's> {
    options: &'c Options,
    examiner: &'c Examiner<'c>,
    examined: Examined,
    /// Whether there is no reason to wait any longer.
    is_satisfied: &'c AtomicBool,
    portfolio: Portfolio<'s>,
    tell: &'c (dyn Fn(Phase) + Sync),
}

impl<'s> Searching<'_, 's> {
    /// Searches until something is confirmed or there is a reason to stop.
    fn search(
        &mut self,
        arena: &mut Arena<'s>,
        size: Option<u128>,
        next: &mut Bring<'_, 's>,
    ) -> Result<Ended, Error> {
        if self.options.strategy == Strategy::Portfolio
            && let Some(ended) = run_all(arena, size)
        {
            self.examine(arena)?;
            return Ok(ended);
        }
        loop {
            let ended = self.portfolio.search(arena, next, self.tell);
            let found_nothing = arena.findings.is_empty();
            (self.tell)(Phase::Replaying);
            self.examine(arena)?;
            let has_witness = !self.examined.witnesses.is_empty();
            if has_witness || found_nothing || ended != Ended::Satisfied {
                return Ok(ended);
            }
            self.portfolio.ignore_sorts(arena);
        }
    }

    fn examine(&mut self, arena: &mut Arena<'_>) -> Result<(), Error> {
        self.examiner.examine(arena, &mut self.examined)?;
        self.is_satisfied.store(!self.examined.witnesses.is_empty(), Relaxed);
        Ok(())
    }
}

/// The most severe witnesses first, and no more than are wanted.
fn rank(examiner: &Examiner<'_>, witnesses: &mut Vec<Witness>, most: usize) {
    examiner.tell_positions(witnesses);
    witnesses.sort_by_key(|witness| {
        let needs_more = !witness.is_consistent();
        let needs_same = !witness.same.is_empty();
        (needs_more, witness.class, needs_same, witness.undefined_behaviour.is_some())
    });
    witnesses.truncate(most);
}

/// Runs the inputs that an earlier search kept. Returns the strategy `partitions` in the state that
/// it left, if it had begun.
fn take_up<'s>(
    arena: &mut Arena<'s>,
    earlier: &Earlier<'_>,
    load: &dyn Fn() -> Option<&'s Open>,
) -> Result<Option<Box<dyn Searcher + 's>>, StateError> {
    arena.by = "saved state";
    for input in &earlier.inputs {
        if arena.exhausted() == Some(Stopped::Interrupted) {
            break;
        }
        arena.try_input(input);
    }
    if earlier.partitions.is_empty() {
        return Ok(None);
    }
    let Some(open) = load() else { return Ok(None) };
    open.attach(arena);
    open.resumed(arena, NAME, &earlier.partitions).map(Some)
}

/// The budget of the search.
fn search_budget(options: &Options, versions: &Versions, spent: Allowance<'_>) -> Budget {
    let conflicts = match options.strategy {
        // Others wait for their turn, and there are easier queries.
        Strategy::Portfolio => Some(CONFLICTS),
        _ => None,
    };
    // A thorough search also searches parts of the change one by one.
    let has_parts = options.thorough && versions.numbered.len() > 1;
    let budget = if has_parts { spent.half() } else { spent.search() };
    Budget { conflicts: options.budget.conflicts.or(conflicts), ..budget }
}

/// What to describe about partitions. As one strategy among others, that may not take long.
fn wanted(options: &Options, spent: Allowance<'_>) -> Wanted {
    let is_alone = options.strategy == Strategy::Partitions;
    Wanted {
        partitions: MOST_PARTITIONS,
        questions: if is_alone { MOST_QUESTIONS } else { FEW_QUESTIONS },
        incomplete: is_alone,
        planes: options.illustrated,
        time: spent.left().unwrap_or(RESERVE).max(LEAST_TELLING),
    }
}

/// Fixes the lifetime of a closure: what it provides lives as long as the arena's programs.
fn bringing<'s, F>(bring: F) -> F
where
    F: FnMut(&mut Arena<'s>) -> Option<Box<dyn Searcher + 's>> + Send,
{
    bring
}

/// Numbers and texts of both programs.
pub(super) fn tokens(versions: &Versions) -> Tokens {
    let mut tokens = Tokens::default();
    for side in [&versions.old, &versions.new] {
        tokens.add(&side.module, |function| side.is_own(function));
    }
    tokens
}

/// Inputs to start with: the tests that are in the space, or else a plain one. Returns whether they
/// are tests.
pub(super) fn seeds(
    layout: &Layout,
    tests: &[Box<[u64]>],
    use_tests: bool,
) -> (Vec<Box<[u64]>>, bool) {
    let mut seeds: Vec<Box<[u64]>> = Vec::new();
    if use_tests {
        seeds.extend(tests.iter().filter(|test| layout.contains(test)).cloned());
    }
    let has_tests = !seeds.is_empty();
    if !has_tests {
        seeds.push(layout.plain());
    }
    (seeds, has_tests)
}

pub(super) fn plain_searchers<'s>(
    strategy: Strategy,
    arena: &Arena<'s>,
    tokens: &'s Tokens,
    seed: u64,
    tests: &[Box<[u64]>],
) -> Vec<Box<dyn Searcher + 's>> {
    let layout = arena.pair.layout();
    let random =
        || -> Box<dyn Searcher + 's> { Box::new(RandomSearch::new(layout, tokens, seed, tests)) };
    let fuzz = || -> Box<dyn Searcher + 's> {
        Box::new(FuzzSearch::new(arena, tokens, seed ^ 0x5eed, tests))
    };
    match strategy {
        Strategy::Portfolio => vec![random(), fuzz()],
        Strategy::Random => vec![random()],
        Strategy::Fuzz => vec![fuzz()],
        _ => Vec::new(),
    }
}
