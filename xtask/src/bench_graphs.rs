//! `cargo xtask bench graphs [lua] [sqlite]`: time and memory of points-to and dependence graphs.
//!
//! Real programs, linked with the parts of the C library that they need, analysed from the module
//! to the finished graph; then some slices. Fails above the bars it prints.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use effects::{Libc, Loader};
use graphs::{CallGraph, Direction, Memory, PointsTo, Sdg, Slice};
use source::Compiler;
use testkit::bench_compiler;
use testkit::subjects;

/// How many slices to compute.
const SLICES: usize = 20;

struct Bar {
    name: &'static str,
    time: Duration,
    gigabytes: f64,
}

const BARS: [Bar; 2] = [
    Bar { name: "lua", time: Duration::from_secs(10), gigabytes: 1.0 },
    Bar { name: "sqlite", time: Duration::from_secs(600), gigabytes: 8.0 },
];

pub fn run(root: &Path, names: &[String]) -> anyhow::Result<ExitCode> {
    if let Some(name) = names.iter().find(|name| BARS.iter().all(|bar| bar.name != **name)) {
        bail!("there is no program `{name}`; there are lua and sqlite");
    }
    let compiler = bench_compiler(root)?;
    let mut met = true;
    for bar in BARS.iter().filter(|bar| names.is_empty() || names.iter().any(|n| n == bar.name)) {
        let program = match bar.name {
            "lua" => lua(root)?,
            _ => sqlite(root),
        };
        match program {
            Some((files, cflags)) => met &= measure(&compiler, bar, &files, cflags)?,
            None => println!("{} is skipped: its sources cannot be fetched", bar.name),
        }
    }
    Ok(if met { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

type Sources = (Vec<PathBuf>, Vec<String>);

fn lua(root: &Path) -> anyhow::Result<Option<Sources>> {
    let Some(directory) = subjects::subject(root, &subjects::LUA) else { return Ok(None) };
    let sources = directory.join("lua-5.4.7");
    let mut files = vec![root.join("bench/lua_driver.c")];
    for entry in fs::read_dir(&sources).context("the fetched crate has no Lua 5.4.7")? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".c") && name != "lua.c" && name != "luac.c" {
            files.push(path);
        }
    }
    files.sort();
    Ok(Some((files, vec!["-w".to_owned(), format!("-I{}", sources.display())])))
}

fn sqlite(root: &Path) -> Option<Sources> {
    let sources = subjects::subject(root, &subjects::SQLITE)?.join("sqlite3");
    let files = vec![root.join("tests/real/sqlite.c"), sources.join("sqlite3.c")];
    let mut cflags = vec!["-w".to_owned(), format!("-I{}", sources.display())];
    cflags.extend(["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"].map(str::to_owned));
    cflags.extend(["-DSQLITE_ENABLE_FTS5", "-DSQLITE_ENABLE_RTREE"].map(str::to_owned));
    Some((files, cflags))
}

/// Analyses one program and prints the cost; returns whether it met the bar.
fn measure(
    compiler: &Compiler,
    bar: &Bar,
    files: &[PathBuf],
    cflags: Vec<String>,
) -> anyhow::Result<bool> {
    let module = Loader { compiler, cflags, libc: Libc::Open }.load(files)?.module;
    let statements = module.statements.len();
    println!("{}: {} functions, {statements} statements", bar.name, module.functions.len());
    let start = Instant::now();
    let points_to = PointsTo::new(&module);
    let pointers = start.elapsed();
    let calls = CallGraph::new(&module, &points_to);
    let memory = Memory::new(&module, &points_to, &calls, graphs::memory::Budget::default());
    let analyses = graphs::sdg::Analyses {
        module: &module,
        points_to: &points_to,
        calls: &calls,
        memory: &memory,
    };
    let sdg = Sdg::new(analyses);
    let time = start.elapsed();
    let gigabytes = peak_gigabytes();
    println!("  points-to {:.2} s, all {:.2} s", pointers.as_secs_f64(), time.as_secs_f64());
    println!("  {} vertices, {} edges, {gigabytes:.2} GB", sdg.vertices.len(), sdg.edge_count());
    slices(&module, &sdg);
    let met = time <= bar.time && gigabytes <= bar.gigabytes;
    let word = if met { "met" } else { "missed" };
    println!("  bar: {} s and {} GB: {word}", bar.time.as_secs(), bar.gigabytes);
    Ok(met)
}

fn slices(module: &ir::Module, sdg: &Sdg) {
    let statements: Vec<ir::StatementId> = module.statements.keys().collect();
    let step = (statements.len() / SLICES).max(1);
    let (mut count, mut total) = (0u32, 0);
    let start = Instant::now();
    for &statement in statements.iter().step_by(step).take(SLICES) {
        let slice = Slice::of_statements(sdg, [statement], Direction::Forward);
        total += slice.statements(sdg).len();
        count += 1;
    }
    let each = start.elapsed().as_secs_f64() * 1e3 / f64::from(count.max(1));
    let share = total as f64 * 100.0 / (f64::from(count.max(1)) * statements.len() as f64);
    println!("  a slice takes {each:.0} ms and holds {share:.0} % of the statements on average");
}

/// The peak memory of this process; 0 if the system does not tell.
fn peak_gigabytes() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1e6
}
