//! Searches separately for hunks without a difference: OLD against OLD with this hunk.
//!
//! If all runs execute several hunks, an input that shows one of them mostly shows another as well,
//! and the effect of one may hide another's. If a hunk alone makes a difference on an input, and
//! NEW behaves there like OLD with this hunk, the difference is due to this hunk. If NEW behaves
//! like OLD, other hunks hide it.

use std::time::Duration;

use base::Version;
use explore::pair::{Arena, Finding};
use explore::{Budget, Stopwatch};
use inputs::Test;
use source::{Checkout, Configurations, Hunk, HunkId};

use super::examine::{Examined, Examiner};
use super::portfolio::Portfolio;
use super::requests::{Requests, sources};
use super::search::{NAME, Watching, plain_searchers, seeds, tokens};
use super::{Blame, Options, Request, Witness};
use crate::error::Error;
use crate::marked::Tracing;
use crate::pairing::{Ready, Targets};
use crate::trial::{Allowance, Patience, natives_agree, natives_differ};
use crate::versions::Versions;

/// The most hunks to search for, and the largest program in statements.
const MOST_HUNKS: usize = 24;
const MOST_STATEMENTS: usize = 50_000;
/// The minimum useful time for one hunk, and the minimum for all of them.
const LEAST_TIME: Duration = Duration::from_millis(50);
const LEAST_TOTAL: Duration = Duration::from_secs(2);
/// Runs for one hunk if the search must be the same on every machine.
const MOST_RUNS: u64 = 20_000;
/// Inputs of the first search that each of these starts with.
const MOST_SEEDS: usize = 256;

/// A hunk that makes a difference alone, which NEW as a whole does not show.
#[derive(Clone, Debug, PartialEq)]
pub struct Hidden {
    pub hunk: HunkId,
    /// An input on which OLD and OLD with this hunk alone differ, replayed natively.
    pub test: Test,
}

/// The first search, and its observers.
pub(super) struct First<'a, 's> {
    pub requests: &'a Requests<'a>,
    pub versions: &'a Versions,
    pub examiner: &'a Examiner<'a>,
    pub tracing: &'a Tracing<'a>,
    pub arena: &'a mut Arena<'s>,
    pub spent: Allowance<'a>,
    pub watching: Watching<'a>,
}

/// Searches differences that are due to hunks without one, and adds them. Returns the hunks that
/// others hide.
pub(super) fn look(
    first: &mut First<'_, '_>,
    witnesses: &mut Vec<Witness>,
) -> Result<Vec<Hidden>, Error> {
    let request = first.requests.request;
    let loader = &request.scope.loader;
    let is_large = first.versions.new.module.statements.len() > MOST_STATEMENTS;
    if witnesses.is_empty() || request.options.first_only || is_large {
        return Ok(Vec::new());
    }
    let mut all = Configurations::new(request.old, request.new, loader.compiler, &loader.cflags)?;
    let open = open(all.hunks(), witnesses);
    let watch = Stopwatch::start();
    let total = total_time(&request.options, first.spent);
    let mut hidden = Vec::new();
    for (index, hunk) in open.iter().enumerate() {
        let left = total.map(|total| total.saturating_sub(watch.elapsed()));
        let time = left.map(|left| left / (open.len() - index) as u32);
        let is_over =
            first.watching.progress.is_stopped() || time.is_some_and(|time| time < LEAST_TIME);
        if is_over {
            break;
        }
        let mut alone = all.materialize(&[hunk.id])?.clone();
        alone.hold_positions_of(request.old);
        // A hunk that does not build alone shows nothing alone.
        let Ok(found) = search(first, &alone, time) else { continue };
        match first.due_to(hunk, &found.witnesses)? {
            Due::Here(witness) if make_room(witnesses, request.options.most_witnesses) => {
                witnesses.push(*witness);
            }
            Due::Here(_) => break,
            Due::Hidden(test) => hidden.push(Hidden { hunk: hunk.id, test: *test }),
            Due::Unknown => {}
        }
    }
    Ok(hidden)
}

/// What an input on which a hunk alone makes a difference says about NEW.
enum Due {
    /// NEW differs from OLD because of the hunk.
    Here(Box<Witness>),
    /// NEW behaves like OLD.
    Hidden(Box<Test>),
    Unknown,
}

/// Hunks not known to cause a difference.
fn open(all: &[Hunk], witnesses: &[Witness]) -> Vec<Hunk> {
    let blamed = witnesses.iter().filter_map(|witness| witness.blame.as_ref());
    let known: Vec<HunkId> = blamed
        .filter(|blame| blame.is_minimal)
        .flat_map(|blame| blame.hunks.iter().map(|hunk| hunk.id))
        .collect();
    let is_open = |hunk: &&Hunk| !known.contains(&hunk.id);
    match all.len() {
        0 | 1 => Vec::new(),
        _ => all.iter().filter(is_open).take(MOST_HUNKS).cloned().collect(),
    }
}

