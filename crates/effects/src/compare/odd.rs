//! Differences that need inconsistent parameters, in addition to a verdict about consistent ones.
//!
//! Searches two spaces one after the other: the requested one, and the other one if it can add
//! something. By default that is a short search among parameters that may be inconsistent;
//! differences that only these show are listed and do not change the verdict. Without assumptions
//! it is the other way round: if only inconsistent parameters distinguish the versions, the
//! consistent ones decide.

use std::sync::Arc;
use std::time::Duration;

use explore::Budget;
use inputs::{Assume, Assumption, Flags};

use super::beside::Beside;
use super::illustration::Setting;
use super::requests::Requests;
use super::search::{self, Watching};
use super::{Compared, Guarantee, Limit, Options, Request, Verdict, Witness};
use crate::error::Error;
use crate::trial::{Allowance, Deadline, Saving, Scope};
use crate::versions::Versions;

/// The part of the budget that the second search may use.
const PART: u32 = 5;
/// The most inputs that a search for inconsistent ones may run, and the most differences that it
/// may add.
const MOST_RUNS: u64 = 20_000;
const MOST_ADDED: usize = 5;
/// The minimum time for a second search.
const LEAST_TIME: Duration = Duration::from_millis(100);

/// The request of the first search, if a part of the budget is reserved for the second one.
pub(super) fn share_of<'a>(request: &Request<'a>) -> Option<Request<'a>> {
    let Request { scope, options, .. } = request;
    let keeps = scope.entry.is_some() && (scope.flags.assume == Assume::Nothing || options.odd);
    keeps.then(|| {
        let Budget { time, runs, .. } = options.budget;
        let budget = Budget {
            time: time.map(|time| time - time / PART),
            runs: runs.map(|runs| runs - runs / u64::from(PART)),
            ..options.budget.clone()
        };
        Request { options: Options { budget, ..options.clone() }, ..request.clone() }
    })
}

/// Makes the second search, if it can add something and there is time.
pub(super) fn look(
    requests: &Requests<'_>,
    versions: &Versions,
    beside: &Beside,
    compared: &mut Compared,
    watching: Watching<'_>,
    spent: Allowance<'_>,
) -> Result<(), Error> {
    let request = requests.request;
    let is_over = compared.guarantee == Guarantee::NoChange || watching.progress.is_stopped();
    if request.scope.entry.is_none() || is_over {
        return Ok(());
    }
    match request.scope.flags.assume {
        Assume::Consistent => {
            let is_done = request.options.first_only && compared.verdict == Verdict::Different;
            let is_short =
                compared.limits.iter().any(|limit| matches!(limit, Limit::Memory { .. }));
            let is_wanted = request.options.odd
                && !compared.space.assumptions.is_empty()
                && !is_short
                && !is_done;
            let budget = is_wanted.then(|| short(&request.options, &watching, spent)).flatten();
            let Some(budget) = budget else { return Ok(()) };
            let options = Options { budget, illustrated: false, ..request.options.clone() };
            let second =
                again(requests, versions, beside, (Assume::Nothing, options), || None, watching);
            // The verdict is valid without it.
            if let Ok(second) = second {
                add(compared, second);
            }
        }
        Assume::Nothing => {
            let only_odd = compared.only_inconsistent() == compared.witnesses.len();
            let is_about_ranges = |one: &Assumption| matches!(one, Assumption::Inside { .. });
            let has_more =
                !compared.witnesses.is_empty() || compared.space.lifted.iter().any(is_about_ranges);
            let budget = (only_odd && has_more).then(|| left(&request.options, &watching, spent));
            let Some(budget) = budget.flatten() else { return Ok(()) };
            let options = Options { budget, ..request.options.clone() };
            // Pictures are made after that search.
            let rest = Deadline::new(watching.progress);
            rest.begin(spent);
            let is_over = || rest.is_over();
            let setting = || request.options.illustrated.then(|| Setting::new(versions, &is_over));
            let second = again(
                requests,
                versions,
                beside,
                (Assume::Consistent, options),
                setting,
                watching,
            )?;
            decide(compared, second);
        }
    }
    Ok(())
}

