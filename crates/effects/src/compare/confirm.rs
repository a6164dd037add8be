//! Differences on native programs: whether they are there, too, and what is seen of them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::sync::OnceLock;
use std::time::Duration;

use exec::stop::FaultKind;
use exec::{Program, Stop};
use explore::Observe;
use explore::pair::{Observable, Outcome};
use inputs::Test;
use inputs::harness::PARAMS_FILE;
use source::{End, Invocation, Limits, NativeProgram, NativeRun, SourceError, run_native};

use crate::both::{both, side_by_side};
use crate::conformance::native_status;
use crate::explore::Place;
use crate::explore::place::Places;
use crate::explore::replay::{RESULT_FILE, address_complaint, any_complaint};
use crate::explore::subject::Subject;

/// How long a native run may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// The same for a run that the machine could not finish, or that ends in a fault.
pub(super) const LITTLE_PATIENCE: Duration = Duration::from_secs(2);
/// Where one version does not end, the other one has to end in this time: otherwise the first
/// may only be slower.
const PROMPT: Duration = Duration::from_millis(100);

/// What a version does on an input.
#[derive(Clone, Debug)]
pub struct Behaviour {
    pub native: Native,
    /// The fault that the machine found.
    pub fault: Option<Fault>,
    /// What sanitizers say, without addresses; nothing if they were not asked or are silent.
    pub sanitizer: Option<String>,
    /// Whether it reads memory that was never written.
    pub reads_unwritten: bool,
}

/// A file's name and contents; nothing if it is gone.
pub type File = (String, Option<Vec<u8>>);

/// What a native run showed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Native {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Files that are not as they were given; `None` for those that are gone.
    pub files: Vec<File>,
    /// What a function returned and left in memory.
    pub result: Option<String>,
}

impl Native {
    /// The exit status as a shell tells it, unless it did not come to an end.
    pub fn status(&self) -> Option<i32> {
        native_status(self.end)
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
    pub(super) fn of(stop: &Stop, places: &Places<'_>, program: &Program) -> Option<Fault> {
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
    /// Built when it is first needed; `None` inside if that is not possible here.
    sanitized: OnceLock<Option<NativeProgram>>,
}

impl<'a> Replayer<'a> {
    pub fn new(subject: &'a Subject<'a>, places: Places<'a>) -> Replayer<'a> {
        Replayer { subject, places, sanitized: OnceLock::new() }
    }

    /// What this version does natively, and what the machine knows about it.
    pub fn behaviour(&self, test: &Test, outcome: &Outcome) -> Result<Behaviour, SourceError> {
        let time = match outcome.stop {
            Stop::Unsupported(_) | Stop::Exhausted(_) | Stop::Fault(_) => LITTLE_PATIENCE,
            Stop::Exit(_) | Stop::Signal(_) => PATIENCE,
        };
        Ok(Behaviour {
            native: self.run(test, time)?,
            fault: Fault::of(&outcome.stop, &self.places, &self.subject.program),
            sanitizer: None,
            reads_unwritten: outcome.reads_unwritten,
        })
    }

    pub fn run(&self, test: &Test, time: Duration) -> Result<Native, SourceError> {
        self.run_program(&self.subject.native, test, time)
    }

    /// Runs another program as this version is run.
    pub fn run_program(
        &self,
        program: &NativeProgram,
        test: &Test,
        time: Duration,
    ) -> Result<Native, SourceError> {
        let limits = Limits { time, ..Limits::default() };
        Ok(native(run_native(program, &self.invocation(test), &limits)?))
    }

    /// What sanitizers say about an input, if they complain and can be asked.
    fn sanitize(&self, test: &Test) -> Result<Option<String>, SourceError> {
        let Some(program) = self.sanitized.get_or_init(|| self.subject.sanitized()) else {
            return Ok(None);
        };
        let limits = Limits { time: LITTLE_PATIENCE, ..Limits::default() };
        let said = run_native(program, &self.invocation(test), &limits)?.sanitizer;
        Ok(address_complaint(&said).or_else(|| any_complaint(&said)))
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

fn native(run: NativeRun) -> Native {
    let result = run.written.iter().find(|(name, _)| name == RESULT_FILE);
    let result = result.map(|(_, bytes)| String::from_utf8_lossy(bytes).into_owned());
    let written = run.written.into_iter().filter(|(name, _)| name != RESULT_FILE);
    let mut files: Vec<File> = written.map(|(name, bytes)| (name, Some(bytes))).collect();
    files.extend(run.removed.into_iter().map(|name| (name, None)));
    files.sort();
    Native { end: run.end, stdout: run.stdout, stderr: run.stderr, files, result }
}

/// What differs first between two native runs.
pub(crate) fn natives_differ(observe: &Observe, old: &Native, new: &Native) -> Option<Observable> {
    let is_cut_off = old.status().is_none() || new.status().is_none();
    if observe.exit && old.status() != new.status() {
        return Some(Observable::Exit);
    }
    if is_cut_off {
        return None;
    }
    if observe.stdout && observe.texts_differ(&old.stdout, &new.stdout) {
        return Some(Observable::Stdout);
    }
    if observe.stderr && observe.texts_differ(&old.stderr, &new.stderr) {
        return Some(Observable::Stderr);
    }
    if observe.result && old.result != new.result {
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
    if confirmed.is_some() {
        let is_endless = natives.iter().any(|native| native.status().is_none());
        let time = if is_endless { PROMPT } else { PATIENCE };
        let is_repeated = |index: usize| -> Result<bool, SourceError> {
            let first = natives[index];
            Ok(first.status().is_none() || replayers[index].run(&tests[index], time)? == *first)
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
    let sanitize = |index: usize| replayers[index].sanitize(&tests[index]);
    // What ends on the machine most likely ends natively. Sanitizers take longest.
    let ends = |outcome: &Outcome| matches!(outcome.stop, Stop::Exit(_) | Stop::Signal(_));
    let sanitize_early = || outcomes.iter().all(ends).then(|| both(sanitize));
    let (early, replayed) =
        side_by_side(sanitize_early, || replay(replayers, observe, tests, outcomes));
    let Replayed { mut behaviours, mut confirmed, .. } = replayed?;
    // What does not end has been waited for long enough.
    let is_endless = behaviours.iter().any(|behaviour| behaviour.native.status().is_none());
    let faults = behaviours.iter().filter(|behaviour| behaviour.fault.is_some()).count();
    if (confirmed.is_some() || faults > 0) && !is_endless {
        let [old, new] = early.unwrap_or_else(|| both(sanitize));
        (behaviours[0].sanitizer, behaviours[1].sanitizer) = (old?, new?);
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
    Ok(Replayed { behaviours, confirmed, written: None })
}
