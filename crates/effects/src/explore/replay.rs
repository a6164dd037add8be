//! Kept tests on the native program: whether it does what the machine says.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::sync::OnceLock;
use std::time::Duration;

use base::in_parallel;
use exec::Stop;
use exec::stop::Fault;
use exec::undefined::UndefinedKind;
use inputs::Snapshot;
use inputs::harness::PARAMS_FILE;
use inputs::snapshot::{ByValue, Comparer, Comparison, Side, Values};
use library::Fact;
use source::{
    End, Invocation, Limits, NativeProgram, NativeRun, Sanitizer, SourceError, run_native,
};

use super::rerun::{MachineOutcome, Rerun};
use super::select::Selected;
use super::subject::Subject;
use super::{ExploreError, Request, Why};

/// What a harness writes its result to.
pub(crate) const RESULT_FILE: &str = "ripple.result";
/// How long a native run may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// The same for a run that the machine could not finish, or that ends in a fault.
const LITTLE_PATIENCE: Duration = Duration::from_secs(1);

/// What a run showed natively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeOutcome {
    pub end: End,
    pub stdout: Vec<u8>,
    /// What a harness wrote: the function's result and its buffers.
    pub result: Option<String>,
}

/// What came of replaying a test natively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The native program does what the machine says.
    Agrees,
    /// The machine found a fault; what the native program does then is not defined.
    Fault { native: NativeOutcome, confirmed: Confirmation },
    /// The machine or the native program did not come to an end; nothing can be compared.
    Incomparable { native: NativeOutcome },
    /// They differ, and so may two native runs.
    Undetermined { native: NativeOutcome, cause: Cause },
    /// They differ: a fault of ours.
    Disagrees { native: NativeOutcome, differs: Vec<Difference> },
}

/// Who else noticed a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The native program is killed by the signal that is to be expected.
    Signal,
    /// A build with sanitizers complains: what it says, without addresses.
    Sanitizer(String),
    /// The native program survives, and sanitizers have nothing to say or were not asked.
    Nobody,
}

/// Why what a program does is not determined by its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It reads memory that was never written.
    Unwritten,
    /// It asks the system for what is no part of the input, by this function.
    System(String),
    /// Two native runs differ.
    NativeRunsDiffer,
    /// The address sanitizer complains.
    Sanitizer(String),
}

/// Something that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    Status,
    Stdout,
    /// The result of a function, or what it left in memory.
    Result,
}

/// Replays all tests, in their order.
pub(super) fn replay(
    request: &Request<'_>,
    subject: &Subject<'_>,
    tests: &[Selected],
    rerun: &Rerun,
) -> Result<Vec<Replay>, ExploreError> {
    let replayer = Replayer { subject, sanitized: OnceLock::new() };
    let pairs: Vec<(&Selected, &MachineOutcome)> = tests.iter().zip(&rerun.outcomes).collect();
    let jobs = request.options.jobs.max(1);
    let replays =
        in_parallel(&pairs, jobs, |(selected, machine)| replayer.replay(selected, machine));
    Ok(replays.into_iter().collect::<Result<_, _>>()?)
}

struct Replayer<'a> {
    subject: &'a Subject<'a>,
    /// Built when it is first needed; `None` inside if that is not possible here.
    sanitized: OnceLock<Option<NativeProgram>>,
}

