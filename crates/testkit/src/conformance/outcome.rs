//! The outcome of one case, and its description.

use std::fmt;
use std::time::Duration;

use effects::{Error, Libc, Loader};
use exec::{Instrumentation, Limits, Stop};
use source::Compiler;

use super::{Case, ESSENTIAL, EVERYTHING, Observable, Pair, Trial, Verdict};
use super::{input_of, run_on_machine};

/// How many characters of a differing line are shown.
const SHOWN_BYTES: usize = 120;

/// How one case ended. Unsupported is never agreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Agrees,
    /// What is different.
    Disagrees(String),
    /// What the machine does not support.
    Unsupported(String),
    /// Why the case is inconclusive.
    Skipped(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Agrees => write!(f, "agrees"),
            Outcome::Disagrees(what) => write!(f, "disagrees: {what}"),
            Outcome::Unsupported(what) => write!(f, "unsupported: {what}"),
            Outcome::Skipped(why) => write!(f, "skipped: {why}"),
        }
    }
}

impl Outcome {
    /// The outcome of a trial without other expectations.
    pub fn of(verdict: Result<Verdict, Error>) -> Outcome {
        match verdict {
            Err(error) => Outcome::Disagrees(error.to_string()),
            Ok(Verdict::Agrees(_)) => Outcome::Agrees,
            Ok(Verdict::Disagrees(pair, what)) => Outcome::Disagrees(describe(&pair, &what)),
            Ok(Verdict::Unknown(stop)) => Outcome::Unsupported(unknown(&stop)),
            Ok(Verdict::NativeUnknown) => Outcome::Skipped("no native end in time".to_owned()),
        }
    }
}

impl Case {
    /// Runs the case both ways and compares everything that a user can see, except the message of
    /// the native C library on standard error if the program faults.
    pub fn check(&self, compiler: &Compiler) -> Outcome {
        self.check_with(compiler, Libc::default())
    }

    /// As `check`, with a chosen form of the C library on the machine.
    pub fn check_with(&self, compiler: &Compiler, libc: Libc) -> Outcome {
        if self.undefined {
            return self.check_fault(compiler, libc);
        }
        let time = Duration::from_secs(20);
        let trial = Trial {
            compiler,
            files: &self.files,
            cflags: &self.cflags,
            invocation: &self.invocation,
            native_limits: source::Limits { time, ..source::Limits::default() },
            limits: Limits::default(),
            compared: if self.fault.is_some() { ESSENTIAL } else { EVERYTHING },
        };
        match trial.run_with(libc) {
            Ok(Verdict::Agrees(pair)) => self.check_expectation(&pair),
            other => Outcome::of(other),
        }
    }

    fn check_expectation(&self, pair: &Pair) -> Outcome {
        let status = pair.native.end.status();
        let faulted = matches!(pair.machine.stop, Stop::Fault(_));
        if status != Some(self.exit) {
            let is = status.map_or("none".to_owned(), |status| status.to_string());
            Outcome::Disagrees(format!("both end with {is}, expected is {}", self.exit))
        } else if faulted != self.fault.is_some() {
            Outcome::Disagrees(format!("the end on the machine is {:?}", pair.machine.stop))
        } else {
            Outcome::Agrees
        }
    }

    /// Runs a program, whose native behaviour is undefined, on the machine alone.
    fn check_fault(&self, compiler: &Compiler, libc: Libc) -> Outcome {
        let loader = Loader { compiler, cflags: self.cflags.clone(), libc };
        let program = match loader.program(&self.files, Instrumentation::default()) {
            Ok(program) => program,
            Err(error) => return Outcome::Disagrees(error.to_string()),
        };
        let run = run_on_machine(&program, &input_of(&self.invocation), Limits::default());
        match run.stop.status() {
            None => Outcome::Unsupported(unknown(&run.stop)),
            Some(status) if status == self.exit => Outcome::Agrees,
            Some(_) => Outcome::Disagrees(format!("it ends with {:?}", run.stop)),
        }
    }
}

fn unknown(stop: &Stop) -> String {
    match stop {
        Stop::Unsupported(unsupported) => format!("{:?}", unsupported.feature),
        other => format!("{other:?}"),
    }
}

/// The first difference of each kind.
fn describe(pair: &Pair, what: &[Observable]) -> String {
    let parts = what.iter().map(|what| match what {
        Observable::ExitStatus => {
            format!("ends with {:?}, natively with {:?}", pair.machine.stop, pair.native.end)
        }
        Observable::Stdout => streams("stdout", &pair.machine.stdout, &pair.native.stdout),
        Observable::Stderr => streams("stderr", &pair.machine.stderr, &pair.native.stderr),
        Observable::Files => files(pair),
    });
    parts.collect::<Vec<_>>().join("; ")
}

fn streams(name: &str, machine: &[u8], native: &[u8]) -> String {
    let lines = |bytes: &[u8]| -> Vec<Vec<u8>> {
        bytes.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (machine, native) = (lines(machine), lines(native));
    let same = machine.iter().zip(&native).take_while(|(a, b)| a == b).count();
    let line = |lines: &[Vec<u8>]| match lines.get(same) {
        Some(line) => {
            let shown = &line[..line.len().min(SHOWN_BYTES)];
            format!("{:?}", String::from_utf8_lossy(shown))
        }
        None => "nothing".to_owned(),
    };
    format!("line {} of {name} is {}, natively {}", same + 1, line(&machine), line(&native))
}

fn files(pair: &Pair) -> String {
    let names = |written: &[(String, Vec<u8>)], removed: &[String]| {
        let written = written.iter().map(|(name, bytes)| format!("{name} ({})", bytes.len()));
        let removed = removed.iter().map(|name| format!("{name} (gone)"));
        written.chain(removed).collect::<Vec<_>>().join(", ")
    };
    let machine = names(&pair.machine.written, &pair.machine.removed);
    let native = names(&pair.native.written, &pair.native.removed);
    format!("files [{machine}], natively [{native}]")
}
