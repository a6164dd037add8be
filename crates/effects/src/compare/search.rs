//! The search for differences.

use explore::fuzz::{FuzzSearch, RandomSearch, Tokens};
use explore::pair::Arena;
use explore::{Budget, Pair, Progress, Searcher, Side, Stopwatch, Version};
use inputs::Layout;

use super::examine::Examiner;
use super::matching::matching;
use super::portfolio::{Ended, Portfolio, Strategy, run_all};
use super::sides::{Requests, Sides, subjects};
use super::space::common;
use super::{CompareError, Compared, Effort, Guarantee, Limit, Phase, Verdict};
use crate::explore::Place;
use exec::Stop;

/// What a program is called in its runs.
const NAME: &[u8] = b"program";

pub(super) fn compare(
    requests: &Requests<'_>,
    sides: &Sides,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
    watch: Stopwatch,
) -> Result<Compared, CompareError> {
    let request = requests.request();
    let options = &request.options;
    let (of_old, of_new) = (requests.explore(0), requests.explore(1));
    let [mut old, mut new] = subjects([&of_old, &of_new], sides)?;
    let (cells, space) = common(&old.layout, &mut new.layout);
    let versions = &sides.versions;
    let matching = matching(&versions.alignment, &old.program.module, &new.program.module);
    old.program = old.program.mark_only(matching.changes(Version::Old));
    new.program = new.program.mark_only(matching.changes(Version::New));
    let (old, new) = (old, new);
    let tokens = tokens(sides);
    let side = |index: usize| {
        let subject = [&old, &new][index];
        Side {
            program: &subject.program,
            concolic: &subject.program,
            layout: &subject.layout,
            caller: subject.harness.as_ref(),
            cells: if index == 0 { cells.as_deref() } else { None },
        }
    };
    let pair = Pair { old: side(0), new: side(1), matching: &matching };
    let budget = Budget {
        time: options.budget.time.map(|time| time.saturating_sub(watch.elapsed())),
        ..options.budget.clone()
    };
    let observe = options.observe.clone();
    let mut arena = Arena::new(pair, observe, options.limits, NAME, budget, progress);
    let examiner = Examiner::new(requests, [&old, &new])?;
    let mut witnesses = Vec::new();
    let mut unconfirmed = Vec::new();

    tell(Phase::Searching("tests"));
    let seeds = seeds(&new.layout, &new.seeds, options.use_tests);
    arena.by = "tests";
    for seed in &seeds {
        arena.try_input(seed);
    }
    let mut ended = match options.strategy {
        Strategy::Portfolio => run_all(&mut arena, space.size),
        _ => None,
    };
    let searchers = plain_searchers(options.strategy, &new.layout, &tokens, options.seed);
    let mut portfolio = Portfolio::new(searchers);
    portfolio.first_only = options.first_only;
    portfolio.thorough = options.thorough;
    let mut more = |_: &mut Arena<'_>| Vec::new();
    loop {
        let is_complete = ended.is_some();
        if !is_complete {
            ended = Some(portfolio.search(&mut arena, &mut more, tell));
        }
        let findings = std::mem::take(&mut arena.findings);
        let found_nothing = findings.is_empty();
        tell(Phase::Confirming);
        let examined = examiner.examine(&mut arena, findings)?;
        witnesses.extend(examined.witnesses);
        unconfirmed.extend(examined.unconfirmed);
        if !witnesses.is_empty() || found_nothing || ended != Some(Ended::Satisfied) || is_complete
        {
            break;
        }
        portfolio.ignore_sorts(&arena);
        ended = None;
    }
    witnesses.sort_by_key(|witness| (witness.class, witness.undefined_behaviour.is_some()));
    witnesses.truncate(options.most_witnesses);

    let limits = limits(&arena, &examiner, ended);
    let inputs = arena.effort.runs;
    let is_unknown = arena.unknown.iter().any(|stops| !stops.is_empty());
    let (verdict, guarantee) = match ended {
        _ if !witnesses.is_empty() => (Verdict::Different, Guarantee::Replayed),
        Some(Ended::AllInputs) if !is_unknown && unconfirmed.is_empty() => {
            (Verdict::Equal, Guarantee::AllInputs { inputs })
        }
        _ => (Verdict::Inconclusive, Guarantee::Sampled { inputs }),
    };
    let strategies = portfolio.turns.iter();
    let strategies = strategies.map(|turn| (turn.searcher.name(), turn.spent, turn.sorts));
    Ok(Compared {
        old: request.old.clone(),
        new: request.new.clone(),
        golden: request.golden.cloned(),
        entry: request.entry.map(str::to_owned),
        strategy: options.strategy,
        verdict,
        guarantee,
        origin: new.origin,
        space,
        misfits: new.misfits.clone(),
        changes: versions.changes(),
        witnesses,
        unconfirmed,
        effort: Effort {
            total: arena.effort,
            milestones: arena.milestones,
            strategies: strategies.collect(),
            time: watch.elapsed(),
        },
        limits,
    })
}

/// Numbers and texts of both programs.
fn tokens(sides: &Sides) -> Tokens {
    let mut tokens = Tokens::default();
    for side in [&sides.versions.old, &sides.versions.new] {
        tokens.add(&side.module, |function| side.is_own(function));
    }
    tokens
}

/// Inputs to begin with: the tests that are in the space, and a plain one.
fn seeds(layout: &Layout, tests: &[Box<[u64]>], use_tests: bool) -> Vec<Box<[u64]>> {
    let fits = |test: &&Box<[u64]>| {
        layout.cells.iter().all(|(id, cell)| cell.domain.contains(test[id.position()]))
    };
    let mut seeds: Vec<Box<[u64]>> = Vec::new();
    if use_tests {
        seeds.extend(tests.iter().filter(fits).cloned());
    }
    if seeds.is_empty() {
        let plain = |cell: &inputs::Cell| match cell.domain.contains_number(0) {
            true => cell.domain.encode(0),
            false => cell.domain.nth(0),
        };
        seeds.push(layout.cells.values().map(plain).collect());
    }
    seeds
}

fn plain_searchers<'s>(
    strategy: Strategy,
    layout: &'s Layout,
    tokens: &'s Tokens,
    seed: u64,
) -> Vec<Box<dyn Searcher + 's>> {
    let random = || Box::new(RandomSearch::new(layout, tokens, seed)) as Box<dyn Searcher + 's>;
    let fuzz =
        || Box::new(FuzzSearch::new(layout, tokens, seed ^ 0x5eed)) as Box<dyn Searcher + 's>;
    match strategy {
        Strategy::Portfolio => vec![random(), fuzz()],
        Strategy::Random => vec![random()],
        Strategy::Fuzz => vec![fuzz()],
        _ => Vec::new(),
    }
}

fn limits(arena: &Arena<'_>, examiner: &Examiner<'_>, ended: Option<Ended>) -> Vec<Limit> {
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
    if let Some(Ended::Budget(stopped)) = ended {
        limits.push(Limit::Stopped(stopped));
    }
    limits
}
