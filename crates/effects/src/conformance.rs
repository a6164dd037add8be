//! Whether the machine behaves as the native build does, for one program and one input.

use std::path::PathBuf;

use exec::{Input, Instrumentation, Limits, Machine, Program, Stop, Unobserved};
use source::{Compiler, End, Invocation, NativeRun};

use crate::program::{LoadError, Loader};

/// What one run on the machine showed.
#[derive(Clone, Debug)]
pub struct MachineRun {
    pub stop: Stop,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub steps: u64,
}

/// Runs a program on the machine.
pub fn run_on_machine(program: &Program, input: &Input, limits: Limits) -> MachineRun {
    let mut machine = match Machine::new(program, input, limits, Unobserved) {
        Ok(machine) => machine,
        Err(stop) => {
            return MachineRun { stop, stdout: Vec::new(), stderr: Vec::new(), steps: 0 };
        }
    };
    let stop = machine.run();
    MachineRun {
        stop,
        stdout: machine.state.process.vfs.stdout().to_vec(),
        stderr: machine.state.process.vfs.stderr().to_vec(),
        steps: machine.state.steps,
    }
}

/// How the machine's run relates to the native one.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Standard output and exit status are the same.
    Agrees,
    /// They are not.
    Disagrees(Box<Disagreement>),
    /// The machine does not model something or hit a bound; nothing is known.
    Unknown(Stop),
    /// The native program did not end within its limits.
    NativeUnknown,
}

#[derive(Clone, Debug)]
pub struct Disagreement {
    pub machine: MachineRun,
    pub native: NativeRun,
}

/// Builds and runs a program both ways.
pub fn check(
    compiler: &Compiler,
    files: &[PathBuf],
    cflags: &[String],
    invocation: &Invocation,
    native_limits: &source::Limits,
    limits: Limits,
) -> Result<Verdict, LoadError> {
    let native = compiler.build_native(files, cflags, false)?;
    let native_run = source::run_native(&native, invocation, native_limits)?;
    let status = match native_run.end {
        End::Exited(code) => code & 0xff,
        End::Signaled(signal) => 128 + signal,
        End::TimedOut | End::OutputLimit => return Ok(Verdict::NativeUnknown),
    };
    let loader = Loader { compiler, cflags: cflags.to_vec() };
    let program = loader.program(files, Instrumentation::default())?;
    let machine = run_on_machine(&program, &input_of(invocation), limits);
    Ok(match machine.stop.status() {
        None => Verdict::Unknown(machine.stop),
        Some(code) if code == status && machine.stdout == native_run.stdout => Verdict::Agrees,
        Some(_) => Verdict::Disagrees(Box::new(Disagreement { machine, native: native_run })),
    })
}

/// The machine's input for a native invocation.
pub fn input_of(invocation: &Invocation) -> Input {
    let bytes = |text: &String| text.clone().into_bytes();
    let mut args = vec![bytes(&invocation.arg0)];
    args.extend(invocation.args.iter().map(bytes));
    let mut env: Vec<(String, String)> =
        [("LC_ALL", "C"), ("TZ", "UTC")].map(|(name, value)| (name.into(), value.into())).into();
    for (name, value) in &invocation.env {
        env.retain(|(known, _)| known != name);
        env.push((name.clone(), value.clone()));
    }
    Input {
        args,
        stdin: invocation.stdin.clone(),
        files: invocation.files.iter().map(|(name, data)| (bytes(name), data.clone())).collect(),
        env: env.iter().map(|(name, value)| format!("{name}={value}").into_bytes()).collect(),
        time: None,
    }
}
