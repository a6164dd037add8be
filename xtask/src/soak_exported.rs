//! `cargo xtask soak exported`: compares functions that libraries export, in two releases, by their
//! signatures alone.
//!
//! No function has any flag of its own, so its objects may be none that the library would ever
//! make. A fault with such objects must not be ranked before a difference that is no fault, nor one
//! that the report itself marks as inconsistent before any. *Equal* must not be contradicted by
//! native runs of our own, which are made for functions over numbers, buffers and strings; the
//! others are counted. Libraries come from published crates; what cannot be fetched is skipped.
//! Options: `--count N`, `--only NAME`.

mod native;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;
use source::Cache;

use base::in_parallel;
use native::{Checked, Natives};
use testkit::compiler_at;
use testkit::subjects::{Subject, subject, target_directory};

use crate::words::Words;

const THREADS: usize = 2;
const BUDGET: &str = "3s";
/// The timeout of the tool, which counts as its failure.
const TOOL_TIME: &str = "90";
const TOO_LONG: &str = "does not end in time";

/// A library in two releases: a crate, and the place of its files.
struct Library {
    name: &'static str,
    versions: [&'static str; 2],
    directories: [&'static str; 2],
    /// Subdirectories with further files.
    inside: &'static [&'static str],
    /// Prefixes of the names of omitted files.
    without: &'static [&'static str],
}

const LIBRARIES: [Library; 4] = [
    Library {
        name: "libz-sys",
        versions: ["1.1.12", "1.1.20"],
        directories: ["src/zlib", "src/zlib"],
        inside: &[],
        without: &["gz"],
    },
    Library {
        name: "lz4-sys",
        versions: ["1.8.3", "1.11.1"],
        directories: ["liblz4/lib", "liblz4/lib"],
        inside: &[],
        without: &["lz4file"],
    },
    Library {
        name: "lua-src",
        versions: ["546.0.2", "547.0.0"],
        directories: ["lua-5.4.6", "lua-5.4.7"],
        inside: &[],
        without: &[],
    },
    Library {
        name: "libdeflate-sys",
        versions: ["1.19.3", "1.24.0"],
        directories: ["libdeflate/lib", "libdeflate/lib"],
        inside: &["x86"],
        without: &[],
    },
];

/// Both releases, unpacked, with the files that both have.
pub struct Releases {
    pub name: &'static str,
    pub directories: [PathBuf; 2],
    pub files: Vec<String>,
}

/// The verdict about a function.
#[derive(Default)]
struct Said {
    verdict: String,
    /// The first difference is a fault.
    fault: bool,
    /// Why it should not be the first.
    misplaced: Option<&'static str>,
    /// Why the tool rejects the function.
    refusal: Option<String>,
    checked: Option<Checked>,
    /// How long the tool took.
    time: Duration,
}

#[derive(Default)]
struct Tally {
    equal: usize,
    different: usize,
    inconclusive: usize,
    refused: usize,
    too_long: usize,
    faults: usize,
    misplaced: usize,
    contradicted: usize,
    confirmed: usize,
    unchecked: usize,
    slowest: Duration,
}

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    let (mut count, mut only) = (50, None);
    let mut words = Words::new(options);
    while let Some(option) = words.option() {
        match option {
            "--count" => count = words.number()?,
            "--only" => only = Some(words.value()?),
            _ => bail!("soak exported takes --count N and --only NAME"),
        }
    }
    let ripple = target_directory(root).join("release/ripple");
    if !ripple.exists() {
        bail!("build the tool first: cargo build --release");
    }
    let place = target_directory(root).join("soak-exported");
    fs::create_dir_all(&place)?;
    let compiler = compiler_at(Cache::at(place.join("cache")), root)?;
    let mut natives = Vec::new();
    for library in &LIBRARIES {
        let Some(releases) = fetch(root, library)? else { continue };
        match Natives::new(&compiler, &place.join(library.name), releases) {
            Ok(built) => natives.push(built),
            Err(error) => println!("{error:#}: left out"),
        }
    }
    if natives.is_empty() {
        println!("no library can be fetched and built: nothing is compared");
        return Ok(ExitCode::SUCCESS);
    }
    let functions = chosen(&natives, only);
    let mut tally = Tally::default();
    for lot in functions.chunks(2 * THREADS) {
        let judged = tally.equal + tally.different + tally.inconclusive;
        if judged >= count {
            break;
        }
        let all =
            in_parallel(lot, THREADS, |(natives, name)| judge(&ripple, &place, natives, name));
        for ((natives, name), said) in lot.iter().zip(all) {
            tell(&mut tally, natives.releases.name, name, &said?);
        }
    }
    Ok(tally.report(count.min(functions.len())))
}

