//! The search for differences.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use exec::Stop;
use explore::fuzz::{FuzzSearch, RandomSearch, Tokens};
use explore::pair::{Arena, Slow};
use explore::partitions::Wanted;
use explore::saved::StateError;
use explore::{Budget, Pair, Progress, Searcher, Side, Stopped, Stopwatch, Version};
use inputs::Layout;

use super::examine::{Examined, Examiner};
use super::illustration::{Setting, illustrate};
use super::marked::Tracing;
use super::open::Open;
use super::portfolio::{Ended, Portfolio, Strategy, run_all};
use super::saved::{Earlier, State};
use super::sides::{NAMES, Requests, other, subjects};
use super::slower::{Closing, Slowly};
use super::{
    Behaviour, CompareError, Compared, Effort, Guarantee, Limit, Options, Phase, Proved, Saving,
    Verdict, Witness, hunks,
};
use crate::both::{join, side_by_side};
use crate::explore::Place;
use crate::space::common;
use crate::versions::Versions;

/// What a program is called in its runs.
const NAME: &[u8] = b"program";
/// Conflicts of the SAT solver on one question where several strategies take turns.
const CONFLICTS: u32 = 500;
/// Time of the budget that is kept for what comes after the search, at most.
const RESERVE: Duration = Duration::from_millis(2500);
/// Time of the budget that native runs that take long leave to what follows.
const SLOW_RESERVE: Duration = Duration::from_millis(500);
/// Time that telling of partitions may take although the budget is spent.
const LEAST_TELLING: Duration = Duration::from_millis(200);
/// Partitions that are told, and questions that go into saying in few words when the versions
/// differ: alone, and where several strategies take turns.
const MOST_PARTITIONS: usize = 300;
const MOST_QUESTIONS: usize = 2000;
const FEW_QUESTIONS: usize = 300;

/// Those who wait for a comparison.
#[derive(Clone, Copy)]
pub(super) struct Watching<'a> {
    pub progress: &'a Progress,
    pub tell: &'a (dyn Fn(Phase) + Sync),
}

