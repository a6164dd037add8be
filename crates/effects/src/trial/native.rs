//! Native runs of a version, and their observables.
//!
//! Each run has a sandbox, limits and a timeout. A run that is cut off by them cannot be compared:
//! it may have ended later, with the same result.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use exec::Stop;
use inputs::harness::PARAMS_FILE;
use inputs::snapshot::{ByValue, Comparer, Comparison, Side, Values};
use inputs::{Harness, Snapshot, Test};
use source::{
    End, Invocation, Limits, NativeProgram, NativeRun, Sanitizer, SourceError, run_native,
    run_native_while,
};
use trace::Observe;
use trace::outcome::Observable;

use super::fault::Fault;
use super::place::Places;
use super::subject::Subject;

/// The file that a harness writes its result to.
const RESULT_FILE: &str = "ripple.result";

/// How long a native run may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Patience {
    /// Until a callback says that it is not wanted.
    Long,
    /// It ends on the machine.
    Usual,
    /// The machine did not finish it or found a fault, after which it may continue without end; or
    /// it is unknown.
    Little,
}

impl Patience {
    /// For a run with this ending on the machine.
    pub fn with(stop: &Stop) -> Patience {
        match stop {
            Stop::Unsupported(_) | Stop::Exhausted(_) | Stop::Fault(_) => Patience::Little,
            Stop::Exit(_) | Stop::Signal(_) => Patience::Usual,
        }
    }

    fn limits(self) -> Limits {
        let seconds = match self {
            Patience::Long => 60,
            Patience::Usual => 5,
            Patience::Little => 2,
        };
        Limits { time: Duration::from_secs(seconds), ..Limits::default() }
    }
}

/// What a harness fills new heap blocks with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fill {
    Zeros,
    Ones,
}

impl Fill {
    fn name(self) -> &'static str {
        match self {
            Fill::Zeros => "zeros",
            Fill::Ones => "ones",
        }
    }
}

/// A file's name and contents; `None` if it was removed.
pub type File = (String, Option<Vec<u8>>);

/// The observables of a native run.
#[derive(Clone, Debug)]
pub struct Native {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Files that differ from those given; `None` for removed ones.
    pub files: Vec<File>,
    /// The result of a function and the memory that it left.
    pub result: Option<String>,
    /// The harness that wrote it, which knows its types.
    pub harness: Option<Arc<Harness>>,
}

/// Only the observables count, not who wrote them.
impl PartialEq for Native {
    fn eq(&self, other: &Native) -> bool {
        (self.end, &self.stdout, &self.stderr, &self.files, &self.result)
            == (other.end, &other.stdout, &other.stderr, &other.files, &other.result)
    }
}

impl Eq for Native {}

impl Native {
    /// The exit status as a shell reports it, unless it did not end.
    pub fn status(&self) -> Option<i32> {
        self.end.status()
    }
}

/// Runs a version.
pub(crate) struct Runner<'a> {
    pub subject: &'a Subject<'a>,
    pub places: Places<'a>,
    /// Built on demand, by sanitizer; `None` inside if that is not possible here.
    sanitized: [OnceLock<Option<NativeProgram>>; 2],
}

impl<'a> Runner<'a> {
    pub fn new(subject: &'a Subject<'a>) -> Runner<'a> {
        Runner { subject, places: subject.places(), sanitized: Default::default() }
    }

    /// The fault that a run ended in.
    pub fn fault(&self, stop: &Stop) -> Option<Fault> {
        Fault::at_end(stop, &self.places)
    }

    pub fn run(&self, test: &Test, patience: Patience) -> Result<Native, SourceError> {
        self.run_program(&self.subject.native, test, patience)
    }

    /// The same with all new heap blocks of a function filled with zeros, or with ones.
    pub fn run_filled(
        &self,
        test: &Test,
        fill: Fill,
        patience: Patience,
    ) -> Result<Native, SourceError> {
        let mut invocation = self.invocation(test);
        invocation.args.push(fill.name().into());
        let run = run_native(&self.subject.native, &invocation, &patience.limits())?;
        Ok(native(run, self.subject.harness.clone()))
    }

    /// The same for a run that may take long, and that ends when nobody wants it.
    pub fn run_while(
        &self,
        test: &Test,
        is_wanted: &dyn Fn() -> bool,
    ) -> Result<Native, SourceError> {
        let (program, limits) = (&self.subject.native, Patience::Long.limits());
        let run = run_native_while(program, &self.invocation(test), &limits, is_wanted)?;
        Ok(native(run, self.subject.harness.clone()))
    }

    /// Runs another program like this version.
    pub fn run_program(
        &self,
        program: &NativeProgram,
        test: &Test,
        patience: Patience,
    ) -> Result<Native, SourceError> {
        let run = run_native(program, &self.invocation(test), &patience.limits())?;
        Ok(native(run, self.subject.harness.clone()))
    }

    /// The whole report of a sanitizer about an input; `None` if it cannot run.
    pub fn sanitize(
        &self,
        test: &Test,
        sanitizer: Sanitizer,
        patience: Patience,
    ) -> Result<Option<String>, SourceError> {
        let built = &self.sanitized[sanitizer as usize];
        let Some(program) = built.get_or_init(|| self.subject.sanitized(sanitizer)) else {
            return Ok(None);
        };
        self.ask(program, test, patience)
    }

    /// The same for a program that was built with a sanitizer.
    pub fn ask(
        &self,
        program: &NativeProgram,
        test: &Test,
        patience: Patience,
    ) -> Result<Option<String>, SourceError> {
        let run = run_native(program, &self.invocation(test), &patience.limits())?;
        // A sanitizer without room for its tables has not checked the run, nor the end of one that
        // took too long.
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

/// The first difference between two native runs. `None` if one of them did not end: it may have
/// ended later, with the same result.
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
    let files_differ = observe.files && files_differ(observe, &old.files, &new.files);
    files_differ.then_some(Observable::Files)
}

/// Whether files have other names or other contents.
pub(crate) fn files_differ(observe: &Observe, old: &[File], new: &[File]) -> bool {
    let same = |(old, new): (&File, &File)| {
        let contents = match (&old.1, &new.1) {
            (Some(old), Some(new)) => !observe.texts_differ(old, new),
            (old, new) => old.is_none() && new.is_none(),
        };
        old.0 == new.0 && contents
    };
    old.len() != new.len() || !old.iter().zip(new).all(same)
}

/// Whether functions left different states in parts that count.
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

/// Whether two native runs behaved the same, or both did not end.
pub(crate) fn natives_agree(observe: &Observe, one: &Native, other: &Native) -> bool {
    one.status().is_none() == other.status().is_none()
        && natives_differ(observe, one, other).is_none()
}

/// Whether a native function left the state that the machine says, as far as that was written and
/// can be compared.
pub(crate) fn agree(machine: &str, native: &str) -> bool {
    let values = &Values::VISIBLE;
    let (machine, native) = (Snapshot::parse(machine), Snapshot::parse(native));
    let side = |snapshot| Side { snapshot, harness: None };
    let mut judge = ByValue { nan_bits: values.nan_bits };
    let compared = Comparer::default().compare(side(&machine), side(&native), values, &mut judge);
    compared != Comparison::Different
}
