//! `cargo xtask bench search`: how well the search of `ripple compare` performs on the examples.
//!
//! `cargo xtask bench search [TABLE…] [--only NAME] [--seeds N] [--budget SECONDS] [--count N]
//! [--quick]`. The tables are `tests` and `atoms` (time to the first confirmed difference), `runs`
//! (how much of the time goes into plain runs), `endless` (programs that never end on half of all
//! inputs), `edits` (ten edits in one program, each blamed on its own hunk) and `overruns` (whether
//! comparisons end in time on a busy machine); all of them if none is named. Each prints its bars
//! and results, and fails below the bars. Omits pairs of fixes and features, because tests show
//! them.

mod edits;
mod endless;
mod found;
mod overruns;
mod runs;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use testkit::pairs::{Example, Pair, examples};

use crate::tool::{Space, Tool};

type Table = (&'static str, fn(&Bench) -> anyhow::Result<bool>);

const TABLES: [Table; 6] = [
    ("tests", |bench| found::table(bench, Space::Tests)),
    ("atoms", |bench| found::table(bench, Space::Atoms)),
    ("runs", runs::table),
    ("endless", endless::table),
    ("edits", edits::table),
    ("overruns", overruns::table),
];

/// What all tables need.
struct Bench {
    tool: Tool,
    examples: Vec<Example>,
    only: Option<String>,
    seeds: u64,
    budget: Duration,
    /// How many comparisons must end in time.
    count: usize,
}

impl Bench {
    /// The requested pairs, with their examples.
    fn pairs(&self) -> impl Iterator<Item = (&Example, &Pair)> {
        let all = self.examples.iter().flat_map(|e| e.pairs.iter().map(move |pair| (e, pair)));
        all.filter(|(example, pair)| {
            let name = format!("{} {}", example.name, pair.name());
            self.only.as_ref().is_none_or(|only| name.contains(only.as_str()))
        })
    }

    fn example(&self, name: &str) -> anyhow::Result<&Example> {
        let found = self.examples.iter().find(|example| example.name == name);
        found.with_context(|| format!("there is no example `{name}`"))
    }
}

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    let mut bench = Bench {
        tool: Tool::built(root, "bench-search")?,
        examples: examples(root)?,
        only: None,
        seeds: 3,
        budget: Duration::from_secs(60),
        count: 200,
    };
    let wanted = wanted(&mut bench, options)?;
    let mut reached = true;
    for (name, table) in TABLES {
        if wanted.is_empty() || wanted.contains(&name) {
            println!("== {name}");
            reached &= table(&bench)?;
            println!();
        }
    }
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The named tables; options go into the bench.
fn wanted(bench: &mut Bench, options: &[String]) -> anyhow::Result<Vec<&'static str>> {
    let mut tables = Vec::new();
    let mut options = options.iter();
    while let Some(option) = options.next() {
        if let Some((name, _)) = TABLES.iter().find(|(name, _)| name == option) {
            tables.push(*name);
            continue;
        }
        if option == "--quick" {
            (bench.seeds, bench.budget, bench.count) = (1, Duration::from_secs(10), 20);
            continue;
        }
        let value = options.next().with_context(|| format!("`{option}` needs a value"))?;
        match option.as_str() {
            "--only" => bench.only = Some(value.clone()),
            "--seeds" => bench.seeds = value.parse()?,
            "--budget" => bench.budget = Duration::from_secs_f64(value.parse()?),
            "--count" => bench.count = value.parse()?,
            other => bail!("there is neither a table nor an option `{other}`"),
        }
    }
    if bench.seeds == 0 || bench.budget.is_zero() {
        bail!("there must be a seed and a budget");
    }
    Ok(tables)
}

/// A share, its bar and whether it is reached, as a line of a summary.
fn tell(what: &str, share: f64, bar: f64) -> bool {
    let is_reached = share >= bar;
    let note = if is_reached { "" } else { ", NOT REACHED" };
    println!("{what}: {:.1} % (bar: {:.0} %{note})", share * 100.0, bar * 100.0);
    is_reached
}