/// A part of the budget, unless it is exhausted.
fn short(options: &Options, watching: &Watching<'_>, spent: Allowance<'_>) -> Option<Budget> {
    let budget = left(options, watching, spent)?;
    let part = |whole: Option<Duration>| whole.map(|whole| whole / PART);
    let time = budget.time.zip(part(options.budget.time)).map(|(left, part)| left.min(part));
    let ran = watching.progress.snapshot().runs;
    let most =
        options.budget.runs.map_or(MOST_RUNS, |runs| (runs / u64::from(PART)).min(MOST_RUNS));
    let runs = Some(budget.runs.map_or(ran + most, |runs| runs.min(ran + most)));
    Some(Budget { time, runs, ..budget })
}

/// The rest of the budget. Runs are counted from the beginning of the first search.
fn left(options: &Options, watching: &Watching<'_>, spent: Allowance<'_>) -> Option<Budget> {
    let time = spent.left();
    let ran = watching.progress.snapshot().runs;
    let is_spent = time.is_some_and(|time| time < LEAST_TIME)
        || options.budget.runs.is_some_and(|runs| runs <= ran);
    (!is_spent).then(|| Budget { time, ..options.budget.clone() })
}

/// Searches the same versions with another assumption about parameters.
fn again<'v>(
    requests: &Requests<'_>,
    versions: &'v Versions,
    beside: &Beside,
    (assume, options): (Assume, Options),
    setting: impl FnOnce() -> Option<Setting<'v>>,
    watching: Watching<'_>,
) -> Result<Compared, Error> {
    let request = requests.request;
    let flags = Flags { assume, ..request.scope.flags.clone() };
    let scope = Scope { flags: &flags, ..request.scope.clone() };
    let second = Request { scope, options, ..request.clone() };
    let requests = requests.like(&second);
    search::compare(&requests, versions, beside, setting, Saving::default(), watching)
}

/// Witnesses of another search, with the programs that show them.
fn taken(second: Compared) -> Vec<Witness> {
    let builds = Arc::new(second.builds);
    let with_builds = |witness| Witness { builds: Some(Arc::clone(&builds)), ..witness };
    second.witnesses.into_iter().map(with_builds).collect()
}

/// Adds the results of a search without assumptions. If it has a difference that does not need
/// inconsistent parameters, it is the better report: the first one does not mention such a
/// difference.
fn add(compared: &mut Compared, second: Compared) {
    if compared.consistent().next().is_none() && second.consistent().next().is_some() {
        *compared = second;
        return;
    }
    let odd = taken(second).into_iter().filter(|witness| !witness.is_consistent());
    compared.witnesses.extend(odd.take(MOST_ADDED));
}

/// Lets a search among consistent parameters decide, if only inconsistent ones differ so far.
fn decide(compared: &mut Compared, second: Compared) {
    let is_equal = compared.verdict == Verdict::Equal && second.verdict == Verdict::Equal;
    let nothing_odd = compared.witnesses.is_empty();
    if nothing_odd && (is_equal || second.verdict == Verdict::Inconclusive) {
        // The wider space implies as much.
        if compared.verdict == Verdict::Equal && !is_equal {
            compared.verdict = Verdict::Inconclusive;
            compared.guarantee = Guarantee::Sampled { inputs: compared.effort.total.runs };
            compared.limits.extend(second.limits);
        }
        return;
    }
    if nothing_odd && second.verdict == Verdict::Equal {
        // There is no claim about all inputs of the requested space.
        return;
    }
    let first = std::mem::replace(compared, second);
    compared.witnesses.extend(taken(first).into_iter().take(MOST_ADDED));
}
