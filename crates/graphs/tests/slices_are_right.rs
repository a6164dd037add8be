//! A statement outside the forward slice of an assignment never sees a changed value.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // What tests share is test code as well.

// The name that the shared file uses here and elsewhere.
extern crate ripple_graphs as graphs;

#[path = "shared/programs.rs"]
mod programs;

use std::path::{Path, PathBuf};
use std::process::Command;

use exec::Input;

/// Programs of the repository with loops, pointers, recursion, jumps, exits and the C library.
const EXAMPLES: [&str; 22] = [
    "adventure",
    "bank",
    "bitfields",
    "btree",
    "bigstruct_calls",
    "computed_goto",
    "csv",
    "exit_codes",
    "function_pointers",
    "gotos",
    "hash_table",
    "huffman",
    "lru_cache",
    "matcher",
    "quick_exit",
    "recursion",
    "rpn",
    "setjmp",
    "statics",
    "struct_abi",
    "switches",
    "varargs",
];

fn check(files: &[PathBuf], trials: usize, seed: u64) -> Option<testkit::perturbation::Report> {
    let module = programs::load_with(files, &["-w", "-I/usr/include/csmith"])?;
    let input = Input { args: vec![b"program".to_vec()], ..Input::default() };
    testkit::perturbation::check(&module, &input, trials, seed)
}

#[test]
fn in_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/run");
    let (mut compared, mut affected) = (0, 0);
    for (seed, name) in EXAMPLES.iter().enumerate() {
        let file = root.join(format!("{name}.c"));
        let Some(report) = check(&[file], 8, seed as u64) else { continue };
        compared += report.compared;
        affected += report.affected;
        assert!(report.violations.is_empty(), "{name}: {:#?}", report.violations);
    }
    println!("{compared} changed runs, {affected} statements affected");
    assert!(compared == 0 || affected > compared, "changed values are seen somewhere");
}

#[test]
fn in_random_programs() {
    let Ok(place) = tempfile::tempdir() else { return };
    let (mut programs, mut outside) = (0, 0);
    for seed in 1..60u64 {
        if programs == 20 {
            break;
        }
        let file = place.path().join(format!("{seed}.c"));
        let mut csmith = Command::new("csmith");
        csmith
            .args([
                "--max-block-depth",
                "3",
                "--seed",
                &seed.to_string(),
                "--max-funcs",
                "3",
                "--output",
            ])
            .arg(&file);
        match csmith.current_dir(place.path()).output() {
            Ok(output) if output.status.success() => {}
            _ => return testkit::skip("there is no csmith"),
        }
        let Some(report) = check(&[file], 4, seed) else { continue };
        programs += 1;
        outside += report.outside;
        assert!(report.violations.is_empty(), "csmith --seed {seed}: {:#?}", report.violations);
    }
    println!("{programs} programs, {outside} statements outside");
}
