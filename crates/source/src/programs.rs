//! The programs of a directory, with their files.
//!
//! From its recorded build; else from its `compile_commands.json`, or all C files below it, and the
//! files that define `main`: without a record, nobody knows which of the other files belong to
//! which program, so that they are listed apart.

use std::fs;
use std::path::{Path, PathBuf};

use crate::build::{Build, Language, ProductKind};
use crate::cache::Cache;
use crate::checkout::{Selection, check_out};
use crate::error::SourceError;
use crate::mains::{Main, main_of};
use crate::paths::{normal, relative};

/// What a list of programs was made from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// By a recorded build, in this directory.
    Build(PathBuf),
    /// By `compile_commands.json`.
    Database,
    /// By the files alone.
    Files,
}

/// The programs of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Programs {
    pub told: Told,
    /// Programs, then shared libraries, then archives that are in no program; each by name.
    pub listed: Vec<Listed>,
    /// C files that may belong to any program.
    pub shared: Vec<PathBuf>,
}

/// A program or a library. Names of files are relative to the directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub name: String,
    pub kind: ProductKind,
    /// The C files.
    pub files: Vec<PathBuf>,
    /// Files in other languages.
    pub others: Vec<PathBuf>,
    /// Libraries of the same build, by name.
    pub own_libraries: Vec<String>,
    /// Libraries of the system.
    pub libraries: Vec<String>,
    /// Objects without a known source.
    pub unknown: Vec<PathBuf>,
    /// It defines `main` only if a condition of the preprocessor holds.
    pub is_conditional: bool,
}

/// The programs of a directory, whose name is absolute. `build` is its recorded build, if it is
/// known.
pub fn list_programs(
    directory: &Path,
    build: Option<&Build>,
    cache: &Cache,
) -> Result<Programs, SourceError> {
    match build {
        Some(build) => Ok(of_build(build, directory)),
        None => of_files(directory, cache),
    }
}

impl Build {
    /// The recorded build of a directory, or of the nearest one around it.
    pub fn nearest(cache: &Cache, directory: &Path) -> Result<Option<Build>, SourceError> {
        let real = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let places = real.ancestors().filter_map(|above| Build::place(cache, above));
        places
            .into_iter()
            .find(|place| place.is_file())
            .map(|place| Build::read(&place))
            .transpose()
    }
}

fn of_build(build: &Build, directory: &Path) -> Programs {
    let directory = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let mut listed = Vec::new();
    for product in &build.products {
        let is_part = product.kind == ProductKind::Archive
            && build.products.iter().any(|other| {
                other.archives.iter().any(|one| build.product(*one).path == product.path)
            });
        if is_part {
            continue;
        }
        let units: Vec<_> = product.units.iter().map(|unit| build.unit(*unit)).collect();
        let files = |is_c: bool| {
            let wanted = units.iter().filter(|unit| (unit.language == Language::C) == is_c);
            sorted(wanted.map(|unit| shown(&directory, &unit.file)).collect())
        };
        let own = product.shared.iter().chain(&product.archives);
        listed.push(Listed {
            name: product.name.clone(),
            kind: product.kind,
            files: files(true),
            others: files(false),
            own_libraries: own.map(|one| build.product(*one).name.clone()).collect(),
            libraries: product.libraries.clone(),
            unknown: product.unknown.iter().map(|path| shown(&directory, path)).collect(),
            is_conditional: false,
        });
    }
    listed.sort_by(|a, b| (a.kind, &a.name).cmp(&(b.kind, &b.name)));
    Programs { told: Told::Build(build.directory.clone()), listed, shared: Vec::new() }
}

fn of_files(directory: &Path, cache: &Cache) -> Result<Programs, SourceError> {
    let selection = Selection { directory, paths: &[], cflags: &[], cache };
    let checkout = check_out(directory.as_os_str(), &selection)?;
    let told = if checkout.flags.is_empty() { Told::Files } else { Told::Database };
    let (mut listed, mut shared) = (Vec::new(), Vec::new());
    for file in &checkout.files {
        let path = checkout.path(file);
        let text = fs::read(&path)
            .map_err(|cause| SourceError::Unreadable { path: path.clone(), cause })?;
        let name = shown(directory, &normal(&path));
        match main_of(&String::from_utf8_lossy(&text)) {
            Some(main) => listed.push(candidate(name, main)),
            None => shared.push(name),
        }
    }
    listed.sort_by(|a, b| (a.is_conditional, &a.name).cmp(&(b.is_conditional, &b.name)));
    Ok(Programs { told, listed, shared: sorted(shared) })
}

fn candidate(file: PathBuf, main: Main) -> Listed {
    Listed {
        name: file.with_extension("").display().to_string(),
        kind: ProductKind::Program,
        files: vec![file],
        others: Vec::new(),
        own_libraries: Vec::new(),
        libraries: Vec::new(),
        unknown: Vec::new(),
        is_conditional: main == Main::Conditionally,
    }
}

fn shown(directory: &Path, path: &Path) -> PathBuf {
    // What is elsewhere has a shorter name from the root.
    if path.starts_with(directory) { relative(directory, path) } else { path.to_owned() }
}

fn sorted(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort();
    paths.dedup();
    paths
}
