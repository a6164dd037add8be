//! Random programs by csmith: one per seed, until enough of them end natively.
//!
//! The same number and first seed give the same programs. Nothing is cached.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::bail;
use base::in_parallel;
use exec::Limits;
use source::{Cache, Compiler, Invocation};
use testkit::conformance::{ESSENTIAL, Outcome, Trial};
use testkit::subjects::target_directory;

use super::{THREADS, Tally};

/// How long a program may take natively.
const NATIVE_TIME: Duration = Duration::from_secs(2);
/// How long csmith may take for one program.
const GENERATOR_TIME: Duration = Duration::from_secs(20);
/// Possible directories of csmith's header.
const INCLUDE: [&str; 3] =
    ["/usr/include/csmith", "/usr/include/csmith-2.3.0", "/usr/local/include/csmith"];

/// The flags that csmith's programs need.
pub fn flags() -> anyhow::Result<Vec<String>> {
    let found = INCLUDE.iter().find(|path| Path::new(path).join("csmith.h").is_file());
    match found {
        Some(include) => Ok(vec![format!("-I{include}"), "-w".to_owned()]),
        None => bail!(
            "csmith's header is missing; install it with: sudo apt-get install -y csmith libcsmith-dev"
        ),
    }
}

pub(super) fn run(
    root: &Path,
    compiler: &Compiler,
    count: u64,
    seed: u64,
) -> anyhow::Result<Tally> {
    let cflags = flags()?;
    let place = target_directory(root).join("csmith");
    fs::create_dir_all(&place)?;
    let compiler =
        Compiler::at(compiler.clang.clone(), Cache::disabled(), compiler.directory.clone());
    let start = Instant::now();
    let mut tally = Tally::default();
    let mut next = seed;
    let mut compared = 0;
    while compared < count {
        let seeds: Vec<u64> = (next..next + (count - compared)).collect();
        next += count - compared;
        let outcomes = in_parallel(&seeds, THREADS, |&seed| {
            let file = place.join(format!("{seed}.c"));
            let outcome = check(&compiler, &file, seed, &cflags);
            if matches!(outcome, Outcome::Agrees | Outcome::Skipped(_)) {
                // The others are kept for inspection; this one is not needed.
                let _ = fs::remove_file(&file);
            }
            outcome
        });
        for (seed, outcome) in seeds.iter().zip(&outcomes) {
            match outcome {
                // One in ten does not end; their seeds do not matter.
                Outcome::Skipped(_) => tally.skipped += 1,
                _ => tally.count(&format!("csmith --seed {seed}"), outcome),
            }
        }
        let skipped = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::Skipped(_)));
        compared += (outcomes.len() - skipped.count()) as u64;
        if compared == 0 {
            bail!("none of {} random programs could be compared", outcomes.len());
        }
    }
    tally.print("csmith", start.elapsed().as_secs_f64());
    Ok(tally)
}

fn check(compiler: &Compiler, file: &PathBuf, seed: u64, cflags: &[String]) -> Outcome {
    if let Err(reason) = generate(file, seed) {
        return Outcome::Skipped(reason);
    }
    let trial = Trial {
        compiler,
        files: std::slice::from_ref(file),
        cflags,
        invocation: &Invocation::default(),
        native_limits: source::Limits { time: NATIVE_TIME, ..source::Limits::default() },
        limits: Limits::default(),
        compared: ESSENTIAL,
    };
    Outcome::of(trial.run())
}

pub fn generate(file: &Path, seed: u64) -> Result<(), String> {
    let mut command = Command::new("csmith");
    command.args(["--seed", &seed.to_string(), "--output"]).arg(file);
    // It leaves a file of its own in its working directory.
    command.current_dir(file.parent().unwrap_or(Path::new(".")));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| format!("csmith does not start: {error}"))?;
    let deadline = Instant::now() + GENERATOR_TIME;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => return Ok(()),
            Ok(Some(status)) => return Err(format!("csmith ended with {status}")),
            Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
            Ok(None) => {
                // It may have ended by itself in the meantime.
                let _ = child.kill();
                let _ = child.wait();
                return Err("csmith took too long".to_owned());
            }
            Err(error) => return Err(format!("csmith cannot be waited for: {error}")),
        }
    }
}