fn fetch(root: &Path, library: &Library) -> anyhow::Result<Option<Releases>> {
    let mut directories = Vec::new();
    for (version, inside) in library.versions.iter().zip(library.directories) {
        match subject(root, &Subject { name: library.name, version }) {
            Some(path) => directories.push(path.join(inside)),
            None => return Ok(None),
        }
    }
    let [old, new] = &directories[..] else { return Ok(None) };
    let names = |directory: &Path| -> anyhow::Result<BTreeSet<String>> {
        let mut all = BTreeSet::new();
        for inside in [""].iter().chain(library.inside) {
            let place = directory.join(inside);
            let entries = fs::read_dir(&place)
                .with_context(|| format!("{}: there is no {}", library.name, place.display()))?;
            let files = entries.flatten().map(|entry| Path::new(inside).join(entry.file_name()));
            let names = files.map(|file| file.to_string_lossy().into_owned());
            all.extend(names.filter(|name| name.ends_with(".c")));
        }
        Ok(all)
    };
    let both = names(old)?.intersection(&names(new)?).cloned().collect::<Vec<String>>();
    let wanted = |name: &String| !library.without.iter().any(|start| name.starts_with(start));
    let files = both.into_iter().filter(wanted).collect();
    Ok(Some(Releases { name: library.name, directories: [old.clone(), new.clone()], files }))
}

/// Functions of all libraries in turn, those of each in an arbitrary order.
fn chosen<'a>(natives: &'a [Natives], only: Option<&str>) -> Vec<(&'a Natives, &'a str)> {
    let mut lists: Vec<Vec<(&Natives, &str)>> = Vec::new();
    for one in natives {
        let mut names: Vec<(&Natives, &str)> =
            one.exported.iter().map(|name| (one, name.as_str())).collect();
        names.retain(|(_, name)| only.is_none_or(|only| only == *name));
        names.sort_by_key(|(_, name)| mixed(name));
        names.reverse();
        lists.push(names);
    }
    let mut all = Vec::new();
    while lists.iter().any(|list| !list.is_empty()) {
        all.extend(lists.iter_mut().filter_map(Vec::pop));
    }
    all
}

fn mixed(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn judge(ripple: &Path, place: &Path, natives: &Natives, name: &str) -> anyhow::Result<Said> {
    let releases = &natives.releases;
    let mut command = Command::new(ripple);
    command.arg("compare").args(&releases.directories).args(["--entry", name, "--quiet"]);
    command.args(["--budget", BUDGET, "--format", "json", "--no-out", "--seed", "1"]);
    command.arg("--").args(&releases.files);
    command.env("XDG_CACHE_HOME", place.join("tool-cache")).stdin(Stdio::null());
    let began = Instant::now();
    let Some(output) = bounded(&mut command)? else {
        return Ok(Said { verdict: TOO_LONG.to_owned(), ..Said::default() });
    };
    let mut said = Said { time: began.elapsed(), ..Said::default() };
    let Ok(report) = serde_json::from_slice::<Value>(&output.stdout) else {
        let message = String::from_utf8_lossy(&output.stderr);
        if !matches!(output.status.code(), Some(2 | 4)) {
            bail!("{name}: the tool ended with {}: {message}", output.status);
        }
        said.refusal = Some(message.lines().next().unwrap_or_default().to_owned());
        return Ok(said);
    };
    said.verdict = report["verdict"].as_str().unwrap_or_default().to_owned();
    // Other verdicts have only differences that do not count.
    let witnesses = report["witnesses"].as_array().filter(|_| said.verdict == "different");
    let witnesses = witnesses.map(Vec::as_slice).unwrap_or_default();
    said.fault = witnesses.first().is_some_and(is_fault);
    said.misplaced = misplaced(witnesses);
    if said.verdict == "equal" {
        said.checked = Some(natives.check(name)?);
    }
    Ok(said)
}

/// Runs the tool, if it ends in time.
fn bounded(command: &mut Command) -> anyhow::Result<Option<Output>> {
    let mut limited = Command::new("timeout");
    limited.arg(TOOL_TIME).arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            limited.env(name, value);
        }
    }
    let output = limited.stdin(Stdio::null()).output().context("cannot run the tool")?;
    // The exit status of `timeout` if it had to end the command.
    Ok((output.status.code() != Some(124)).then_some(output))
}