/// `open` and `setting` may be under way already; there is a setting if pictures are asked for.
pub(super) fn compare<'v>(
    requests: &Requests<'_>,
    versions: &'v Versions,
    open: &OnceLock<Option<Open>>,
    setting: impl FnOnce() -> Option<Setting<'v>>,
    saving: Saving<'_>,
    Watching { progress, tell }: Watching<'_>,
) -> Result<Compared, CompareError> {
    let request = requests.request();
    let options = &request.options;
    let (of_old, of_new) = (requests.explore(0), requests.explore(1));
    let of_golden = request.golden.map(|_| requests.explore(2));
    let of_written = requests.explore_written();
    let golden = other(of_golden.as_ref(), NAMES[2])?;
    let written = other(of_written.as_ref(), NAMES[1])?;
    let [mut old, mut new] = subjects([&of_old, &of_new], versions)?;
    let (cells, space) = common(&[&old.layout], &mut new.layout);
    let cells = cells.into_iter().next().flatten();
    let matching = versions.matching();
    old.program = old.program.mark_only(matching.changes(Version::Old));
    new.program = new.program.mark_only(matching.changes(Version::New));
    let (old, new) = (old, new);
    let tokens = tokens(versions);
    let side = |index: usize| {
        let subject = [&old, &new][index];
        Side {
            program: &subject.program,
            concolic: &subject.program,
            layout: &subject.layout,
            caller: subject.harness.as_deref(),
            cells: if index == 0 { cells.as_deref() } else { None },
        }
    };
    let pair = Pair { old: side(0), new: side(1), matching: &matching };
    // Compiling large programs may take longer than a budget that is enough for their functions.
    let watch = Stopwatch::start();
    let budget = search_budget(options, watch);
    let observe = options.observe.clone();
    let examiner = Examiner::new(requests, [&old, &new], golden.as_ref(), written.as_ref());
    // What takes long natively is waited for as long as the budget lasts and nothing is found.
    let is_satisfied = AtomicBool::new(false);
    let slow_time = options.budget.time.map(|time| time.saturating_sub(SLOW_RESERVE));
    let is_wanted = || {
        let has_time = slow_time.is_none_or(|time| watch.elapsed() < time);
        has_time && !is_satisfied.load(Relaxed) && !progress.is_stopped()
    };
    let slowly = Slowly::new(examiner.replayers(), &pair, &options.observe, &is_wanted);
    let bring_slow = |slow: &Slow| slowly.add(slow);
    let mut arena = Arena::new(pair, observe, options.limits, NAME, budget, progress);
    arena.slow_watch = Some(&bring_slow);
    let mut examined = Examined::default();
    let State { earlier, mut keeper } = State::begin(saving, request, versions, &new.layout)?;
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
    let load = || open.get_or_init(|| Open::load(requests)).as_ref();
    let (mut known, mut watch) = (None, watch);
    if resumes {
        tell(Phase::Resuming);
        known = take_up(&mut arena, &earlier, &load)?;
        // Taking up what is known is not what a budget is for: a small one would never lead
        // further.
        watch = Stopwatch::start();
        arena.restart(search_budget(options, watch));
        arena.keeper = keeper;
    }
    let starts = [&seeds[..], &earlier.inputs].concat();
    // What was drawn before is not drawn again.
    let seed = options.seed.wrapping_add(earlier.spent);
    let searchers = plain_searchers(options.strategy, &arena, &tokens, seed);
    let mut portfolio = Portfolio::new(searchers);
    portfolio.earlier = earlier.spent;
    let mut coming = options.strategy.symbolic();
    if let Some(known) = known {
        portfolio.take_up(known);
        coming.retain(|&strategy| strategy != Strategy::Partitions);
    }
    portfolio.first_only = options.first_only;
    portfolio.thorough = options.thorough;
    let mut coming = coming.into_iter();
    let shares = options.strategy == Strategy::Portfolio;
    let mut next = bringing(|arena| {
        let strategy = coming.next()?;
        let open = load()?;
        open.attach(arena);
        open.searcher(strategy, arena, NAME, &starts, shares)
    });
    let mut search = || -> Result<Ended, CompareError> {
        let ran_all = match options.strategy {
            Strategy::Portfolio => run_all(&mut arena, space.size),
            _ => None,
        };
        if let Some(ended) = ran_all {
            examiner.examine(&mut arena, &mut examined)?;
            is_satisfied.store(!examined.witnesses.is_empty(), Relaxed);
            return Ok(ended);
        }
        loop {
            let ended = portfolio.search(&mut arena, &mut next, tell);
            let found_nothing = arena.findings.is_empty();
            tell(Phase::Confirming);
            examiner.examine(&mut arena, &mut examined)?;
            is_satisfied.store(!examined.witnesses.is_empty(), Relaxed);
            if !examined.witnesses.is_empty() || found_nothing || ended != Ended::Satisfied {
                return Ok(ended);
            }
            portfolio.ignore_sorts(&arena);
        }
    };
    let ended = std::thread::scope(|scope| {
        let slow = scope.spawn(|| slowly.work());
        let closing = Closing(&slowly);
        let ended = search();
        is_satisfied.fetch_or(ended.is_err(), Relaxed);
        tell(Phase::Confirming);
        drop(closing);
        join(slow);
        ended
    })?;
    examiner.examine_slow(&mut arena, slowly.settled()?, &mut examined)?;
    let Examined { mut witnesses, unconfirmed, slower } = examined;
    examiner.tell_positions(&mut witnesses);
    witnesses.sort_by_key(|witness| {
        let needs_more = !witness.is_consistent();
        let needs_same = !witness.same.is_empty();
        (needs_more, witness.class, needs_same, witness.undefined_behaviour.is_some())
    });
    witnesses.truncate(options.most_witnesses);
    if let Some(open) = load() {
        open.attach(&mut arena);
    }
    tell(Phase::Explaining);
    let tracing = Tracing::new(versions, NAME, arena.limits);
    let strategies = portfolio.effort();
    let retired = portfolio.retire();
    let tests = if has_tests { &seeds[..] } else { &[] };
    let summarize = || {
        let summary = portfolio.summary(tests, wanted(options, watch));
        // They are large.
        drop(retired);
        summary
    };
    let explain = || {
        examiner.explain(&arena, &tracing, watch, &mut witnesses);
        tell(Phase::Illustrating);
        setting().map(|setting| {
            illustrate(setting, &mut arena, versions, request.tests, &witnesses, &tracing)
        })
    };
    let (summary, illustration) = side_by_side(summarize, explain);
    // Whom to blame was told by builds with the positions of OLD.
    for witness in &mut witnesses {
        if let Some(written) = witness.written.take() {
            let left = witness.new.left.take();
            witness.new = Behaviour { left, ..written };
        }
    }
    let mut limits = limits(&arena, &examiner, ended);
    let invalid = witnesses.is_empty().then(|| invalid_inputs(&arena, &examiner)).flatten();
    // That invalid inputs do the same is no proof of anything.
    let summary = summary.filter(|_| invalid.is_none());
    limits.extend(invalid);
    let proof = load().zip(summary).map(|(open, mut summary)| {
        let modules = open.programs.each_ref().map(|program| &program.module);
        if !unconfirmed.is_empty() {
            // What native programs do not show is not to be described as a difference.
            summary.differs_when = None;
        }
        Proved::new(summary, &new.layout, modules, &|version, function| {
            open.is_own(version, function)
        })
    });
    let is_certain = limits.is_empty() && unconfirmed.is_empty();
    let sampled = (Verdict::Inconclusive, Guarantee::Sampled { inputs: arena.effort.runs });
    let (verdict, guarantee) = match ended {
        _ if witnesses.iter().any(Witness::is_consistent) => {
            (Verdict::Different, Guarantee::Replayed)
        }
        // What others show is for a search among consistent ones to say.
        _ if !witnesses.is_empty() => sampled,
        Ended::AllInputs { inputs } if is_certain => {
            (Verdict::Equal, Guarantee::AllInputs { inputs })
        }
        Ended::Proved if is_certain => (Verdict::Equal, Guarantee::Proved),
        _ => sampled,
    };
    let is_proved = verdict == Verdict::Equal;
    let (hunks_apart, reach) = hunks::after_search(requests, versions, &arena, is_proved)?;
    Ok(Compared {
        old: request.old.clone(),
        new: request.new.clone(),
        golden: request.golden.cloned(),
        entry: request.entry.map(str::to_owned),
        strategy: options.strategy,
        observe: options.observe.clone(),
        builds: [old.build(), new.build()],
        verdict,
        guarantee,
        origin: new.origin,
        chosen: new.chosen(request.flags, request.tests)?,
        space,
        misfits: new.misfits.clone(),
        changes: hunks::changes(versions, &hunks_apart),
        hunks_apart,
        reach,
        witnesses,
        accepted: Vec::new(),
        positions: request.new.held_positions(),
        lapsed: Vec::new(),
        unconfirmed,
        slower,
        proof,
        effort: Effort {
            total: arena.effort,
            milestones: arena.milestones,
            strategies,
            ..Effort::default()
        },
        limits,
        signature: None,
        illustration,
    })
}

