//! Whether the machine behaves like the native build, for one program and one input.

mod case;
mod directives;
mod outcome;

use std::path::PathBuf;

use effects::{Error, Libc, Loader};
use exec::libc::vfs::{Change, ChangeKind};
use exec::{Input, Instrumentation, Limits, Machine, Program, Stop, Unobserved};
use source::{Compiler, End, Invocation, NativeRun};

pub use case::{Case, CaseError};
pub use outcome::Outcome;

/// The observable result of one run on the machine.
#[derive(Clone, Debug)]
pub struct MachineRun {
    pub stop: Stop,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Regular files of the working directory that are new or changed, by name.
    pub written: Vec<(String, Vec<u8>)>,
    /// Given files that the program removed.
    pub removed: Vec<String>,
    pub steps: u64,
}

/// Runs a program on the machine.
pub fn run_on_machine(program: &Program, input: &Input, limits: Limits) -> MachineRun {
    let mut run = MachineRun {
        stop: Stop::Exit(0),
        stdout: Vec::new(),
        stderr: Vec::new(),
        written: Vec::new(),
        removed: Vec::new(),
        steps: 0,
    };
    let mut machine = match Machine::new(program, input, limits, Unobserved) {
        Ok(machine) => machine,
        Err(stop) => return MachineRun { stop, ..run },
    };
    run.stop = machine.run();
    let vfs = &machine.state.process.vfs;
    run.stdout = vfs.stdout().to_vec();
    run.stderr = vfs.stderr().to_vec();
    run.steps = machine.state.steps;
    for change in vfs.changes() {
        record(&mut run, change, &exec::libc::vfs::Setup::default().current_directory);
    }
    run
}

/// Records a changed file under its name in the working directory; ignores others.
fn record(run: &mut MachineRun, change: Change, directory: &[u8]) {
    let Some(name) = change.path.strip_prefix(directory).and_then(|name| name.strip_prefix(b"/"))
    else {
        return;
    };
    let name = String::from_utf8_lossy(name).into_owned();
    match (change.kind, change.content) {
        (ChangeKind::Removed, _) => run.removed.push(name),
        (_, Some(bytes)) => run.written.push((name, bytes.to_vec())),
        // A directory has no content.
        (_, None) => {}
    }
}

/// How the machine's run relates to the native one.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Everything compared is the same.
    Agrees(Box<Pair>),
    /// Something differs.
    Disagrees(Box<Pair>, Vec<Observable>),
    /// The machine does not model something or hit a bound; nothing is known.
    Unknown(Stop),
    /// The native program did not end within its limits.
    NativeUnknown,
}

/// The two runs.
#[derive(Clone, Debug)]
pub struct Pair {
    pub machine: MachineRun,
    pub native: NativeRun,
}

/// Something that a user can observe of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observable {
    ExitStatus,
    Stdout,
    Stderr,
    Files,
}

/// Standard output and the exit status.
pub const ESSENTIAL: &[Observable] = &[Observable::ExitStatus, Observable::Stdout];
pub const EVERYTHING: &[Observable] =
    &[Observable::ExitStatus, Observable::Stdout, Observable::Stderr, Observable::Files];

/// A program, its input, the limits of its runs, and what to compare.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    pub compiler: &'a Compiler,
    pub files: &'a [PathBuf],
    pub cflags: &'a [String],
    pub invocation: &'a Invocation,
    pub native_limits: source::Limits,
    pub limits: Limits,
    pub compared: &'a [Observable],
}

impl Trial<'_> {
    /// Builds and runs the program both ways.
    pub fn run(&self) -> Result<Verdict, Error> {
        self.run_with(Libc::default())
    }

    /// As `run`, with a chosen form of the C library on the machine.
    pub fn run_with(&self, libc: Libc) -> Result<Verdict, Error> {
        let native = self.compiler.build_native(self.files, self.cflags, false)?;
        let native = source::run_native(&native, self.invocation, &self.native_limits)?;
        if matches!(
            native.end,
            End::TimedOut | End::OutputLimit | End::MemoryLimit | End::Undefined
        ) {
            return Ok(Verdict::NativeUnknown);
        }
        let loader = Loader { compiler: self.compiler, cflags: self.cflags.to_vec(), libc };
        let program = loader.program(self.files, Instrumentation::default())?;
        let machine = run_on_machine(&program, &input_of(self.invocation), self.limits);
        if machine.stop.status().is_none() {
            return Ok(Verdict::Unknown(machine.stop));
        }
        let pair = Box::new(Pair { machine, native });
        let differ = self.compared.iter().copied().filter(|&what| !pair.agrees_in(what));
        let differ: Vec<Observable> = differ.collect();
        Ok(if differ.is_empty() { Verdict::Agrees(pair) } else { Verdict::Disagrees(pair, differ) })
    }
}

impl Pair {
    pub fn agrees_in(&self, what: Observable) -> bool {
        let Pair { machine, native } = self;
        match what {
            Observable::ExitStatus => machine.stop.status() == native.end.status(),
            Observable::Stdout => machine.stdout == native.stdout,
            Observable::Stderr => machine.stderr == native.stderr,
            Observable::Files => {
                machine.written == native.written && machine.removed == native.removed
            }
        }
    }
}

/// The machine's input for a native invocation.
pub fn input_of(invocation: &Invocation) -> Input {
    let bytes = |text: &String| text.clone().into_bytes();
    let mut args = vec![bytes(&invocation.arg0)];
    args.extend(invocation.args.iter().map(|arg| arg.as_encoded_bytes().to_vec()));
    let mut env: Vec<(String, String)> =
        [("LC_ALL", "C"), ("TZ", "UTC")].map(|(name, value)| (name.into(), value.into())).into();
    for (name, value) in &invocation.env {
        env.retain(|(known, _)| known != name);
        env.push((name.clone(), value.clone()));
    }
    // A native child gets its variables in this order.
    env.sort();
    Input {
        args,
        stdin: invocation.stdin.clone(),
        files: invocation.files.iter().map(|(name, data)| (bytes(name), data.clone())).collect(),
        env: env.iter().map(|(name, value)| format!("{name}={value}").into_bytes()).collect(),
        ..Input::default()
    }
}
