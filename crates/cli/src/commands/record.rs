//! `ripple record`: the executions of a program, while a command runs, as tests.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Write;
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use effects::record::{Converted, Origin, Replay, convert, replay_all};
use effects::{Libc, Loader};
use exec::{Instrumentation, Limits, Program};
use inputs::{Test, read_tests, write_test};
use report::record::{Recorded, Replays};
use source::{End, Executions, PassOn, ProgramName, Record, RecordLimits, Refusal, find_program};

use crate::commands::changes::Format;
use crate::setup::{Globals, path_variable};
use crate::{exit, output};

const EXAMPLES: &str = "\
Examples:
  ripple record --program jq -- make check             record the tests of a project
  ripple record --program ./calc --out calc.jsonl -- sh tests/run.sh
  ripple record calc.c --program calc -- make check    the same, and replay each test
  ripple record calc.c --check tests.jsonl             replay tests recorded earlier
  ripple compare HEAD~1 HEAD --tests tests.jsonl       use them

The command runs unchanged. Every execution of the program becomes a test: arguments, environment,
standard input, files, exit status and output.

Exit codes: 0 if tests were recorded and all replays are reproducible, 3 if some are not.";

/// The most programs to name if the wanted one was not executed.
const SHOWN_PROGRAMS: usize = 8;
/// Where programs keep temporary files, besides `TMPDIR`.
const TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = "\
ripple record [FILE]... --program NAME [OPTIONS] -- COMMAND...
       ripple record FILE... --check TESTS [OPTIONS]")]
pub struct Args {
    /// C files of the program, to replay each test on the machine
    #[arg(value_name = "FILE", required_unless_present = "program")]
    sources: Vec<PathBuf>,

    /// Program to record: a base name, or a path
    #[arg(long, value_name = "NAME", required_unless_present = "check", requires = "command")]
    program: Option<OsString>,

    /// File for the tests; replaced if it exists
    #[arg(long, value_name = "TESTS", default_value = "tests.jsonl")]
    out: PathBuf,

    /// Replay the tests of this file instead of recording
    #[arg(long, value_name = "TESTS", conflicts_with_all = ["program", "out", "command"])]
    check: Option<PathBuf>,

    /// Maximum number of instructions of a replay
    #[arg(long, value_name = "N", default_value_t = 1_000_000_000)]
    max_steps: u64,

    /// Output format; with `json`, the command writes to standard error and gets no input
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,

