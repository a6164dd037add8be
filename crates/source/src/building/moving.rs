//! A build that moves from the place where it ran to the place where it is kept.
//!
//! What Ripple reads later must lead there: names in the record, `#include` lines of generated
//! files, and symbolic links. Other texts with absolute names stay, so that they are the same in
//! every version. Objects are removed: nothing reads them again.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::build::Build;
use crate::paths::{absolute_flags, map_paths};

/// The record as it will be at `to`; the files are still at `from`.
pub(super) fn settled(build: Build, from: &Path, to: &Path) -> io::Result<Build> {
    let sources: BTreeSet<&PathBuf> = build.units.iter().map(|unit| &unit.file).collect();
    for object in build.units.iter().filter_map(|unit| unit.object.as_ref()) {
        if object.starts_with(from) && !sources.contains(object) {
            match fs::remove_file(object) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    for path in build.generated.iter().filter(|path| path.starts_with(from)) {
        redirect_includes(path, from, to)?;
    }
    redirect_links(from, to)?;
    Ok(build.relocated(from, to))
}

/// Lets `#include` lines with names below `from` lead to `to`.
fn redirect_includes(path: &Path, from: &Path, to: &Path) -> io::Result<()> {
    // A file that is no text includes nothing; one that is gone is not needed.
    let Ok(text) = fs::read_to_string(path) else { return Ok(()) };
    let [old, new] = [from, to].map(|path| format!("\"{}/", path.display()));
    let is_include = |line: &str| {
        let directive = line.trim_start().strip_prefix('#');
        directive.is_some_and(|rest| rest.trim_start().starts_with("include"))
    };
    if !text.lines().any(|line| is_include(line) && line.contains(&old)) {
        return Ok(());
    }
    let lines = text.split_inclusive('\n');
    let changed: String = lines
        .map(|line| if is_include(line) { line.replace(&old, &new) } else { line.to_owned() })
        .collect();
    fs::write(path, changed)
}

/// The same for symbolic links with absolute names.
fn redirect_links(from: &Path, to: &Path) -> io::Result<()> {
    let mut waiting = vec![from.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            let (kind, path) = (entry.file_type()?, entry.path());
            if kind.is_dir() {
                waiting.push(path);
            } else if kind.is_symlink()
                && let Ok(below) = fs::read_link(&path)?.strip_prefix(from)
            {
                fs::remove_file(&path)?;
                symlink(to.join(below), &path)?;
            }
        }
    }
    Ok(())
}

impl Build {
    /// The same build as if it had run in another place. What a later build would continue is left
    /// out: there is none.
    fn relocated(mut self, from: &Path, to: &Path) -> Build {
        let moved = |path: &Path| match path.strip_prefix(from) {
            Ok(below) if below.as_os_str().is_empty() => to.to_owned(),
            Ok(below) => to.join(below),
            Err(_) => path.to_owned(),
        };
        let all = |paths: &mut Vec<PathBuf>| paths.iter_mut().for_each(|path| *path = moved(path));
        self.directory = moved(&self.directory);
        for unit in &mut self.units {
            // Names are resolved where the files still are.
            let flags = absolute_flags(&unit.flags, &unit.directory);
            unit.flags = map_paths(&flags, &|_, path| moved(path));
            unit.file = moved(&unit.file);
            unit.directory = moved(&unit.directory);
            unit.object = unit.object.as_deref().map(moved);
        }
        for product in &mut self.products {
            product.path = moved(&product.path);
            all(&mut product.unknown);
            all(&mut product.copies);
        }
        all(&mut self.generated);
        self.without_executions()
    }
}
