//! `cargo xtask bench compare`: which strategy finds which difference of the examples, and at
//! what cost.
//!
//! `cargo xtask bench compare [--budget SECONDS] [--strategies A,B] [--only NAME]`. Every pair is
//! compared by every strategy until the first confirmed difference; equal pairs show whether any
//! strategy is wrong.

use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use effects::compare::{Compared, Options, Request, Strategy, Verdict, compare};
use effects::trial::Scope;
use effects::{Libc, Loader};
use explore::{Budget, Progress};
use source::{Compiler, Selection, check_out_both};
use testkit::bench_compiler;
use testkit::pairs::{Example, Pair, examples};

use crate::words::Words;

/// The share of the differing pairs that the portfolio must find.
const BAR: f64 = 0.95;

const ALL: [Strategy; 8] = [
    Strategy::Portfolio,
    Strategy::Random,
    Strategy::Fuzz,
    Strategy::Dart,
    Strategy::Express,
    Strategy::Reach,
    Strategy::Propagate,
    Strategy::Partitions,
];

struct Wanted {
    budget: Duration,
    strategies: Vec<Strategy>,
    only: Option<String>,
    seeded: bool,
}

/// The result of one strategy on one pair.
struct Cell {
    verdict: Verdict,
    time: Duration,
    runs: u64,
    solver_calls: u64,
}

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    let wanted = wanted(options)?;
    let compiler = bench_compiler(root)?;
    let examples = examples(root)?;
    print!("{:<22} {:<10}", "pair", "expected");
    wanted.strategies.iter().for_each(|strategy| print!(" {:>30}", strategy.name()));
    println!();
    let mut columns: Vec<Vec<(bool, Cell)>> =
        wanted.strategies.iter().map(|_| Vec::new()).collect();
    let (mut wrong, mut names) = (0, Vec::new());
    for example in &examples {
        for pair in &example.pairs {
            let name = format!("{} {}", example.name, pair.name());
            if wanted.only.as_ref().is_some_and(|only| !name.contains(only.as_str())) {
                continue;
            }
            print!("{name:<22} {:<10}", if pair.differs { "different" } else { "equal" });
            for (strategy, column) in wanted.strategies.iter().zip(&mut columns) {
                let cell = measure(&compiler, example, pair, *strategy, &wanted)?;
                print!(" {:>30}", shown(&cell));
                wrong += usize::from(!pair.differs && cell.verdict == Verdict::Different);
                column.push((pair.differs, cell));
            }
            println!();
            names.push(name);
        }
    }
    let mut reached = wrong == 0;
    for (strategy, column) in wanted.strategies.iter().zip(&columns) {
        let share = summarise(*strategy, column);
        reached &= *strategy != Strategy::Portfolio || share >= BAR;
    }
    tell_what_partitions_miss(&wanted.strategies, &names, &columns);
    println!("{wrong} equal pairs said to differ (bar: 0)");
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn wanted(options: &[String]) -> anyhow::Result<Wanted> {
    let mut wanted = Wanted {
        budget: Duration::from_secs(60),
        strategies: ALL.to_vec(),
        only: None,
        seeded: true,
    };
    let mut words = Words::new(options);
    while let Some(option) = words.option() {
        match option {
            "--no-tests" => wanted.seeded = false,
            "--budget" => wanted.budget = Duration::from_secs_f64(words.number()?),
            "--only" => wanted.only = Some(words.value()?.to_owned()),
            "--strategies" => {
                let named = |name: &str| {
                    let found = ALL.into_iter().find(|strategy| strategy.name() == name);
                    found.with_context(|| format!("there is no strategy `{name}`"))
                };
                wanted.strategies =
                    words.value()?.split(',').map(named).collect::<Result<_, _>>()?;
            }
            other => bail!("there is no option `{other}`"),
        }
    }
    Ok(wanted)
}

