//! `cargo xtask bench verify`: how long it takes to divide the whole input space of the examples
//! into partitions, and how that grows.
//!
//! `cargo xtask bench verify [--budget SECONDS] [--only NAME] [--no-growth]`. The pairs of `avoid`
//! are explored over twelve arguments of 32 bits each, without any bound on them; all other pairs
//! over the space of their manifest. Growth is measured on programs generated for it.

use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use effects::trial::Scope;
use effects::verify::{Options, Request, Verified, verify};
use effects::{Libc, Loader};
use explore::{Budget, Progress};
use inputs::{Flags, Test};
use source::{Checkout, Compiler, Selection, check_out};
use testkit::bench_compiler;
use testkit::pairs::examples;
use testkit::subjects;

use crate::words::Words;

/// The example that must be decided quickly, and how many arguments it has.
const DECIDED: &str = "avoid";
const ARGUMENTS: usize = 12;
/// The bar for the time of the median pair.
const BAR: Duration = Duration::from_secs(2);

struct Wanted {
    budget: Duration,
    only: Option<String>,
    growth: bool,
}

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    let wanted = wanted(options)?;
    let compiler = bench_compiler(root)?;
    println!(
        "{:<22} {:<10} {:<12} {:>8} {:>6} {:>6} {:>6} {:>7} {:>7} {:>6} {:>7} {:>7}",
        "pair",
        "expected",
        "verdict",
        "time",
        "equal",
        "diff",
        "unkn.",
        "waiting",
        "unres.",
        "paths",
        "ratio",
        "sat"
    );
    let (mut times, mut wrong, mut undecided) = (Vec::new(), 0, 0);
    for example in &examples(root)? {
        for pair in &example.pairs {
            let name = format!("{} {}", example.name, pair.name());
            if wanted.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
                continue;
            }
            let is_full = example.name == DECIDED;
            let files = [&pair.old, &pair.new].map(|path| path.as_path());
            let full = Flags { args: vec![b"int".to_vec(); ARGUMENTS], ..Flags::default() };
            let flags = if is_full { &full } else { &example.flags };
            let pieces = Pieces { files, flags, tests: &example.tests };
            let verified = explored(&compiler, &pieces, wanted.budget, true)?;
            let paths = explored(&compiler, &pieces, wanted.budget, false)?;
            let verdict = verdict(&verified);
            wrong += usize::from(is_wrong(&verified, pair.differs));
            if is_full {
                undecided += usize::from(verdict == "open");
                times.push(verified.effort.time);
            }
            let expected = if pair.differs { "different" } else { "equal" };
            println!("{name:<22} {expected:<10} {}", shown(&verified, &paths));
        }
    }
    times.sort_unstable();
    let mut reached = wrong == 0;
    if let Some(&median) = times.get(times.len() / 2) {
        println!(
            "{DECIDED} with {ARGUMENTS} arguments of 32 bits: median {:.3} s (bar: {:.0} s), \
             {undecided} of {} pairs not decided completely",
            median.as_secs_f64(),
            BAR.as_secs_f64(),
            times.len()
        );
        reached &= median < BAR;
    }
    println!("{wrong} pairs with a wrong verdict (bar: 0)");
    if wanted.growth {
        growth(root, &compiler, &wanted)?;
    }
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn wanted(options: &[String]) -> anyhow::Result<Wanted> {
    let mut wanted = Wanted { budget: Duration::from_secs(10), only: None, growth: true };
    let mut words = Words::new(options);
    while let Some(option) = words.option() {
        match option {
            "--no-growth" => wanted.growth = false,
            "--budget" => wanted.budget = Duration::from_secs_f64(words.number()?),
            "--only" => wanted.only = Some(words.value()?.to_owned()),
            other => bail!("there is no option `{other}`"),
        }
    }
    Ok(wanted)
}

/// The subject of an exploration.
struct Pieces<'a> {
    files: [&'a Path; 2],
    flags: &'a Flags,
    tests: &'a [Test],
}

fn explored(
    compiler: &Compiler,
    pieces: &Pieces<'_>,
    time: Duration,
    slices: bool,
) -> anyhow::Result<Verified> {
    let selection = Selection {
        directory: &compiler.directory,
        paths: &[],
        cflags: &[],
        cache: &compiler.cache,
    };
    let version = |path: &Path| check_out(path.as_os_str(), &selection);
    let versions: Vec<Checkout> =
        pieces.files.into_iter().map(version).collect::<Result<_, _>>()?;
    let request = Request {
        scope: Scope {
            loader: Loader { compiler, cflags: Vec::new(), libc: Libc::Open },
            entry: None,
            flags: pieces.flags,
            tests: pieces.tests,
        },
        versions: &versions,
        options: Options {
            budget: Budget { time: Some(time), ..Budget::default() },
            slices,
            ..Options::default()
        },
    };
    Ok(verify(&request, &Progress::new())?)
}

