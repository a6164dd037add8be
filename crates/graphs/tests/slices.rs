//! Slices of small programs, as files: `NAME.c` says in comments what must be in them.
//!
//! A comment `// forward from here` or `// backward from here` marks the start, `// in` a line
//! that the slice must have, `// out` one that it must not have. Other lines do not matter.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // What tests share is test code as well.

#[path = "shared/programs.rs"]
mod programs;

use std::collections::BTreeSet;
use std::path::Path;

use programs::Example;
use ripple_graphs::criteria::file_of;
use ripple_graphs::{Criterion, Direction, ProgramGraphs, Slice};

fn check(name: &str) {
    let file = format!("slices/{name}.c");
    let Some(example) = Example::load(&file) else { return };
    let text = example.text(&file);
    let graphs = ProgramGraphs::new(&example.module);
    let files = [file.clone()];
    let mut direction = None;
    for (line, words) in text.lines().enumerate() {
        let start = match words {
            words if words.contains("// forward from here") => Direction::Forward,
            words if words.contains("// backward from here") => Direction::Backward,
            _ => continue,
        };
        direction = Some((Criterion::line(line as u32 + 1), start));
    }
    let (criterion, direction) = direction.expect("a comment says where to start");
    let start = criterion.vertices(&graphs, &files, direction).unwrap();
    let slice = Slice::new(&graphs.sdg, &start, direction);
    let own = |name: &str| name.ends_with(&file);
    let lines: BTreeSet<u32> = slice
        .statements(&graphs.sdg)
        .into_iter()
        .filter(|&s| file_of(graphs.module, s).is_some_and(|f| own(&graphs.module.files[f].name)))
        .map(|s| graphs.module.statements[s].span.line)
        .collect();
    let marked = |mark: &str| -> BTreeSet<u32> {
        let lines = text.lines().enumerate().filter(|(_, words)| words.trim_end().ends_with(mark));
        lines.map(|(line, _)| line as u32 + 1).collect()
    };
    let missing: Vec<u32> = marked("// in").difference(&lines).copied().collect();
    let extra: Vec<u32> = marked("// out").intersection(&lines).copied().collect();
    assert!(missing.is_empty() && extra.is_empty(), "{name}: no {missing:?}, but {extra:?}");
    assert!(!marked("// in").is_empty(), "{name} expects nothing");
}

/// A test for each file, and a check that none was forgotten.
macro_rules! cases {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*

        #[test]
        fn every_file_is_a_case() {
            let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/slices");
            for entry in std::fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_stem().unwrap().to_string_lossy().into_owned();
                assert!([$(stringify!($name)),*].contains(&name.as_str()), "{name}");
            }
        }
    };
}

cases! {
    a_break_depends_on_its_condition
    a_call_through_a_pointer_reaches_the_functions_it_may_mean
    a_function_that_may_exit_decides_what_follows
    a_handler_of_the_end_sees_what_was_written_last
    a_jump_to_a_setjmp_carries_its_value
    a_redefined_global_stops_the_propagation
    a_struct_passed_by_value_is_copied
    an_element_of_an_array_stands_for_all
    calls_of_one_function_are_told_apart
    fields_of_a_struct_are_told_apart
    memory_is_copied_by_the_library
    recursion_passes_values_down_and_up
    two_blocks_of_memory_are_told_apart
    unnamed_arguments_arrive
}