impl Replayer<'_> {
    fn replay(&self, selected: &Selected, machine: &MachineOutcome) -> Result<Replay, SourceError> {
        let invocation = self.invocation(selected);
        let time = match machine.stop {
            // Where the machine stops at a fault, the native program may run on without end.
            Stop::Unsupported(_) | Stop::Exhausted(_) | Stop::Fault(_) => LITTLE_PATIENCE,
            Stop::Exit(_) | Stop::Signal(_) => PATIENCE,
        };
        let native = self.run(&invocation, time)?;
        if let Stop::Fault(fault) = &machine.stop {
            let confirmed = self.confirm(selected, fault, &native, &invocation)?;
            return Ok(Replay::Fault { native, confirmed });
        }
        if machine.status().is_none() || native.end.status().is_none() {
            return Ok(Replay::Incomparable { native });
        }
        let differs = differences(machine, &native);
        if differs.is_empty() {
            return Ok(Replay::Agrees);
        }
        Ok(match self.excuse(machine, &native, &invocation)? {
            Some(cause) => Replay::Undetermined { native, cause },
            None => Replay::Disagrees { native, differs },
        })
    }

    fn invocation(&self, selected: &Selected) -> Invocation {
        let test = self.subject.native_test(&selected.test, &selected.assignment);
        let given = test.input.args.into_iter().map(OsString::from_vec);
        let args = match self.subject.harness {
            None => given.collect(),
            Some(_) => vec![PARAMS_FILE.into(), RESULT_FILE.into()],
        };
        let (stdin, files) = (test.input.stdin, test.input.files);
        Invocation { args, stdin, files, ..Invocation::default() }
    }

    fn run(&self, invocation: &Invocation, time: Duration) -> Result<NativeOutcome, SourceError> {
        let limits = Limits { time, ..Limits::default() };
        Ok(outcome(run_native(&self.subject.native, invocation, &limits)?))
    }

    /// What sanitizers say about an input.
    fn sanitizer(&self, invocation: &Invocation) -> Result<Option<String>, SourceError> {
        let Some(program) =
            self.sanitized.get_or_init(|| self.subject.sanitized(Sanitizer::Behaviour))
        else {
            return Ok(None);
        };
        let limits = Limits { time: PATIENCE, ..Limits::default() };
        Ok(Some(run_native(program, invocation, &limits)?.sanitizer))
    }

    fn confirm(
        &self,
        selected: &Selected,
        fault: &Fault,
        native: &NativeOutcome,
        invocation: &Invocation,
    ) -> Result<Confirmation, SourceError> {
        if native.end == End::Signaled(fault.kind.signal()) {
            return Ok(Confirmation::Signal);
        }
        // Each kind and place has one test of this sort; asking for all paths is not worth it.
        if selected.why != Why::Fault {
            return Ok(Confirmation::Nobody);
        }
        let lines: Vec<u32> =
            fault.stack.iter().map(|&site| self.subject.program.position(site).line).collect();
        let said = self.sanitizer(invocation)?.unwrap_or_default();
        let complaint = address_complaint(&said).or_else(|| other_complaint(&said, &lines));
        Ok(complaint.map_or(Confirmation::Nobody, Confirmation::Sanitizer))
    }

    /// Why the machine may be right although the native program does something else.
    fn excuse(
        &self,
        machine: &MachineOutcome,
        native: &NativeOutcome,
        invocation: &Invocation,
    ) -> Result<Option<Cause>, SourceError> {
        if machine.reads_unwritten {
            return Ok(Some(Cause::Unwritten));
        }
        if let Some(name) = self.asks_system() {
            return Ok(Some(Cause::System(name.to_owned())));
        }
        if self.run(invocation, PATIENCE)? != *native {
            return Ok(Some(Cause::NativeRunsDiffer));
        }
        let said = self.sanitizer(invocation)?.unwrap_or_default();
        Ok(address_complaint(&said).map(Cause::Sanitizer))
    }

    /// A function of the system that the user's code or what it needs refers to.
    fn asks_system(&self) -> Option<&str> {
        let module = &self.subject.program.module;
        let used = ir::References::of(module).functions;
        let mut functions = module.functions.iter().filter(|(id, _)| used[*id]);
        let found = functions.find(|(_, function)| {
            function.body().is_none() && library::has(&function.name, Fact::Machine)
        });
        found.map(|(_, function)| function.name.as_str())
    }
}

