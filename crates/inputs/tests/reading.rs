//! Files of tests: what they mean, and the messages for mistakes in them.

use std::fs;
use std::io;
use std::path::Path;

use ripple_inputs::{Error, Test, Value, parse_tests, read_tests};

/// The only file that tests can name is `a`, next to them.
fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    match path.to_str() {
        Some("a" | "dir/a") => Ok(b"content\n".to_vec()),
        _ => Err(io::ErrorKind::NotFound.into()),
    }
}

fn parse(text: impl AsRef<[u8]>) -> Result<Vec<Test>, Error> {
    parse_tests(Path::new("t"), text.as_ref(), &read_file)
}

fn one(line: &str) -> Test {
    let mut tests = parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    assert_eq!(tests.len(), 1, "{line}");
    tests.remove(0)
}

fn args(test: &Test) -> Vec<String> {
    let text = |arg: &Vec<u8>| String::from_utf8(arg.clone()).expect("text");
    test.input.args.iter().map(text).collect()
}

#[test]
fn every_mistake_gets_its_sentence_with_file_and_line() {
    let text = include_str!("sentences/tests.txt");
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut count = 0;
    while let (Some(line), Some(expected)) = (lines.next(), lines.next()) {
        match parse(line) {
            Ok(tests) => panic!("{line} is read as {tests:?}"),
            Err(error) => assert_eq!(error.to_string(), expected.trim_start()),
        }
        count += 1;
    }
    assert!(count > 30);
}

#[test]
fn lines_are_counted_through_comments() {
    let error = parse("1 2\n\n# a comment\n3 'x\n").unwrap_err().to_string();
    assert_eq!(error, "t:4: the quote ' is not closed");
    let error = parse("{}\n\n{\"a\": 1}\n").unwrap_err().to_string();
    assert!(error.starts_with("t:3: there is no key `a`"), "{error}");
    let error = parse("{}\n[1]\n").unwrap_err().to_string();
    assert_eq!(error, "t:2: a test is a JSON object, like {\"args\": [\"1\", \"2\"]}");
    let error = parse(b"{}\n{\"name\": \"\xff\"}\n").unwrap_err().to_string();
    assert_eq!(error, "t:2: this is not JSON: it is not UTF-8");
}

#[test]
fn a_test_in_json_has_all_parts() {
    let test = one(r#"{"name": "n", "args": ["a b", 7, {"base64": "/w=="}], "stdin": "x\n",
            "files": {"f": "1", "d/g": {"base64": "AP8="}},
            "params": {"n": 3, "s": "hi", "p": [1, 2.5, null, true], "f": {"function": "g"},
                       "t": {"x": 1, "y": {"bits": "0x10"}}},
            "globals": {"g": -1}}"#
        .replace('\n', " ")
        .as_str());
    assert_eq!(test.name.as_deref(), Some("n"));
    assert_eq!(test.input.args, [&b"a b"[..], b"7", b"\xff"]);
    assert_eq!(test.input.stdin, b"x\n");
    let files = [("f".to_owned(), b"1".to_vec()), ("d/g".to_owned(), vec![0, 255])];
    assert_eq!(test.input.files, files);
    let list = vec![Value::Int(1), Value::Float(2.5), Value::Null, Value::Int(1)];
    let members = vec![("x".to_owned(), Value::Int(1)), ("y".to_owned(), Value::Bits(16))];
    let expected = [
        ("n", Value::Int(3)),
        ("s", Value::Bytes(b"hi".to_vec())),
        ("p", Value::Array(list)),
        ("f", Value::Function("g".to_owned())),
        ("t", Value::Struct(members)),
    ];
    assert_eq!(test.input.params, expected.map(|(name, value)| (name.to_owned(), value)));
    assert_eq!(test.input.globals, [("g".to_owned(), Value::Int(-1))]);
}

#[test]
fn input_comes_from_files_next_to_the_tests() {
    assert_eq!(one(r#"{"stdin_file": "a"}"#).input.stdin, b"content\n");
    assert_eq!(one("1 2 < a").input.stdin, b"content\n");
    let tests = parse_tests(Path::new("dir/t"), b"1<a", &read_file).unwrap_err();
    assert!(tests.to_string().contains("`<` means something"), "a number names a stream");
    let tests = parse_tests(Path::new("dir/t"), b"x<a y", &read_file).unwrap();
    assert_eq!(tests[0].input.stdin, b"content\n");
    assert_eq!(args(&tests[0]), ["x", "y"]);
}

#[test]
fn words_are_quoted_as_in_a_shell() {
    let cases: [(&str, &[&str]); 12] = [
        ("1 2 3", &["1", "2", "3"]),
        ("  a\tb  ", &["a", "b"]),
        ("'a b' \"c d\"", &["a b", "c d"]),
        ("a'b'\"c\"d", &["abcd"]),
        ("'' \"\"", &["", ""]),
        (r"a\ b \' \\", &["a b", "'", r"\"]),
        (r#""a\"b\\c\d\$" '\n'"#, &[r#"a"b\c\d$"#, r"\n"]),
        ("a # b", &["a"]),
        ("a#b '#'", &["a#b", "#"]),
        ("'>' '|' \\* a~b", &[">", "|", "*", "a~b"]),
        ("\"it's\" -x=1 {} !", &["it's", "-x=1", "{}", "!"]),
        ("''<a", &[""]),
    ];
    for (line, expected) in cases {
        assert_eq!(args(&one(line)), expected, "{line}");
    }
}

#[test]
fn a_test_without_arguments_is_written_with_quotes_or_json() {
    assert_eq!(args(&one("< a")), [""; 0]);
    assert!(parse("# nothing\n\n").unwrap().is_empty());
    let windows = parse("1 2\r\n3\r\n").unwrap();
    assert_eq!(windows.iter().map(args).collect::<Vec<_>>(), [vec!["1", "2"], vec!["3"]]);
}

#[test]
fn bytes_of_plain_lines_need_not_be_text() {
    let tests = parse(b"a\xff 'b\xfe'").unwrap();
    assert_eq!(tests[0].input.args, [b"a\xff", b"b\xfe"]);
}

#[test]
fn files_are_read_from_the_disk() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name);
    fs::write(path("input.txt"), "hello").expect("writable");
    fs::write(path("tests.txt"), "1 2 < input.txt\n").expect("writable");
    let tests = read_tests(&path("tests.txt")).unwrap();
    assert_eq!(tests[0].input.stdin, b"hello");
    fs::write(path("empty"), "# none\n").expect("writable");
    let error = read_tests(&path("empty")).unwrap_err().to_string();
    assert!(error.ends_with("there are no tests in it"), "{error}");
    let error = read_tests(&path("nowhere")).unwrap_err().to_string();
    assert!(error.starts_with("cannot read "), "{error}");
    fs::write(path("tests.jsonl"), "1 2\n").expect("writable");
    let error = read_tests(&path("tests.jsonl")).unwrap_err().to_string();
    assert!(error.contains("tests.jsonl:1: this is not JSON"), "{error}");
}
