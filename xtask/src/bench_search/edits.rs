//! Ten independent edits in one program: how many of them a difference shows that is blamed on the
//! right hunk.
//!
//! The edits are in the order of the source, so the hunk with number N is the single edit of the
//! Nth pair of the example. A difference is blamed correctly if this hunk alone is to blame, and
//! the native programs of that pair differ on its input as well.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use serde_json::Value;
use testkit::pairs::Pair;

use super::Bench;
use crate::tool::{Answer, Asked, Space};

const EXAMPLE: &str = "desk";
/// The pair with all edits; those before it in the manifest have one each.
const TOGETHER: &str = "v1-v12";
const BAR: usize = 9;

pub fn table(bench: &Bench) -> anyhow::Result<bool> {
    let example = bench.example(EXAMPLE)?;
    let at = example.pairs.iter().position(|pair| pair.name() == TOGETHER);
    let at = at.with_context(|| format!("there is no pair `{TOGETHER}`"))?;
    let (single, pair) = (&example.pairs[..at], &example.pairs[at]);
    let place = bench.tool.place().join("native");
    fs::create_dir_all(&place)?;
    let mut least = single.len();
    for seed in 1..=bench.seeds {
        let asked = Asked {
            example,
            pair,
            space: Space::Tests,
            seed,
            budget: Some(bench.budget),
            options: &["--thorough"],
        };
        let answer = bench.tool.compare(&asked)?;
        if answer.hunks().len() != single.len() {
            bail!("{} hunks for {} edits", answer.hunks().len(), single.len());
        }
        let mut right = 0;
        for (index, hunk) in answer.hunks().iter().enumerate() {
            let is_right = is_blamed_rightly(&answer, index, &single[index], &place)?;
            right += usize::from(is_right);
            let status = hunk["status"].as_str().unwrap_or("-");
            let name = single[index].name();
            println!("seed {seed} edit {:>2} ({name:<6}) {status:<12} {is_right}", index + 1);
        }
        println!("seed {seed}: {right} of {} after {:.0?}", single.len(), answer.time);
        least = least.min(right);
    }
    println!("edits that are blamed on the right hunk: {least} (bar: {BAR})");
    Ok(least >= BAR)
}

fn is_blamed_rightly(
    answer: &Answer,
    index: usize,
    pair: &Pair,
    place: &Path,
) -> anyhow::Result<bool> {
    let hunk = &answer.hunks()[index];
    let programs = [build(&pair.old, place)?, build(&pair.new, place)?];
    for witness in answer.witnesses() {
        let [blamed] = witness["changes"].as_array().map_or(&[][..], Vec::as_slice) else {
            continue;
        };
        if blamed["old"] != hunk["old"] || blamed["new"] != hunk["new"] {
            continue;
        }
        let input = &witness["input"];
        if run(&programs[0], input)? != run(&programs[1], input)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn build(file: &Path, place: &Path) -> anyhow::Result<PathBuf> {
    let program = place.join(file.file_stem().context("a file has a name")?);
    let status = Command::new("clang").arg("-o").arg(&program).arg(file).arg("-lm").status();
    if status.context("cannot run clang")?.success() {
        Ok(program)
    } else {
        bail!("{} does not build", file.display())
    }
}

/// Standard output and exit status for a standard input.
fn run(program: &Path, input: &Value) -> anyhow::Result<(Vec<u8>, Option<i32>)> {
    let text = input["stdin"].as_str().unwrap_or_default();
    let mut command = Command::new(program);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    let mut stdin = child.stdin.take().context("it is piped")?;
    stdin.write_all(text.as_bytes())?;
    drop(stdin);
    let output = child.wait_with_output()?;
    Ok((output.stdout, output.status.code()))
}