/// Tries what an earlier search found worth keeping. Gives the strategy `partitions` as that left
/// it, if it had begun.
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

/// What the search may spend: what is found has to be replayed and explained as well.
fn search_budget(options: &Options, watch: Stopwatch) -> Budget {
    let left = |time: Duration| time.saturating_sub(watch.elapsed() + (time / 8).min(RESERVE));
    let conflicts = match options.strategy {
        // Others wait for their turn, and there are easier questions.
        Strategy::Portfolio => Some(CONFLICTS),
        _ => None,
    };
    Budget {
        time: options.budget.time.map(left),
        conflicts: options.budget.conflicts.or(conflicts),
        ..options.budget.clone()
    }
}

/// What is told of partitions. Where they are one strategy among others, that may not take long.
fn wanted(options: &Options, watch: Stopwatch) -> Wanted {
    let is_alone = options.strategy == Strategy::Partitions;
    let left = |time: Duration| time.saturating_sub(watch.elapsed());
    Wanted {
        partitions: MOST_PARTITIONS,
        questions: if is_alone { MOST_QUESTIONS } else { FEW_QUESTIONS },
        incomplete: is_alone,
        planes: options.illustrated,
        time: options.budget.time.map_or(RESERVE, left).max(LEAST_TELLING),
    }
}

