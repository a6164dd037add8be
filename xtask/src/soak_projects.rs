//! `cargo xtask soak projects`: compares releases of real libraries as commits of a repository, as
//! somebody would who knows nothing about them: `ripple compare REV REV`, with no further option.
//!
//! Each comparison must end in time with a verdict, or with commands to type next; some of the
//! commands that it suggests are typed, and must end with a verdict. Nothing but the output
//! directory may appear in the work tree, and the index stays as it is. Sources come from published
//! crates; what cannot be fetched is skipped. Whether a verdict is right is up to other parts.
//! Options: `--only NAME`, `--typed N` (2).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use testkit::subjects::{Subject, subject};

use crate::tool::{Tool, timed};
use crate::words::Words;

/// How long a comparison may take, on a busy machine.
const LIMIT: Duration = Duration::from_secs(300);
/// The budget of commands that a report suggests.
const NEXT_BUDGET: &str = "3s";

/// A library in several releases, each with the directory of its sources in the crate.
struct Library {
    name: &'static str,
    releases: &'static [(&'static str, &'static str)],
}

const LIBRARIES: [Library; 7] = [
    Library {
        name: "libz-sys",
        releases: &[("1.1.12", "src/zlib"), ("1.1.20", "src/zlib"), ("1.1.31", "src/zlib")],
    },
    Library {
        name: "lz4-sys",
        releases: &[("1.8.3", "liblz4"), ("1.9.2", "liblz4"), ("1.11.1", "liblz4")],
    },
    Library {
        name: "lua-src",
        releases: &[
            ("546.0.2", "lua-5.3.6"),
            ("546.0.2", "lua-5.4.6"),
            ("547.0.0", "lua-5.4.7"),
            ("548.0.0", "lua-5.4.8"),
        ],
    },
    Library {
        name: "libdeflate-sys",
        releases: &[("0.11.0", "libdeflate"), ("1.19.3", "libdeflate"), ("1.24.0", "libdeflate")],
    },
    Library {
        name: "onig_sys",
        releases: &[("69.6.0", "oniguruma"), ("69.8.1", "oniguruma"), ("69.9.1", "oniguruma")],
    },
    Library { name: "liblzma-sys", releases: &[("0.3.9", "xz"), ("0.4.4", "xz")] },
    Library { name: "libsqlite3-sys", releases: &[("0.28.0", "sqlite3"), ("0.30.1", "sqlite3")] },
];

/// How many commands that a report suggests are typed.
struct Asked {
    only: Option<String>,
    typed: usize,
}

/// What a command did.
struct Said {
    /// None if it had to be ended.
    code: Option<i32>,
    out: String,
    err: String,
    time: Duration,
}

