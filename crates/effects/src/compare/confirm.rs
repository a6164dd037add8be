//! Confirms differences on native programs, and collects their observables.

use base::Version;
use base::parallel::{both, side_by_side};
use exec::Stop;
use exec::undefined::UndefinedKind;
use inputs::Snapshot;
use inputs::Test;
use inputs::snapshot::{ByValue, Comparer, Differing, NEVER_WRITTEN, Side, masked, token_of};
use source::{Sanitizer, SourceError};
use trace::outcome::{Observable, only_undefined};
use trace::{Observe, Outcome};

use crate::trial::{
    Fault, Fill, Native, Patience, Place, Runner, address_complaint, agree, complaint_of,
    first_complaint, natives_differ, sanitizer_of,
};

/// The behaviour of a version on an input.
#[derive(Clone, Debug)]
pub struct Behaviour {
    pub native: Native,
    /// The state that a function left and the other version did not, in terms of the source: a line
    /// for each place. `None` if unknown.
    pub left: Option<String>,
    /// The fault that the machine found.
    pub fault: Option<Fault>,
    /// What sanitizers report, without addresses; `None` if they did not run or are silent.
    pub sanitizer: Option<String>,
    /// Whether it reads uninitialised memory.
    pub reads_unwritten: bool,
    /// Whether it is proved that it never ends.
    pub never_ends: bool,
    /// Undefined operations that the machine saw, the first of each kind.
    pub undefined: Vec<Undefined>,
}

/// An undefined operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    pub kind: UndefinedKind,
    pub place: Place,
}

impl Behaviour {
    /// Of a version whose run on the machine is unknown.
    pub(super) fn natively(native: Native) -> Behaviour {
        Behaviour {
            native,
            left: None,
            fault: None,
            sanitizer: None,
            reads_unwritten: false,
            never_ends: false,
            undefined: Vec::new(),
        }
    }

    /// The native behaviour of a version, with what the machine knows about it.
    fn of(runner: &Runner<'_>, test: &Test, outcome: &Outcome) -> Result<Behaviour, SourceError> {
        let mut native = runner.run(test, Patience::with(&outcome.stop))?;
        // Uninitialised memory has arbitrary contents, and does not count.
        let left = runner.subject.harness.as_ref().zip(outcome.result.as_ref());
        if let (Some(said), Some((harness, left))) = (&native.result, left) {
            native.result = Some(masked(said, &harness.text_of(left)));
        }
        let first = |kind: UndefinedKind| {
            let place = runner.places.of(outcome.undefined.first(kind)?);
            Some(Undefined { kind, place })
        };
        Ok(Behaviour {
            never_ends: outcome.never_ends && native.status().is_none(),
            fault: runner.fault(&outcome.stop),
            reads_unwritten: outcome.reads_unwritten,
            undefined: UndefinedKind::ALL.into_iter().filter_map(first).collect(),
            ..Behaviour::natively(native)
        })
    }
}

/// Whether one native program ends and the other, which is proved never to end, does not.
fn one_never_ends(behaviours: &[Behaviour; 2]) -> bool {
    let ends = |behaviour: &Behaviour| behaviour.native.status().is_some();
    let never_ends = |behaviour: &Behaviour| behaviour.never_ends && !ends(behaviour);
    let [old, new] = behaviours;
    ends(old) && never_ends(new) || never_ends(old) && ends(new)
}

/// The result of replaying a difference.
pub(super) struct Replayed {
    pub behaviours: [Behaviour; 2],
    /// What differs in native runs; `None` if the difference is not confirmed.
    pub confirmed: Option<Observable>,
    /// The behaviour of NEW with its own positions, if those above are OLD's.
    pub written: Option<Behaviour>,
}

