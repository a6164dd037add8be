//! `cargo xtask bench run`: how fast the machine is, as ratios to native code in one run.
//!
//! Each program runs natively (clang -O0) and on the machine, several times alternately; the
//! shortest time of each counts. The start-up of the whole tool is timed with a warm cache.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use effects::{Libc, Loader};
use exec::{Instrumentation, Limits, Machine, Unobserved};
use source::{Compiler, Invocation};
use testkit::bench_compiler;
use testkit::conformance::{input_of, run_on_machine};
use testkit::subjects::{self, Subject};

use crate::{
    bench_adequacy, bench_compare, bench_complexity, bench_confine, bench_explore, bench_graphs,
    bench_large, bench_search, bench_solver, bench_verdict, bench_verify,
};

const ROUNDS: usize = 5;
/// The bar for the machine, as a geometric mean.
const BAR: f64 = 25.0;
const START_UP_BAR: Duration = Duration::from_millis(5);
const LUA: Subject = Subject { name: "lua-src", version: "547.0.0" };

struct Row {
    name: String,
    native: Duration,
    machine: Duration,
    steps: u64,
}

impl Row {
    fn ratio(&self) -> f64 {
        self.machine.as_secs_f64() / self.native.as_secs_f64()
    }
}

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    match options {
        [what] if what == "run" => bench_run(root),
        [what] if what == "solver" => bench_solver::run(),
        [what] if what == "explore" => bench_explore::run(root),
        [what] if what == "large" => bench_large::run(root),
        [what] if what == "confine" => bench_confine::run(root),
        [what] if what == "adequacy" => bench_adequacy::run(root),
        [what] if what == "verdict" => bench_verdict::run(root),
        [what] if what == "complexity" => bench_complexity::run(root),
        [what, options @ ..] if what == "compare" => bench_compare::run(root, options),
        [what, options @ ..] if what == "search" => bench_search::run(root, options),
        [what, options @ ..] if what == "verify" => bench_verify::run(root, options),
        [what, names @ ..] if what == "graphs" => bench_graphs::run(root, names),
        _ => bail!(
            "write `cargo xtask bench run`, or bench with solver, explore, compare, search, verdict, \
             verify, adequacy, complexity, confine, graphs or large"
        ),
    }
}

