//! Runs a recorded test on the machine, and compares.
//!
//! Compared are the end, standard output and standard error. A test without an expectation only has
//! to end by itself.

use base::parallel::{cores, in_parallel};
use exec::observer::Unobserved;
use exec::{Limits, Machine, Place, Program, Stop};
use inputs::{Ending, Expected, Test};

/// How one test went.
#[derive(Clone, Debug, PartialEq)]
pub struct Replay {
    pub outcome: Outcome,
    /// What the recording says the test lacks.
    pub flaws: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The program did what was recorded.
    Same,
    /// It ended by itself, and nothing was recorded to compare with.
    Unknown,
    /// The machine does not know how it goes on, or found a fault that the recorded run survived.
    Stopped(Stop),
    Differs(Difference),
}

/// The first part that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub part: Part,
    /// The exit status, or the line that differs.
    pub recorded: Vec<u8>,
    pub replayed: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Status,
    /// The line, counted from 1.
    Stdout(usize),
    Stderr(usize),
}

impl Outcome {
    pub fn is_same(&self) -> bool {
        *self == Outcome::Same
    }
}

/// Replays all tests, in parallel. Results are in the order of the tests.
pub fn replay_all(program: &Program, tests: &[Test], limits: Limits) -> Vec<Replay> {
    in_parallel(tests, cores(), |test| replay(program, test, limits))
}

/// Replays one test.
pub fn replay(program: &Program, test: &Test, limits: Limits) -> Replay {
    let outcome = match Machine::new(program, &input(test), limits, Unobserved) {
        Err(stop) => Outcome::Stopped(stop),
        Ok(mut machine) => {
            let stop = machine.run();
            let files = &machine.state.process.vfs;
            match &test.setting.expected {
                Some(expected) => compare(expected, stop, [files.stdout(), files.stderr()]),
                None if stop.status().is_some() => Outcome::Unknown,
                None => Outcome::Stopped(stop),
            }
        }
    };
    Replay { outcome, flaws: test.setting.flaws.clone() }
}

fn compare(expected: &Expected, stop: Stop, [stdout, stderr]: [&[u8]; 2]) -> Outcome {
    let Some(status) = stop.status() else { return Outcome::Stopped(stop) };
    // A fault may end the native program by another signal than the machine gives, and later.
    let crashed = matches!(expected.end, Ending::Signal(_));
    let is_fault = matches!(stop, Stop::Fault(_));
    if is_fault && !crashed {
        return Outcome::Stopped(stop);
    }
    let shown = |status: i32| status.to_string().into_bytes();
    if status != expected.end.status() && !(is_fault && crashed) {
        let (recorded, replayed) = (shown(expected.end.status()), shown(status));
        return Outcome::Differs(Difference { part: Part::Status, recorded, replayed });
    }
    let line = |part: fn(usize) -> Part, recorded: &[u8], replayed: &[u8]| {
        first_line(recorded, replayed).map(|(number, recorded, replayed)| {
            Outcome::Differs(Difference { part: part(number), recorded, replayed })
        })
    };
    line(Part::Stdout, &expected.stdout, stdout)
        .or_else(|| line(Part::Stderr, &expected.stderr, stderr))
        .unwrap_or(Outcome::Same)
}

/// The first line in which two texts differ: its number, and both lines.
fn first_line(one: &[u8], other: &[u8]) -> Option<(usize, Vec<u8>, Vec<u8>)> {
    if one == other {
        return None;
    }
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (one, other) = (lines(one), lines(other));
    let differs = |&at: &usize| one.get(at) != other.get(at);
    let at = (0..one.len().max(other.len())).find(differs)?;
    let line = |lines: &[Vec<u8>]| lines.get(at).cloned().unwrap_or_default();
    Some((at + 1, line(&one), line(&other)))
}

/// What the machine gives to the program.
fn input(test: &Test) -> exec::Input {
    let (input, setting) = (&test.input, &test.setting);
    let called = setting.program.clone().unwrap_or_else(|| b"program".to_vec());
    let named = |(name, bytes): &(String, Vec<u8>)| (name.clone().into_bytes(), bytes.clone());
    let mode = |(name, mode): &(String, u32)| (name.clone().into_bytes(), *mode);
    exec::Input {
        args: [called].into_iter().chain(input.args.iter().cloned()).collect(),
        stdin: input.stdin.clone(),
        files: input.files.iter().chain(&setting.outside).map(named).collect(),
        env: environment(&setting.environment),
        place: Place {
            directory: setting.directory.clone().into_bytes(),
            directories: setting.directories.iter().map(|name| name.clone().into_bytes()).collect(),
            modes: setting.modes.iter().map(mode).collect(),
        },
        ..exec::Input::default()
    }
}

/// That of other runs, with the variables of the test.
fn environment(variables: &[(String, Vec<u8>)]) -> Vec<Vec<u8>> {
    let usual = [("LC_ALL", "C"), ("TZ", "UTC")];
    let is_given = |name: &str| variables.iter().any(|(known, _)| known == name);
    let usual = usual.into_iter().filter(|(name, _)| !is_given(name));
    let usual = usual.map(|(name, value)| format!("{name}={value}").into_bytes());
    let given =
        variables.iter().map(|(name, value)| [name.as_bytes(), b"=", value.as_slice()].concat());
    usual.chain(given).collect()
}
