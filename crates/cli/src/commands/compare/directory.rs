//! The directory that the report, tests and scripts are written to.
//!
//! Everything is written beside it first and takes its place in one step, so that there is never
//! half a directory, whenever the process ends. The result before is kept, with `.1` at the end
//! of its name. What somebody else made is not touched.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use effects::compare::Compared;
use inputs::write_test;
use report::compare::Emitted;
use report::{Base, Look};
use rustix::fs::{CWD, RenameFlags, renameat_with};

const REPORT: &str = "report.json";

/// A directory that may be written.
pub struct OutDirectory {
    path: PathBuf,
    before: PathBuf,
}

impl OutDirectory {
    /// Refuses what is there already, unless it is empty or an earlier result.
    pub fn check(path: &Path) -> anyhow::Result<OutDirectory> {
        let Some(name) = path.file_name() else {
            bail!("`--out {}` is no name of a directory that can be made", path.display());
        };
        let mut before = OsString::from(name);
        before.push(".1");
        let before = path.with_file_name(before);
        for place in [path, &before] {
            check_place(place)?;
        }
        Ok(OutDirectory { path: path.to_owned(), before })
    }

    pub fn write(
        &self,
        compared: &Compared,
        base: &Base,
        emitted: &[Emitted],
    ) -> anyhow::Result<()> {
        let shown = self.path.display();
        let fill = |directory: &Path| {
            fill(directory, compared, base)?;
            fill_tests(directory, emitted)
        };
        self.replace(&fill)
            .with_context(|| format!("cannot write {shown} (--no-out writes nothing)"))
    }

    fn replace(&self, fill: &dyn Fn(&Path) -> io::Result<()>) -> io::Result<()> {
        let parent = self.path.parent().filter(|parent| *parent != Path::new(""));
        let parent = parent.unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        let place = tempfile::Builder::new().prefix(".ripple-").tempdir_in(parent)?;
        let (new, older) = (place.path().join("new"), place.path().join("older"));
        fs::create_dir(&new)?;
        fill(&new)?;
        match exchange(&new, &self.path) {
            // The result before is where the new one was.
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return fs::rename(&new, &self.path);
            }
            // Not every file system can exchange; then there is a moment without a result.
            Err(_) => {
                let taken = place.path().join("taken");
                fs::rename(&self.path, &taken)?;
                fs::rename(&new, &self.path)?;
                fs::rename(&taken, &new)?;
            }
        }
        if self.before.exists() {
            fs::rename(&self.before, &older)?;
        }
        fs::rename(&new, &self.before)
    }
}

fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE)?)
}

fn check_place(path: &Path) -> anyhow::Result<()> {
    let shown = path.display();
    let names = match fs::read_dir(path) {
        Ok(entries) => entries.count(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => {
            return Err(error).with_context(|| format!("`--out`: {shown} cannot be used"));
        }
    };
    if names > 0 && !is_ours(path) {
        bail!(
            "`--out`: {shown} is not a result of `ripple compare`, so it is not replaced; name \
             another directory, or say --no-out"
        );
    }
    Ok(())
}

fn is_ours(path: &Path) -> bool {
    let kind = report::compare::SCHEMA.trim_end_matches(|c: char| c.is_ascii_digit());
    let marked = format!("\"schema\": \"{kind}");
    fs::read_to_string(path.join(REPORT)).is_ok_and(|report| report.contains(&marked))
}

fn fill(directory: &Path, compared: &Compared, base: &Base) -> io::Result<()> {
    fs::write(directory.join(REPORT), report::compare::json(compared))?;
    fs::write(directory.join("timing.json"), report::compare::timing(compared))?;
    let text = report::compare::text(compared, None, Look::default());
    fs::write(directory.join("report.txt"), text)?;
    fs::write(directory.join("report.sarif"), report::compare::sarif(compared, base))?;
    fs::write(directory.join("report.md"), report::compare::markdown(compared, base))?;
    fs::write(directory.join("report.html"), report::compare::html(compared))?;
    let lines = compared.witnesses.iter().map(|witness| write_test(&witness.test) + "\n");
    fs::write(directory.join("tests.jsonl"), lines.collect::<String>())?;
    for (index, witness) in compared.witnesses.iter().enumerate() {
        let script = report::compare::script(compared, witness);
        fs::write(directory.join(report::compare::script_name(index)), script)?;
    }
    Ok(())
}

/// Tests to keep, if some were asked for.
fn fill_tests(directory: &Path, emitted: &[Emitted]) -> io::Result<()> {
    let files = emitted.iter().flat_map(|emitted| &emitted.files);
    let tests = directory.join("tests");
    for file in files {
        fs::create_dir_all(&tests)?;
        fs::write(tests.join(&file.name), &file.content)?;
    }
    Ok(())
}
