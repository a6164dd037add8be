//! Directories that commands write their results to.
//!
//! Everything is written beside the directory first and takes its place in one step, so that
//! there is never half a directory, whenever the process ends. `rotate` keeps the previous result
//! under the name DIR.1. A directory that is not a result of the same command is not touched.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustix::fs::{CWD, RenameFlags, renameat_with};

/// The command that writes to a directory.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    pub command: &'static str,
    /// Whether the command made what is there.
    pub is_ours: fn(&Path) -> bool,
    /// Whether it writes a directory by default, keeps the previous one as DIR.1, and has
    /// `--no-out`.
    pub by_default: bool,
}

/// A directory that may be written.
pub struct OutDirectory {
    path: PathBuf,
    before: PathBuf,
    owner: Owner,
}

impl OutDirectory {
    /// Refuses what is there already, unless it is empty or an earlier result.
    pub fn check(path: &Path, owner: Owner) -> anyhow::Result<OutDirectory> {
        let Some(name) = path.file_name() else {
            bail!("`--out {}` cannot be created", path.display());
        };
        let mut before = OsString::from(name);
        before.push(".1");
        let before = path.with_file_name(before);
        check_place(path, owner)?;
        if owner.by_default {
            check_place(&before, owner)?;
        }
        Ok(OutDirectory { path: path.to_owned(), before, owner })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The previous result.
    pub fn before(&self) -> &Path {
        &self.before
    }

    /// Puts a new directory in place, filled by `fill`; keeps the previous one as DIR.1.
    pub fn rotate(&self, fill: &dyn Fn(&Path) -> io::Result<()>) -> io::Result<()> {
        self.beside(fill, |new| {
            if !self.path.exists() {
                return fs::rename(new, &self.path);
            }
            // The new result replaces the previous one, then both are exchanged: at every moment,
            // both names have a whole result.
            if self.before.exists() {
                exchange(new, &self.before)?
            } else {
                fs::rename(new, &self.before)?
            }
            exchange(&self.before, &self.path)
        })
    }

    /// Puts a new directory in place, filled by `fill`; removes what was there.
    pub fn replace(&self, fill: &dyn Fn(&Path) -> io::Result<()>) -> io::Result<()> {
        self.beside(fill, |new| {
            if self.path.exists() { exchange(new, &self.path) } else { fs::rename(new, &self.path) }
        })
    }

    /// The context of an error in `rotate` and `replace`.
    pub fn cannot(&self) -> String {
        let advice = if self.owner.by_default { "; --no-out writes no files" } else { "" };
        format!("cannot write {}{advice}", self.path.display())
    }

    /// Fills a temporary directory beside the final one, and puts it in place.
    fn beside(
        &self,
        fill: &dyn Fn(&Path) -> io::Result<()>,
        put: impl FnOnce(&Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let parent = self.path.parent().filter(|parent| *parent != Path::new(""));
        let parent = parent.unwrap_or(Path::new("."));
        fs::create_dir_all(parent)?;
        let beside = tempfile::Builder::new().prefix(".ripple-").tempdir_in(parent)?;
        let new = beside.path().join("new");
        fs::create_dir(&new)?;
        fill(&new)?;
        put(&new)
    }
}

/// Exchanges two directories. Not every file system can do that in one step; then there is a
/// moment in which the second is missing.
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    if renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok() {
        return Ok(());
    }
    let mut aside = OsString::from(one);
    aside.push(".aside");
    let aside = PathBuf::from(aside);
    fs::rename(other, &aside)?;
    fs::rename(one, other)?;
    fs::rename(&aside, one)
}

fn check_place(path: &Path, owner: Owner) -> anyhow::Result<()> {
    let shown = path.display();
    let names = match fs::read_dir(path) {
        Ok(entries) => entries.count(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => {
            return Err(error).with_context(|| format!("`--out`: cannot read {shown}"));
        }
    };
    if names > 0 && !(owner.is_ours)(path) {
        let Owner { command, by_default, .. } = owner;
        let advice = if by_default { ", or pass --no-out" } else { "" };
        bail!(
            "`--out`: {shown} exists and is not a result of `ripple {command}`; name another \
             directory{advice}"
        );
    }
    Ok(())
}

/// Whether a file is a report with this schema, of any version.
pub fn is_report(path: &Path, schema: &str) -> bool {
    let kind = schema.trim_end_matches(|c: char| c.is_ascii_digit());
    let marked = format!("\"schema\": \"{kind}");
    fs::read_to_string(path).is_ok_and(|report| report.contains(&marked))
}
