//! The subjects that the search is measured with, checked by native builds alone: each builds
//! without warnings, no test shows a difference of any pair, and the witness of every pair that
//! differs does.
//!
//! Nothing here is shared with the comparer: manifests are read as TOML and JSON, programs are built
//! by calling clang and run by the system. That witnesses are in the declared space is asked of
//! the crate that knows spaces.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use base::in_parallel;
use ripple_testkit::pairs::{self, SUBJECTS};
use ripple_testkit::{is_installed, root};
use serde_json::Value as Json;
use toml::{Table, Value};

/// How long one native run may take; all of them end in milliseconds.
const PATIENCE: Duration = Duration::from_secs(10);

struct Subject {
    name: &'static str,
    tests: Vec<Json>,
    pairs: Vec<Table>,
    /// The native program of each version.
    programs: BTreeMap<String, PathBuf>,
}

fn text<'a>(pair: &'a Table, key: &str) -> &'a str {
    pair.get(key).and_then(Value::as_str).unwrap_or_else(|| panic!("`{key}` is missing: {pair}"))
}

fn build(directory: &Path, version: &str, place: &Path) -> PathBuf {
    let program = place.join(version.trim_end_matches(".c"));
    let output = Command::new("clang")
        .args(["-std=gnu17", "-O0", "-Wall", "-Wextra", "-Werror", "-o"])
        .arg(&program)
        .arg(directory.join(version))
        .arg("-lm")
        .output()
        .expect("clang can be started");
    assert!(output.status.success(), "{version}: {}", String::from_utf8_lossy(&output.stderr));
    program
}

fn subject(name: &'static str, place: &Path) -> Subject {
    let directory = root().join("examples").join(name);
    let manifest = fs::read_to_string(directory.join("pairs.toml")).expect("there is a manifest");
    let manifest: Table = manifest.parse().expect("it is TOML");
    let pairs = manifest["pair"].as_array().expect("there are pairs");
    let pairs: Vec<Table> =
        pairs.iter().map(|pair| pair.as_table().expect("a table").clone()).collect();
    let tests = fs::read_to_string(directory.join("tests.jsonl")).expect("there are tests");
    let tests = tests.lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let place = place.join(name);
    fs::create_dir_all(&place).expect("the directory can be made");
    let versions = pairs.iter().flat_map(|pair| [text(pair, "old"), text(pair, "new")]);
    let mut programs = BTreeMap::new();
    for version in versions {
        let entry = programs.entry(version.to_owned());
        entry.or_insert_with(|| build(&directory, version, &place));
    }
    Subject { name, tests, pairs, programs }
}

fn wait(mut child: Child) -> ExitStatus {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status;
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("it can be ended");
            panic!("a program does not end");
        }
        thread::sleep(Duration::from_micros(300));
    }
}

/// Exit status, standard output and standard error.
fn run(program: &Path, test: &Json) -> (ExitStatus, Vec<u8>, Vec<u8>) {
    let place = tempfile::tempdir().expect("a directory can be made");
    let files = test.get("files").and_then(Json::as_object);
    for (name, content) in files.into_iter().flatten() {
        fs::write(place.path().join(name), content.as_str().expect("a text"))
            .expect("it can be written");
    }
    let args = test.get("args").and_then(Json::as_array);
    let args = args.into_iter().flatten().map(|arg| arg.as_str().expect("a text"));
    let (out, err) = (place.path().join("out"), place.path().join("err"));
    let create = |path: &Path| fs::File::create(path).expect("it can be made");
    let mut child = Command::new(program)
        .args(args)
        .current_dir(place.path())
        .stdin(Stdio::piped())
        .stdout(create(&out))
        .stderr(create(&err))
        .spawn()
        .expect("it can be started");
    let stdin = test.get("stdin").and_then(Json::as_str).unwrap_or_default();
    // A program that does not read its input ends before all of it is written.
    let _ = child.stdin.take().expect("it is piped").write_all(stdin.as_bytes());
    let status = wait(child);
    let read = |path: &Path| fs::read(path).expect("it was made");
    (status, read(&out), read(&err))
}

fn complaints(subject: &Subject) -> Vec<String> {
    let mut complaints = Vec::new();
    for pair in &subject.pairs {
        let [old, new] = ["old", "new"].map(|key| &subject.programs[text(pair, key)]);
        let name = format!("{} {}-{}", subject.name, text(pair, "old"), text(pair, "new"));
        for test in &subject.tests {
            if run(old, test) != run(new, test) {
                complaints.push(format!("{name}: shown by the test {}", test["name"]));
            }
        }
        let witness = pair.get("witness").and_then(Value::as_str);
        let witness = witness.map(|line| serde_json::from_str(line).expect("it is JSON"));
        match (text(pair, "expected"), witness) {
            ("different", Some(witness)) if run(old, &witness) == run(new, &witness) => {
                complaints.push(format!("{name}: its witness shows no difference"));
            }
            ("different", Some(_)) | ("equal", None) => {}
            _ => complaints.push(format!("{name}: a pair has a witness if and only if it differs")),
        }
    }
    complaints
}

#[test]
fn tests_of_the_subjects_show_no_difference_and_witnesses_do() {
    if !is_installed("clang") {
        return;
    }
    let place = tempfile::tempdir().expect("a directory can be made");
    let found = in_parallel(&SUBJECTS, 2, |name| {
        let subject = subject(name, place.path());
        assert!(subject.tests.len() >= 5, "{name} has few tests");
        let differ = subject.pairs.iter().filter(|pair| text(pair, "expected") == "different");
        (differ.count(), subject.pairs.len(), complaints(&subject))
    });
    let different: usize = found.iter().map(|(different, ..)| different).sum();
    let pairs: usize = found.iter().map(|(_, pairs, _)| pairs).sum();
    let complaints: Vec<&String> = found.iter().flat_map(|(.., complaints)| complaints).collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
    assert!(different >= 60, "{different} pairs differ");
    assert!(pairs - different >= 12, "{} pairs are equal", pairs - different);
}

#[test]
fn witnesses_of_the_subjects_are_in_the_declared_space() {
    let examples = pairs::examples(&root()).expect("the manifests can be read");
    let subjects = examples.iter().filter(|example| SUBJECTS.contains(&example.name.as_str()));
    for example in subjects {
        let (space, _) = example
            .flags
            .program_space(&[], &inputs::Room::default())
            .expect("the atoms can be read");
        for pair in &example.pairs {
            let Some(line) = &pair.witness else { continue };
            let path = example.directory.join("witness.jsonl");
            let tests = inputs::parse_tests(&path, line.as_bytes(), &|path| fs::read(path));
            let test = &tests.expect("it is a test")[0];
            let encoded = space.encode(&test.input);
            assert!(encoded.is_ok(), "{} {}: {encoded:?}", example.name, pair.name());
        }
    }
}
