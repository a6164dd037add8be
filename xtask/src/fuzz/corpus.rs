//! The valid texts that mutation starts from, cached below the target directory.
//!
//! Every C program of the tests, benchmarks and examples is compiled by one of the installed
//! clangs, plainly and with optimisation (which gives phis, selects and vectors), as well as a few
//! small random programs. The texts of the reader's own tests are included, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, bail};
use base::in_parallel;
use testkit::subjects::target_directory;

/// Directories with C programs.
const DIRECTORIES: [&str; 7] = [
    "tests/run",
    "tests/fault",
    "bench",
    "examples",
    "examples/calc",
    "examples/histogram",
    "examples/tariff",
];
const COMPILERS: [&str; 4] = ["clang-14", "clang-16", "clang-19", "clang"];
/// How programs are compiled: with line numbers, bare, and optimised.
const FLAGS: [(&str, &[&str]); 3] = [
    ("g", &["-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"]),
    ("plain", &["-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"]),
    ("fast", &["-O2", "-mavx2", "-fno-discard-value-names"]),
];
const RANDOM_PROGRAMS: u64 = 8;
/// Larger texts take too long to be worthwhile.
const LARGEST: usize = 200_000;

/// Texts in an order that does not depend on the host's directories.
#[derive(Debug)]
pub struct Corpus {
    pub texts: Vec<String>,
}

/// A program and one way to compile it.
struct Job {
    source: PathBuf,
    compiler: &'static str,
    flags: &'static [&'static str],
    result: PathBuf,
}

impl Corpus {
    pub fn place(root: &Path) -> PathBuf {
        target_directory(root).join("fuzz-corpus")
    }

    /// Makes missing texts.
    pub fn prepare(root: &Path) -> anyhow::Result<()> {
        let place = Corpus::place(root);
        fs::create_dir_all(&place)?;
        let compilers: Vec<&str> = COMPILERS.into_iter().filter(|name| is_there(name)).collect();
        if compilers.is_empty() {
            bail!("there is no clang to make the first texts with");
        }
        let mut sources = Vec::new();
        for directory in DIRECTORIES {
            sources.extend(c_files(&root.join(directory)));
        }
        sources.extend(random_programs(&place)?);
        let mut jobs = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            for (turn, (label, flags)) in FLAGS.into_iter().enumerate() {
                let compiler = compilers[(index + turn) % compilers.len()];
                let name = source.strip_prefix(root).unwrap_or(source).to_string_lossy();
                let result =
                    place.join(format!("{}.{compiler}.{label}.ll", name.replace('/', "_")));
                if is_older(&result, source) {
                    jobs.push(Job { source: source.clone(), compiler, flags, result });
                }
            }
        }
        in_parallel(&jobs, 2, compile);
        Ok(())
    }

    pub fn load(root: &Path) -> anyhow::Result<Corpus> {
        let place = Corpus::place(root);
        let mut files = files_with(&place, "ll");
        files.extend(files_with(&root.join("crates/llvm/tests/files"), "ll"));
        files.extend(files_with(&root.join("crates/llvm/tests/files"), "txt"));
        let mut texts = Vec::new();
        for file in files {
            let bytes = fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
            let text = String::from_utf8_lossy(&bytes);
            // The expectation of a reader's test follows the text.
            let text = text.split("; gives\n").next().unwrap_or_default();
            if !text.is_empty() && text.len() <= LARGEST {
                texts.push(text.to_owned());
            }
        }
        if texts.is_empty() {
            bail!("there are no texts to start from in {}", place.display());
        }
        Ok(Corpus { texts })
    }
}

fn is_there(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn c_files(directory: &Path) -> Vec<PathBuf> {
    files_with(directory, "c")
}

fn files_with(directory: &Path, extension: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    files
}

fn is_older(result: &Path, source: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|meta| meta.modified()).ok();
    time(result).is_none_or(|made| time(source).is_some_and(|changed| changed > made))
}

/// Small random programs; empty without csmith.
fn random_programs(place: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut programs = Vec::new();
    for seed in 1..=RANDOM_PROGRAMS {
        let file = place.join(format!("csmith{seed}.c"));
        if !file.is_file() {
            let mut command = Command::new("csmith");
            command.args(["--max-funcs", "3", "--max-block-depth", "3", "--max-expr-complexity"]);
            command.args(["4", "--seed", &seed.to_string(), "--output"]).arg(&file);
            command.current_dir(place).stdin(Stdio::null());
            command.stdout(Stdio::null()).stderr(Stdio::null());
            if !command.status().is_ok_and(|status| status.success()) {
                continue;
            }
        }
        programs.push(file);
    }
    Ok(programs)
}

/// A program that this compiler rejects leaves no text, which does not matter.
fn compile(job: &Job) {
    let mut command = Command::new(job.compiler);
    command.args(["-S", "-emit-llvm", "-w", "-I/usr/include/csmith"]).args(job.flags);
    command.arg(&job.source).arg("-o").arg(&job.result);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = command.status();
}
