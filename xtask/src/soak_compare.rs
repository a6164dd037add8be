//! `cargo xtask soak compare`: compares random programs by csmith with mutants that differ in one
//! token.
//!
//! A reported difference must show on native programs built and run here, and versions whose native
//! programs differ must never be reported as equal. Options: `--count N` pairs from `--seed S` on.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use base::in_parallel;
use effects::compare::{Options, Request, Verdict, compare};
use effects::trial::Scope;
use effects::{Libc, Loader};
use explore::{Budget, Progress};
use inputs::{Flags, Test};
use source::{Cache, Compiler, End, Invocation, Limits, Selection, check_out_both};
use testkit::compiler_at;
use testkit::subjects::target_directory;

use crate::conform::csmith;
use crate::words::Words;

const THREADS: usize = 2;
/// How long a native run may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// The outcome of a pair.
enum Outcome {
    /// Reported as different, and it is.
    Different,
    /// Reported as equal, and native runs agree.
    Equal,
    Inconclusive,
    Skipped,
    Wrong(String),
}

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    let (mut count, mut seed) = (200, 1);
    let mut words = Words::new(options);
    while let Some(option) = words.option() {
        match option {
            "--count" => count = words.number()?,
            "--seed" => seed = words.number()?,
            _ => bail!("soak compare takes --count N and --seed S"),
        }
    }
    let cflags = csmith::flags()?;
    let place = target_directory(root).join("soak-compare");
    fs::create_dir_all(&place)?;
    let compiler = compiler_at(Cache::disabled(), &place)?;
    let seeds: Vec<u64> = (seed..seed + count).collect();
    let outcomes = in_parallel(&seeds, THREADS, |&seed| check(&compiler, &place, &cflags, seed));
    let (mut different, mut equal, mut open, mut skipped, mut wrong) = (0, 0, 0, 0, 0);
    for (seed, outcome) in seeds.iter().zip(outcomes) {
        match outcome? {
            Outcome::Different => different += 1,
            Outcome::Equal => equal += 1,
            Outcome::Inconclusive => open += 1,
            Outcome::Skipped => skipped += 1,
            Outcome::Wrong(why) => {
                wrong += 1;
                println!("seed {seed}: {why}");
            }
        }
    }
    println!(
        "{different} different, {equal} equal, {open} inconclusive, {skipped} skipped, {wrong} wrong"
    );
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn check(
    compiler: &Compiler,
    place: &Path,
    cflags: &[String],
    seed: u64,
) -> anyhow::Result<Outcome> {
    let files = ["old", "new"].map(|name| place.join(format!("{seed}-{name}.c")));
    if csmith::generate(&files[0], seed).is_err() {
        return Ok(Outcome::Skipped);
    }
    let text = fs::read_to_string(&files[0])?;
    let Some(changed) = change_token(&text, seed) else { return Ok(Outcome::Skipped) };
    fs::write(&files[1], changed)?;
    let nothing = Test::default();
    let plain = [0, 1].map(|index: usize| native(compiler, cflags, &files[index], &nothing));
    let [Some(old), Some(new)] = plain else { return Ok(Outcome::Skipped) };
    let selection = Selection::of(compiler, &[], cflags);
    let (of_old, of_new) = check_out_both(files[0].as_os_str(), files[1].as_os_str(), &selection)?;
    let request = Request {
        scope: Scope {
            loader: Loader { compiler, cflags: cflags.to_vec(), libc: Libc::Quick },
            entry: None,
            flags: &Flags::default(),
            tests: &[],
        },
        old: &of_old,
        new: &of_new,
        golden: None,
        options: Options {
            budget: Budget {
                time: Some(Duration::from_secs(5)),
                runs: Some(20),
                ..Budget::default()
            },
            ..Options::default()
        },
    };
    let compared = compare(&request, &Progress::new(), &|_| ())?;
    let outcome = match compared.verdict {
        Verdict::Different => {
            let witness = &compared.witnesses[0];
            let runs = [0, 1].map(|index: usize| {
                native(compiler, cflags, &files[index], &witness.native_tests[index])
            });
            let by_sanitizer = witness.undefined_behaviour.is_some();
            if runs[0] == runs[1] && !by_sanitizer {
                Outcome::Wrong("said to differ on an input on which it does not".to_owned())
            } else {
                Outcome::Different
            }
        }
        Verdict::Equal if old != new => Outcome::Wrong("said to be equal".to_owned()),
        Verdict::Equal => Outcome::Equal,
        Verdict::Accepted | Verdict::Inconclusive => Outcome::Inconclusive,
    };
    if !matches!(outcome, Outcome::Wrong(_)) {
        files.iter().try_for_each(fs::remove_file)?;
    }
    Ok(outcome)
}

/// The native output of a program; `None` if it does not build or end.
fn native(
    compiler: &Compiler,
    cflags: &[String],
    file: &PathBuf,
    test: &Test,
) -> Option<(End, Vec<u8>)> {
    let program = compiler.build_native(std::slice::from_ref(file), cflags, false).ok()?;
    let args = test.input.args.iter().cloned().map(OsString::from_vec).collect();
    let (stdin, files) = (test.input.stdin.clone(), test.input.files.clone());
    let invocation = Invocation { args, stdin, files, ..Invocation::default() };
    let limits = Limits { time: PATIENCE, ..Limits::default() };
    let run = source::run_native(&program, &invocation, &limits).ok()?;
    (run.end != End::TimedOut).then_some((run.end, run.stdout))
}

/// Changes one operator or number of the program's functions.
fn change_token(text: &str, seed: u64) -> Option<String> {
    const SWAPS: [(&str, &str); 10] = [
        (" < ", " <= "),
        (" > ", " >= "),
        (" == ", " != "),
        (" != ", " == "),
        (" && ", " || "),
        (" || ", " && "),
        (" | ", " ^ "),
        (" & ", " | "),
        ("1L", "2L"),
        ("0x", "0x1"),
    ];
    let start = text.find("/* --- FORWARD").unwrap_or(0);
    let mut places: Vec<(usize, &str, &str)> = Vec::new();
    for (from, to) in SWAPS {
        let found = text[start..].match_indices(from);
        places.extend(found.map(|(at, _)| (start + at, from, to)));
    }
    places.sort_unstable();
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let (at, from, to) = *places.get((mixed % places.len().max(1) as u64) as usize)?;
    Some(format!("{}{to}{}", &text[..at], &text[at + from.len()..]))
}
