//! Differences on native programs: whether they are there, too, and what is seen of them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use exec::stop::FaultKind;
use exec::undefined::{UndefinedKind, UndefinedOperations};
use exec::{Program, Stop};
use explore::pair::{Observable, Outcome, only_undefined};
use explore::{Observe, Version};
use inputs::harness::PARAMS_FILE;
use inputs::snapshot::{ByValue, Comparer, Comparison, Side, masked};
use inputs::{Harness, Snapshot, Test};
use source::{
    End, Invocation, Limits, NativeProgram, NativeRun, Sanitizer, SourceError, run_native,
    run_native_while,
};

use crate::both::{both, side_by_side};
use crate::explore::Place;
use crate::explore::place::Places;
use crate::explore::replay::{RESULT_FILE, address_complaint, any_complaint, complaint_of};
use crate::explore::subject::Subject;

/// How long a native run may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// The same for a run that the machine could not finish, or that ends in a fault.
pub(super) const LITTLE_PATIENCE: Duration = Duration::from_secs(2);

/// What a version does on an input.
#[derive(Clone, Debug)]
pub struct Behaviour {
    pub native: Native,
    /// What a function left behind that the other version did not, in the words of the source:
    /// a line for each place. Nothing if that is not known.
    pub left: Option<String>,
    /// The fault that the machine found.
    pub fault: Option<Fault>,
    /// What sanitizers say, without addresses; nothing if they were not asked or are silent.
    pub sanitizer: Option<String>,
    /// Whether it reads memory that was never written.
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

/// A file's name and contents; nothing if it is gone.
pub type File = (String, Option<Vec<u8>>);

/// What a native run showed.
#[derive(Clone, Debug)]
pub struct Native {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Files that are not as they were given; `None` for those that are gone.
    pub files: Vec<File>,
    /// What a function returned and left in memory.
    pub result: Option<String>,
    /// Who wrote that, and knows its types.
    pub harness: Option<Arc<Harness>>,
}

/// What they showed counts, not who wrote it down.
impl PartialEq for Native {
    fn eq(&self, other: &Native) -> bool {
        (self.end, &self.stdout, &self.stderr, &self.files, &self.result)
            == (other.end, &other.stdout, &other.stderr, &other.files, &other.result)
    }
}

impl Eq for Native {}

impl Native {
    /// The exit status as a shell tells it, unless it did not come to an end.
    pub fn status(&self) -> Option<i32> {
        self.end.status()
    }
}

/// A fault that the machine found, with places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// The name of the object concerned, if it is a local variable.
    pub local: Option<String>,
    /// Innermost call first.
    pub stack: Vec<Place>,
    pub allocated: Option<Place>,
    pub freed: Option<Place>,
}

impl Fault {
    pub(crate) fn of(stop: &Stop, places: &Places<'_>, program: &Program) -> Option<Fault> {
        let Stop::Fault(fault) = stop else { return None };
        let local = fault.allocated.and_then(|site| program.local_name(site));
        Some(Fault {
            kind: fault.kind.clone(),
            local: local.map(str::to_owned),
            stack: fault.stack.iter().map(|&site| places.of(site)).collect(),
            allocated: fault.allocated.map(|site| places.of(site)),
            freed: fault.freed.map(|site| places.of(site)),
        })
    }
}

/// A version as it is replayed.
pub(crate) struct Replayer<'a> {
    pub subject: &'a Subject<'a>,
    pub places: Places<'a>,
    /// Built when they are first needed, by sanitizer; `None` inside if that is not possible here.
    sanitized: [OnceLock<Option<NativeProgram>>; 2],
}

