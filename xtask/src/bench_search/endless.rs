//! Runs per second on a program that never ends on half of all inputs, compared with the same
//! program without the endless loop.

use testkit::pairs::Example;

use super::runs::rate_of;
use super::{Bench, tell};
use crate::tool::{Asked, Space};

const EXAMPLE: &str = "spin";
/// The pair with the loop, and the one without.
const PAIRS: [&str; 2] = ["v1-v2", "v3-v4"];
const BAR: f64 = 0.3;

pub fn table(bench: &Bench) -> anyhow::Result<bool> {
    let example = bench.example(EXAMPLE)?;
    let mut shares = Vec::new();
    println!(
        "{:<12} {:>6} {:>12} {:>12} {:>8}",
        "strategy", "seed", "endless /s", "ending /s", "share"
    );
    for strategy in ["portfolio", "fuzz"] {
        for seed in 1..=bench.seeds {
            let [endless, ending] = rates(bench, example, strategy, seed)?;
            let share = endless / ending;
            println!(
                "{strategy:<12} {seed:>6} {endless:>12.0} {ending:>12.0} {:>6.0} %",
                share * 100.0
            );
            if strategy == "portfolio" {
                shares.push(share);
            }
        }
    }
    let least = shares.into_iter().fold(f64::MAX, f64::min);
    Ok(tell("least share of the default search", least, BAR))
}

fn rates(bench: &Bench, example: &Example, strategy: &str, seed: u64) -> anyhow::Result<[f64; 2]> {
    let mut rates = [0.0; 2];
    for (rate, name) in rates.iter_mut().zip(PAIRS) {
        let pair = example.pairs.iter().find(|pair| pair.name() == name);
        let pair = pair.ok_or_else(|| anyhow::anyhow!("there is no pair `{name}`"))?;
        let options = ["--thorough", "--strategy", strategy];
        let asked = Asked {
            example,
            pair,
            space: Space::Atoms,
            seed,
            budget: Some(bench.budget),
            options: &options,
        };
        *rate = rate_of(&bench.tool.compare(&asked)?);
    }
    Ok(rates)
}
