//! Kept tests on the native program: whether it behaves like the machine.

use base::in_parallel;
use exec::Stop;
use exec::stop::Fault;
use inputs::Test;
use library::Fact;
use source::{End, Sanitizer, SourceError};

use super::Why;
use super::rerun::{MachineOutcome, Rerun};
use super::select::Selected;
use crate::error::Error;
use crate::trial::{Native, Patience, Runner, address_complaint, agree, complaint_at};

/// The result of replaying a test natively.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replay {
    /// The native program behaves like the machine.
    Agrees,
    /// The machine found a fault; the behaviour of the native program is undefined then.
    Fault { native: Native, confirmed: Confirmation },
    /// The machine or the native program did not end; nothing can be compared.
    Incomparable { native: Native },
    /// They differ, and so may two native runs.
    Undetermined { native: Native, cause: Cause },
    /// They differ: a bug in Ripple.
    Disagrees { native: Native, differs: Vec<Difference> },
}

/// What else confirms a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// The native program is killed by the expected signal.
    Signal,
    /// A build with sanitizers reports it, here without addresses.
    Sanitizer(String),
    /// The native program survives, and sanitizers report nothing or did not run.
    Nobody,
}

/// Why the input does not determine the behaviour of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// It reads uninitialised memory.
    Unwritten,
    /// It requests something from the system that is no part of the input, by this function.
    System(String),
    /// Two native runs differ.
    NativeRunsDiffer,
    /// The address sanitizer reports an error.
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
    runner: &Runner<'_>,
    tests: &[Selected],
    rerun: &Rerun,
    jobs: usize,
) -> Result<Vec<Replay>, Error> {
    let replayer = Replayer { runner };
    let pairs: Vec<(&Selected, &MachineOutcome)> = tests.iter().zip(&rerun.outcomes).collect();
    let replays =
        in_parallel(&pairs, jobs.max(1), |(selected, machine)| replayer.replay(selected, machine));
    Ok(replays.into_iter().collect::<Result<_, _>>()?)
}

struct Replayer<'a> {
    runner: &'a Runner<'a>,
}

impl Replayer<'_> {
    fn replay(&self, selected: &Selected, machine: &MachineOutcome) -> Result<Replay, SourceError> {
        let test = self.runner.subject.native_test(&selected.test, &selected.assignment);
        let native = self.runner.run(&test, Patience::with(&machine.stop))?;
        if let Stop::Fault(fault) = &machine.stop {
            let confirmed = self.confirm(selected, fault, &native, &test)?;
            return Ok(Replay::Fault { native, confirmed });
        }
        if machine.status().is_none() || native.status().is_none() {
            return Ok(Replay::Incomparable { native });
        }
        let differs = differences(machine, &native);
        if differs.is_empty() {
            return Ok(Replay::Agrees);
        }
        Ok(match self.excuse(machine, &native, &test)? {
            Some(cause) => Replay::Undetermined { native, cause },
            None => Replay::Disagrees { native, differs },
        })
    }

    /// What sanitizers report about an input.
    fn sanitizer(&self, test: &Test) -> Result<String, SourceError> {
        let said = self.runner.sanitize(test, Sanitizer::Behaviour, Patience::Usual)?;
        Ok(said.unwrap_or_default())
    }

    fn confirm(
        &self,
        selected: &Selected,
        fault: &Fault,
        native: &Native,
        test: &Test,
    ) -> Result<Confirmation, SourceError> {
        if native.end == End::Signaled(fault.kind.signal()) {
            return Ok(Confirmation::Signal);
        }
        // Each kind and place has one test of this kind; sanitizers on all paths are not worth it.
        if selected.why != Why::Fault {
            return Ok(Confirmation::Nobody);
        }
        let program = &self.runner.subject.program;
        let lines: Vec<u32> = fault.stack.iter().map(|&site| program.position(site).line).collect();
        let said = self.sanitizer(test)?;
        let complaint = address_complaint(&said).or_else(|| complaint_at(&said, &lines));
        Ok(complaint.map_or(Confirmation::Nobody, Confirmation::Sanitizer))
    }

    /// Why the machine may be right although the native program behaves differently.
    fn excuse(
        &self,
        machine: &MachineOutcome,
        native: &Native,
        test: &Test,
    ) -> Result<Option<Cause>, SourceError> {
        if machine.reads_unwritten {
            return Ok(Some(Cause::Unwritten));
        }
        if let Some(name) = self.asks_system() {
            return Ok(Some(Cause::System(name.to_owned())));
        }
        let again = self.runner.run(test, Patience::Usual)?;
        // Parts that are not compared with the machine are no excuse.
        let shown = |native: &Native| (native.end, native.stdout.clone(), native.result.clone());
        if shown(&again) != shown(native) {
            return Ok(Some(Cause::NativeRunsDiffer));
        }
        Ok(address_complaint(&self.sanitizer(test)?).map(Cause::Sanitizer))
    }

    /// A function of the system that the user's code or its dependencies refer to.
    fn asks_system(&self) -> Option<&str> {
        let module = &self.runner.subject.program.module;
        let used = ir::References::of(module).functions;
        let mut functions = module.functions.iter().filter(|(id, _)| used[*id]);
        let found = functions.find(|(_, function)| {
            function.body().is_none() && library::has(&function.name, Fact::Machine)
        });
        found.map(|(_, function)| function.name.as_str())
    }
}

fn differences(machine: &MachineOutcome, native: &Native) -> Vec<Difference> {
    let mut differs = Vec::new();
    if machine.status() != native.status() {
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
