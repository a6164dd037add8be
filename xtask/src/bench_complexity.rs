//! `cargo xtask bench complexity`: how fast the complexity of commits is computed, and how much is
//! understood.
//!
//! Makes a repository by replaying published versions of zlib, lz4, Lua and SQLite, a commit per
//! file that differs from the version before; also uses the project's own history. Each commit is
//! measured in this process, on one core. Universal ctags, if installed, checks independently where
//! functions begin and end.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use complexity::FileVersions;
use complexity::text::language::Language;
use complexity::text::unit::Unit;
use source::Repository;
use testkit::subjects::{self, Subject};

/// The bar for the median of the replayed history.
const BAR: Duration = Duration::from_millis(20);
/// The share of changed functions that must be understood.
const UNDERSTOOD: f64 = 0.99;

/// Crates with C sources, and versions of them, oldest first.
const HISTORIES: [(&str, &[&str]); 4] = [
    (
        "libz-sys",
        &[
            "1.0.0", "1.0.10", "1.0.20", "1.0.25", "1.1.0", "1.1.3", "1.1.5", "1.1.8", "1.1.9",
            "1.1.12", "1.1.16", "1.1.20",
        ],
    ),
    (
        "lz4-sys",
        &["1.7.5", "1.8.0", "1.8.2", "1.8.3", "1.9.2", "1.9.3", "1.9.4", "1.10.0", "1.11.0"],
    ),
    (
        "lua-src",
        &[
            "540.0.0", "541.0.0", "542.0.0", "543.0.0", "544.0.0", "546.0.0", "547.0.0", "547.1.0",
            "548.0.0", "550.0.0",
        ],
    ),
    (
        "libsqlite3-sys",
        &["0.9.0", "0.12.0", "0.17.0", "0.20.0", "0.23.0", "0.25.0", "0.27.0", "0.30.1"],
    ),
];

/// The measurements over a history.
#[derive(Default)]
struct Measured {
    times: Vec<Duration>,
    functions: usize,
    unparsed: BTreeSet<String>,
    unparsed_count: usize,
}

pub fn run(root: &Path) -> anyhow::Result<ExitCode> {
    let versions = fetch(root);
    let home = subjects::target_directory(root).join("bench-complexity.git");
    let commits = replay(&home, &versions)?;
    println!("replayed: {commits} commits of {} versions", versions.len());
    let replayed = measure(&home)?;
    let mut passed = report("replayed history", &replayed);
    if let Ok(own) = measure(root) {
        report("this project", &own);
    }
    passed &= check_functions(&versions);
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The available unpacked versions: name and directory, in the order of the commits.
fn fetch(root: &Path) -> Vec<(&'static str, &'static str, PathBuf)> {
    let mut found = Vec::new();
    for (name, versions) in HISTORIES {
        for version in versions {
            found.extend(
                subjects::subject(root, &Subject { name, version })
                    .map(|path| (name, *version, path)),
            );
        }
    }
    found
}

/// The relevant files below a directory, by name.
fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![directory.to_owned()];
    while let Some(path) = waiting.pop() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(directory).unwrap_or(&path).to_string_lossy().into_owned();
            if path.is_dir() {
                waiting.push(path);
            } else if Language::of(&name).is_some()
                && let Ok(bytes) = fs::read(&path)
            {
                found.insert(name, bytes);
            }
        }
    }
    found
}

/// Writes all versions into a new repository, a commit per changed file; returns their number.
fn replay(
    home: &Path,
    versions: &[(&'static str, &'static str, PathBuf)],
) -> anyhow::Result<usize> {
    if home.exists() {
        fs::remove_dir_all(home)?;
    }
    let status = Command::new("git").args(["init", "--quiet", "--bare"]).arg(home).status();
    ensure!(status.context("git is needed")?.success(), "git cannot make a repository");
    let mut import = Command::new("git")
        .arg("--git-dir")
        .arg(home)
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()?;
    let mut stream = std::io::BufWriter::new(import.stdin.take().context("git reads no input")?);
    let mut commits = 0;
    let mut before: BTreeMap<&str, BTreeMap<String, Vec<u8>>> = BTreeMap::new();
    for (name, version, directory) in versions {
        let after = files(directory);
        let old = before.remove(name).unwrap_or_default();
        let names: BTreeSet<&String> = old.keys().chain(after.keys()).collect();
        for file in names.into_iter().filter(|file| old.get(*file) != after.get(*file)) {
            commits += 1;
            let subject = format!("{name} {version}: {file}");
            writeln!(stream, "commit refs/heads/main")?;
            writeln!(
                stream,
                "committer Replay <replay@example.org> {} +0000",
                1_600_000_000 + commits * 3600
            )?;
            writeln!(stream, "data {}\n{subject}", subject.len())?;
            match after.get(file) {
                Some(bytes) => {
                    writeln!(stream, "M 100644 inline {name}/{file}\ndata {}", bytes.len())?;
                    stream.write_all(bytes)?;
                    writeln!(stream)?;
                }
                None => writeln!(stream, "D {name}/{file}")?,
            }
        }
        before.insert(name, after);
    }
    stream.flush()?;
    drop(stream);
    ensure!(import.wait()?.success(), "git cannot import the versions");
    let head = ["symbolic-ref", "HEAD", "refs/heads/main"];
    ensure!(
        Command::new("git").arg("--git-dir").arg(home).args(head).status()?.success(),
        "git sets no branch"
    );
    Ok(commits)
}

