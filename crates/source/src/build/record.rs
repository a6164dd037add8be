//! Runs a build and records it.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::execution::{Execution, Nested, that_count};
use super::generated::{Moment, generated};
use super::graph::Graph;
use super::model::{Build, Means, SCHEMA};
use super::products::{is_probe, products};
use super::recorder::{Progress, Recorder};
use super::shim;
use crate::clang::find_program;
use crate::end::End;
use crate::error::SourceError;
use crate::follow::{Containment, Follow, Refusal, pass_on_to, pass_on_to_nobody};
use crate::scratch::scratch;

/// The most commands of earlier builds that a build continues.
const MOST_EARLIER: usize = 100_000;

/// A build that is to be run and recorded.
#[derive(Clone, Copy)]
pub struct Recording<'a> {
    /// The program, a path or a name on the PATH, and its arguments.
    pub command: &'a [OsString],
    /// Where it runs. Absolute.
    pub directory: &'a Path,
    /// The whole environment.
    pub environment: &'a [(OsString, OsString)],
    pub tracing: Tracing,
    /// Where links to `binary` can stay.
    pub shims: &'a Path,
    /// A program that calls `stand_in` first.
    pub binary: &'a Path,
    /// Where its output goes, if not where ours does. Then it has no input.
    pub output: Option<&'a fs::File>,
    /// What it must not do, if it is confined. Then it is followed, or not run.
    pub containment: Option<&'a Containment>,
    /// What was recorded in this directory before: what is built there and is not built again is
    /// still known.
    pub earlier: Option<&'a Build>,
    /// Hears how far the build is, on another thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

/// How a build is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tracing {
    /// Processes are followed where the system allows it; elsewhere, tools are replaced on the PATH.
    WherePossible,
    Never,
}

/// A build that has ended.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub build: Build,
    pub end: End,
    /// Whether this run compiled or linked anything itself.
    pub is_active: bool,
}

impl Build {
    /// Runs a command to its end, as it would run without us, and records what it builds. How the
    /// command ends is no error.
    pub fn record(recording: &Recording<'_>) -> Result<Recorded, SourceError> {
        let since = Moment::now()?;
        let program = program(recording)?;
        let (end, seen, means) = match recording.tracing {
            Tracing::WherePossible => followed(recording, &program)?,
            Tracing::Never => replaced(recording, &program)?,
        };
        let fresh = that_count(seen);
        let is_active = !fresh.is_empty();
        let executions = continued(recording.earlier, fresh);
        let build = build(recording, executions, means, since);
        Ok(Recorded { build, end, is_active })
    }
}

fn program(recording: &Recording<'_>) -> Result<PathBuf, SourceError> {
    let name = recording.command.first().map(Path::new).unwrap_or(Path::new(""));
    let is_path = |(name, _): &&(OsString, OsString)| name == "PATH";
    let path_var = recording.environment.iter().find(is_path).map(|(_, value)| value.as_os_str());
    let path_var = path_var.unwrap_or(OsStr::new("/usr/local/bin:/usr/bin:/bin"));
    let typed = if name.components().count() > 1 { &recording.directory.join(name) } else { name };
    find_program(typed, path_var)
        .ok_or_else(|| SourceError::CommandMissing { name: name.display().to_string() })
}

type Watched = (End, Vec<Nested>, Means);

fn followed(recording: &Recording<'_>, program: &Path) -> Result<Watched, SourceError> {
    let mut recorder = Recorder::telling(recording.progress);
    let follow = Follow {
        program,
        arguments: recording.command,
        environment: recording.environment,
        directory: recording.directory,
        output: recording.output,
        calls: &[],
        containment: recording.containment,
    };
    match follow.run(&mut recorder) {
        Ok(end) => Ok((end, recorder.seen, Means::Tracing)),
        Err(Refusal::NotAllowed(cause)) if recording.containment.is_some() => {
            let lacking = format!("processes cannot be followed here ({cause})");
            Err(SourceError::BuildUnprotected { lacking })
        }
        Err(Refusal::NotAllowed(_)) => replaced(recording, program),
        Err(Refusal::Failed(error)) => Err(error),
    }
}

fn replaced(recording: &Recording<'_>, program: &Path) -> Result<Watched, SourceError> {
    let is_path = |(name, _): &&(OsString, OsString)| name == "PATH";
    let path_var = recording.environment.iter().find(is_path).map(|(_, value)| value.as_os_str());
    let links = shim::links(recording.shims, recording.binary, path_var.unwrap_or_default())?;
    let place = scratch()?;
    let log = place.path().join("log");
    let environment = shim::environment(recording.environment, &links, &log);
    let failed = |cause| SourceError::system(format!("cannot run `{}`", program.display()), cause);
    let mut command = Command::new(program);
    if let Some((name, rest)) = recording.command.split_first() {
        command.arg0(name).args(rest);
    }
    command.env_clear().envs(environment).current_dir(recording.directory);
    if let Some(output) = recording.output {
        command.stdin(std::process::Stdio::null());
        command.stdout(output.try_clone().map_err(failed)?);
        command.stderr(output.try_clone().map_err(failed)?);
    }
    let mut child = command.spawn().map_err(failed)?;
    pass_on_to(i32::try_from(child.id()).unwrap_or_default());
    let status = child.wait();
    pass_on_to_nobody();
    let status = status.map_err(failed)?;
    let end = match status.code() {
        Some(code) => End::Exited(code),
        None => End::Signaled(status.signal().unwrap_or_default()),
    };
    Ok((end, shim::read(&log)?, Means::Shims))
}

/// The commands of earlier builds that were not repeated, then the new ones.
fn continued(earlier: Option<&Build>, fresh: Vec<Execution>) -> Vec<Execution> {
    let repeated: BTreeSet<(&Path, &[String])> =
        fresh.iter().map(|one| (one.directory.as_path(), one.words.as_slice())).collect();
    let old = earlier.map(|build| build.executions.as_slice()).unwrap_or_default();
    let is_repeated =
        |old: &&Execution| repeated.contains(&(old.directory.as_path(), old.words.as_slice()));
    let mut all: Vec<Execution> = old.iter().filter(|old| !is_repeated(old)).cloned().collect();
    let excess = all.len().saturating_sub(MOST_EARLIER);
    all.drain(..excess);
    all.extend(fresh);
    all
}

fn build(
    recording: &Recording<'_>,
    executions: Vec<Execution>,
    means: Means,
    since: Moment,
) -> Build {
    let directory =
        fs::canonicalize(recording.directory).unwrap_or_else(|_| recording.directory.to_owned());
    let mut found = products(Graph::of(&executions), &directory);
    let mut places: BTreeSet<PathBuf> =
        found.units.iter().map(|unit| unit.directory.clone()).collect();
    places.insert(directory.clone());
    let mut written = generated(&places, since);
    let earlier = recording.earlier.iter().flat_map(|build| &build.generated);
    written.extend(earlier.filter(|path| path.is_file()).cloned());
    written.retain(|path| !is_probe(path));
    for unit in &mut found.units {
        unit.is_generated = written.contains(&unit.file);
    }
    Build {
        schema: SCHEMA.to_owned(),
        directory,
        command: recording.command.iter().map(|word| word.display().to_string()).collect(),
        means,
        units: found.units,
        products: found.products,
        generated: written.into_iter().collect(),
        dropped: found.dropped,
        executions,
    }
}
