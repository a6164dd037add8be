//! Tests of recorded executions.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use inputs::{Ending, Expected, Input, Setting, Test, write_test};
use source::{Content, End, Execution, Executions};
use thiserror::Error;

use super::paths::{Origin, Paths};

/// The tests of a recording.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Converted {
    pub tests: Vec<Test>,
    pub executions: usize,
    /// Executions with the same input as an earlier one.
    pub repeated: usize,
    /// How many executions are no tests, by the reason.
    pub left_out: BTreeMap<String, usize>,
}

/// What of an execution a test cannot express.
#[derive(Debug, Error)]
enum Lack {
    #[error("it reads `{}`, which is outside of the test", .0.display())]
    Outside(PathBuf),
    #[error("the name `{}` is not UTF-8", .0.display())]
    NotText(PathBuf),
    #[error("its output contains the name of its directory")]
    NamesDirectory,
    #[error("it was still running when the command ended")]
    Running,
    #[error("the same input had other results")]
    Unsteady,
}

/// Makes tests of executions, in their order.
pub fn convert(recording: &Executions, origin: Origin<'_>) -> Converted {
    let mut converted =
        Converted { executions: recording.executions.len(), ..Converted::default() };
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for execution in &recording.executions {
        if let Some(flaw) = execution.flaws.iter().find(|flaw| flaw.is_fatal()) {
            *converted.left_out.entry(flaw.to_string()).or_default() += 1;
            continue;
        }
        let mut test = test(execution, origin);
        if let Some(&first) = known.get(&key(&test)) {
            converted.repeated += 1;
            note_difference(&mut converted.tests[first], &test);
            continue;
        }
        known.insert(key(&test), converted.tests.len());
        let label = label(execution, origin);
        let count = counts.entry(label.clone()).or_default();
        *count += 1;
        test.name = Some(format!("{label} {count}"));
        converted.tests.push(test);
    }
    converted
}

/// What distinguishes the input of a test.
fn key(test: &Test) -> String {
    let setting = Setting { expected: None, flaws: Vec::new(), ..test.setting.clone() };
    write_test(&Test { name: None, input: test.input.clone(), setting })
}

fn note_difference(first: &mut Test, repeated: &Test) {
    let unsteady = Lack::Unsteady.to_string();
    let flaws = &mut first.setting.flaws;
    if first.setting.expected != repeated.setting.expected && !flaws.contains(&unsteady) {
        flaws.push(unsteady);
    }
}

/// The script, or else the program. Scripts outside of the directory may have names by chance.
fn label(execution: &Execution, origin: Origin<'_>) -> String {
    let script = execution.script.as_ref().filter(|script| script.is_relative());
    let name = script.map_or(Path::new(origin.program), PathBuf::as_path);
    name.display().to_string()
}

fn test(execution: &Execution, origin: Origin<'_>) -> Test {
    let paths = Paths::of(execution, origin);
    let mut test = Test::default();
    let mut flaws: Vec<String> = execution.flaws.iter().map(ToString::to_string).collect();
    let (called, arguments) = match execution.arguments.split_first() {
        Some((called, arguments)) => (called.as_os_str(), arguments),
        None => (OsStr::new(""), &[][..]),
    };
    let mut lack = |lack: Lack| flaws.push(lack.to_string());
    test.input = Input {
        args: arguments.iter().map(|argument| paths.relative(argument.as_bytes())).collect(),
        stdin: execution.stdin.clone(),
        ..Input::default()
    };
    test.setting = Setting {
        program: Some(plain_name(called).as_bytes().to_vec()),
        environment: environment(execution, &paths),
        directory: paths.directory.clone(),
        ..Setting::default()
    };
    place_files(&mut test, execution, &paths, &mut lack);
    let shown = |bytes: &[u8]| paths.relative(&without_directories(bytes, called));
    let (stdout, stderr) = (shown(&execution.stdout), shown(&execution.stderr));
    if paths.are_named_in(&stdout) || paths.are_named_in(&stderr) {
        lack(Lack::NamesDirectory);
    }
    let end = match execution.end {
        Some(End::Exited(status)) => Some(Ending::Status(status & 0xff)),
        Some(End::Signaled(signal)) => Some(Ending::Signal(signal)),
        Some(End::TimedOut | End::OutputLimit | End::MemoryLimit | End::Undefined) | None => None,
    };
    match end {
        Some(end) => test.setting.expected = Some(Expected { end, stdout, stderr }),
        None => lack(Lack::Running),
    }
    test.setting.flaws = flaws;
    test
}

/// A name as which a program was called, without directories of this machine.
fn plain_name(called: &OsStr) -> &OsStr {
    let path = Path::new(called);
    if path.is_absolute() { path.file_name().unwrap_or(called) } else { called }
}

/// Messages begin with the name as which the program was called.
fn without_directories(bytes: &[u8], called: &OsStr) -> Vec<u8> {
    let (full, plain) = (called.as_bytes(), plain_name(called).as_bytes());
    if full == plain { bytes.to_vec() } else { replaced(bytes, full, plain) }
}

/// All occurrences of a text replaced by another one.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(from.len()).position(|window| window == from) {
        result.extend_from_slice(&rest[..at]);
        result.extend_from_slice(to);
        rest = &rest[at + from.len()..];
    }
    result.extend_from_slice(rest);
    result
}

fn environment(execution: &Execution, paths: &Paths) -> Vec<(String, Vec<u8>)> {
    let variable = |(name, value): &(OsString, OsString)| {
        Some((name.to_str()?.to_owned(), paths.relative(value.as_bytes())))
    };
    execution.environment.iter().filter_map(variable).collect()
}

fn place_files(test: &mut Test, execution: &Execution, paths: &Paths, lack: &mut impl FnMut(Lack)) {
    let mut directories = Vec::new();
    for (path, before) in &execution.files {
        let place = paths.place(path);
        match (&before.content, place) {
            (Content::Missing, _) | (Content::Directory, None) => {}
            (Content::File(_), None) => lack(Lack::Outside(path.clone())),
            (_, Some(name)) if name.to_str().is_none() => lack(Lack::NotText(path.clone())),
            (Content::Directory, Some(name)) => {
                directories.push(name.to_string_lossy().into_owned());
            }
            (Content::File(bytes), Some(name)) => {
                let name = name.to_string_lossy().into_owned();
                if before.mode & 0o700 != 0o600 {
                    test.setting.modes.push((name.clone(), before.mode));
                }
                let is_outside = name.starts_with("../");
                let (outside, inside) = (&mut test.setting.outside, &mut test.input.files);
                let files = if is_outside { outside } else { inside };
                files.push((name, bytes.clone()));
            }
        }
    }
    let files = test.input.files.iter().chain(&test.setting.outside);
    let names: Vec<&String> = files.map(|(name, _)| name).collect();
    let is_needed = |directory: &&String| {
        let has_more = directories.iter().any(|name| is_above(directory, name));
        !has_more && !names.iter().any(|name| is_above(directory, name))
    };
    test.setting.directories = directories.iter().filter(is_needed).cloned().collect();
}

fn is_above(directory: &str, name: &str) -> bool {
    name.strip_prefix(directory).is_some_and(|rest| rest.starts_with('/'))
}
