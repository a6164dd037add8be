//! Where processes cannot be followed: our own program stands in the place of tools.
//!
//! A directory with links to it, named as tools are, comes first on the PATH. Called by such a
//! name, it notes its arguments and becomes the real tool, which is the next one of that name on
//! the PATH. `CC` and its like are not set: a build that finds its compiler by name finds ours, and
//! to any other build such a variable would be a change. Tools that are called by an absolute name
//! are not seen.
//!
//! The directory stays, because `configure` and CMake note where they found a compiler. Without a
//! log, the program only becomes the tool.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use super::execution::{Execution, Nested};
use super::recorder::VARIABLES;
use super::response;
use super::tool::{SHIMMED, Tool};
use crate::cache::KeyOf;
use crate::clang::find_program;
use crate::error::SourceError;

/// The variable that names the log.
pub const LOG_VARIABLE: &str = "RIPPLE_BUILD_LOG";
/// The variable that names the execution around the next one.
const AROUND_VARIABLE: &str = "RIPPLE_BUILD_AROUND";

/// A line of the log.
#[derive(Serialize, Deserialize)]
struct Line {
    id: String,
    around: Option<String>,
    execution: Execution,
}

/// Makes the links for the tools that are on the PATH, below `parent`. Returns their directory.
pub(super) fn links(
    parent: &Path,
    binary: &Path,
    path_var: &OsStr,
) -> Result<PathBuf, SourceError> {
    let names: Vec<&str> = SHIMMED
        .into_iter()
        .filter(|name| find_program(Path::new(name), path_var).is_some())
        .collect();
    let key = KeyOf::kind("shims")
        .part(binary.as_os_str().as_bytes())
        .parts(names.iter().map(|name| name.as_bytes()).collect::<Vec<_>>().into_iter())
        .finish();
    let place = parent.join(key.name());
    let make = || {
        fs::create_dir_all(&place)?;
        for name in names {
            let link = place.join(name);
            match symlink(binary, &link) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
        }
        fs::canonicalize(&place)
    };
    make()
        .map_err(|cause| SourceError::system(format!("cannot write `{}`", place.display()), cause))
}

/// The environment with our directory in front of the PATH, and the log.
pub(super) fn environment(
    environment: &[(OsString, OsString)],
    links: &Path,
    log: &Path,
) -> Vec<(OsString, OsString)> {
    let mut all: BTreeMap<OsString, OsString> = environment.iter().cloned().collect();
    let mut path = links.as_os_str().to_owned();
    if let Some(rest) = all.get(OsStr::new("PATH")) {
        path.push(":");
        path.push(rest);
    }
    all.insert("PATH".into(), path);
    all.insert(LOG_VARIABLE.into(), log.into());
    all.remove(OsStr::new(AROUND_VARIABLE));
    all.into_iter().collect()
}

/// What is in a log.
pub(super) fn read(log: &Path) -> Result<Vec<Nested>, SourceError> {
    let mut text = String::new();
    match fs::File::open(log).and_then(|mut file| file.read_to_string(&mut text)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(SourceError::Unreadable { path: log.to_owned(), cause }),
        Ok(_) => {}
    }
    let mut seen = Vec::new();
    let mut numbers = BTreeMap::new();
    // A process that was killed while it wrote leaves a line that is none.
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Line>(line).ok());
    for Line { id, around, execution } in lines {
        let parent = around.and_then(|around| numbers.get(&around).copied());
        numbers.insert(id, seen.len());
        seen.push(Nested { execution, parent, end: None });
    }
    Ok(seen)
}

/// Becomes the real tool of this name, if this program was called by the name of a tool. Notes the
/// arguments if there is a log. Returns only if there is nothing to become, with the reason if
/// that is a failure.
pub fn stand_in(
    arguments: &[OsString],
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Option<io::Error> {
    let (typed, rest) = arguments.split_first()?;
    let name = Path::new(typed).file_name()?;
    if !SHIMMED.iter().any(|known| name == *known) {
        return None;
    }
    let path_var = environment("PATH").unwrap_or_default();
    let Ok(own) = fs::canonicalize("/proc/self/exe") else { return None };
    let is_ours =
        |directory: &PathBuf| fs::canonicalize(directory.join(name)).is_ok_and(|path| path == own);
    let others: Vec<PathBuf> =
        std::env::split_paths(&path_var).filter(|directory| !is_ours(directory)).collect();
    let others = std::env::join_paths(others).unwrap_or_default();
    let Some(real) = find_program(Path::new(name), &others) else {
        return Some(io::ErrorKind::NotFound.into());
    };
    let mut command = Command::new(&real);
    let is_path = typed.as_bytes().contains(&b'/');
    command.arg0(if is_path { real.as_os_str() } else { typed }).args(rest);
    if let Some(log) = environment(LOG_VARIABLE) {
        let id = fresh_id();
        let line = line(&id, &real, arguments, environment);
        if let Err(error) = append(Path::new(&log), &line) {
            return Some(error);
        }
        command.env(AROUND_VARIABLE, id);
    }
    // A program finds its parts as without us; a script may call tools that we want to see.
    if !is_script(&real) {
        command.env("PATH", others);
    }
    Some(command.exec())
}

fn line(
    id: &str,
    real: &Path,
    arguments: &[OsString],
    environment: &dyn Fn(&str) -> Option<OsString>,
) -> Line {
    let directory = std::env::current_dir().unwrap_or_default();
    let words: Vec<String> =
        arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let words = response::expanded(words, &directory);
    let file = fs::canonicalize(real).unwrap_or_else(|_| real.to_owned());
    let first = words.get(1).map(String::as_str);
    let tool = Tool::of(Path::new(&words[0]), &file, first).unwrap_or(Tool::CompilerPart);
    let variables = VARIABLES.iter().filter_map(|name| {
        let value = environment(name)?.into_string().ok()?;
        (!value.is_empty()).then(|| ((*name).to_owned(), value))
    });
    let stdout = fs::read_link("/proc/self/fd/1").ok();
    let stdout = stdout.filter(|path| words.iter().any(|word| word == "-E") && path.is_file());
    let variables = variables.collect();
    let around = environment(AROUND_VARIABLE).and_then(|id| id.into_string().ok());
    let execution = Execution { tool, words, directory, variables, stdout };
    Line { id: id.to_owned(), around, execution }
}

/// One write, so that lines of several processes do not mix.
fn append(log: &Path, line: &Line) -> io::Result<()> {
    let mut text = serde_json::to_string(line)?;
    text.push('\n');
    let file = OpenOptions::new().append(true).create(true).open(log)?;
    rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)?;
    (&file).write_all(text.as_bytes())
}

fn fresh_id() -> String {
    let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}", std::process::id(), time.as_nanos())
}

fn is_script(program: &Path) -> bool {
    let mut start = [0; 2];
    let read = fs::File::open(program).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == *b"#!"
}