fn bench_run(root: &Path) -> anyhow::Result<ExitCode> {
    let compiler = bench_compiler(root)?;
    let mut rows = Vec::new();
    for name in ["crc", "sieve", "tokenizer", "matrix"] {
        let files = [root.join("bench").join(format!("{name}.c"))];
        rows.push(measure(&compiler, name, &files, &[], &Invocation::default())?);
    }
    match lua(root)? {
        Some((files, cflags, invocation)) => {
            rows.push(measure(&compiler, "lua", &files, &cflags, &invocation)?);
        }
        None => println!("lua is skipped: its sources cannot be fetched"),
    }
    println!(
        "{:<12} {:>10} {:>10} {:>8} {:>10}",
        "program", "native", "machine", "ratio", "M ops/s"
    );
    for row in &rows {
        println!(
            "{:<12} {:>8.1}ms {:>8.1}ms {:>8.1} {:>10.0}",
            row.name,
            row.native.as_secs_f64() * 1e3,
            row.machine.as_secs_f64() * 1e3,
            row.ratio(),
            row.steps as f64 / row.machine.as_secs_f64() / 1e6
        );
    }
    let logs: f64 = rows.iter().map(|row| row.ratio().ln()).sum();
    let mean = (logs / rows.len() as f64).exp();
    println!("geometric mean {mean:.1} (bar: {BAR})");
    println!("a small program runs {:.0} times per second", runs_per_second(&compiler, root)?);
    let start_up = start_up(root)?;
    println!("start-up {:.2} ms (bar: {} ms)", ms(start_up), START_UP_BAR.as_millis());
    let reached = mean <= BAR && start_up <= START_UP_BAR;
    Ok(if reached { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn measure(
    compiler: &Compiler,
    name: &str,
    files: &[PathBuf],
    cflags: &[String],
    invocation: &Invocation,
) -> anyhow::Result<Row> {
    let native = compiler.build_native(files, cflags, false)?;
    let loader = Loader { compiler, cflags: cflags.to_vec(), libc: Libc::Quick };
    let program = loader.program(files, Instrumentation::default())?;
    let input = input_of(invocation);
    let mut row =
        Row { name: name.to_owned(), native: Duration::MAX, machine: Duration::MAX, steps: 0 };
    for _ in 0..ROUNDS {
        let run = source::run_native(&native, invocation, &source::Limits::default())?;
        row.native = row.native.min(run.duration);
        let start = Instant::now();
        let machine = run_on_machine(&program, &input, Limits::default());
        row.machine = row.machine.min(start.elapsed());
        row.steps = machine.steps;
        if machine.stdout != run.stdout {
            bail!("{name}: the machine disagrees with the native program ({:?})", machine.stop);
        }
    }
    Ok(row)
}

type LuaProgram = (Vec<PathBuf>, Vec<String>, Invocation);

/// Lua's interpreter with our script; `None` without its sources.
fn lua(root: &Path) -> anyhow::Result<Option<LuaProgram>> {
    let Some(directory) = subjects::subject(root, &LUA) else { return Ok(None) };
    let sources = directory.join("lua-5.4.7");
    let mut files = vec![root.join("bench/lua_driver.c")];
    let entries = std::fs::read_dir(&sources).context("the fetched crate has no Lua 5.4.7")?;
    for entry in entries {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".c") && name != "lua.c" && name != "luac.c" {
            files.push(path);
        }
    }
    files.sort();
    let script = std::fs::read(root.join("bench/loop.lua"))?;
    let invocation = Invocation {
        args: vec!["loop.lua".into()],
        files: vec![("loop.lua".to_owned(), script)],
        ..Invocation::default()
    };
    let cflags = vec!["-w".to_owned(), format!("-I{}", sources.display())];
    Ok(Some((files, cflags, invocation)))
}

/// How often per second a program of a few hundred instructions can run from its start.
fn runs_per_second(compiler: &Compiler, root: &Path) -> anyhow::Result<f64> {
    let loader = Loader { compiler, cflags: Vec::new(), libc: Libc::Quick };
    let program = loader.program(&[root.join("bench/triangle.c")], Instrumentation::default())?;
    let args = ["3", "4", "5"].map(Into::into).to_vec();
    let input = input_of(&Invocation { args, ..Invocation::default() });
    let Ok(mut machine) = Machine::new(&program, &input, Limits::default(), Unobserved) else {
        bail!("triangle cannot be started");
    };
    let start = Instant::now();
    let mut runs = 0;
    while start.elapsed() < Duration::from_secs(1) {
        for _ in 0..1000 {
            let stop = machine.run();
            if machine.state.process.vfs.stdout() != b"scalene\n" {
                bail!("triangle: {stop:?}");
            }
            if machine.restart(&input).is_err() {
                bail!("triangle cannot be started again");
            }
        }
        runs += 1000;
    }
    Ok(f64::from(runs) / start.elapsed().as_secs_f64())
}

/// The shortest time from starting the tool to its end, for a small cached program.
fn start_up(root: &Path) -> anyhow::Result<Duration> {
    let tool = subjects::target_directory(root).join("release/ripple");
    if !tool.is_file() {
        bail!("build the tool first: cargo build --release");
    }
    let mut shortest = Duration::MAX;
    for _ in 0..30 {
        let start = Instant::now();
        let status = Command::new(&tool)
            .arg("run")
            .arg(root.join("bench/hello.c"))
            .stdout(Stdio::null())
            .status()?;
        if !status.success() {
            bail!("ripple run bench/hello.c failed");
        }
        shortest = shortest.min(start.elapsed());
    }
    Ok(shortest)
}
