//! Coverage in the format of LCOV's tracefiles, which `genhtml` and most editors read.
//!
//! Counts of lines and functions are those of the kept tests. Branches come from all runs and are
//! not counted: 1 for an outcome that occurred, 0 for one that did not.

use std::fmt::Write;

use effects::explore::{Coverage, FileCoverage};

pub fn lcov(coverage: &Coverage) -> String {
    let mut text = String::new();
    for file in &coverage.files {
        write_file(&mut text, file);
    }
    text
}

fn write_file(text: &mut String, file: &FileCoverage) {
    let _ = writeln!(text, "TN:\nSF:{}", file.path.display());
    for function in &file.functions {
        let _ = writeln!(text, "FN:{},{}", function.line, function.name);
    }
    for function in &file.functions {
        let _ = writeln!(text, "FNDA:{},{}", function.calls, function.name);
    }
    let share = file.function_share();
    let _ = writeln!(text, "FNF:{}\nFNH:{}", share.total, share.covered);
    for (number, branch) in file.branches.iter().enumerate() {
        let was_reached = branch.outcomes.contains(&true);
        for (way, &taken) in branch.outcomes.iter().enumerate() {
            let count = if taken {
                "1"
            } else if was_reached {
                "0"
            } else {
                "-"
            };
            let _ = writeln!(text, "BRDA:{},{number},{way},{count}", branch.line);
        }
    }
    let share = file.branch_share();
    let _ = writeln!(text, "BRF:{}\nBRH:{}", share.total, share.covered);
    for (line, count) in &file.lines {
        let _ = writeln!(text, "DA:{line},{count}");
    }
    let share = file.line_share();
    let _ = writeln!(text, "LF:{}\nLH:{}\nend_of_record", share.total, share.covered);
}
