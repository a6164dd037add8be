//! Whether comparisons end in time while every core is busy: within a second after the budget, and
//! at most two more for replays and explanations.
//!
//! The budget begins when both versions are compiled. Threads that only count keep the cores busy.

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use testkit::pairs::{Example, Pair};

use super::Bench;
use crate::tool::{Asked, Space};

const LATE: Duration = Duration::from_secs(1);
const REPLAY: Duration = Duration::from_secs(2);

pub fn table(bench: &Bench) -> anyhow::Result<bool> {
    let is_over = AtomicBool::new(false);
    let cores = thread::available_parallelism().map_or(2, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                let mut count = 0u64;
                while !is_over.load(Ordering::Relaxed) {
                    count = black_box(count.wrapping_add(1));
                }
            });
        }
        let measured = measure(bench);
        is_over.store(true, Ordering::Relaxed);
        measured
    })
}

fn measure(bench: &Bench) -> anyhow::Result<bool> {
    let pairs: Vec<(&Example, &Pair)> = bench.pairs().collect();
    let mut overruns: Vec<(Duration, String)> = Vec::new();
    let mut late = 0;
    for number in 0..bench.count {
        // A stride that is coprime to most counts visits all examples soon.
        let (example, pair) = pairs[number * 37 % pairs.len()];
        let seconds = 1 + number as u64 % 5;
        let budget = Duration::from_secs(seconds);
        let space = if number % 2 == 0 { Space::Tests } else { Space::Atoms };
        let seed = number as u64;
        let asked = Asked { example, pair, space, seed, budget: Some(budget), options: &[] };
        let answer = bench.tool.compare(&asked)?;
        let after = answer.phase("confirming") + answer.phase("explaining");
        let after = (after + answer.phase("illustrating")).min(REPLAY);
        let over = answer.time.saturating_sub(answer.phase("building") + budget);
        let name = format!("{} {}", example.name, pair.name());
        if answer.status.is_none() || over > LATE + after {
            late += 1;
            println!(
                "{name:<20} budget {seconds} s, seed {seed}: {:.2} s over, of these {:.2} s replays",
                over.as_secs_f64(),
                after.as_secs_f64()
            );
        }
        overruns.push((over, name));
    }
    overruns.sort();
    if let (Some((longest, name)), Some((median, _))) =
        (overruns.last(), overruns.get(overruns.len() / 2))
    {
        println!(
            "time over the budget: median {:.2} s, longest {:.2} s ({name})",
            median.as_secs_f64(),
            longest.as_secs_f64()
        );
    }
    println!("{late} of {} comparisons end late (bar: 0)", bench.count);
    Ok(late == 0)
}