fn verdict(verified: &Verified) -> &'static str {
    match (verified.is_equal, verified.counts.different) {
        (true, _) => "equal",
        (false, 1..) if verified.is_complete && verified.counts.unknown == 0 => "different",
        (false, 1..) => "different…",
        (false, 0) => "open",
    }
}

fn is_wrong(verified: &Verified, differs: bool) -> bool {
    verified.is_equal && differs || verified.counts.different > 0 && !differs
}

/// A line of the table. The ratio is that of partitions to pairs of whole paths, if both are known
/// completely.
fn shown(verified: &Verified, paths: &Verified) -> String {
    let counts = verified.counts;
    let ratio = if verified.is_complete && paths.is_complete {
        format!("{:.2}", verified.counts.total() as f64 / paths.counts.total() as f64)
    } else {
        "-".to_owned()
    };
    format!(
        "{:<12} {:>7.2}s {:>6} {:>6} {:>6} {:>7} {:>7} {:>6} {:>7} {:>7}",
        verdict(verified),
        verified.effort.time.as_secs_f64(),
        counts.equal,
        counts.different,
        counts.unknown,
        verified.waiting,
        verified.unresolved,
        paths.counts.total(),
        ratio,
        verified.effort.solver_calls,
    )
}

/// How cost grows with the number of branches, of inputs and of rounds of a loop.
fn growth(root: &Path, compiler: &Compiler, wanted: &Wanted) -> anyhow::Result<()> {
    let directory = subjects::target_directory(root).join("bench-verify");
    fs::create_dir_all(&directory)?;
    let families: [Family; 3] = [
        ("branches", branches, [4, 8, 16, 32]),
        ("inputs", inputs, [2, 4, 8, 10]),
        ("rounds", rounds, [4, 8, 16, 32]),
    ];
    for (family, make, sizes) in families {
        for size in sizes {
            let program = make(size);
            let mut files = Vec::new();
            for (version, text) in ["old", "new"].iter().zip(&program.versions) {
                let file = directory.join(format!("{family}-{size}-{version}.c"));
                fs::write(&file, text)?;
                files.push(file);
            }
            let args = program.args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
            let flags = Flags { args, ..Flags::default() };
            let pieces = Pieces { files: [&files[0], &files[1]], flags: &flags, tests: &[] };
            let verified = explored(compiler, &pieces, wanted.budget, true)?;
            let paths = explored(compiler, &pieces, wanted.budget, false)?;
            let name = format!("{family} {size}");
            println!("{name:<22} {:<10} {}", "", shown(&verified, &paths));
        }
    }
    Ok(())
}

/// A name, a generator of programs by size, and sizes.
type Family = (&'static str, fn(usize) -> Program, [usize; 4]);

/// Two versions and their input space.
struct Program {
    versions: [String; 2],
    args: Vec<String>,
}

/// Several decisions on one input; the last one is changed.
fn branches(size: usize) -> Program {
    let body = |bound: usize| {
        let tests: String = (1..=size)
            .map(|number| {
                let limit = if number == size { bound } else { number * 10 };
                format!("  if (x > {limit}) y += {number};\n")
            })
            .collect();
        whole("  int x = atoi(argv[1]), y = 0;\n", &tests)
    };
    Program { versions: [body(size * 10), body(size * 10 + 1)], args: vec!["int".to_owned()] }
}

/// A test of each of several inputs; the last test is changed.
fn inputs(size: usize) -> Program {
    let body = |bound: usize| {
        let tests: String = (1..=size)
            .map(|number| {
                let limit = if number == size { bound } else { 10 };
                format!("  if (atoi(argv[{number}]) > {limit}) y += {number};\n")
            })
            .collect();
        whole("  int y = 0;\n", &tests)
    };
    Program { versions: [body(10), body(11)], args: vec!["int".to_owned(); size] }
}

/// A loop whose number of rounds is an input; the term added in each round is changed.
fn rounds(size: usize) -> Program {
    let body = |step: &str| {
        let rounds = format!("  for (int i = 0; i < x; i++) y += {step};\n");
        whole("  int x = atoi(argv[1]), z = atoi(argv[2]), y = 0;\n", &rounds)
    };
    let args = vec![format!("int:0..{size}"), "int".to_owned()];
    Program { versions: [body("z + z"), body("2 * z")], args }
}

fn whole(start: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n\
         {start}{body}  printf(\"%d\\n\", y);\n  return 0;\n}}\n"
    )
}