/// Says of a closure that what it brings lives as long as the arena's programs.
fn bringing<'s, F>(bring: F) -> F
where
    F: FnMut(&mut Arena<'s>) -> Option<Box<dyn Searcher + 's>> + Send,
{
    bring
}

/// Numbers and texts of both programs.
fn tokens(versions: &Versions) -> Tokens {
    let mut tokens = Tokens::default();
    for side in [&versions.old, &versions.new] {
        tokens.add(&side.module, |function| side.is_own(function));
    }
    tokens
}

/// Inputs to begin with: the tests that are in the space, or else a plain one. Tells whether they
/// are tests.
fn seeds(layout: &Layout, tests: &[Box<[u64]>], use_tests: bool) -> (Vec<Box<[u64]>>, bool) {
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

fn plain_searchers<'s>(
    strategy: Strategy,
    arena: &Arena<'s>,
    tokens: &'s Tokens,
    seed: u64,
) -> Vec<Box<dyn Searcher + 's>> {
    let layout = arena.pair.layout();
    let random = || Box::new(RandomSearch::new(layout, tokens, seed)) as Box<dyn Searcher + 's>;
    let fuzz = || Box::new(FuzzSearch::new(arena, tokens, seed ^ 0x5eed)) as Box<dyn Searcher + 's>;
    match strategy {
        Strategy::Portfolio => vec![random(), fuzz()],
        Strategy::Random => vec![random()],
        Strategy::Fuzz => vec![fuzz()],
        _ => Vec::new(),
    }
}

/// That no input was worth running.
fn invalid_inputs(arena: &Arena<'_>, examiner: &Examiner<'_>) -> Option<Limit> {
    let [_, stop] = arena.first_faults.as_ref().filter(|_| !arena.is_valid)?;
    let fault = Box::new(examiner.fault(Version::New, stop)?);
    Some(Limit::InvalidInputs { fault })
}

fn limits(arena: &Arena<'_>, examiner: &Examiner<'_>, ended: Ended) -> Vec<Limit> {
    let mut limits = Vec::new();
    for version in Version::BOTH {
        for stop in &arena.unknown[version as usize] {
            match stop {
                Stop::Unsupported(what) => {
                    let place: Option<Place> = what.site.map(|site| examiner.place(version, site));
                    limits.push(Limit::Unsupported { version, what: (**what).clone(), place });
                }
                Stop::Exhausted(bound) => limits.push(Limit::Exhausted { version, bound: *bound }),
                Stop::Exit(_) | Stop::Signal(_) | Stop::Fault(_) => {}
            }
        }
    }
    if arena.is_undetermined && matches!(ended, Ended::AllInputs { .. } | Ended::Proved) {
        limits.push(Limit::Undetermined);
    }
    limits.extend(arena.incomparable.clone().map(Limit::Incomparable));
    if let Ended::Budget(stopped) = ended {
        limits.push(Limit::Stopped(stopped));
    }
    limits
}
