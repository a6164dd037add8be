//! `cargo xtask bench adequacy`: how long it takes to judge tests, against the length of chains, the
//! number of tests, and the size of the change.
//!
//! The program has about 300 lines: functions with decisions and loops that pass numbers on. Every
//! test is another pair of numbers. A row has the time from the start to the result, of which
//! compiling and the native builds are a part that does not depend on any of these.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use effects::adequacy::{Limit, Options, Request, adequacy};
use effects::trial::Scope;
use effects::{Libc, Loader};
use explore::Progress;
use inputs::{Flags, Input, Test};
use source::{Compiler, Selection, check_out_both};
use testkit::bench_compiler;
use testkit::subjects::target_directory;

/// The bar for many tests and the usual distance.
const BAR: Duration = Duration::from_secs(5);
const FUNCTIONS: usize = 24;
const USUAL: Case = Case { distance: 10, tests: 1_000, changes: 1 };

/// What is measured.
#[derive(Clone, Copy)]
struct Case {
    distance: u32,
    tests: u32,
    /// Changed statements.
    changes: usize,
}

pub fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let compiler = bench_compiler(root)?;
    let place = target_directory(root).join("bench-adequacy");
    fs::create_dir_all(&place)?;
    println!(
        "{:>8} {:>6} {:>7} {:>8} {:>9}  known up to",
        "distance", "tests", "changes", "time", "chains"
    );
    // The first one fills the cache.
    measure(&compiler, &place, Case { tests: 1, ..USUAL })?;
    let time = show(&compiler, &place, USUAL)?;
    for distance in [0, 1, 3, 5, 20, 100, 1_000] {
        show(&compiler, &place, Case { distance, ..USUAL })?;
    }
    for tests in [1, 10, 100, 10_000] {
        show(&compiler, &place, Case { tests, ..USUAL })?;
    }
    for changes in [4, 12, 24] {
        show(&compiler, &place, Case { changes, ..USUAL })?;
    }
    println!("{} tests, distance {}: {time:.1?} (bar: {BAR:.0?})", USUAL.tests, USUAL.distance);
    Ok(if time < BAR { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn show(compiler: &Compiler, place: &Path, case: Case) -> anyhow::Result<Duration> {
    let (time, chains, complete) = measure(compiler, place, case)?;
    let Case { distance, tests, changes } = case;
    let seconds = time.as_secs_f64();
    println!("{distance:>8} {tests:>6} {changes:>7} {seconds:>7.2}s {chains:>9}  {complete}");
    Ok(time)
}

/// The time, the number of chains, and the length up to which they are known.
fn measure(
    compiler: &Compiler,
    place: &Path,
    case: Case,
) -> anyhow::Result<(Duration, usize, u32)> {
    let files = [(0, "old.c"), (case.changes, "new.c")]
        .map(|(changes, name)| (program(changes), place.join(name)));
    for (text, file) in &files {
        fs::write(file, text)?;
    }
    let tests: Vec<Test> = (0..case.tests)
        .map(|number| Test {
            input: Input {
                args: [number % 97, number / 97].map(|one| one.to_string().into_bytes()).to_vec(),
                ..Input::default()
            },
            ..Test::default()
        })
        .collect();
    let start = Instant::now();
    let selection = Selection::of(compiler, &[], &[]);
    let (old, new) = check_out_both(files[0].1.as_os_str(), files[1].1.as_os_str(), &selection)?;
    let loader = Loader { compiler, cflags: Vec::new(), libc: Libc::Quick };
    let scope = Scope { loader, entry: None, flags: &Flags::default(), tests: &tests };
    let mut options = Options::default();
    options.chains.distance = case.distance;
    let request = Request { scope, old: &old, new: &new, options };
    let found = adequacy(&request, &Progress::new(), &|_| ())?;
    let time = start.elapsed();
    if found.tests.iter().any(|test| !test.reaches) {
        bail!("tests do not reach the change");
    }
    let complete = found.limits.iter().find_map(|limit| match limit {
        Limit::Chains { complete } => Some(*complete),
        _ => None,
    });
    let chains = found.lines.iter().map(|line| line.tree.len()).sum();
    Ok((time, chains, complete.unwrap_or(case.distance)))
}

/// A program, the first functions of which are changed.
fn program(changes: usize) -> String {
    let mut text = "#include <stdio.h>\n#include <stdlib.h>\nstatic int table[8];\n".to_owned();
    for number in 0..FUNCTIONS {
        let factor = if number < changes { 3 } else { 2 };
        let _ = write!(
            text,
            "static int step{number}(int n, int m) {{\n    int sum = m * {factor};\n    \
             for (int i = 0; i < (n & 3); i++) {{\n        if (sum & 1)\n            sum += i;\n        \
             else\n            sum -= n;\n    }}\n    table[n & 7] += sum;\n    return sum;\n}}\n"
        );
    }
    text += "int main(int argc, char **argv) {\n    int n = atoi(argv[1]), m = atoi(argv[2]);\n";
    for number in 0..FUNCTIONS {
        let _ = writeln!(text, "    m = step{number}(n + {number}, m & 1023);");
    }
    text += "    printf(\"%d %d\\n\", m, table[m & 7]);\n    return 0;\n}\n";
    text
}
