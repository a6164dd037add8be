//! Time to the first confirmed difference of every pair whose difference no test shows, with several
//! seeds.

use std::time::Duration;

use anyhow::Context;
use testkit::pairs::{Example, Pair};

use super::{Bench, tell};
use crate::tool::{Asked, Space};

const SOON: Duration = Duration::from_secs(10);
/// With tests: the shares found within the budget and soon, and the median time.
const WITH_TESTS: (f64, f64, Duration) = (1.0, 0.95, Duration::from_secs(1));
/// Without tests, within the budget.
const WITHOUT: f64 = 0.95;

/// The times of one pair or of many; `None` if nothing was found.
#[derive(Default)]
struct Times(Vec<Option<Duration>>);

impl Times {
    fn within(&self, limit: Duration) -> f64 {
        let found = self.0.iter().filter(|time| time.is_some_and(|time| time <= limit)).count();
        found as f64 / self.0.len().max(1) as f64
    }

    /// Of all; a difference that was not found counts as the longest time.
    fn median(&self) -> Option<Duration> {
        let mut times: Vec<Duration> =
            self.0.iter().map(|time| time.unwrap_or(Duration::MAX)).collect();
        times.sort_unstable();
        times.get(times.len() / 2).copied().filter(|time| *time < Duration::MAX)
    }
}

fn shown(time: Option<Duration>) -> String {
    time.map_or("-".to_owned(), |time| format!("{:.2}s", time.as_secs_f64()))
}

pub fn table(bench: &Bench, space: Space) -> anyhow::Result<bool> {
    println!("{:<20} {:<28} {:<14} times", "pair", "kind", "found by");
    let mut rows: Vec<(&str, Times)> = Vec::new();
    for (example, pair) in bench.pairs().filter(|(_, pair)| pair.is_hidden()) {
        let (times, by) = measure(bench, example, pair, space)?;
        let name = format!("{} {}", example.name, pair.name());
        let each: Vec<String> = times.0.iter().map(|time| shown(*time)).collect();
        println!("{name:<20} {:<28} {by:<14} {}", pair.kind, each.join(" "));
        if rows.last().is_none_or(|(last, _)| *last != example.name) {
            rows.push((&example.name, Times::default()));
        }
        rows.last_mut().context("it was added")?.1.0.extend(times.0);
    }
    let budget = bench.budget.as_secs_f64();
    println!(
        "\n{:<12} {:>6} {:>10} {:>10} {:>8}",
        "example", "pairs", "in budget", "in 10 s", "median"
    );
    for (name, times) in &rows {
        println!(
            "{name:<12} {:>6} {:>8.0} % {:>8.0} % {:>8}",
            times.0.len() / bench.seeds as usize,
            times.within(Duration::MAX) * 100.0,
            times.within(SOON) * 100.0,
            shown(times.median())
        );
    }
    let all = Times(rows.into_iter().flat_map(|(_, times)| times.0).collect());
    let found = all.within(Duration::MAX);
    if space == Space::Atoms {
        println!(
            "found in 10 s: {:.1} %, median {}",
            all.within(SOON) * 100.0,
            shown(all.median())
        );
        return Ok(tell(&format!("without tests, found in {budget} s"), found, WITHOUT));
    }
    let (share, soon, bar) = WITH_TESTS;
    let is_found = tell(&format!("with tests, found in {budget} s"), found, share);
    let is_soon = tell("with tests, found in 10 s", all.within(SOON), soon);
    println!("with tests, median {} (bar: {bar:?})", shown(all.median()));
    Ok(is_found && is_soon && all.median().is_some_and(|median| median < bar))
}

/// The time of each seed, and which strategy was first.
fn measure(
    bench: &Bench,
    example: &Example,
    pair: &Pair,
    space: Space,
) -> anyhow::Result<(Times, String)> {
    let asked = |seed: u64, options| Asked {
        example,
        pair,
        space,
        seed,
        budget: Some(bench.budget),
        options,
    };
    // The first run fills the caches.
    bench.tool.compare(&asked(0, &["--max-runs", "1", "--strategy", "random"]))?;
    let (mut times, mut by) = (Times::default(), Vec::new());
    for seed in 1..=bench.seeds {
        let answer = bench.tool.compare(&asked(seed, &["--first"]))?;
        let time = answer.time_to_difference();
        if time.is_some() && !by.contains(&answer.found_by().to_owned()) {
            by.push(answer.found_by().to_owned());
        }
        times.0.push(time);
    }
    Ok((times, by.join(",")))
}
