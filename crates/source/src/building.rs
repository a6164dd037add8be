//! Versions as their builds leave them: with generated files, and with the units, flags and link
//! graph that the build says.
//!
//! The files of a version are copied to a place below the cache (`slot`, `files`), built there by
//! the recorder, and kept by contents, command and what the environment says to builds. All versions
//! of a project are built at the same place, one after the other, so that absolute names that a
//! build writes into its files are the same in all of them; then each moves to its own place
//! (`moving`). Nothing is written into the user's directories, and what an interrupted build leaves
//! is removed by the next one. Which command to run is told, or found by the files of the version
//! (`detect`).

mod detect;
mod files;
mod moving;
mod slot;

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use self::detect::{detected_builds, is_build_file};
use self::slot::Slot;
use crate::build::{Build, Progress, Recording, Tracing};
use crate::cache::{Cache, Group, KeyOf};
use crate::checkout::{Checkout, VersionBuild};
use crate::end::End;
use crate::error::SourceError;
use crate::follow::Containment;

/// The files of the version, in a place of a build and in what is kept of it.
const TREE: &str = "tree";
/// The record beside them.
const RECORD: &str = "build.json";
/// How much of the output of a build that fails is shown.
const SHOWN_LINES: usize = 12;
/// What builds look at besides their files.
const VARIABLES: [&str; 14] = [
    "AR",
    "CC",
    "CFLAGS",
    "CONFIG_SITE",
    "CPATH",
    "CPPFLAGS",
    "C_INCLUDE_PATH",
    "CXX",
    "CXXFLAGS",
    "LDFLAGS",
    "LIBRARY_PATH",
    "LIBS",
    "PATH",
    "PKG_CONFIG_PATH",
];
/// Variables of whoever called Ripple that are not about the copy that is built.
const FOREIGN: [&str; 8] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_OBJECT_DIRECTORY",
    "GIT_COMMON_DIR",
    "MAKELEVEL",
    "MFLAGS",
];

/// How versions are built.
#[derive(Clone, Copy)]
pub struct Building<'a> {
    /// What a shell executes.
    pub command: &'a str,
    /// Where, below the root of the version.
    pub below: &'a Path,
    /// Whether it may use the network or write anywhere else.
    pub is_confined: bool,
    /// How long it may take, if it is confined.
    pub limit: Option<Duration>,
    /// The whole environment.
    pub environment: &'a [(OsString, OsString)],
    /// A program that calls `stand_in` first.
    pub binary: &'a Path,
    pub cache: &'a Cache,
    /// Hears how far the build is, on another thread.
    pub progress: &'a (dyn Fn(Progress) + Sync),
}

