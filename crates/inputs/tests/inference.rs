//! What tests suggest about the space that they come from.

use std::path::Path;

use ripple_inputs::{Atom, Test, infer, parse_tests};

fn tests(lines: &str) -> Vec<Test> {
    let none = |_: &Path| Err(std::io::ErrorKind::NotFound.into());
    parse_tests(Path::new("t"), lines.as_bytes(), &none).expect("the tests are right")
}

/// The inferred space in words. Every test must be in it.
fn inferred(lines: &str) -> String {
    let tests = tests(lines);
    let space = infer(&tests);
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
    words.extend(space.files.iter().map(|(name, atom)| format!("{name}={atom}")));
    words.join(" ")
}

#[test]
fn numbers_are_integers_and_all_else_is_text_of_twice_the_length() {
    assert_eq!(inferred("1 2 3\n-4 5 60"), "int int int");
    assert_eq!(inferred("1 abc\n2 de"), "int str:6");
    assert_eq!(inferred("1\nx"), "str:2");
    assert_eq!(inferred("5000000000"), "int:-9223372036854775808..9223372036854775807");
    assert_eq!(inferred("''"), "str:1");
}

#[test]
fn numbers_that_would_not_be_written_so_are_text() {
    for odd in ["007", "+1", "-0", "' 1'", "1e5", "99999999999999999999"] {
        assert_eq!(inferred(odd), format!("str:{}", 2 * odd.trim_matches('\'').len()), "{odd}");
    }
}

#[test]
fn the_number_of_arguments_varies_as_in_the_tests() {
    assert_eq!(inferred("1\n1 2 x\n1 2"), "int int str:2 min 1");
}

#[test]
fn standard_input_is_inferred_likewise() {
    let stdin = |texts: &[&str]| {
        let line = |text: &&str| format!("{{\"stdin\": {text:?}}}\n");
        inferred(&texts.iter().map(line).collect::<String>())
    };
    assert_eq!(stdin(&["12", "3"]), "< int");
    assert_eq!(stdin(&["12\n", "3\n4\n"]), "< lines:4xint");
    assert_eq!(stdin(&["", "3\n"]), "< lines:2xint");
    assert_eq!(stdin(&["12", "3\n"]), "< str:4");
    assert_eq!(stdin(&["a b\n", "c"]), "< str:8");
    assert_eq!(inferred(r#"{"stdin": "a\u0000"}"#), "< bytes:4");
    assert_eq!(stdin(&["", ""]), "");
}

#[test]
fn files_are_inferred_likewise() {
    let line = r#"{"files": {"a": "5", "b": "xyz"}}"#;
    assert_eq!(inferred(line), "a=int b=str:6");
}
