//! The space that tests suggest.

use std::path::Path;

use ripple_inputs::{Atom, Room, Test, infer, parse_tests};

fn tests(lines: &str) -> Vec<Test> {
    let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    parse_tests(Path::new("t"), lines.as_bytes(), &none).expect("the tests are right")
}

/// The inferred space of a program without arguments and arrays, in words.
fn inferred(lines: &str) -> String {
    inferred_with(lines, &Room::default())
}

/// The inferred space in words. Every test must be in it.
fn inferred_with(lines: &str, room: &Room) -> String {
    let tests = tests(lines);
    let space = infer(&tests, room);
    let layout = space.layout();
    for test in &tests {
        let cells = layout.encode(&test.input).unwrap_or_else(|why| panic!("{test:?}: {why}"));
        assert_eq!(layout.decode(&cells), test.input);
    }
    let mut words: Vec<String> = space.args.iter().map(Atom::to_string).collect();
    if space.args_min < space.args.len() {
        words.push(format!("min {}", space.args_min));
    }
    words.extend(space.stdin.iter().map(|atom| format!("< {atom}")));
    let maybe = |name: &String| if space.missing.contains(name) { "?" } else { "" };
    let file = |(name, atom): &(String, Atom)| format!("{name}{}={atom}", maybe(name));
    words.extend(space.files.iter().map(file));
    words.join(" ")
}

#[test]
fn numbers_are_integers_and_all_else_is_text_of_four_times_the_length() {
    assert_eq!(inferred("1 2 3\n-4 5 60"), "int int int");
    assert_eq!(inferred("1 abc\n2 de"), "int str:12");
    assert_eq!(inferred("1\nx"), "str:4");
    assert_eq!(inferred("5000000000"), "int:-9223372036854775808..9223372036854775807");
    assert_eq!(inferred("''"), "str:1");
}

#[test]
fn numbers_that_would_not_be_written_so_are_text() {
    for odd in ["007", "+1", "-0", "' 1'", "1e5", "99999999999999999999"] {
        assert_eq!(inferred(odd), format!("str:{}", 4 * odd.trim_matches('\'').len()), "{odd}");
    }
}

#[test]
fn the_number_of_arguments_varies_as_in_the_tests() {
    assert_eq!(inferred("1\n1 2 x\n1 2"), "int int str:4 min 1");
}

#[test]
fn standard_input_is_inferred_likewise() {
    let stdin = |texts: &[&str]| {
        let line = |text: &&str| format!("{{\"stdin\": {text:?}}}\n");
        inferred(&texts.iter().map(line).collect::<String>())
    };
    assert_eq!(stdin(&["12", "3"]), "< int");
    assert_eq!(stdin(&["12\n", "3\n4\n"]), "< lines:8xint");
    assert_eq!(stdin(&["", "3\n"]), "< lines:4xint");
    assert_eq!(stdin(&["12", "3\n"]), "< str:8");
    assert_eq!(stdin(&["a b\n", "c"]), "< str:16");
    assert_eq!(inferred(r#"{"stdin": "a\u0000"}"#), "< bytes:8");
    assert_eq!(stdin(&["", ""]), "");
}

#[test]
fn files_are_inferred_likewise() {
    let line = r#"{"files": {"a": "5", "b": "xyz"}}"#;
    assert_eq!(inferred(line), "a=int b=str:12");
}

#[test]
fn files_that_some_tests_do_without_may_be_missing() {
    let lines = "{\"files\": {\"a\": \"5\", \"b\": \"x\"}}\n{\"files\": {\"b\": \"y\"}}\n{\"stdin\": \"1\"}";
    assert_eq!(inferred(lines), "< str:4 a?=int b?=str:4");
}

#[test]
fn a_program_that_takes_arguments_may_get_fewer_and_one_more() {
    let room = Room { takes_arguments: true, ..Room::default() };
    assert_eq!(inferred_with("1 x 3", &room), "int str:4 int int min 0");
    assert_eq!(inferred_with("{\"stdin\": \"1\"}", &room), "str:8 min 0 < int");
}

#[test]
fn texts_may_be_longer_than_the_arrays_of_the_programs() {
    let room = Room { sizes: vec![16, 80, 512], ..Room::default() };
    assert_eq!(inferred_with("abc", &room), "str:81");
    assert_eq!(inferred_with("{\"stdin\": \"abc\"}", &room), "< str:513");
}