fn class(witness: &Value) -> &str {
    witness["class"].as_str().unwrap_or_default()
}

fn is_fault(witness: &Value) -> bool {
    class(witness).starts_with("fault_")
}

/// Why the first difference should come after others, if it is a fault.
fn misplaced(witnesses: &[Value]) -> Option<&'static str> {
    let first = witnesses.first().filter(|witness| is_fault(witness))?;
    let is_inconsistent =
        |witness: &Value| witness["inconsistent"].as_array().is_some_and(|why| !why.is_empty());
    if is_inconsistent(first) {
        return Some("needs an inconsistent object");
    }
    let params = first["input"]["params"].as_object();
    let is_object = |value: &Value| !value.is_number() && value.get("bits").is_none();
    let has_object = params.is_some_and(|params| params.values().any(is_object));
    let shows = |witness: &Value| !is_fault(witness) && !class(witness).starts_with("undefined");
    (has_object && witnesses.iter().any(shows))
        .then_some("has objects, and there is another difference")
}

fn tell(tally: &mut Tally, library: &str, name: &str, said: &Said) {
    tally.slowest = tally.slowest.max(said.time);
    if let Some(refusal) = &said.refusal {
        tally.refused += 1;
        println!("{library} {name}: refused: {refusal}");
        return;
    }
    match said.verdict.as_str() {
        "equal" => tally.equal += 1,
        "different" => tally.different += 1,
        TOO_LONG => tally.too_long += 1,
        _ => tally.inconclusive += 1,
    }
    tally.faults += usize::from(said.fault);
    tally.misplaced += usize::from(said.misplaced.is_some());
    let mut remark = String::new();
    if said.fault {
        remark.push_str(", a fault is first");
    }
    if let Some(why) = said.misplaced {
        remark.push_str(&format!(" although it {why}"));
    }
    match &said.checked {
        Some(Checked::Same(inputs)) => {
            tally.confirmed += 1;
            remark = format!(", and the same natively on {inputs} inputs");
        }
        Some(Checked::Differs(what)) => {
            tally.contradicted += 1;
            remark = format!(", but natively {what}");
        }
        Some(Checked::Not(why)) => {
            tally.unchecked += 1;
            remark = format!(", not checked natively: {why}");
        }
        None => {} // Only *equal* is checked.
    }
    println!("{library} {name}: {}{remark}", said.verdict);
}

impl Tally {
    fn report(&self, wanted: usize) -> ExitCode {
        let Tally { equal, different, inconclusive, refused, .. } = self;
        let judged = equal + different + inconclusive;
        println!(
            "{judged} functions: {equal} equal, {different} different, {inconclusive} inconclusive; \
             {refused} more were refused, {} took too long",
            self.too_long
        );
        println!(
            "of equal ones, {} are the same natively, {} are not, {} are not checked natively",
            self.confirmed, self.contradicted, self.unchecked
        );
        println!(
            "a fault is ranked first {} times, {} times although it should not be",
            self.faults, self.misplaced
        );
        println!(
            "the slowest call took {:.0} s, of which {BUDGET} are for the search",
            self.slowest.as_secs_f64()
        );
        if judged < wanted {
            println!("fewer than {wanted} functions can be compared");
        }
        let passed = self.misplaced + self.too_long == 0 && self.contradicted == 0;
        if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
