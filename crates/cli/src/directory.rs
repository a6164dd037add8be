//! Directories that commands write their results to.
//!
//! Everything is written beside the directory first and takes its place in one step, so that
//! there is never half a directory, whenever the process ends. The result before is kept, with
//! `.1` at the end of its name. What somebody else made is not touched.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use rustix::fs::{CWD, RenameFlags, renameat_with};

/// Who writes to a directory.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    pub command: &'static str,
    /// Whether the command made what is there.
    pub is_ours: fn(&Path) -> bool,
}

/// A directory that may be written.
pub struct OutDirectory {
    path: PathBuf,
    before: PathBuf,
}

impl OutDirectory {
    /// Refuses what is there already, unless it is empty or an earlier result.
    pub fn check(path: &Path, owner: Owner) -> anyhow::Result<OutDirectory> {
        let Some(name) = path.file_name() else {
            bail!("`--out {}` is no name of a directory that can be made", path.display());
        };
        let mut before = OsString::from(name);
        before.push(".1");
        let before = path.with_file_name(before);
        for place in [path, &before] {
            check_place(place, owner)?;
        }
        Ok(OutDirectory { path: path.to_owned(), before })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the result before is.
    pub fn before(&self) -> &Path {
        &self.before
    }

    /// Puts a directory there that `fill` fills; what was there is kept under its other name.
    pub fn rotate(&self, fill: &dyn Fn(&Path) -> io::Result<()>) -> io::Result<()> {
        self.beside(fill, |new| {
            if !self.path.exists() {
                return fs::rename(new, &self.path);
            }
            // The new result takes the place of the one before, and then both change places: at
            // every moment, both names have a whole result.
            if self.before.exists() {
                exchange(new, &self.before)?
            } else {
                fs::rename(new, &self.before)?
            }
            exchange(&self.before, &self.path)
        })
    }

    /// Puts a directory there that `fill` fills; what was there is gone.
    pub fn replace(&self, fill: &dyn Fn(&Path) -> io::Result<()>) -> io::Result<()> {
        self.beside(fill, |new| {
            if self.path.exists() { exchange(new, &self.path) } else { fs::rename(new, &self.path) }
        })
    }

    /// What to say when that fails.
    pub fn cannot(&self) -> String {
        format!("cannot write {} (--no-out writes nothing)", self.path.display())
    }

    /// Fills a directory beside the one that is meant, and puts it in place.
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

/// Lets two directories change places. Not every file system can do that in one step; then there
/// is a moment in which the second is missing.
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
            return Err(error).with_context(|| format!("`--out`: {shown} cannot be used"));
        }
    };
    if names > 0 && !(owner.is_ours)(path) {
        let command = owner.command;
        bail!(
            "`--out`: {shown} is not a result of `ripple {command}`, so it is not replaced; name \
             another directory, or say --no-out"
        );
    }
    Ok(())
}
