//! Accepted flags, and the messages for all others.

use std::path::Path;

use proptest::prelude::*;
use ripple_inputs::parse::{self, Override};
use ripple_inputs::{
    Alphabet, Atom, Error, Flags, Ktest, Length, Origin, Room, Space, Test, infer, parse_tests,
};

/// Pairs of a flag and what is expected, indented below it.
fn cases(text: &str) -> Vec<(&str, &str)> {
    let mut lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let mut cases = Vec::new();
    while let Some(flag) = lines.next() {
        let expected = lines.next().and_then(|line| line.strip_prefix("    "));
        cases.push((flag, expected.unwrap_or_else(|| panic!("nothing below `{flag}`"))));
    }
    assert!(cases.len() > 10);
    cases
}

fn shown(over: &Override) -> String {
    match &over.how {
        Some(how) => format!("{}: {how:?}", over.path),
        None => over.path.clone(),
    }
}

fn read(flag: &str) -> Result<String, Error> {
    let (name, text) = flag.split_once(' ').expect("a flag and its value");
    let bytes = text.as_bytes();
    match name {
        "--arg" => parse::argument(bytes).map(|atom| atom.to_string()),
        "--stdin" => parse::stdin(bytes).map(|atom| atom.to_string()),
        "--file" => parse::file(bytes).map(|(name, atom)| format!("{name} {atom}")),
        "--param" => parse::param(bytes).map(|over| shown(&over)),
        "--global" => parse::global(bytes).map(|over| shown(&over)),
        "--args-max" => {
            let args_max = Some(text.parse().expect("a number"));
            Flags { args_max, ..Flags::default() }.texts().map(|space| format!("{space:?}"))
        }
        other => panic!("{other} is not tested"),
    }
}

#[test]
fn every_form_is_accepted() {
    for (flag, expected) in cases(include_str!("sentences/accepted.txt")) {
        match read(flag) {
            Ok(found) => assert_eq!(found, expected, "{flag}"),
            Err(error) => panic!("{flag}: {error}"),
        }
    }
}

#[test]
fn every_mistake_gets_its_sentence() {
    for (flag, expected) in cases(include_str!("sentences/refused.txt")) {
        match read(flag) {
            Ok(found) => panic!("{flag} is read as {found}"),
            Err(error) => assert_eq!(error.to_string(), expected),
        }
    }
}

#[test]
fn bytes_that_are_no_text_are_literals_too() {
    let atom = parse::argument(b"=\xff\xfe").unwrap();
    assert_eq!(atom, Atom::Literal(vec![0xff, 0xfe]));
    let error = parse::file(b"\xff=bytes:3").unwrap_err();
    assert!(error.to_string().ends_with("the name of a file must be UTF-8"), "{error}");
    let error = parse::argument(b"=a\0").unwrap_err();
    assert!(error.to_string().ends_with("a zero byte, which no argument can hold"), "{error}");
    let error = parse::stdin(b"lines:2x=a\nb").unwrap_err();
    assert!(error.to_string().ends_with("a newline, which no line can hold"), "{error}");
}

fn flags(args: &[&str], args_max: Option<usize>) -> Flags {
    let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    Flags { args, args_max, ..Flags::default() }
}

#[test]
fn the_last_atom_stands_for_all_further_arguments() {
    let space = flags(&["=-v", "int"], Some(4)).texts().unwrap();
    let texts: Vec<String> = space.args.iter().map(Atom::to_string).collect();
    assert_eq!(texts, ["=-v", "int", "int", "int"]);
    assert_eq!(space.args_min, 0);
    let space = flags(&[], Some(2)).texts().unwrap();
    assert_eq!(space.args, vec![Atom::bytes(Alphabet::NoNul, Length::UpTo(4)); 2]);
    let error = flags(&["int", "int"], Some(1)).texts().unwrap_err().to_string();
    assert_eq!(error, "--args-max 1 is less than the 2 arguments declared with --arg");
}

#[test]
fn nothing_may_be_declared_twice() {
    let twice = |text: &str| vec![text.into(), text.into()];
    let files = Flags { files: twice("a=bytes:1"), ..Flags::default() };
    let error = files.texts().unwrap_err().to_string();
    assert_eq!(error, "`--file a=bytes:1`: `a` is declared twice");
    let params = Flags { params: twice("p=int"), ..Flags::default() };
    let error = params.overrides().unwrap_err().to_string();
    assert_eq!(error, "`--param p=int`: `p` is declared twice");
    let globals = Flags { globals: twice("g"), ..Flags::default() };
    assert_eq!(globals.overrides().unwrap_err().to_string(), "`--global g`: `g` is declared twice");
}

#[test]
fn a_space_is_declared_or_inferred_or_unspecified() {
    let mut test = Test::default();
    test.input.args = vec![b"7".to_vec()];
    let tests = [test];
    let none = flags(&[], None);
    assert_eq!(
        none.program_space(&[], &Room::default()).unwrap(),
        (Space::unspecified(), Origin::Unspecified)
    );
    let (space, origin) = none.program_space(&tests, &Room::default()).unwrap();
    assert_eq!((space.args, origin), (vec![Atom::INT], Origin::InferredFromTests));
    let (space, origin) = flags(&["str:3"], None).program_space(&tests, &Room::default()).unwrap();
    assert_eq!((space.args[0].to_string(), origin), ("str:3".to_owned(), Origin::Declared));
    assert_eq!(space.stdin, None);
}

/// Texts that look like flags, and others.
fn typed() -> impl Strategy<Value = Vec<u8>> {
    let words =
        ["int", ":", "=", "..", "-", "9", "0", "str", "lines", "x", "choice", ",", "buf", "?"];
    let alike = prop::collection::vec(prop::sample::select(words.to_vec()), 0..8);
    prop_oneof![
        alike.prop_map(|words| words.concat().into_bytes()),
        prop::collection::vec(any::<u8>(), 0..12),
    ]
}

proptest! {
    #[test]
    fn whatever_is_typed_is_read_or_refused(text in typed()) {
        if let Ok(atom) = parse::argument(&text) {
            let space = Space { args: vec![atom], args_min: 1, ..Space::default() };
            let layout = space.layout();
            let cells: Vec<u64> = layout.cells.values().map(|cell| cell.domain.nth(3)).collect();
            let input = layout.decode(&cells);
            prop_assert!(layout.encode(&input).is_ok());
        }
        let _ = (parse::stdin(&text), parse::file(&text), parse::param(&text), parse::global(&text));
    }

    #[test]
    fn whatever_tests_say_is_read_or_refused(text in prop::collection::vec(any::<u8>(), 0..40)) {
        let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
        for name in ["t", "t.jsonl"] {
            if let Ok(tests) = parse_tests(Path::new(name), &text, &none) {
                let layout = infer(&tests, &Room::default()).layout();
                for test in &tests {
                    prop_assert!(layout.encode(&test.input).is_ok());
                }
            }
        }
        let _ = Ktest::from_bytes(&[b"KTEST\0\0\0\x03", &text[..]].concat());
    }
}
