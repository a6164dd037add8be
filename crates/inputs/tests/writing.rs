//! Tests written down: JSON that reads back, scripts that run, KLEE's format byte for byte.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use proptest::prelude::*;
use ripple_inputs::{
    Input, Ktest, KtestObject, Test, Value, parse_tests, write_script, write_test,
};

fn read_back(line: &str) -> Test {
    let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    let mut tests = parse_tests(Path::new("t.jsonl"), line.as_bytes(), &none)
        .unwrap_or_else(|error| panic!("{line}: {error}"));
    tests.remove(0)
}

fn text_or_bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![prop::collection::vec(1u8..=255, 0..6), ".{0,6}".prop_map(String::into_bytes)]
        .prop_map(|bytes| bytes.into_iter().filter(|&byte| byte != 0).collect())
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,4}", Just("base64".into()), Just("bits".into()), Just("function".into())]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<i64>().prop_map(|number| Value::Int(number.into())),
        any::<u64>().prop_map(|number| Value::Int(number.into())),
        any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(Value::Float),
        any::<f32>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(|number| Value::Float(number.into())),
        any::<u128>().prop_map(Value::Bits),
        text_or_bytes().prop_map(Value::Bytes),
        Just(Value::Null),
        name().prop_map(Value::Function),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let members = prop::collection::btree_map(name(), inner.clone(), 0..3);
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Value::Array),
            members.prop_map(|members| Value::Struct(members.into_iter().collect())),
        ]
    })
}