impl Building<'_> {
    /// The version with the files of its build. It is built unless the cache has it.
    /// `only_selected` keeps the files of the version that its build compiles, instead of all units.
    pub fn build(&self, version: &Checkout, only_selected: bool) -> Result<Checkout, SourceError> {
        let files = files::of(version)?;
        let name = self.name(version, &files)?;
        let no_cache = || SourceError::NoPlaceToBuild;
        let path = self.cache.place_of(Group::Built, &name).ok_or_else(no_cache)?;
        let held = match self.cache.held_directory(Group::Built, &name) {
            Some(held) => held,
            None => {
                let slot = Slot::take(self.cache, &self.slot_name(version))?;
                match self.cache.held_directory(Group::Built, &name) {
                    // Another process built it meanwhile.
                    Some(held) => held,
                    None => {
                        self.run(version, &files, &slot, &path)?;
                        let place = &slot.place;
                        let fill = |fresh: &Path| slot::move_all(place, fresh, &[TREE, RECORD]);
                        let kept = self.cache.directory_of(Group::Built, &name, fill);
                        let kept = kept.map_err(|cause| {
                            SourceError::system("cannot keep a build in the cache", cause)
                        })?;
                        kept.ok_or_else(no_cache)?
                    }
                }
            }
        };
        let (place, lease) = held;
        let record = Build::read(&place.join(RECORD))?;
        let build = VersionBuild {
            record,
            command: self.command.to_owned(),
            below: self.below.to_owned(),
            source: version.root.clone(),
        };
        let mut built = version.with_build(Arc::new(build), place.join(TREE), only_selected);
        built._lease = Some(lease);
        Ok(built)
    }

    /// Everything that decides what the build makes.
    fn name(&self, version: &Checkout, files: &[files::Entry]) -> Result<String, SourceError> {
        let mut key = KeyOf::kind("built version")
            .part(self.command.as_bytes())
            .part(self.below.as_os_str().as_bytes())
            .part(&[u8::from(self.is_confined)]);
        for name in VARIABLES {
            let value = self.variable(name);
            key = key.part(&[u8::from(value.is_some())]);
            key = key.part(value.unwrap_or_default().as_bytes());
        }
        Ok(files::add_contents(key, version, files)?.finish().name())
    }

    /// One for all versions of a project.
    fn slot_name(&self, version: &Checkout) -> String {
        let project = match &version.revision {
            Some(revision) => revision.repository.as_os_str(),
            None => version.directory.as_os_str(),
        };
        let key = KeyOf::kind("place of builds").part(project.as_bytes());
        key.part(self.command.as_bytes()).finish().name()[..16].to_owned()
    }

    fn variable(&self, name: &str) -> Option<&OsStr> {
        let found = self.environment.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_os_str())
    }

    /// Builds the version in the slot, as if it were at `path`.
    fn run(
        &self,
        version: &Checkout,
        files: &[files::Entry],
        slot: &Slot,
        path: &Path,
    ) -> Result<(), SourceError> {
        let system = |cause| SourceError::system("cannot write the files of a version", cause);
        let tree = slot.place.join(TREE);
        files::copy(&version.root, files, &tree).map_err(system)?;
        let own = ["home", "tmp"].map(|name| slot.place.join(name));
        for directory in &own {
            fs::create_dir(directory).map_err(system)?;
        }
        let log = slot.place.join("output");
        let output = File::create(&log).map_err(system)?;
        let environment = self.environment_in(slot, &own);
        let containment = self.is_confined.then(|| Containment::of(&[&slot.place])).transpose()?;
        let containment = containment.map(|containment| containment.within(self.limit));
        let start = Instant::now();
        let recorded = Build::record(&Recording {
            command: &["sh".into(), "-c".into(), self.command.into()],
            directory: &tree.join(self.below),
            environment: &environment,
            tracing: Tracing::WherePossible,
            shims: &slot.place.join("shims"),
            binary: self.binary,
            output: Some(&output),
            containment: containment.as_ref(),
            earlier: None,
            progress: self.progress,
        })?;
        let failed = |why: String| {
            let text = fs::read(&log).unwrap_or_default();
            Err(SourceError::VersionNotBuilt {
                version: version.name.clone(),
                command: self.command.to_owned(),
                why,
                said: last_lines(&String::from_utf8_lossy(&text)),
            })
        };
        match recorded.end {
            End::Exited(0) => {}
            End::Exited(code) => return failed(format!("it exits with {code}")),
            End::Signaled(_) if self.limit.is_some_and(|limit| start.elapsed() > limit) => {
                return failed(format!("it does not end within {} s", start.elapsed().as_secs()));
            }
            End::Signaled(signal) => return failed(format!("it ends with signal {signal}")),
            other => return failed(format!("it ends with {other:?}")),
        }
        if recorded.build.units.is_empty() {
            return failed("it compiles nothing".to_owned());
        }
        let record = moving::settled(recorded.build, &tree, &path.join(TREE)).map_err(system)?;
        record.write(&slot.place.join(RECORD))
    }

    fn environment_in(&self, slot: &Slot, [home, tmp]: &[PathBuf; 2]) -> Vec<(OsString, OsString)> {
        let is_inside_make = self.variable("MAKELEVEL").is_some();
        let is_kept = |name: &OsStr| {
            let is_of_make = is_inside_make && name == "MAKEFLAGS";
            !is_of_make && !FOREIGN.iter().any(|foreign| name == *foreign)
        };
        let mut all: Vec<(OsString, OsString)> =
            self.environment.iter().filter(|(name, _)| is_kept(name)).cloned().collect();
        let mut set = |name: &str, value: OsString| {
            all.retain(|(known, _)| known != name);
            all.push((name.into(), value));
        };
        // A repository around the cache is not that of the version.
        set("GIT_CEILING_DIRECTORIES", slot.place.clone().into());
        if self.variable("SOURCE_DATE_EPOCH").is_none() {
            // Both versions are made at the same time, so that it is no difference.
            set("SOURCE_DATE_EPOCH", files::EPOCH.to_string().into());
        }
        if self.is_confined {
            set("HOME", home.clone().into());
            set("TMPDIR", tmp.clone().into());
        }
        all
    }
}

/// The last lines of an output that say something.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    if shown.is_empty() { "it printed nothing".to_owned() } else { shown.join("\n") }
}
