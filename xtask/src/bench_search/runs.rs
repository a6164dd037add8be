//! How many plain runs the default search makes, compared with `fuzz` alone in the same time.
//!
//! Measures one pair of each example: the first one on which both search through most of the
//! budget, equal ones before others, because differences take time of their own.

use std::time::Duration;

use testkit::pairs::{Example, Pair};

use super::{Bench, tell};
use crate::tool::{Answer, Asked, Space};

const BAR: f64 = 0.85;
/// The part of the budget that a search must use to be measured.
const MOST: f64 = 0.8;
/// The most pairs of an example to try.
const TRIED: usize = 3;

pub fn table(bench: &Bench) -> anyhow::Result<bool> {
    println!("{:<20} {:>12} {:>12} {:>8}", "pair", "default /s", "fuzz /s", "share");
    let (mut least, mut reached) = (f64::MAX, true);
    for example in &bench.examples {
        let asked: Vec<&Pair> = {
            let mine = bench.pairs().filter(|(other, _)| other.name == example.name);
            let mut pairs: Vec<&Pair> = mine.map(|(_, pair)| pair).collect();
            pairs.sort_by_key(|pair| pair.differs);
            pairs
        };
        if asked.is_empty() {
            continue;
        }
        let Some((pair, rates)) = measured(bench, example, &asked)? else {
            println!("{:<20} every search ends early", example.name);
            continue;
        };
        let share = rates[0] / rates[1];
        let name = format!("{} {}", example.name, pair.name());
        println!("{name:<20} {:>12.0} {:>12.0} {:>6.0} %", rates[0], rates[1], share * 100.0);
        least = least.min(share);
        reached &= share >= BAR;
    }
    if least == f64::MAX {
        println!("nothing was measured");
        return Ok(false);
    }
    tell("least share of plain runs", least, BAR);
    Ok(reached)
}

/// Runs per second of the default search and of `fuzz`.
fn measured<'a>(
    bench: &Bench,
    example: &Example,
    pairs: &[&'a Pair],
) -> anyhow::Result<Option<(&'a Pair, [f64; 2])>> {
    for pair in pairs.iter().take(TRIED) {
        let mut rates = [0.0; 2];
        let mut is_long = true;
        for (rate, strategy) in rates.iter_mut().zip(["portfolio", "fuzz"]) {
            let options = ["--thorough", "--strategy", strategy];
            let asked = Asked {
                example,
                pair,
                space: Space::Tests,
                seed: 1,
                budget: Some(bench.budget),
                options: &options,
            };
            let answer = bench.tool.compare(&asked)?;
            is_long &= answer.phase("searching") >= bench.budget.mul_f64(MOST);
            *rate = rate_of(&answer);
            if !is_long {
                break;
            }
        }
        if is_long {
            return Ok(Some((pair, rates)));
        }
    }
    Ok(None)
}

/// Runs per second of search.
pub fn rate_of(answer: &Answer) -> f64 {
    let time = answer.phase("searching").max(Duration::from_millis(1));
    answer.runs() as f64 / time.as_secs_f64()
}