fn test() -> impl Strategy<Value = Test> {
    let values = || prop::collection::btree_map(name(), value(), 0..3);
    let files = prop::collection::btree_map("[a-z.]{0,3}[a-z]", text_or_bytes(), 0..3);
    let args = prop::collection::vec(text_or_bytes(), 0..4);
    let stdin = prop::collection::vec(any::<u8>(), 0..9);
    (prop::option::of(".{0,5}"), args, stdin, files, values(), values()).prop_map(
        |(name, args, stdin, files, params, globals)| Test {
            name,
            input: Input {
                args,
                stdin,
                files: files.into_iter().collect(),
                params: params.into_iter().collect(),
                globals: globals.into_iter().collect(),
            },
            ..Test::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_test_in_json_reads_back_the_same(test in test()) {
        let line = write_test(&test);
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(read_back(&line), test, "{}", line);
    }

    #[test]
    fn a_ktest_reads_back_the_same(test in test()) {
        let ktest = Ktest::of_input("program", &test.input);
        let read = Ktest::from_bytes(&ktest.to_bytes()).unwrap();
        prop_assert_eq!(&read, &ktest);
        let input = read.input();
        prop_assert_eq!(input.args, test.input.args);
        prop_assert_eq!(input.stdin, test.input.stdin);
        prop_assert_eq!(input.files, test.input.files);
    }
}

#[test]
fn a_test_in_json_is_readable() {
    let input = Input {
        args: vec![b"-5".to_vec(), b"\xff".to_vec()],
        stdin: b"a\nb".to_vec(),
        files: vec![("f".to_owned(), Vec::new())],
        params: vec![
            ("n".to_owned(), Value::Int(-1)),
            ("x".to_owned(), Value::Float(0.5)),
            ("p".to_owned(), Value::Array(vec![Value::Null, Value::Bits(255)])),
        ],
        globals: Vec::new(),
    };
    let test = Test { name: Some("first".to_owned()), input, ..Test::default() };
    let expected = r#"{"name": "first", "args": ["-5", {"base64": "/w=="}], "stdin": "a\nb", "files": {"f": ""}, "params": {"n": -1, "x": 0.5, "p": [null, {"bits": "0xff"}]}}"#;
    assert_eq!(write_test(&test), expected);
}

#[test]
fn a_ktest_is_laid_out_byte_for_byte() {
    let input = Input {
        args: vec![b"ab".to_vec()],
        stdin: b"x\n".to_vec(),
        files: vec![("f".to_owned(), b"\x01".to_vec())],
        ..Input::default()
    };
    let mut expected = b"KTEST\0\0\0\x03\0\0\0\x05".to_vec();
    for word in ["p", "--sym-arg", "2", "--sym-stdin", "2"] {
        expected.extend([0, 0, 0, word.len() as u8]);
        expected.extend(word.as_bytes());
    }
    expected.extend(b"\0\0\0\0\0\0\0\0\0\0\0\x03");
    expected.extend(b"\0\0\0\x05arg00\0\0\0\x03ab\0");
    expected.extend(b"\0\0\0\x05stdin\0\0\0\x02x\n");
    expected.extend(b"\0\0\0\x06f-data\0\0\0\x01\x01");
    assert_eq!(Ktest::of_input("p", &input).to_bytes(), expected);
}

#[test]
fn a_damaged_ktest_is_refused() {
    let ktest = Ktest {
        args: vec![b"p".to_vec()],
        objects: vec![KtestObject { name: "x".to_owned(), bytes: vec![1, 2, 3, 4] }],
    };
    let bytes = ktest.to_bytes();
    for length in 0..bytes.len() {
        assert!(Ktest::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
    let refusal = |bytes: &[u8]| Ktest::from_bytes(bytes).unwrap_err().to_string();
    let changed = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[at] = value;
        bytes
    };
    let begins = "this is not a .ktest file: it does not begin with KTEST";
    assert_eq!(refusal(&changed(0, b'X')), begins);
    assert_eq!(refusal(&changed(8, 4)), "this is not a .ktest file: its version is not 3");
    assert_eq!(refusal(&changed(12, 255)), "this is not a .ktest file: it ends too early");
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(refusal(&longer), "this is not a .ktest file: something follows its last object");
}

/// A program that prints its whole input, and ends with 7.
const SHOW: &str = r#"#!/bin/sh
echo "$#"
for a in "$@"; do printf '%s' "$a" | od -An -v -tx1; echo end; done
echo stdin; od -An -v -tx1
for f in $(find . -type f | sort); do echo "$f"; od -An -v -tx1 "$f"; done
exit 7
"#;

fn run(shell: &str, script: &[u8], arguments: &[&str], directory: &Path) -> Output {
    let path = directory.join("test.sh");
    fs::write(&path, script).expect("writable");
    let mut command = Command::new(shell);
    command.arg(&path).args(arguments).current_dir(directory);
    command.output().expect("the shell runs")
}

fn hex(bytes: &[u8]) -> String {
    let lines = bytes.chunks(16).map(|line| {
        let bytes: Vec<String> = line.iter().map(|byte| format!(" {byte:02x}")).collect();
        format!("{}\n", bytes.concat())
    });
    lines.collect()
}

fn shown(input: &Input) -> String {
    let mut text = format!("{}\n", input.args.len());
    for arg in &input.args {
        text += &format!("{}end\n", hex(arg));
    }
    text += &format!("stdin\n{}", hex(&input.stdin));
    let mut files: Vec<_> = input.files.iter().collect();
    files.sort();
    for (name, content) in files {
        text += &format!("./{name}\n{}", hex(content));
    }
    text
}

fn awkward_inputs() -> Vec<Input> {
    let every_byte: Vec<u8> = (0..=255).collect();
    let but_zero = every_byte[1..].to_vec();
    let args: Vec<Vec<u8>> = [
        &b""[..],
        b" ",
        b"-n",
        b"-e",
        b"--",
        b"a\n",
        b"\n\n\n",
        b"'",
        b"''\"\\",
        b"%d%%",
        b"$HOME `x` $(y)",
        b"\\n\\0",
        b"*",
        b"?",
        b"~",
        b"\xff\xfe",
        b"caf\xc3\xa9",
        b".",
        b"a.\n.",
        b"#x",
        b"!x",
    ]
    .iter()
    .map(|arg| arg.to_vec())
    .collect();
    let files = |content: &[u8]| {
        let names = ["plain", "-dash", "a/b/deep", "quo'te", "%s"];
        names.map(|name| (name.to_owned(), content.to_vec())).to_vec()
    };
    vec![
        Input::default(),
        Input { args, stdin: every_byte.clone(), files: files(&every_byte), ..Input::default() },
        Input { args: vec![but_zero], stdin: b"-n 5\n".to_vec(), ..Input::default() },
        Input { stdin: b"%s\\x\n\n".to_vec(), files: files(b"-"), ..Input::default() },
        Input { stdin: b"1\x002\x0018".to_vec(), files: files(b""), ..Input::default() },
    ]
}

#[test]
fn scripts_hand_over_every_byte_under_every_shell() {
    let directory = tempfile::tempdir().expect("a directory");
    let program = directory.path().join("show");
    fs::write(&program, SHOW).expect("writable");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("ours");
    for input in awkward_inputs() {
        let expected = shown(&input);
        let test = Test { name: Some("every\nbyte".to_owned()), input, ..Test::default() };
        let given = write_script(&test, None);
        let usual = write_script(&test, Some("show"));
        for shell in ["dash", "bash", "sh"] {
            let absolute = program.to_str().expect("text");
            let runs = [
                run(shell, &given, &[absolute], directory.path()),
                run(shell, &given, &["./show"], directory.path()),
                run(shell, &given, &["show"], directory.path()),
                run(shell, &usual, &[], directory.path()),
                run(shell, &usual, &["./show"], directory.path()),
            ];
            for output in runs {
                let said = String::from_utf8_lossy(&output.stderr);
                assert_eq!(output.status.code(), Some(7), "{shell}: {said}");
                assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{shell}");
                assert_eq!(said, "", "{shell}");
            }
        }
    }
    let left: Vec<_> = fs::read_dir(directory.path()).expect("there").collect();
    assert_eq!(left.len(), 2, "the program and the script");
}

#[test]
fn a_script_without_a_program_says_so() {
    let directory = tempfile::tempdir().expect("a directory");
    let output = run("sh", &write_script(&Test::default(), None), &[], directory.path());
    assert_ne!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("which program?"));
}
