//! Tests that users wrote down: JSON lines, or plain command lines, one test per line.
//!
//! A file is JSON lines if its name ends in `.jsonl` or `.json`, or if its first significant line
//! begins with `{`. Paths in tests are relative to the file of tests.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::command_line;
use crate::error::{Error, TestProblem, nearest_names};
use crate::json::{self, Json, object, string, wrong};
use crate::setting;
use crate::{Test, Value};

const KEYS: [&str; 14] = [
    "name",
    "args",
    "stdin",
    "stdin_file",
    "files",
    "params",
    "globals",
    "program",
    "env",
    "cwd",
    "directories",
    "modes",
    "expect",
    "flaws",
];

/// Reads a file of tests, which must not be empty.
pub fn read_tests(path: &Path) -> Result<Vec<Test>, Error> {
    let read = |path: &Path| fs::read(path);
    let unreadable = |cause| Error::Unreadable { path: path.to_owned(), cause };
    let text = fs::read(path).map_err(unreadable)?;
    let tests = parse_tests(path, &text, &read)?;
    if tests.is_empty() { Err(Error::NoTests { path: path.to_owned() }) } else { Ok(tests) }
}

/// Reads tests from a text. `read` returns the files that they name.
pub fn parse_tests(
    path: &Path,
    text: &[u8],
    read: &dyn Fn(&Path) -> io::Result<Vec<u8>>,
) -> Result<Vec<Test>, Error> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let reader = Reader { directory, read };
    let is_json = is_json(path, text);
    let mut tests = Vec::new();
    for (index, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let blank = line.trim_ascii().is_empty();
        if blank || !is_json && is_comment(line) {
            continue;
        }
        let test = if is_json { reader.json_test(line) } else { reader.plain_test(line) };
        let at = |problem| Error::Test { path: path.to_owned(), line: index + 1, problem };
        tests.push(test.map_err(at)?);
    }
    Ok(tests)
}

fn is_comment(line: &[u8]) -> bool {
    line.trim_ascii_start().starts_with(b"#")
}

fn is_json(path: &Path, text: &[u8]) -> bool {
    let named = path.extension().is_some_and(|end| end == "jsonl" || end == "json");
    let mut lines = text.split(|&byte| byte == b'\n');
    let first = lines.find(|line| !line.trim_ascii().is_empty() && !is_comment(line));
    named || first.is_some_and(|line| line.trim_ascii_start().starts_with(b"{"))
}

struct Reader<'a> {
    directory: &'a Path,
    read: &'a dyn Fn(&Path) -> io::Result<Vec<u8>>,
}

impl Reader<'_> {
    fn file(&self, name: &Path) -> Result<Vec<u8>, TestProblem> {
        let path: PathBuf = self.directory.join(name);
        (self.read)(&path).map_err(|cause| TestProblem::Unreadable { path, cause })
    }

    fn plain_test(&self, line: &[u8]) -> Result<Test, TestProblem> {
        let parsed = command_line::parse(line)?;
        let mut test = Test::default();
        if let Some(name) = parsed.stdin {
            test.input.stdin = self.file(&path_of(name))?;
        }
        test.input.args = parsed.args;
        check_args(&test.input.args)?;
        Ok(test)
    }

    fn json_test(&self, line: &[u8]) -> Result<Test, TestProblem> {
        let line = std::str::from_utf8(line)
            .map_err(|_| TestProblem::NotJson("it is not UTF-8".to_owned()))?;
        let Json::Object(members) = json::parse(line)? else {
            return Err(TestProblem::NotAnObject);
        };
        let mut test = Test::default();
        let mut has_stdin = false;
        for (key, json) in &members {
            if key.starts_with("stdin") && std::mem::replace(&mut has_stdin, true) {
                return Err(TestProblem::TwoInputs);
            }
            self.member(&mut test, key, json)?;
        }
        check_args(&test.input.args)?;
        setting::check(&mut test)?;
        Ok(test)
    }

    fn member(&self, test: &mut Test, key: &str, json: &Json) -> Result<(), TestProblem> {
        let input = &mut test.input;
        match key {
            "name" => test.name = Some(string(key, json)?.to_owned()),
            "args" => input.args = arguments(json)?,
            "stdin" => input.stdin = json::bytes(key, json)?,
            "stdin_file" => input.stdin = self.file(Path::new(string(key, json)?))?,
            "files" => input.files = files(json)?,
            "params" => input.params = values(key, json)?,
            "globals" => input.globals = values(key, json)?,
            _ if setting::member(&mut test.setting, key, json)? => {}
            _ => {
                let nearest = nearest_names(key, KEYS);
                return Err(TestProblem::UnknownKey { key: key.to_owned(), nearest });
            }
        }
        Ok(())
    }
}

#[cfg(unix)]
fn path_of(name: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;
    std::ffi::OsString::from_vec(name).into()
}

#[cfg(not(unix))]
fn path_of(name: Vec<u8>) -> PathBuf {
    String::from_utf8_lossy(&name).into_owned().into()
}

fn check_args(args: &[Vec<u8>]) -> Result<(), TestProblem> {
    if args.iter().any(|arg| arg.contains(&0)) { Err(TestProblem::ZeroByte) } else { Ok(()) }
}

/// Integers need no quotes.
fn arguments(json: &Json) -> Result<Vec<Vec<u8>>, TestProblem> {
    let wanted = "a list of strings, whole numbers or {\"base64\": \"…\"}";
    let Json::List(list) = json else { return Err(wrong("args", wanted)) };
    let argument = |json: &Json| match json {
        Json::Int(number) => Ok(number.to_string().into_bytes()),
        Json::Text(_) | Json::Object(_) => json::bytes("args", json),
        _ => Err(wrong("args", wanted)),
    };
    list.iter().map(argument).collect()
}

fn files(json: &Json) -> Result<Vec<(String, Vec<u8>)>, TestProblem> {
    let members = object("files", json, "an object of names and contents")?;
    // Whether a name may leave the working directory depends on other members.
    let file = |(name, json): &(String, Json)| Ok((name.clone(), json::bytes(name, json)?));
    members.iter().map(file).collect()
}

fn values(key: &str, json: &Json) -> Result<Vec<(String, Value)>, TestProblem> {
    let members = object(key, json, "an object of names and values")?;
    members.iter().map(|(name, json)| Ok((name.clone(), json::value(name, json)?))).collect()
}
