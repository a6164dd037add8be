//! The directory that tests and the report are written to.
//!
//! Everything is written beside it first and appears by renaming, so that there is never half
//! a directory. What somebody else made is not touched.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use effects::explore::{Explored, KeptTest};
use inputs::{Ktest, KtestObject, write_script, write_test};

const REPORT: &str = "report.json";
/// What tests run by default, seen from the directory of the scripts.
const PROGRAM: &str = "../program";

/// A directory that may be written.
pub struct OutDirectory {
    path: PathBuf,
}

impl OutDirectory {
    /// Refuses what is there already, unless it is empty or an earlier result.
    pub fn check(path: &Path) -> anyhow::Result<OutDirectory> {
        let shown = path.display();
        let names = match fs::read_dir(path) {
            Ok(entries) => entries.count(),
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => {
                return Err(error).with_context(|| format!("`--out {shown}` cannot be used"));
            }
        };
        if names > 0 && !is_ours(path) {
            bail!(
                "`--out {shown}`: this directory is not a result of `ripple explore`, so it is \
                 not replaced; name another one"
            );
        }
        Ok(OutDirectory { path: path.to_owned() })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn write(&self, explored: &Explored) -> anyhow::Result<()> {
        self.replace(explored).with_context(|| format!("cannot write {}", self.path.display()))
    }

    fn replace(&self, explored: &Explored) -> io::Result<()> {
        let parent = self.path.parent().filter(|parent| *parent != Path::new(""));
        let parent = parent.unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        let place = tempfile::Builder::new().prefix(".ripple-").tempdir_in(parent)?;
        let (new, old) = (place.path().join("new"), place.path().join("old"));
        fs::create_dir(&new)?;
        fill(&new, explored)?;
        let replaces = self.path.exists();
        if replaces {
            fs::rename(&self.path, &old)?;
        }
        let placed = fs::rename(&new, &self.path);
        if placed.is_err() && replaces {
            fs::rename(&old, &self.path)?;
        }
        placed
    }
}

fn is_ours(path: &Path) -> bool {
    let kind = report::explore::FORMAT.trim_end_matches(|c: char| c.is_ascii_digit());
    let marked = format!("\"format\": \"{kind}");
    fs::read_to_string(path.join(REPORT)).is_ok_and(|report| report.contains(&marked))
}

fn fill(directory: &Path, explored: &Explored) -> io::Result<()> {
    let tests = directory.join("tests");
    fs::create_dir(&tests)?;
    fs::write(directory.join(REPORT), report::explore::json(explored))?;
    let lines = explored.tests.iter().map(|test| write_test(&test.test) + "\n");
    fs::write(directory.join("tests.jsonl"), lines.collect::<String>())?;
    fs::copy(&explored.native.path, directory.join("program"))?;
    if let Some(harness) = &explored.harness {
        fs::write(directory.join("harness.c"), harness)?;
    }
    for (index, test) in explored.tests.iter().enumerate() {
        let name = format!("{:03}", index + 1);
        let script = write_script(&test.native_test, Some(PROGRAM));
        fs::write(tests.join(format!("{name}.sh")), script)?;
        let program = report::explore::program_name(explored);
        fs::write(tests.join(format!("{name}.ktest")), ktest(&program, test).to_bytes())?;
    }
    Ok(())
}

fn ktest(program: &str, test: &KeptTest) -> Ktest {
    let mut ktest = Ktest::of_input(program, &test.test.input);
    let memory = test.memory.iter().cloned();
    ktest.objects.extend(memory.map(|(name, bytes)| KtestObject { name, bytes }));
    ktest
}