fn measure(
    compiler: &Compiler,
    example: &Example,
    pair: &Pair,
    strategy: Strategy,
    wanted: &Wanted,
) -> anyhow::Result<Cell> {
    let selection = Selection::of(compiler, &[], &[]);
    let (old, new) = check_out_both(pair.old.as_os_str(), pair.new.as_os_str(), &selection)?;
    let request = Request {
        scope: Scope {
            loader: Loader { compiler, cflags: Vec::new(), libc: Libc::Quick },
            entry: None,
            flags: &example.flags,
            tests: &example.tests,
        },
        old: &old,
        new: &new,
        golden: None,
        options: Options {
            strategy,
            budget: Budget { time: Some(wanted.budget), ..Budget::default() },
            first_only: true,
            use_tests: wanted.seeded,
            ..Options::default()
        },
    };
    let start = Instant::now();
    let compared = compare(&request, &Progress::new(), &|_| ())?;
    Ok(cell(&compared, start.elapsed()))
}

fn cell(compared: &Compared, time: Duration) -> Cell {
    let effort = match compared.witnesses.first() {
        Some(witness) => witness.found_after,
        None => compared.effort.total,
    };
    Cell { verdict: compared.verdict, time, runs: effort.runs, solver_calls: effort.solver_calls }
}

fn shown(cell: &Cell) -> String {
    let sign = match cell.verdict {
        Verdict::Different => "differs",
        Verdict::Equal => "equal",
        Verdict::Accepted | Verdict::Inconclusive => "-",
    };
    format!("{sign} {:.2}s {} runs {} calls", cell.time.as_secs_f64(), cell.runs, cell.solver_calls)
}

/// Prints which pairs `dart` or `express` find and `partitions` does not, and how many only the
/// latter finds, if all of them were requested.
fn tell_what_partitions_miss(
    strategies: &[Strategy],
    names: &[String],
    columns: &[Vec<(bool, Cell)>],
) {
    let column = |wanted: Strategy| {
        let at = strategies.iter().position(|&strategy| strategy == wanted)?;
        let is_found = |(_, cell): &(bool, Cell)| cell.verdict == Verdict::Different;
        Some(columns[at].iter().map(is_found).collect::<Vec<bool>>())
    };
    let (Some(dart), Some(express), Some(partitions)) =
        (column(Strategy::Dart), column(Strategy::Express), column(Strategy::Partitions))
    else {
        return;
    };
    let is_path_found = |at: usize| dart[at] || express[at];
    let pairs = 0..names.len();
    let missed = pairs.clone().filter(|&at| is_path_found(at) && !partitions[at]);
    let missed: Vec<&str> = missed.map(|at| names[at].as_str()).collect();
    let more = pairs.filter(|&at| partitions[at] && !is_path_found(at)).count();
    println!("partitions alone finds {more} that dart and express do not; missed: {missed:?}");
}

/// Prints the results of a strategy; returns the share of differing pairs that it found.
fn summarise(strategy: Strategy, column: &[(bool, Cell)]) -> f64 {
    let differing: Vec<&Cell> =
        column.iter().filter(|(differs, _)| *differs).map(|(_, cell)| cell).collect();
    let found: Vec<&&Cell> =
        differing.iter().filter(|cell| cell.verdict == Verdict::Different).collect();
    let mut times: Vec<Duration> = found.iter().map(|cell| cell.time).collect();
    let mut runs: Vec<u64> = found.iter().map(|cell| cell.runs).collect();
    times.sort_unstable();
    runs.sort_unstable();
    let share = found.len() as f64 / differing.len().max(1) as f64;
    println!(
        "{:<10} found {} of {} ({:.0} %), median {:.3} s and {} runs",
        strategy.name(),
        found.len(),
        differing.len(),
        share * 100.0,
        times.get(times.len() / 2).copied().unwrap_or_default().as_secs_f64(),
        runs.get(runs.len() / 2).copied().unwrap_or_default(),
    );
    share
}
