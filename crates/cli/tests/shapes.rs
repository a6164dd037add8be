//! Functions of every shape that a caller can observe: results, memory behind pointers, globals,
//! output. Each directory of `tests/shapes` has a function, a version that does the same in another
//! way, and a version that does not.
//!
//! Directives at the top of `old.c`: `// entry: FUNCTION`, `// flags: FLAGS`, split at spaces.
#![allow(clippy::unwrap_used, clippy::print_stderr)] // What tests share is test code as well.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::desk::{Desk, said};

const THREADS: usize = 2;
/// Time for the search of one pair.
const BUDGET: &str = "5s";
/// The required numbers of shapes, of differences found, and of versions proved equal.
const SHAPES: usize = 34;
const FOUND: usize = 28;
const PROVED: usize = 24;

struct Shape {
    name: String,
    directory: PathBuf,
    flags: Vec<String>,
}

/// The verdict about a version, or why there is none.
struct Word {
    verdict: String,
    /// Its basis, or what went wrong.
    remark: String,
    time: Duration,
}

impl Word {
    fn is(&self, verdict: &str) -> bool {
        self.verdict == verdict
    }
}

fn shapes() -> Vec<Shape> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/shapes"));
    let mut shapes: Vec<Shape> =
        fs::read_dir(root).unwrap().map(|entry| shape(&entry.unwrap().path())).collect();
    shapes.sort_by(|a, b| a.name.cmp(&b.name));
    shapes
}

fn shape(directory: &Path) -> Shape {
    let directory = directory.canonicalize().unwrap();
    let name = directory.file_name().unwrap().to_str().unwrap().to_owned();
    let text = fs::read_to_string(directory.join("old.c")).unwrap();
    let mut flags = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
        match line.split_once(": ") {
            Some(("entry", entry)) => flags.extend(["--entry", entry].map(str::to_owned)),
            Some(("flags", more)) => flags.extend(more.split(' ').map(str::to_owned)),
            _ => panic!("{name}: `{line}` is no directive"),
        }
    }
    assert!(flags.contains(&"--entry".to_owned()), "{name} has no entry");
    Shape { name, directory, flags }
}

/// Compares the function with another version of it.
fn compared(desk: &Desk, shape: &Shape, version: &str, more: &[&str]) -> Word {
    let [old, new] =
        ["old.c", version].map(|file| shape.directory.join(file).to_str().unwrap().to_owned());
    let mut args = vec!["compare", &old, &new];
    args.extend(["--format", "json", "--no-out", "--quiet", "--budget", BUDGET]);
    args.extend(more);
    args.extend(shape.flags.iter().map(String::as_str));
    let start = Instant::now();
    let said = said(&mut desk.ripple(&args));
    let time = start.elapsed();
    match serde_json::from_str::<Value>(&said.out) {
        Ok(report) => Word {
            verdict: report["verdict"].as_str().unwrap().to_owned(),
            remark: remark(&report),
            time,
        },
        Err(_) => Word {
            verdict: "refused".to_owned(),
            remark: said.err.lines().next().unwrap_or_default().to_owned(),
            time,
        },
    }
}

fn remark(report: &Value) -> String {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    match report["verdict"].as_str() {
        Some("equal") => text(&report["guarantee"]["kind"]),
        Some("different") => text(&report["witnesses"][0]["class"]),
        _ => {
            let limits = report["limits"].as_array().cloned().unwrap_or_default();
            let unconfirmed = report["unconfirmed"].as_array().map_or(0, Vec::len);
            let said = limits.iter().map(|limit| text(&limit["message"])).collect::<Vec<_>>();
            format!("{unconfirmed} unconfirmed; {}", said.join("; "))
        }
    }
}

/// Both verdicts about every shape, in the order of the shapes.
fn all(shapes: &[Shape]) -> Vec<(Word, Word)> {
    let desk = Desk::with(&[]);
    // The first comparison fills the cache, which the threads then share.
    compared(&desk, &shapes[0], "equal.c", &["--max-runs", "1"]);
    let next = AtomicUsize::new(0);
    let words = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while let Some((index, shape)) = {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    shapes.get(index).map(|shape| (index, shape))
                } {
                    let equal = compared(&desk, shape, "equal.c", &[]);
                    let different = compared(&desk, shape, "different.c", &["--first"]);
                    words.lock().unwrap().push((index, equal, different));
                }
            });
        }
    });
    let mut words = words.into_inner().unwrap();
    words.sort_by_key(|(index, ..)| *index);
    words.into_iter().map(|(_, equal, different)| (equal, different)).collect()
}

fn table(shapes: &[Shape], words: &[(Word, Word)]) -> String {
    let mut text = String::new();
    for (shape, (equal, different)) in shapes.iter().zip(words) {
        for (version, word) in [("equal", equal), ("different", different)] {
            let mark = match word.verdict.as_str() {
                said if said == version => " ",
                "equal" | "different" => "!",
                _ => "?",
            };
            let Word { verdict, remark, time } = word;
            let seconds = time.as_secs_f64();
            let name = &shape.name;
            writeln!(
                text,
                "{mark} {name:<24} {version:<10} {verdict:<13} {seconds:>5.1}s {remark}"
            )
            .unwrap();
        }
    }
    text
}

#[test]
fn every_shape_of_what_a_caller_can_see_is_compared() {
    let shapes = shapes();
    assert!(shapes.len() >= SHAPES);
    let words = all(&shapes);
    let wrong = words.iter().filter(|(equal, _)| equal.is("different")).count()
        + words.iter().filter(|(_, different)| different.is("equal")).count();
    let found = words.iter().filter(|(_, different)| different.is("different")).count();
    let proved = words.iter().filter(|(equal, _)| equal.is("equal")).count();
    let summary = format!(
        "of {} shapes: {wrong} wrong, {found} different ones found (at least {FOUND}), {proved} \
         equal ones proved (at least {PROVED})",
        shapes.len()
    );
    eprintln!("{summary}");
    let passed = wrong == 0 && found >= FOUND && proved >= PROVED;
    assert!(passed, "{summary}\n{}", table(&shapes, &words));
}
