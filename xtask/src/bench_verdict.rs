//! `cargo xtask bench verdict`: how long `ripple compare` takes from start to end, with reports
//! written, for the pairs of `avoid` that differ: about 240 lines, twelve integers.
//!
//! Runs the tool with warm caches and several seeds (what a search finds first depends on chance),
//! twice each: with `--first`, to its verdict, and with default options, which continue for other
//! differences and for each hunk.

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail};
use testkit::pairs::{Example, Pair, examples};

use crate::tool::{Asked, Space, Tool};

const EXAMPLE: &str = "avoid";
const SEEDS: u64 = 5;
/// The bar for the median over all pairs and seeds.
const BAR: Duration = Duration::from_millis(100);

pub fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let tool = Tool::built(root, "bench-verdict")?;
    let examples = examples(root)?;
    let example = examples.iter().find(|example| example.name == EXAMPLE);
    let example = example.with_context(|| format!("there is no example `{EXAMPLE}`"))?;
    let verdict = measure_all(&tool, example, &["--first"])?;
    let end = measure_all(&tool, example, &[])?;
    println!("start to verdict: median {verdict:.0?} (bar: {BAR:.0?})");
    println!("start to end, with all differences: median {end:.0?}");
    Ok(if verdict < BAR { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints a row for each pair that differs. Returns the median over all of them.
fn measure_all(tool: &Tool, example: &Example, options: &[&str]) -> anyhow::Result<Duration> {
    let title = format!("pair {}", options.join(" "));
    println!("{title:<14} {:>10} {:>10} {:>10}", "shortest", "median", "longest");
    let mut all = Vec::new();
    for pair in example.pairs.iter().filter(|pair| pair.differs) {
        // The first run fills the caches.
        measure(tool, example, pair, 0, options)?;
        let times = (1..=SEEDS).map(|seed| measure(tool, example, pair, seed, options));
        let mut times = times.collect::<anyhow::Result<Vec<Duration>>>()?;
        times.sort_unstable();
        let [shortest, middle, longest] =
            [0, times.len() / 2, times.len() - 1].map(|at| times[at].as_secs_f64() * 1e3);
        println!("{:<14} {shortest:>8.0}ms {middle:>8.0}ms {longest:>8.0}ms", pair.name());
        all.extend(times);
    }
    all.sort_unstable();
    all.get(all.len() / 2).copied().context("no pair differs")
}

fn measure(
    tool: &Tool,
    example: &Example,
    pair: &Pair,
    seed: u64,
    options: &[&str],
) -> anyhow::Result<Duration> {
    let asked = Asked { example, pair, space: Space::Tests, seed, budget: None, options };
    let answer = tool.compare(&asked)?;
    if !answer.is_different() {
        bail!("{}: no difference is found", pair.name());
    }
    Ok(answer.time)
}
