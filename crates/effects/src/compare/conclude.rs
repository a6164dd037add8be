//! Draws conclusions from a search: a verdict, its basis, and what may have been missed.

use base::Version;
use exec::Stop;
use exec::stop::Bound;
use explore::pair::{Arena, Milestones, PairEffort};
use explore::proved::Summary;
use inputs::snapshot::Incomparable;
use trace::outcome::Observable;

use super::alone::Hidden;
use super::examine::{Examined, Examiner};
use super::hunks::after_search;
use super::open::Open;
use super::portfolio::Ended;
use super::requests::Requests;
use super::{Behaviour, Compared, Effort, Guarantee, Limit, Verdict, Witness};
use crate::error::Error;
use crate::pairing::Ready;
use crate::proved::Proved;
use crate::trial::Place;
use crate::versions::{HunkMeaning, Reach, Versions};

/// What a search found.
pub(super) struct Found {
    pub ended: Ended,
    pub examined: Examined,
    pub summary: Option<Summary>,
    pub strategies: Vec<(&'static str, PairEffort, u64)>,
    pub hunks: Vec<HunkMeaning>,
    pub hidden: Vec<Hidden>,
    /// What lacked memory or time.
    pub dropped: Vec<Limit>,
}

/// Concludes a search; without pictures.
pub(super) fn conclude(
    requests: &Requests<'_>,
    versions: &Versions,
    ready: &Ready<'_>,
    arena: &Arena<'_>,
    examiner: &Examiner<'_>,
    open: Option<&Open>,
    found: Found,
) -> Result<Compared, Error> {
    let Found { ended, examined, summary, strategies, hunks, hidden, dropped } = found;
    let Examined { mut witnesses, unconfirmed, slower } = examined;
    // Builds with the positions of OLD determined the blame.
    for witness in &mut witnesses {
        if let Some(written) = witness.written.take() {
            let left = witness.new.left.take();
            witness.new = Behaviour { left, ..written };
        }
    }
    let mut limits = limits(arena, examiner, ended);
    if witnesses.iter().any(|witness| witness.observable == Observable::Unwritten) {
        // It is reported as a difference.
        let is_shown =
            |limit: &Limit| matches!(limit, Limit::Incomparable(Incomparable::WrittenByOne { .. }));
        limits.retain(|limit| !is_shown(limit));
    }
    let invalid = witnesses.is_empty().then(|| invalid_inputs(arena, examiner)).flatten();
    // Equal behaviour on invalid inputs proves nothing.
    let summary = summary.filter(|_| invalid.is_none());
    limits.extend(invalid);
    // A proof or a complete run does not need it.
    if !matches!(ended, Ended::AllInputs { .. } | Ended::Proved) {
        limits.extend(dropped);
    }
    let is_certain = limits.is_empty() && unconfirmed.is_empty();
    let (verdict, guarantee) = verdict(ended, &witnesses, is_certain, arena.effort.runs);
    // Where every input was run, nothing is open.
    let summary = summary.filter(|_| !matches!(guarantee, Guarantee::AllInputs { .. }));
    let Ready { old, new, space, .. } = ready;
    let proof = open.zip(summary).map(|(open, mut summary)| {
        let modules = open.programs.each_ref().map(|program| &program.module);
        if !unconfirmed.is_empty() {
            // Do not describe a difference that native programs do not show.
            summary.differs_when = None;
        }
        Proved::new(summary, &new.layout, modules, &|version, function| {
            open.is_own(version, function)
        })
    });
    let is_proved = verdict == Verdict::Equal;
    let (hunks_apart, reach) = after_search(requests, versions, arena, hunks, is_proved);
    let request = requests.request;
    Ok(Compared {
        builds: [old.build(), new.build()],
        verdict,
        guarantee,
        chosen: new.chosen(request.scope.flags)?,
        space: space.clone(),
        misfits: new.misfits.clone(),
        reach,
        witnesses,
        unconfirmed,
        slower,
        hidden,
        kept: arena.kept.iter().map(|kept| kept.assignment.clone()).collect(),
        proof,
        effort: Effort {
            total: arena.effort,
            milestones: milestones(arena, reach),
            strategies,
            ..Effort::default()
        },
        limits,
        ..Compared::without_search(request, versions, new.origin, hunks_apart)
    })
}

fn verdict(
    ended: Ended,
    witnesses: &[Witness],
    is_certain: bool,
    runs: u64,
) -> (Verdict, Guarantee) {
    let sampled = (Verdict::Inconclusive, Guarantee::Sampled { inputs: runs });
    match ended {
        _ if witnesses.iter().any(Witness::is_consistent) => {
            (Verdict::Different, Guarantee::Replayed)
        }
        // A search among consistent inputs decides about the others.
        _ if !witnesses.is_empty() => sampled,
        Ended::AllInputs { inputs } if is_certain => {
            (Verdict::Equal, Guarantee::AllInputs { inputs })
        }
        Ended::Proved if is_certain => (Verdict::Equal, Guarantee::Proved),
        _ => sampled,
    }
}

/// When runs reached which stage. A difference where no run can execute a change is not its effect:
/// differing runs of the machine are reported as unconfirmed there.
fn milestones(arena: &Arena<'_>, reach: Reach) -> Milestones {
    match reach {
        Reach::Unreachable => Milestones::default(),
        Reach::NotReached => Milestones { reached: None, ..arena.milestones },
        Reach::Reached | Reach::NoChange => arena.milestones,
    }
}

/// The limit that no input was useful.
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
    // If all inputs are proved equal, so are those that were cut short.
    if arena.cut_short() > 0 && ended != Ended::Proved {
        let exhausted = |version| Limit::Exhausted { version, bound: Bound::Steps };
        let cut = Version::BOTH.map(exhausted).into_iter();
        limits.extend(cut.filter(|limit| !limits.contains(limit)).collect::<Vec<_>>());
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
