//! Tests with a setting, and directories of files as tests.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;

use ripple_inputs::{Ending, Expected, Flags, Setting, Test, read_corpus, read_tests, write_test};

fn read(line: &str) -> Result<Test, String> {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("tests.jsonl");
    fs::write(&path, line).unwrap();
    match read_tests(&path) {
        Ok(mut tests) => Ok(tests.remove(0)),
        Err(error) => Err(error.to_string().rsplit("jsonl:1: ").next().unwrap().to_owned()),
    }
}

#[test]
fn a_recorded_test_is_read_back_as_it_was() {
    let mut test = Test { name: Some("run.sh 1".into()), ..Test::default() };
    test.input.args = vec![b"-x".to_vec(), vec![0xff]];
    test.input.files = vec![("a".into(), b"1".to_vec()), ("d/b".into(), vec![])];
    test.setting = Setting {
        program: Some(b"./calc".to_vec()),
        environment: vec![("A".into(), b"1".to_vec()), ("B".into(), vec![0xfe])],
        directory: "tests/deep".into(),
        outside: vec![("../x".into(), b"2".to_vec()), ("../../y/z".into(), b"3".to_vec())],
        directories: vec!["empty".into(), "../out".into()],
        modes: vec![("a".into(), 0o444)],
        expected: Some(Expected {
            end: Ending::Signal(11),
            stdout: b"out\n".to_vec(),
            stderr: vec![0xfd],
        }),
        flaws: vec!["too large".into()],
    };
    let line = write_test(&test);
    assert_eq!(read(&line).unwrap(), test, "{line}");
}

#[test]
fn names_may_leave_the_working_directory_only_as_far_as_the_test_reaches() {
    assert!(read(r#"{"cwd": "a/b", "files": {"../../c": ""}}"#).is_ok());
    for line in [
        r#"{"files": {"../c": ""}}"#,
        r#"{"cwd": "a", "files": {"../../c": ""}}"#,
        r#"{"cwd": "a", "files": {"../a/../../c": ""}}"#,
        r#"{"cwd": "../a"}"#,
        r#"{"cwd": "/a"}"#,
        r#"{"cwd": "a//b"}"#,
        r#"{"directories": ["/tmp"]}"#,
        r#"{"modes": {"../x": "0644"}}"#,
    ] {
        assert!(read(line).unwrap_err().contains("must be relative"), "{line}");
    }
}

#[test]
fn wrong_settings_are_explained() {
    for (line, said) in [
        (r#"{"modes": {"a": "9"}}"#, "the mode of `a` must be permission bits in octal"),
        (r#"{"modes": {"a": "7777"}}"#, "the mode of `a` must be permission bits in octal"),
        (r#"{"expect": {"stdout": ""}}"#, "`expect` needs `status`"),
        (r#"{"expect": {"status": 1, "stdot": ""}}"#, "did you mean `stdout`?"),
        (r#"{"env": {"A=B": "1"}}"#, "`env` must be an object of names and values"),
        (r#"{"flaws": "x"}"#, "`flaws` must be a list of strings"),
    ] {
        let error = read(line).unwrap_err();
        assert!(error.contains(said), "{line}: {error}");
    }
}

#[test]
fn the_files_of_a_corpus_are_tests_sorted_by_name() {
    let place = tempfile::tempdir().unwrap();
    let at = |name: &str| place.path().join(name);
    fs::create_dir_all(at("queue/.state")).unwrap();
    for (name, text) in
        [("fuzzer_stats", "no"), ("queue/id:000001,src:0", "b"), ("queue/id:000000", "a\0")]
    {
        fs::write(at(name), text).unwrap();
    }
    let flags = Flags { args: vec![b"=-d".to_vec()], ..Flags::default() };
    let tests = read_corpus(place.path(), &flags).unwrap();
    let shown: Vec<_> =
        tests.iter().map(|test| (test.name.as_deref(), &*test.input.stdin)).collect();
    assert_eq!(shown, [(Some("id:000000"), &b"a\0"[..]), (Some("id:000001,src:0"), b"b")]);
    assert_eq!(tests[0].input.args, [b"-d"]);
    let flags = Flags { files: vec![b"in=bytes:9".to_vec()], ..Flags::default() };
    let tests = read_corpus(&at("queue"), &flags).unwrap();
    assert_eq!(tests[1].input.files, [("in".to_owned(), b"b".to_vec())]);
    assert!(tests[1].input.stdin.is_empty());
}

#[test]
fn a_corpus_needs_files_and_fixed_arguments() {
    let place = tempfile::tempdir().unwrap();
    let error = |flags: &Flags| read_corpus(place.path(), flags).unwrap_err().to_string();
    assert!(error(&Flags::default()).contains("there are no tests in it"));
    let varied = Flags { args: vec![b"int".to_vec()], ..Flags::default() };
    assert!(error(&varied).contains("--arg =TEXT"));
    let two = Flags { files: vec![b"a=int".to_vec(), b"b=int".to_vec()], ..Flags::default() };
    assert!(error(&two).contains("at most one --file"));
}