pub fn run(root: &Path, options: &[String]) -> anyhow::Result<ExitCode> {
    let mut asked = Asked { only: None, typed: 2 };
    let mut words = Words::new(options);
    while let Some(option) = words.option() {
        match option {
            "--only" => asked.only = Some(words.value()?.to_owned()),
            "--typed" => asked.typed = words.number()?,
            _ => bail!("soak projects takes --only NAME and --typed N"),
        }
    }
    let tool = Tool::built(root, "soak-projects")?;
    let (mut compared, mut bad) = (0, 0);
    for library in &LIBRARIES {
        if asked.only.as_ref().is_some_and(|only| only != library.name) {
            continue;
        }
        let Some(repository) = repository(root, tool.place(), library)? else {
            println!("{}: skipped, because it cannot be fetched", library.name);
            continue;
        };
        for (before, after) in (0..).zip(1..library.releases.len()) {
            compared += 1;
            let faults = judge(&tool, &repository, library, [before, after], &asked)?;
            faults.iter().for_each(|fault| println!("  {fault}"));
            bad += usize::from(!faults.is_empty());
        }
    }
    println!("{compared} comparisons, {bad} with something to mend");
    Ok(if bad == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A repository with a commit for each release, the tags `r0`, `r1` and so on; none if a release
/// cannot be fetched.
fn repository(root: &Path, place: &Path, library: &Library) -> anyhow::Result<Option<PathBuf>> {
    let mut sources = Vec::new();
    for (version, inside) in library.releases {
        match subject(root, &Subject { name: library.name, version }) {
            Some(path) => sources.push(path.join(inside)),
            None => return Ok(None),
        }
    }
    let repository = place.join(library.name);
    if repository.exists() {
        fs::remove_dir_all(&repository)?;
    }
    fs::create_dir_all(&repository)?;
    git(&repository, &["init", "--quiet"])?;
    for (number, source) in sources.iter().enumerate() {
        for entry in fs::read_dir(&repository)?.flatten() {
            match entry.file_type()?.is_dir() {
                true if entry.file_name() == ".git" => {}
                true => fs::remove_dir_all(entry.path())?,
                false => fs::remove_file(entry.path())?,
            }
        }
        let status =
            Command::new("cp").arg("-r").arg(source.join(".")).arg(&repository).status()?;
        if !status.success() {
            bail!("cannot copy {}", source.display());
        }
        git(&repository, &["add", "--all", "--force"])?;
        let (version, _) = library.releases[number];
        git(&repository, &["commit", "--quiet", "--message", version])?;
        git(&repository, &["tag", &format!("r{number}")])?;
    }
    Ok(Some(repository))
}

fn git(repository: &Path, args: &[&str]) -> anyhow::Result<String> {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]);
    command.args(["-c", "commit.gpgsign=false"]).args(args).current_dir(repository);
    let output = command.stdin(Stdio::null()).output().context("cannot run git")?;
    if !output.status.success() {
        bail!("git {args:?} failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What is wrong with a comparison of two releases.
fn judge(
    tool: &Tool,
    repository: &Path,
    library: &Library,
    [before, after]: [usize; 2],
    asked: &Asked,
) -> anyhow::Result<Vec<String>> {
    let index = || fs::read(repository.join(".git/index")).context("there is no index");
    let untouched = index()?;
    let revisions = [format!("r{before}"), format!("r{after}")];
    let words = ["compare", &revisions[0], &revisions[1]];
    let said = ripple(tool, repository, &words)?;
    let versions = [before, after].map(|number| library.releases[number].0);
    let first = said.out.lines().next().unwrap_or("no output");
    println!(
        "{} {} {}: {first} ({:.0} s)",
        library.name,
        versions[0],
        versions[1],
        said.time.as_secs_f64()
    );
    let mut faults = Vec::new();
    faults.extend(complaint(&said));
    let next = suggested(&said);
    if !matches!(said.code, Some(0 | 1 | 3)) && next.is_empty() {
        let last = said.err.lines().last().unwrap_or_default();
        faults.push(format!("no verdict and no command to type next: {last}"));
    }
    for command in next.iter().take(asked.typed) {
        let words = testkit::words(command);
        let mut words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
        words.extend(["--budget", NEXT_BUDGET, "--no-out"]);
        let said = ripple(tool, repository, &words)?;
        if !matches!(said.code, Some(0 | 1 | 3)) {
            let last = said.err.lines().last().unwrap_or_default();
            faults.push(format!("`{command}` ends with {:?}: {last}", said.code));
        }
        faults.extend(complaint(&said));
    }
    if index()? != untouched {
        faults.push("the index changed".to_owned());
    }
    let status = git(repository, &["status", "--porcelain", "--ignored"])?;
    let foreign = status.lines().find(|line| !line.contains(" ripple.out"));
    faults.extend(foreign.map(|line| format!("in the work tree: {line}")));
    Ok(faults)
}

/// What no command may do.
fn complaint(said: &Said) -> Option<String> {
    if said.code.is_none() {
        return Some(format!("does not end within {} s", LIMIT.as_secs()));
    }
    let panic = said.err.lines().find(|line| line.contains("panicked"));
    panic.map(|line| format!("panics: {line}"))
}

/// The commands that a report or a message suggests.
fn suggested(said: &Said) -> Vec<String> {
    let lines = said.out.lines().chain(said.err.lines());
    let marks = ["; try: ", "Try: ", "for example: ", "instead: "];
    let command = |line: &str| {
        let at = marks.iter().find_map(|mark| Some(line.find(mark)? + mark.len()))?;
        line[at..].starts_with("ripple ").then(|| line[at..].trim_end().to_owned())
    };
    lines.filter_map(command).collect()
}

fn ripple(tool: &Tool, repository: &Path, words: &[&str]) -> anyhow::Result<Said> {
    let [out, err] = ["out", "err"].map(|name| tool.place().join(name));
    let mut command = Command::new(tool.path());
    command.args(words).current_dir(repository).stdin(Stdio::null());
    command.env("XDG_CACHE_HOME", tool.place().join("cache"));
    command.stdout(fs::File::create(&out)?).stderr(fs::File::create(&err)?);
    let (status, time) = timed(&mut command, Some(LIMIT))?;
    let text = |path: &Path| -> anyhow::Result<String> {
        Ok(String::from_utf8_lossy(&fs::read(path)?).into_owned())
    };
    Ok(Said {
        code: status.and_then(|status| status.code()),
        out: text(&out)?,
        err: text(&err)?,
        time,
    })
}