/// The behaviour of both native programs, twice if they differ: a program that behaves differently
/// each time shows nothing.
fn replay(
    runners: [&Runner<'_>; 2],
    observe: &Observe,
    tests: &[Test; 2],
    outcomes: &[Outcome; 2],
) -> Result<Replayed, SourceError> {
    let [old, new] =
        both(|version| Behaviour::of(runners[version], &tests[version], &outcomes[version]));
    let behaviours = [old?, new?];
    let natives = behaviours.each_ref().map(|behaviour| &behaviour.native);
    let mut confirmed = natives_differ(observe, natives[0], natives[1]);
    if observe.exit && one_never_ends(&behaviours) {
        confirmed = Some(Observable::Exit);
    }
    if confirmed.is_some() {
        let is_repeated = |version: Version| -> Result<bool, SourceError> {
            let first = natives[version];
            if first.status().is_none() {
                return Ok(true);
            }
            let again = runners[version].run(&tests[version], Patience::Usual)?;
            Ok(natives_differ(&Observe::default(), first, &again).is_none())
        };
        let [old, new] = both(is_repeated);
        let is_repeated = old? && new?;
        confirmed = confirmed.filter(|_| is_repeated);
    }
    Ok(Replayed { behaviours, confirmed, written: None })
}

/// Replays a difference of the machine on both native programs, and runs sanitizers on it.
pub(super) fn confirm(
    runners: [&Runner<'_>; 2],
    observe: &Observe,
    tests: &[Test; 2],
    outcomes: &[Outcome; 2],
    found: Observable,
) -> Result<Replayed, SourceError> {
    let is_silent = found == Observable::Undefined;
    let only = only_undefined(&outcomes[0].undefined, &outcomes[1].undefined);
    let sanitizer = match only.filter(|_| is_silent) {
        Some((_, kind)) => sanitizer_of(kind),
        None => Sanitizer::Behaviour,
    };
    let sanitize =
        |version: Version| runners[version].sanitize(&tests[version], sanitizer, Patience::Little);
    // A run that ends on the machine most likely ends natively. Sanitizers take longest.
    let ends = |outcome: &Outcome| matches!(outcome.stop, Stop::Exit(_) | Stop::Signal(_));
    let sanitize_early = || outcomes.iter().all(ends).then(|| both(sanitize));
    let (early, replayed) =
        side_by_side(sanitize_early, || replay(runners, observe, tests, outcomes));
    let Replayed { mut behaviours, mut confirmed, .. } = replayed?;
    // The wait for a run that does not end has been long enough.
    let is_endless = behaviours.iter().any(|behaviour| behaviour.native.status().is_none());
    let faults = behaviours.iter().filter(|behaviour| behaviour.fault.is_some()).count();
    let mut said = [None, None];
    if (confirmed.is_some() || faults > 0 || is_silent) && !is_endless {
        let [old, new] = early.unwrap_or_else(|| both(sanitize));
        said = [old?, new?];
        for (behaviour, said) in behaviours.iter_mut().zip(&said) {
            let said = said.as_deref().unwrap_or("");
            behaviour.sanitizer = first_complaint(said);
        }
    }
    // A native run may show nothing although memory is damaged; sanitizers see it like the machine.
    if confirmed.is_none() && faults == 1 {
        let noticed = |behaviour: &Behaviour| {
            let complaint = behaviour.sanitizer.as_deref().unwrap_or("");
            behaviour.fault.is_some() == complaint.starts_with("AddressSanitizer")
                && behaviour.fault.is_some() == behaviour.sanitizer.is_some()
        };
        if behaviours.iter().all(noticed) {
            confirmed = Some(found);
        }
    }
    if confirmed.is_none()
        && is_silent
        && let Some(only) = only
        && let Some(complaint) = undefined_complaint(only, &said)
    {
        let (version, complaint) = complaint;
        behaviours[version].sanitizer = Some(complaint);
        confirmed = Some(found);
    }
    if confirmed.is_none()
        && found == Observable::Unwritten
        && leaves_unwritten(runners, observe, tests, outcomes)?
    {
        confirmed = Some(found);
    }
    Ok(Replayed { behaviours, confirmed, written: None })
}

/// Whether a member that only one version writes according to the machine has, in native runs, the
/// previous content of memory in the other version, and the same value in the first, however memory
/// is filled.
fn leaves_unwritten(
    runners: [&Runner<'_>; 2],
    observe: &Observe,
    tests: &[Test; 2],
    outcomes: &[Outcome; 2],
) -> Result<bool, SourceError> {
    let harnesses = runners.map(|runner| runner.subject.harness.as_deref());
    let [Some(old), Some(new)] = [0, 1].map(|index: usize| {
        let snapshot = outcomes[index].result.as_ref()?;
        Some(Side { snapshot, harness: Some(harnesses[index]?) })
    }) else {
        return Ok(false);
    };
    let mut comparer = Comparer::default();
    let mut judge = ByValue { nan_bits: observe.nan_bits };
    comparer.compare(old, new, &observe.values(), &mut judge);
    let filled = |version: Version| -> Result<Option<[String; 2]>, SourceError> {
        let side = if version == Version::Old { old } else { new };
        let run = |fill| runners[version].run_filled(&tests[version], fill, Patience::Usual);
        let machine = side.harness.map(|harness| harness.text_of(side.snapshot));
        let texts = [run(Fill::Zeros)?.result, run(Fill::Ones)?.result];
        // Nothing else that the version leaves may depend on the previous content of memory.
        let is_like = |text: &String| {
            machine.as_ref().is_some_and(|machine| agree(machine, &masked(text, machine)))
        };
        Ok(match texts {
            [Some(zeros), Some(ones)] if is_like(&zeros) && is_like(&ones) => Some([zeros, ones]),
            _ => None,
        })
    };
    let [one, two] = both(filled);
    let (Some(one), Some(two)) = (one?, two?) else { return Ok(false) };
    let is_same = |texts: &[String; 2], snapshot: &Snapshot, line: usize, at: usize| {
        let token = at - snapshot.lines[line].first as usize;
        let [zeros, ones] = texts.each_ref().map(|text| token_of(text, line, token));
        Some(zeros? == ones?)
    };
    let unwritten = comparer.unwritten();
    let is_confirmed = |&(lines, at): &([usize; 2], [usize; 2])| {
        let of_old = is_same(&one, old.snapshot, lines[0], at[0]);
        let of_new = is_same(&two, new.snapshot, lines[1], at[1]);
        matches!((of_old, of_new), (Some(true), Some(false)) | (Some(false), Some(true)))
    };
    Ok(!unwritten.is_empty() && unwritten.iter().all(is_confirmed))
}

/// The version that never writes a member that the other one does.
pub(super) fn forgetful(left: &[Differing]) -> Option<Version> {
    match left.first() {
        Some(first) if first.new == NEVER_WRITTEN => Some(Version::New),
        Some(first) if first.old == NEVER_WRITTEN => Some(Version::Old),
        _ => None,
    }
}

/// What a sanitizer reports about the undefined operation that the machine saw in one version only,
/// if it reports that of this version and not of the other.
fn undefined_complaint(
    (version, kind): (Version, UndefinedKind),
    said: &[Option<String>; 2],
) -> Option<(Version, String)> {
    let [old, new] = said.each_ref().map(|said| said.as_deref());
    let (one, other) = match version {
        Version::Old => (old?, new?),
        Version::New => (new?, old?),
    };
    let is_other_silent = !other.contains("MemorySanitizer: ")
        && complaint_of(other, kind).is_none()
        && address_complaint(other).is_none();
    complaint_of(one, kind).filter(|_| is_other_silent).map(|complaint| (version, complaint))
}
