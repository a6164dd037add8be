//! `cargo xtask bench explore`: how fast Ripple finds all paths of a program, on one core.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use effects::{Libc, Loader};
use exec::{Instrumentation, Program};
use explore::{Exploration, Options, Progress, explore};
use inputs::{Flags, Layout};
use testkit::bench_compiler;

/// The shortest time of this many explorations counts.
const ROUNDS: usize = 5;

/// The bar.
enum Bar {
    PathsPerSecond(f64),
    Time(Duration),
}

/// A program under `bench/explore`, its arguments, and how many paths it has.
struct Subject {
    name: &'static str,
    atom: &'static str,
    arguments: usize,
    paths: usize,
    bar: Bar,
}

const SUBJECTS: &[Subject] = &[
    Subject {
        name: "tokenizer",
        atom: "str:4",
        arguments: 1,
        paths: 45_479,
        bar: Bar::PathsPerSecond(25_000.0),
    },
    Subject {
        name: "sort",
        atom: "int",
        arguments: 6,
        paths: 720,
        bar: Bar::PathsPerSecond(600.0),
    },
    Subject {
        name: "decide",
        atom: "int",
        arguments: 12,
        paths: 352,
        bar: Bar::Time(Duration::from_secs(1)),
    },
];

impl Subject {
    fn is_reached(&self, time: Duration) -> bool {
        match self.bar {
            Bar::PathsPerSecond(least) => self.paths as f64 / time.as_secs_f64() >= least,
            Bar::Time(most) => time <= most,
        }
    }

    fn bar(&self) -> String {
        match self.bar {
            Bar::PathsPerSecond(least) => format!("{least} paths/s"),
            Bar::Time(most) => format!("{most:?} in all"),
        }
    }
}

pub fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let compiler = bench_compiler(root)?;
    let loader = Loader { compiler: &compiler, cflags: Vec::new(), libc: Libc::Open };
    println!(
        "{:<10} {:>8} {:>10} {:>9} {:>8} {:>12}  bar",
        "program", "paths", "time", "paths/s", "flips", "without SAT"
    );
    let mut reached = true;
    for subject in SUBJECTS {
        let file = root.join("bench/explore").join(format!("{}.c", subject.name));
        let program = loader.program(&[file], Instrumentation::default())?;
        let args = vec![subject.atom.as_bytes().to_vec(); subject.arguments];
        let layout = Flags { args, ..Flags::default() }.texts()?.layout();
        let explored = fastest(&program, &layout)?;
        if !explored.is_complete() || explored.paths.len() != subject.paths {
            let (found, gaps) = (explored.paths.len(), &explored.gaps);
            bail!("{}: {found} paths instead of {}, gaps {gaps:?}", subject.name, subject.paths);
        }
        print(subject, &explored);
        reached &= subject.is_reached(explored.effort.time);
    }
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn fastest(program: &Program, layout: &Layout) -> anyhow::Result<Exploration> {
    let options = Options::default();
    let explore = |_| explore(program, layout, &[], &options, &Progress::new());
    let explorations = (0..ROUNDS).map(explore).collect::<Result<Vec<_>, _>>()?;
    let fastest = explorations.into_iter().min_by_key(|explored| explored.effort.time);
    fastest.context("nothing was explored")
}

fn print(subject: &Subject, explored: &Exploration) {
    let (time, questions) = (explored.effort.time, explored.effort.questions);
    let without = questions.asks.saturating_sub(questions.by_sat);
    println!(
        "{:<10} {:>8} {:>8.1}ms {:>9.0} {:>8} {:>11.2}%  {}{}",
        subject.name,
        explored.paths.len(),
        time.as_secs_f64() * 1e3,
        explored.paths.len() as f64 / time.as_secs_f64(),
        questions.asks,
        100.0 * without as f64 / questions.asks.max(1) as f64,
        subject.bar(),
        if subject.is_reached(time) { "" } else { ": MISSED" },
    );
}