impl<'a> Replayer<'a> {
    pub fn new(subject: &'a Subject<'a>, places: Places<'a>) -> Replayer<'a> {
        Replayer { subject, places, sanitized: Default::default() }
    }

    /// What this version does natively, and what the machine knows about it.
    pub fn behaviour(&self, test: &Test, outcome: &Outcome) -> Result<Behaviour, SourceError> {
        let time = match outcome.stop {
            Stop::Unsupported(_) | Stop::Exhausted(_) | Stop::Fault(_) => LITTLE_PATIENCE,
            Stop::Exit(_) | Stop::Signal(_) => PATIENCE,
        };
        let mut native = self.run(test, time)?;
        // Memory that was never written holds anything, and counts for nothing.
        let left = self.subject.harness.as_ref().zip(outcome.result.as_ref());
        if let (Some(said), Some((harness, left))) = (&native.result, left) {
            native.result = Some(masked(said, &harness.text_of(left)));
        }
        Ok(Behaviour {
            never_ends: outcome.never_ends && native.status().is_none(),
            native,
            left: None,
            fault: Fault::of(&outcome.stop, &self.places, &self.subject.program),
            sanitizer: None,
            reads_unwritten: outcome.reads_unwritten,
            undefined: self.undefined(&outcome.undefined),
        })
    }

    fn undefined(&self, operations: &UndefinedOperations) -> Vec<Undefined> {
        let first = |kind| Some(Undefined { kind, place: self.places.of(operations.first(kind)?) });
        UndefinedKind::ALL.into_iter().filter_map(first).collect()
    }

    pub fn run(&self, test: &Test, time: Duration) -> Result<Native, SourceError> {
        self.run_program(&self.subject.native, test, time)
    }

    /// The same for a run that may take long, and that is given up when nobody wants it any more.
    pub fn run_while(
        &self,
        test: &Test,
        time: Duration,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<Native, SourceError> {
        let limits = Limits { time, ..Limits::default() };
        let program = &self.subject.native;
        let run = run_native_while(program, &self.invocation(test), &limits, is_wanted)?;
        Ok(native(run, self.subject.harness.clone()))
    }

    /// Runs another program as this version is run.
    pub fn run_program(
        &self,
        program: &NativeProgram,
        test: &Test,
        time: Duration,
    ) -> Result<Native, SourceError> {
        let limits = Limits { time, ..Limits::default() };
        let run = run_native(program, &self.invocation(test), &limits)?;
        Ok(native(run, self.subject.harness.clone()))
    }

    /// All that a sanitizer says about an input; nothing if it cannot be asked.
    pub fn sanitize(
        &self,
        test: &Test,
        sanitizer: Sanitizer,
    ) -> Result<Option<String>, SourceError> {
        let built = &self.sanitized[sanitizer as usize];
        let Some(program) = built.get_or_init(|| self.subject.sanitized(sanitizer)) else {
            return Ok(None);
        };
        self.ask(program, test)
    }

    /// The same of a program that was built with a sanitizer.
    pub fn ask(&self, program: &NativeProgram, test: &Test) -> Result<Option<String>, SourceError> {
        let limits = Limits { time: LITTLE_PATIENCE, ..Limits::default() };
        let run = run_native(program, &self.invocation(test), &limits)?;
        // A sanitizer that finds no room for its tables has not looked at the run, nor at the end
        // of one that took too long.
        let is_whole = run.end.status().is_some() && !run.sanitizer.contains("==FATAL: ");
        Ok(is_whole.then_some(run.sanitizer))
    }

    fn invocation(&self, test: &Test) -> Invocation {
        let args = match self.subject.harness {
            None => test.input.args.iter().cloned().map(OsString::from_vec).collect(),
            Some(_) => vec![PARAMS_FILE.into(), RESULT_FILE.into()],
        };
        let (stdin, files) = (test.input.stdin.clone(), test.input.files.clone());
        Invocation { args, stdin, files, ..Invocation::default() }
    }
}

fn native(run: NativeRun, harness: Option<Arc<Harness>>) -> Native {
    let result = run.written.iter().find(|(name, _)| name == RESULT_FILE);
    let result = result.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
    let written = run.written.into_iter().filter(|(name, _)| name != RESULT_FILE);
    let mut files: Vec<File> = written.map(|(name, bytes)| (name, Some(bytes))).collect();
    files.extend(run.removed.into_iter().map(|name| (name, None)));
    files.sort();
    Native { end: run.end, stdout: run.stdout, stderr: run.stderr, files, result, harness }
}

/// What differs first between two native runs. Nothing if one of them did not come to an end: it
/// may have, later, with the same.
pub(crate) fn natives_differ(observe: &Observe, old: &Native, new: &Native) -> Option<Observable> {
    if old.status().is_none() || new.status().is_none() {
        return None;
    }
    if observe.exit && old.status() != new.status() {
        return Some(Observable::Exit);
    }
    if observe.stdout && observe.texts_differ(&old.stdout, &new.stdout) {
        return Some(Observable::Stdout);
    }
    if observe.stderr && observe.texts_differ(&old.stderr, &new.stderr) {
        return Some(Observable::Stderr);
    }
    if results_differ(observe, old, new) {
        return Some(Observable::Result);
    }
    let same = |(old, new): (&File, &File)| {
        let contents = match (&old.1, &new.1) {
            (Some(old), Some(new)) => !observe.texts_differ(old, new),
            (old, new) => old.is_none() && new.is_none(),
        };
        old.0 == new.0 && contents
    };
    let files_differ =
        old.files.len() != new.files.len() || !old.files.iter().zip(&new.files).all(same);
    (observe.files && files_differ).then_some(Observable::Files)
}

/// Whether functions left something else behind that counts.
fn results_differ(observe: &Observe, old: &Native, new: &Native) -> bool {
    match (&old.result, &new.result) {
        (Some(one), Some(two)) if one == two => false,
        (Some(one), Some(two)) => {
            let parse = |native: &Native, text: &str| match &native.harness {
                Some(harness) => harness.parse(text),
                None => Snapshot::parse(text),
            };
            let (one, two) = (parse(old, one), parse(new, two));
            let [one, two] = [(&one, old), (&two, new)]
                .map(|(snapshot, native)| Side { snapshot, harness: native.harness.as_deref() });
            let (values, mut judge) = (observe.values(), ByValue { nan_bits: observe.nan_bits });
            let compared = Comparer::default().compare(one, two, &values, &mut judge);
            compared == Comparison::Different
        }
        (one, two) => observe.result && one.is_some() != two.is_some(),
    }
}

/// Whether two native runs did the same, or both did not come to an end.
pub(super) fn natives_agree(observe: &Observe, one: &Native, other: &Native) -> bool {
    one.status().is_none() == other.status().is_none()
        && natives_differ(observe, one, other).is_none()
}

/// Whether a version natively comes to an end and the other one does not, of which it is proved
/// that it never does.
fn one_never_ends(behaviours: &[Behaviour; 2]) -> bool {
    let ends = |behaviour: &Behaviour| behaviour.native.status().is_some();
    let never_ends = |behaviour: &Behaviour| behaviour.never_ends && !ends(behaviour);
    let [old, new] = behaviours;
    ends(old) && never_ends(new) || never_ends(old) && ends(new)
}

/// What came of replaying a difference.
pub(super) struct Replayed {
    pub behaviours: [Behaviour; 2],
    /// What differs natively; nothing if the difference is not confirmed.
    pub confirmed: Option<Observable>,
    /// What NEW does with its own positions, if those above are OLD's.
    pub written: Option<Behaviour>,
}

/// What both native programs do, twice if they differ: one that does something else each time
/// tells nothing.
fn replay(
    replayers: [&Replayer<'_>; 2],
    observe: &Observe,
    tests: &[Test; 2],
    outcomes: &[Outcome; 2],
) -> Result<Replayed, SourceError> {
    let [old, new] = both(|index| replayers[index].behaviour(&tests[index], &outcomes[index]));
    let behaviours = [old?, new?];
    let natives = behaviours.each_ref().map(|behaviour| &behaviour.native);
    let mut confirmed = natives_differ(observe, natives[0], natives[1]);
    if observe.exit && one_never_ends(&behaviours) {
        confirmed = Some(Observable::Exit);
    }
    if confirmed.is_some() {
        let is_repeated = |index: usize| -> Result<bool, SourceError> {
            let first = natives[index];
            if first.status().is_none() {
                return Ok(true);
            }
            let again = replayers[index].run(&tests[index], PATIENCE)?;
            Ok(natives_differ(&Observe::default(), first, &again).is_none())
        };
        let [old, new] = both(is_repeated);
        let is_repeated = old? && new?;
        confirmed = confirmed.filter(|_| is_repeated);
    }
    Ok(Replayed { behaviours, confirmed, written: None })
}

/// Replays a difference of the machine on both native programs, and asks sanitizers about it.
pub(super) fn confirm(
    replayers: [&Replayer<'_>; 2],
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
    let sanitize = |index: usize| replayers[index].sanitize(&tests[index], sanitizer);
    // What ends on the machine most likely ends natively. Sanitizers take longest.
    let ends = |outcome: &Outcome| matches!(outcome.stop, Stop::Exit(_) | Stop::Signal(_));
    let sanitize_early = || outcomes.iter().all(ends).then(|| both(sanitize));
    let (early, replayed) =
        side_by_side(sanitize_early, || replay(replayers, observe, tests, outcomes));
    let Replayed { mut behaviours, mut confirmed, .. } = replayed?;
    // What does not end has been waited for long enough.
    let is_endless = behaviours.iter().any(|behaviour| behaviour.native.status().is_none());
    let faults = behaviours.iter().filter(|behaviour| behaviour.fault.is_some()).count();
    let mut said = [None, None];
    if (confirmed.is_some() || faults > 0 || is_silent) && !is_endless {
        let [old, new] = early.unwrap_or_else(|| both(sanitize));
        said = [old?, new?];
        for (behaviour, said) in behaviours.iter_mut().zip(&said) {
            let said = said.as_deref().unwrap_or("");
            behaviour.sanitizer = address_complaint(said).or_else(|| any_complaint(said));
        }
    }
    // Natively nothing may show although memory is damaged; sanitizers see it as the machine
    // does.
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
        behaviours[version as usize].sanitizer = Some(complaint);
        confirmed = Some(found);
    }
    Ok(Replayed { behaviours, confirmed, written: None })
}

/// The sanitizer that sees operations of a kind.
pub(super) fn sanitizer_of(kind: UndefinedKind) -> Sanitizer {
    match kind {
        UndefinedKind::Uninitialised => Sanitizer::Memory,
        _ => Sanitizer::Behaviour,
    }
}

/// What a sanitizer says about the undefined operation that the machine saw in one version only,
/// if it says such a thing of that version and not of the other.
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