    /// Command to run, after `--`
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

pub fn run(args: &Args, globals: &Globals) -> anyhow::Result<ExitCode> {
    match (&args.check, &args.program) {
        (Some(tests), _) => check(args, tests, globals),
        (None, Some(program)) => record(args, program, globals),
        (None, None) => bail!("name the program to record with --program"),
    }
}

fn check(args: &Args, tests: &Path, globals: &Globals) -> anyhow::Result<ExitCode> {
    let tests = read_tests(tests)?;
    let replayed = Replayed::of(args, &tests, globals)?;
    let replays = replayed.replays();
    let text = match args.format {
        Format::Text => report::record::replayed(&replays),
        Format::Json => report::record::json(&Recorded { converted: None, replays: Some(replays) }),
    };
    output::result(text.as_bytes())?;
    Ok(replayed.code())
}

fn record(args: &Args, typed: &OsStr, globals: &Globals) -> anyhow::Result<ExitCode> {
    let directory = env::current_dir().context("cannot find the working directory")?;
    let Some(program) = ProgramName::new(typed, &directory) else {
        bail!("`--program {}` names no file", typed.display());
    };
    check_place(&args.out)?;
    let signals = PassOn::signals();
    let recording = follow(args, &program, &directory)?;
    let command = spoken(&args.command);
    if let Some(how) = how_it_ended(recording.end) {
        output::note(&format!("`{command}` {how}"));
    }
    let interrupted = signals.arrived();
    drop(signals);
    if recording.executions.is_empty() {
        bail!(none(&command, &program, &recording));
    }
    let temporary = temporary_directories();
    let origin = Origin { program: program.name(), directory: &directory, temporary: &temporary };
    let converted = convert(&recording, origin);
    save(&converted.tests, &args.out)?;
    if let Some(signal) = interrupted {
        output::note(&format!("interrupted by signal {signal}; kept what was recorded until then"));
    }
    let will_replay = !args.sources.is_empty() && interrupted.is_none();
    let tests = &converted.tests;
    let replayed = will_replay.then(|| Replayed::of(args, tests, globals)).transpose()?;
    tell(args, &program, &converted, replayed.as_ref(), globals)?;
    Ok(match (interrupted, replayed) {
        (Some(signal), _) => ExitCode::from(128 + signal.clamp(0, 64) as u8),
        (None, Some(replayed)) => replayed.code(),
        (None, None) => ExitCode::SUCCESS,
    })
}

/// The result: standard output belongs to the command, unless the format is for programs.
fn tell(
    args: &Args,
    program: &ProgramName,
    converted: &Converted,
    replayed: Option<&Replayed>,
    globals: &Globals,
) -> anyhow::Result<()> {
    if args.format == Format::Json {
        let replays = replayed.map(Replayed::replays);
        let recorded = Recorded { converted: Some(converted), replays };
        return output::result(report::record::json(&recorded).as_bytes());
    }
    let (name, file) = (program.name().to_string_lossy(), args.out.display().to_string());
    output::note(report::record::recorded(converted, &name, &file).trim_end());
    match replayed {
        Some(replayed) => output::note(report::record::replayed(&replayed.replays()).trim_end()),
        None if !globals.quiet => {
            output::note(&format!("replay them with: ripple record FILE... --check {file}"))
        }
        None => {}
    }
    Ok(())
}

fn follow(args: &Args, program: &ProgramName, directory: &Path) -> anyhow::Result<Executions> {
    let Some(typed) = args.command.first() else { bail!("give a command after `--`") };
    let Some(command) = find_program(Path::new(typed), &path_variable()) else {
        bail!("the command `{}` was not found or cannot be executed", typed.display());
    };
    let environment: Vec<(OsString, OsString)> = env::vars_os().collect();
    let stderr =
        (args.format == Format::Json).then(|| std::io::stderr().as_fd().try_clone_to_owned());
    let stderr = stderr.transpose().context("cannot use standard error")?.map(File::from);
    let record = Record {
        command: &command,
        arguments: &args.command,
        environment: &environment,
        directory,
        program,
        output: stderr.as_ref(),
        limits: RecordLimits::default(),
    };
    match record.run() {
        Ok(recording) => Ok(recording),
        Err(Refusal::NotAllowed(cause)) => bail!(
            "this system does not permit following processes ({cause}); in a container, start it \
             with --cap-add=SYS_PTRACE"
        ),
        Err(Refusal::Failed(cause)) => Err(cause.into()),
    }
}

/// Why there is nothing to keep.
fn none(command: &str, program: &ProgramName, recording: &Executions) -> String {
    let mut programs: Vec<_> = recording.programs.iter().collect();
    programs.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    let mut shown: Vec<String> = programs
        .iter()
        .take(SHOWN_PROGRAMS)
        .map(|(name, count)| format!("{name} ({count})"))
        .collect();
    if programs.len() > SHOWN_PROGRAMS {
        shown.push("…".to_owned());
    }
    let name = program.name().display();
    format!("`{command}` executed no program named `{name}`; it executed: {}", shown.join(", "))
}

/// How the command ended, unless it succeeded.
fn how_it_ended(end: End) -> Option<String> {
    match end {
        End::Exited(0) => None,
        End::Exited(status) => Some(format!("exited with status {status}")),
        End::Signaled(signal) => Some(format!("was killed by signal {signal}")),
        End::TimedOut | End::OutputLimit | End::MemoryLimit | End::Undefined => {
            Some("was stopped".to_owned())
        }
    }
}

fn spoken(command: &[OsString]) -> String {
    let words: Vec<_> = command.iter().map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}

fn temporary_directories() -> Vec<PathBuf> {
    let own = env::var_os("TMPDIR").map(PathBuf::from).filter(|path| path.is_absolute());
    let all = own.into_iter().chain(TEMPORARY.map(PathBuf::from));
    all.map(|path| std::fs::canonicalize(&path).unwrap_or(path)).collect()
}

/// Fails before the command runs if the tests could not be written.
fn check_place(file: &Path) -> anyhow::Result<()> {
    if file.is_dir() {
        bail!("`--out {}` is a directory; name a file in it", file.display());
    }
    beside(file).map(|_| ())
}

/// A new file beside another one, which replaces it when it is complete.
fn beside(file: &Path) -> anyhow::Result<tempfile::NamedTempFile> {
    let above = file.parent().filter(|above| !above.as_os_str().is_empty());
    tempfile::NamedTempFile::new_in(above.unwrap_or(Path::new(".")))
        .with_context(|| format!("cannot write {}", file.display()))
}

fn save(tests: &[Test], file: &Path) -> anyhow::Result<()> {
    let mut written = beside(file)?;
    let lines: String = tests.iter().map(|test| write_test(test) + "\n").collect();
    let permissions = std::os::unix::fs::PermissionsExt::from_mode(0o644);
    written
        .write_all(lines.as_bytes())
        .and_then(|()| written.as_file().set_permissions(permissions))
        .with_context(|| format!("cannot write {}", file.display()))?;
    written.persist(file).with_context(|| format!("cannot write {}", file.display()))?;
    Ok(())
}

/// Tests that ran on the machine.
struct Replayed {
    program: Program,
    names: Vec<String>,
    replays: Vec<Replay>,
}

impl Replayed {
    fn of(args: &Args, tests: &[Test], globals: &Globals) -> anyhow::Result<Replayed> {
        let compiler = globals.compiler()?;
        let cflags = globals.split_cflags()?;
        let loader = Loader { compiler: &compiler, cflags, libc: Libc::Quick };
        let program = loader.program(&args.sources, Instrumentation::default())?;
        let limits = Limits { steps: args.max_steps, ..Limits::default() };
        let replays = replay_all(&program, tests, limits);
        let name = |(index, test): (usize, &Test)| {
            test.name.clone().unwrap_or_else(|| format!("test {}", index + 1))
        };
        let names = tests.iter().enumerate().map(name).collect();
        Ok(Replayed { program, names, replays })
    }

    fn replays(&self) -> Replays<'_> {
        Replays { program: &self.program, names: &self.names, replays: &self.replays }
    }

    fn code(&self) -> ExitCode {
        let all = self.replays.iter().all(|replay| replay.outcome.is_same());
        if all { ExitCode::SUCCESS } else { ExitCode::from(exit::INCONCLUSIVE) }
    }
}