/// Drops the last witness without a narrowed cause if there are enough. Returns whether there is
/// room for one that says more.
fn make_room(witnesses: &mut Vec<Witness>, most: usize) -> bool {
    if witnesses.len() < most {
        return true;
    }
    let is_narrow = |witness: &Witness| witness.blame.as_ref().is_some_and(|one| one.is_minimal);
    let last = witnesses.iter().rposition(|witness| !is_narrow(witness));
    last.inspect(|&last| _ = witnesses.remove(last)).is_some()
}

/// As long again as the first search took, or the rest of the budget in a thorough search. No bound
/// if only runs count.
fn total_time(options: &Options, spent: Allowance<'_>) -> Option<Duration> {
    let left = spent.left();
    if options.deterministic {
        return left;
    }
    let fair = spent.elapsed().max(LEAST_TOTAL);
    Some(match left {
        Some(left) if options.thorough => left,
        Some(left) => left.min(fair),
        None => fair,
    })
}

/// Differences between OLD and a configuration, by plain runs.
fn search(
    first: &mut First<'_, '_>,
    alone: &Checkout,
    time: Option<Duration>,
) -> Result<Examined, Error> {
    let whole = first.requests.request;
    let runs = whole.options.deterministic.then_some(MOST_RUNS);
    let budget = Budget { time, runs, ..whole.options.budget.clone() };
    let options = Options { budget: budget.clone(), ..whole.options.clone() };
    let request = Request { new: alone, golden: None, options, ..whole.clone() };
    let sources = sources(&request);
    let requests = Requests::new(&request, &sources);
    first.requests.pairing.share_with(&requests.pairing);
    let versions = requests.pairing.load()?;
    let mut examined = Examined::default();
    if versions.alignment.is_empty() {
        return Ok(examined);
    }
    let (matching, tokens) = (versions.matching(), tokens(&versions));
    let targets = Targets::of(&requests.pairing);
    let ready = Ready::load(&targets, &versions, &matching)?;
    let pair = ready.pair(&matching);
    let Watching { progress, tell, .. } = first.watching;
    let Options { observe, limits, strategy, seed, .. } = &request.options;
    let mut arena = Arena::new(pair, observe.clone(), *limits, NAME, budget, progress);
    let layout = &ready.new.layout;
    let (own, _) = seeds(layout, &ready.new.seeds, request.options.use_tests);
    let known = first.arena.kept.iter().rev().take(MOST_SEEDS);
    let known = known.map(|kept| first.arena.pair.layout().decode(&kept.assignment));
    let known = known.filter_map(|input| layout.encode(&input).ok().map(Vec::into_boxed_slice));
    for input in own.iter().cloned().chain(known) {
        if arena.exhausted().is_some() {
            break;
        }
        arena.try_input(&input);
    }
    let plain = plain_searchers(*strategy, &arena, &tokens, *seed, &ready.new.seeds);
    let mut portfolio = Portfolio::new(plain);
    portfolio.deterministic = request.options.deterministic;
    portfolio.search(&mut arena, &mut |_| None, tell);
    let examiner = Examiner::new(&requests, [&ready.old, &ready.new], None, None);
    examiner.examine(&mut arena, &mut examined)?;
    Ok(examined)
}

impl First<'_, '_> {
    /// What inputs on which a hunk alone makes a difference say about NEW.
    fn due_to(&mut self, hunk: &Hunk, found: &[Witness]) -> Result<Due, Error> {
        let observe = self.arena.observe.clone();
        let mut hidden = None;
        for alone in found {
            let layout = self.arena.pair.layout();
            let Ok(assignment) = layout.encode(&alone.test.input) else { continue };
            if !layout.contains(&assignment) || !alone.is_consistent() {
                continue;
            }
            let effort = self.arena.effort;
            let finding = Finding::of(assignment.clone().into(), "one hunk alone", effort);
            let Some(witness) = self.examiner.witness_of(self.arena, finding)? else {
                let runner = self.examiner.runners()[Version::New as usize];
                let test = runner.subject.native_test(&alone.test, &assignment);
                let native = runner.run(&test, Patience::Little)?;
                let is_old = natives_differ(&observe, &alone.old.native, &native).is_none();
                if is_old && hidden.is_none() && native.status().is_some() {
                    hidden = Some(Box::new(alone.test.clone()));
                }
                continue;
            };
            if natives_agree(&observe, &witness.new.native, &alone.new.native) {
                let mut one = [witness];
                self.examiner.explain(self.arena, self.tracing, self.spent, &mut one);
                let [witness] = one;
                let blame = Blame { hunks: vec![hunk.clone()], is_minimal: true, builds: 1 };
                return Ok(Due::Here(Box::new(Witness { blame: Some(blame), ..witness })));
            }
        }
        Ok(hidden.map_or(Due::Unknown, Due::Hidden))
    }
}
