//! Options that programs tell: each file begins with those that must be found.

use std::path::Path;
use std::process::Command;

use ripple_inputs::{Flags, Origin, Room, Space};

fn room(file: &str) -> Room {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/options").join(file);
    let flags = ["-S", "-emit-llvm", "-O0", "-g", "-w", "-std=gnu11", "-o", "-"];
    let output = Command::new("clang").args(flags).arg(&path).output().expect("clang runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Room::of([&llvm::read(file, output.stdout).expect("clang writes IR").module])
}

fn wanted(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/options").join(file);
    let text = std::fs::read_to_string(path).expect("it is there");
    let line = text.lines().next().expect("it has lines");
    line.trim_start_matches("/* options:").trim_end_matches("*/").trim().to_owned()
}

#[test]
fn options_are_found_in_tables_and_comparisons() {
    for file in ["getopt.c", "compared.c", "none.c"] {
        let found: Vec<String> = room(file)
            .options
            .iter()
            .map(|option| String::from_utf8_lossy(option).into_owned())
            .collect();
        assert_eq!(found.join(" "), wanted(file), "{file}");
    }
}

#[test]
fn inputs_with_options_are_in_the_space_that_they_suggest() {
    let (space, origin) = Flags::default().program_space(&[], &room("getopt.c")).unwrap();
    assert_eq!(origin, Origin::Options);
    let first = space.of_its_options();
    let layout = space.layout();
    assert!(first.iter().all(|test| layout.encode(&test.input).is_ok()));
    let has = |words: &[&str]| {
        let words: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        first.iter().any(|test| test.input.args == words)
    };
    assert!(has(&["--all"]) && has(&["-w", "1"]) && has(&["--width", "1", "-q"]));
    let (space, origin) = Flags::default().program_space(&[], &room("none.c")).unwrap();
    assert_eq!((space, origin), (Space::unspecified(), Origin::Unspecified));
}