fn measure(directory: &Path) -> anyhow::Result<Measured> {
    let repository = Repository::discover(directory)?;
    let wanted = |path: &str| Language::of(path).is_some();
    let mut measured = Measured::default();
    for commit in repository.commits(None, "HEAD", false)? {
        let start = Instant::now();
        let changes = repository.changes(&commit, &wanted)?;
        let files: Vec<FileVersions<'_>> = changes
            .files
            .iter()
            .map(|file| FileVersions {
                path: &file.path,
                old: file.old.as_deref(),
                new: file.new.as_deref(),
            })
            .collect();
        let found = complexity::measure(&files);
        measured.times.push(start.elapsed());
        measured.functions += found.functions.len();
        measured.unparsed_count += found.unparsed.len();
        let describe =
            |u: &complexity::measure::Unparsed| format!("{}: {}: {}", u.file, u.function, u.reason);
        measured.unparsed.extend(found.unparsed.iter().map(describe));
    }
    measured.times.sort_unstable();
    Ok(measured)
}

fn report(name: &str, measured: &Measured) -> bool {
    let Measured { times, functions, unparsed, unparsed_count } = measured;
    let Some(longest) = times.last() else { return false };
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let median = times[times.len() / 2];
    let total: Duration = times.iter().sum();
    println!(
        "{name}: {} commits, median {:.2} ms, 90 % below {:.2} ms, longest {:.0} ms, mean {:.2} ms",
        times.len(),
        millis(median),
        millis(times[times.len() * 9 / 10]),
        millis(*longest),
        millis(total) / times.len() as f64
    );
    let share = 1.0 - *unparsed_count as f64 / (*functions).max(1) as f64;
    println!("  {functions} changed functions, {:.2} % understood", share * 100.0);
    for line in unparsed.iter().take(20) {
        println!("  not understood: {line}");
    }
    let passed = median < BAR && share >= UNDERSTOOD;
    println!(
        "  median below {} ms and {} % understood: {}",
        BAR.as_millis(),
        UNDERSTOOD * 100.0,
        if passed { "met" } else { "missed" }
    );
    passed
}

/// Compares the beginnings and ends of functions with those of ctags, over the newest versions.
fn check_functions(versions: &[(&'static str, &'static str, PathBuf)]) -> bool {
    let mut newest: BTreeMap<&str, &Path> = BTreeMap::new();
    for (name, _, directory) in versions {
        newest.insert(name, directory);
    }
    let (mut total, mut agreed) = (0, 0);
    let mut examples = Vec::new();
    for directory in newest.values() {
        let Some(tags) = tags(directory) else {
            println!("ctags is not installed: extents of functions are not compared");
            return true;
        };
        for (file, theirs) in tags {
            let Ok(bytes) = fs::read(directory.join(&file)) else { continue };
            let Some(language) = Language::of(&file) else { continue };
            let text = String::from_utf8_lossy(&bytes);
            let unit = Unit::new(&text, language);
            let ours = |first: u32, last: u32| {
                unit.functions
                    .iter()
                    .any(|f| f.first_line <= first && first <= f.last_line && f.last_line == last)
            };
            for (name, first, last) in theirs {
                total += 1;
                if ours(first, last) {
                    agreed += 1
                } else {
                    examples.push(format!("{file}:{first}-{last} {name}"))
                }
            }
        }
    }
    let share = f64::from(agreed) / f64::from(total.max(1));
    println!("extents of functions: {agreed} of {total} as ctags says, {:.2} %", share * 100.0);
    for example in examples.iter().take(10) {
        println!("  differs: {example}");
    }
    total == 0 || share >= UNDERSTOOD
}

type Tags = BTreeMap<String, Vec<(String, u32, u32)>>;

/// C functions with their first and last lines, per file; `None` without ctags.
fn tags(directory: &Path) -> Option<Tags> {
    let output = Command::new("ctags")
        .args(["--languages=C", "--kinds-C=f", "--fields=+ne", "--sort=no", "-R", "-f", "-", "."])
        .current_dir(directory)
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let mut found = Tags::new();
    for line in
        String::from_utf8_lossy(&output.stdout).lines().filter(|line| !line.starts_with('!'))
    {
        let mut fields = line.split('\t');
        let (Some(name), Some(file)) = (fields.next(), fields.next()) else { continue };
        let number = |key: &str| {
            let field = line.split('\t').find_map(|field| field.strip_prefix(key))?;
            field.parse::<u32>().ok()
        };
        if let (Some(first), Some(last)) = (number("line:"), number("end:")) {
            let file = file.trim_start_matches("./").to_owned();
            found.entry(file).or_default().push((name.to_owned(), first, last));
        }
    }
    Some(found)
}
