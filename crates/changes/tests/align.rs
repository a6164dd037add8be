//! Pairs of versions as files: each is compiled as OLD and, with `-DNEW`, as NEW.
//!
//! A line of NEW that ends in `//@` must be changed (added, modified or moved), a line of OLD
//! that ends in `//-` must be deleted or lose a part, and nothing else may be reported.

#[path = "shared/programs.rs"]
mod programs;

use std::fs;
use std::path::{Path, PathBuf};

use ir::Module;
use programs::{compiler, line, module};
use ripple_changes::versions::{Alignment, Change, align};

fn marked(text: &str, mark: &str) -> Vec<u32> {
    let lines = text.lines().zip(1..);
    lines.filter(|(line, _)| line.ends_with(mark)).map(|(_, number)| number).collect()
}

fn changed_lines(alignment: &Alignment, old: &Module, new: &Module) -> (Vec<u32>, Vec<u32>) {
    let (mut of_new, mut of_old) = (Vec::new(), Vec::new());
    for change in alignment.functions.iter().flat_map(|pair| &pair.changes) {
        match change {
            Change::Deleted { old: statement, .. } => of_old.push(line(old, *statement)),
            other => of_new.extend(other.in_new().map(|statement| line(new, statement))),
        }
    }
    of_new.sort_unstable();
    of_new.dedup();
    of_old.sort_unstable();
    of_old.dedup();
    (of_new, of_old)
}

#[test]
fn changes_are_what_the_files_say() {
    let Some(compiler) = compiler() else { return };
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/changes");
    let mut files: Vec<PathBuf> = fs::read_dir(&directory)
        .expect("the cases are there")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    assert!(files.len() >= 60, "only {} cases", files.len());
    let mut wrong = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("a text");
        let old = module(&compiler, file, &[]);
        let new = module(&compiler, file, &["-DNEW".to_owned()]);
        let alignment = align(&old, &new, |_, _, _| true);
        let (of_new, of_old) = changed_lines(&alignment, &old, &new);
        let (expected_new, expected_old) = (marked(&text, "//@"), marked(&text, "//-"));
        // What was modified is reported in NEW; deletions may come with it.
        let is_right = of_new == expected_new
            && (of_old == expected_old || (expected_old.is_empty() && !expected_new.is_empty()));
        if !is_right {
            wrong.push(format!(
                "{}: new {of_new:?}, expected {expected_new:?}; old {of_old:?}, expected \
                 {expected_old:?}",
                file.file_name().unwrap_or_default().display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), files.len(), wrong.join("\n"));
}
