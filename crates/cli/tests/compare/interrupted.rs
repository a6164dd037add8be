//! Shared by tests of interrupted searches: versions with many partitions, and moments.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use crate::desk::Desk;

/// A program that computes `o` from its numeric arguments, and prints it.
pub fn program(variables: &str, code: &str) -> String {
    let reads: String = variables
        .split_whitespace()
        .enumerate()
        .map(|(index, name)| format!("  int {name} = atoi(argv[{}]);\n", index + 1))
        .collect();
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n  int o = 0;\n\
         {reads}{code}\n  printf(\"%d\\n\", o);\n  return 0;\n}}\n"
    )
}

/// Versions that add their own last number after decisions on all numbers: at least a partition for
/// each combination of decisions.
pub fn deciding(decisions: usize, last: [&str; 2]) -> Desk {
    let version = |last: &str| {
        let names: Vec<String> = (0..decisions).map(|number| format!("i{number}")).collect();
        let decisions: String = names
            .iter()
            .enumerate()
            .map(|(number, name)| format!("  if ({name} > {number}) o += {name} * {number};\n"))
            .collect();
        program(&names.join(" "), &format!("{decisions}  o += {last};"))
    };
    Desk::pair(&version(last[0]), &version(last[1]))
}

/// The complete lines of a file; empty before it exists.
pub fn whole_lines(path: &Path) -> String {
    let text = String::from_utf8(fs::read(path).unwrap_or_default()).unwrap();
    let end = text.rfind('\n').map_or(0, |end| end + 1);
    text[..end].to_owned()
}

/// Waits until a state has this many lines; returns whether the process is still running.
pub fn wait_for(child: &mut Child, state: &dyn Fn() -> String, lines: usize) -> bool {
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(60) {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if state().lines().count() >= lines {
            return true;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("the state does not grow");
}