fn outcome(run: NativeRun) -> NativeOutcome {
    let result = run.written.into_iter().find(|(name, _)| name == RESULT_FILE);
    NativeOutcome {
        end: run.end,
        stdout: run.stdout,
        result: result.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Whether a native function left what the machine says, as far as that was written and can be
/// compared.
pub(crate) fn agree(machine: &str, native: &str) -> bool {
    let values = Values {
        result: true,
        memory: true,
        globals: true,
        internal: true,
        leaks: false,
        nan_bits: false,
    };
    let (machine, native) = (Snapshot::parse(machine), Snapshot::parse(native));
    let side = |snapshot| Side { snapshot, harness: None };
    let mut judge = ByValue { nan_bits: values.nan_bits };
    let compared = Comparer::default().compare(side(&machine), side(&native), &values, &mut judge);
    compared != Comparison::Different
}

fn differences(machine: &MachineOutcome, native: &NativeOutcome) -> Vec<Difference> {
    let mut differs = Vec::new();
    if machine.status() != native.end.status() {
        differs.push(Difference::Status);
    }
    if machine.stdout != native.stdout {
        differs.push(Difference::Stdout);
    }
    let same = match (&machine.result, &native.result) {
        (Some(machine), Some(native)) => agree(machine, native),
        (machine, native) => machine.is_none() && native.is_none(),
    };
    if !same {
        differs.push(Difference::Result);
    }
    differs
}

/// What the sanitizer of memory says of a value that was never written.
const UNINITIALISED: &str = "MemorySanitizer: use-of-uninitialized-value";

/// What the address sanitizer found, without the addresses.
pub(crate) fn address_complaint(said: &str) -> Option<String> {
    let name = "AddressSanitizer: ";
    let start = said.find(name)?;
    let line = said[start..].lines().next()?;
    let what = line[name.len()..].split(" on ").next()?.trim();
    Some(format!("AddressSanitizer: {what}"))
}

/// What the sanitizer of undefined behaviour found first.
pub(crate) fn any_complaint(said: &str) -> Option<String> {
    undefined_complaint(said, |_| true)
}

/// What a sanitizer found first of a kind, without addresses.
pub(crate) fn complaint_of(said: &str, kind: UndefinedKind) -> Option<String> {
    if kind == UndefinedKind::Uninitialised {
        return said.contains(UNINITIALISED).then(|| UNINITIALISED.to_owned());
    }
    let says = |what: &str| match kind {
        UndefinedKind::Overflow => {
            what.starts_with("signed integer overflow: ") || what.starts_with("negation of ")
        }
        UndefinedKind::Shift => what.starts_with("shift exponent "),
        UndefinedKind::Conversion => what.contains("is outside the range of representable values"),
        // Adding nothing to null is allowed by the next standard, and harmless.
        UndefinedKind::Null => {
            what.contains("null pointer") && !what.starts_with("applying zero offset")
        }
        UndefinedKind::Alignment => what.contains("misaligned address"),
        UndefinedKind::Uninitialised => false,
    };
    let complaints = said.lines().filter_map(|text| text.split_once(": runtime error: "));
    let what = complaints.map(|(_, what)| what).find(|what| says(what))?;
    let what = what.split(";").next().unwrap_or(what);
    let words: Vec<&str> = what.split_whitespace().filter(|word| !word.starts_with("0x")).collect();
    Some(format!("UndefinedBehaviorSanitizer: {}", words.join(" ")))
}

/// What the sanitizer of undefined behaviour found at one of these lines.
fn other_complaint(said: &str, lines: &[u32]) -> Option<String> {
    undefined_complaint(said, |line| lines.contains(&line))
}

fn undefined_complaint(said: &str, is_wanted: impl Fn(u32) -> bool) -> Option<String> {
    said.lines().find_map(|text| {
        let (place, what) = text.split_once(": runtime error: ")?;
        let mut parts = place.rsplit(':');
        let (_column, line) = (parts.next()?, parts.next()?);
        let line: u32 = line.parse().ok()?;
        let what = what.split(" 0x").next()?.trim();
        is_wanted(line).then(|| format!("UndefinedBehaviorSanitizer: {what}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complaints_are_told_without_addresses() {
        let said = "=====\n==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6 at\n";
        let told = "AddressSanitizer: heap-buffer-overflow";
        assert_eq!(address_complaint(said).as_deref(), Some(told));
        assert_eq!(address_complaint("all is well"), None);
    }

    #[test]
    fn complaints_are_told_apart_by_their_kind() {
        let said = "a.c:3:50: runtime error: shift exponent 35 is too large for 32-bit type 'int'\n\
            a.c:4:6: runtime error: left shift of negative value -1\n\
            a.c:5:7: runtime error: negation of -2147483648 cannot be represented in type 'int'; \
            cast to an unsigned type to negate this value to itself\n";
        let shift =
            "UndefinedBehaviorSanitizer: shift exponent 35 is too large for 32-bit type 'int'";
        assert_eq!(complaint_of(said, UndefinedKind::Shift).as_deref(), Some(shift));
        let overflow = "UndefinedBehaviorSanitizer: negation of -2147483648 cannot be represented in \
            type 'int'";
        assert_eq!(complaint_of(said, UndefinedKind::Overflow).as_deref(), Some(overflow));
        assert_eq!(complaint_of(said, UndefinedKind::Conversion), None);
        let said = "a.c:7:9: runtime error: applying zero offset to null pointer\n\
            a.c:8:9: runtime error: load of misaligned address 0x6020 for type 'int', which \
            requires 4 byte alignment\n";
        assert_eq!(complaint_of(said, UndefinedKind::Null), None);
        let misaligned = "UndefinedBehaviorSanitizer: load of misaligned address for type 'int', \
            which requires 4 byte alignment";
        assert_eq!(complaint_of(said, UndefinedKind::Alignment).as_deref(), Some(misaligned));
        let said = "==7==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x5 in f\n";
        assert_eq!(
            complaint_of(said, UndefinedKind::Uninitialised).as_deref(),
            Some(UNINITIALISED)
        );
        assert_eq!(complaint_of(said, UndefinedKind::Null), None);
    }

    #[test]
    fn complaints_about_other_places_do_not_count() {
        let said = "a.c:3:9: runtime error: index 7 out of bounds for type 'int [4]'\n";
        let told = "UndefinedBehaviorSanitizer: index 7 out of bounds for type 'int [4]'";
        assert_eq!(other_complaint(said, &[9, 3]).as_deref(), Some(told));
        assert_eq!(other_complaint(said, &[4]), None);
    }
}
