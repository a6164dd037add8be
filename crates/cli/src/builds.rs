//! `--build` and its like: whether versions are built, by which command, and how that is said.
//!
//! A command that the user or the settings name is run as the user would run it. One that the files
//! of the versions suggest is run only if there is no verdict without it, and only confined: who
//! compares revisions has not asked to execute what they bring along.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use base::Both;
use effects::programs::{Affected, Broken, Plan, Single, Survey};
use source::{Building, Cache, Checkout, SourceError, detected_builds, is_build_file};

use crate::output;
use crate::progress;
use crate::setup::{self, Globals};
use crate::typed::Typed;

/// The most files of a version that are looked at for build files.
const MOST_FILES: usize = 50_000;
/// The most commands to try that the files of a version suggest, and how long each may take.
const MOST_COMMANDS: usize = 3;
const LONGEST: Duration = Duration::from_secs(600);

#[derive(Clone, Debug, Default, clap::Args)]
pub struct BuildFlags {
    /// Build a copy of each version with COMMAND, and take files and flags from this build
    #[arg(long, value_name = "COMMAND", conflicts_with = "no_build", help_heading = "Build")]
    pub build: Option<String>,

    /// Build nothing, whatever ripple.toml and the versions say
    #[arg(long, help_heading = "Build")]
    pub no_build: bool,

    /// Confine the build: no network, and no writing outside of its copy
    #[arg(long, help_heading = "Build")]
    pub sandbox_build: bool,
}

/// A build command.
struct Command<'a> {
    text: &'a str,
    /// Where it runs, relative to the current directory.
    at: &'a Path,
    is_confined: bool,
    limit: Option<Duration>,
}

impl BuildFlags {
    /// The command that the user or the settings name.
    fn named<'a>(&'a self, globals: &'a Globals) -> Option<Command<'a>> {
        let is_confined = self.sandbox_build;
        let here = Path::new("");
        match (&self.build, &globals.project.build) {
            _ if self.no_build => None,
            (Some(text), _) => Some(Command { text, at: here, is_confined, limit: None }),
            (None, Some(text)) => {
                let at = globals.project.directory().unwrap_or(here);
                Some(Command { text, at, is_confined, limit: None })
            }
            (None, None) => None,
        }
    }

    /// The versions as the named command builds them; as they are if there is none.
    /// `only_selected` keeps to the files that they have.
    pub fn apply(
        &self,
        versions: Vec<Checkout>,
        only_selected: bool,
        globals: &Globals,
    ) -> anyhow::Result<Vec<Checkout>> {
        let Some(command) = self.named(globals) else { return Ok(versions) };
        if versions.iter().any(Checkout::is_lone_file) {
            if self.build.is_some() {
                bail!("`--build` builds directories and revisions, not files");
            }
            return Ok(versions);
        }
        Ok(build_all(versions, &command, only_selected, globals)?)
    }

    /// The same for two versions.
    pub fn apply_both(
        &self,
        (old, new): (Checkout, Checkout),
        only_selected: bool,
        globals: &Globals,
    ) -> anyhow::Result<(Checkout, Checkout)> {
        let mut all = self.apply(vec![old, new], only_selected, globals)?;
        let new = all.pop().context("there are two versions")?;
        let old = all.pop().context("there are two versions")?;
        Ok((old, new))
    }

    /// The versions as a command builds them that their files suggest, if a plan without it is not
    /// good enough.
    pub fn instead_of(
        &self,
        planned: &Result<Plan, effects::Error>,
        [old, new]: Both<&Checkout>,
        globals: &Globals,
    ) -> Option<Both<Checkout>> {
        let why = match planned {
            Ok(Plan::Lost { broken, .. }) => broken.first().map(|_| why_lost(broken)),
            Ok(Plan::Several(several)) => why_affected(&several.broken, &several.affected),
            Err(error) if error.is_build_failure() => Some("not everything compiles".to_owned()),
            _ => None,
        };
        self.both_detected(why, [old, new], globals)
    }

    /// The same if only what the change affects is asked for.
    pub fn instead_of_survey(
        &self,
        survey: &Result<Survey, effects::Error>,
        versions: Both<&Checkout>,
        globals: &Globals,
    ) -> Option<Both<Checkout>> {
        let why = match survey {
            Ok(survey) => why_affected(&survey.broken, &survey.affected),
            Err(error) if error.is_build_failure() => Some("not everything compiles".to_owned()),
            Err(_) => None,
        };
        self.both_detected(why, versions, globals)
    }

    fn both_detected(
        &self,
        why: Option<String>,
        [old, new]: Both<&Checkout>,
        globals: &Globals,
    ) -> Option<Both<Checkout>> {
        let why = why.or_else(|| {
            let file = changed_build_file([old, new])?;
            Some(format!("{} differs, which says how files are compiled", file.display()))
        });
        let built = self.detected(why?, vec![old.clone(), new.clone()], globals)?;
        <[Checkout; 2]>::try_from(built).ok()
    }

    /// The same for one version.
    pub fn instead_of_single(
        &self,
        planned: &Result<Single, effects::Error>,
        checkout: &Checkout,
        globals: &Globals,
    ) -> Option<Checkout> {
        let why = match planned {
            Ok(Single::Lost { broken, .. }) => why_lost(broken),
            Err(error) if error.is_build_failure() => "not everything compiles".to_owned(),
            _ => return None,
        };
        self.detected(why, vec![checkout.clone()], globals)?.pop()
    }

    fn detected(
        &self,
        why: String,
        versions: Vec<Checkout>,
        globals: &Globals,
    ) -> Option<Vec<Checkout>> {
        let is_built = |version: &Checkout| version.is_lone_file() || version.build.is_some();
        if self.no_build || versions.iter().any(is_built) {
            return None;
        }
        let place = |version: &Checkout| match version.directory.starts_with(&version.root) {
            true => [version.directory.clone(), version.root.clone()],
            false => [version.root.clone(), version.root.clone()],
        };
        let found = |version: &Checkout| -> Vec<(String, PathBuf)> {
            let of = |place: &PathBuf| {
                let all = detected_builds(place).into_iter();
                all.map(|text| (text, place.clone())).collect::<Vec<_>>()
            };
            place(version).iter().map(of).find(|all| !all.is_empty()).unwrap_or_default()
        };
        // A file that one version only has may make a difference, but one command builds both.
        let mut commands = found(versions.last()?);
        for version in &versions {
            let known = found(version);
            commands.retain(|(text, _)| known.iter().any(|(other, _)| other == text));
        }
        let base = versions.last().map(|version| version.directory.clone())?;
        let names: Vec<String> = versions.iter().map(|version| version.name.clone()).collect();
        let mut failure = None;
        for (text, directory) in commands.iter().take(MOST_COMMANDS) {
            let at = match directory.strip_prefix(&base) {
                Ok(below) => below.to_owned(),
                Err(_) => climb(&base, directory),
            };
            let limit = Some(LONGEST);
            let command = Command { text, at: &at, is_confined: true, limit };
            match build_all(versions.clone(), &command, false, globals) {
                Ok(built) => {
                    let names = names.join(" and ");
                    let text = format!(
                        "note: {why}; built {names} with `{text}`, confined (--no-build: do without)"
                    );
                    note(globals, &text);
                    return Some(built);
                }
                Err(error) => _ = failure.get_or_insert((error, text)),
            }
        }
        let (error, text) = failure?;
        let next = Typed::this().with("--build", text);
        note(globals, &format!("warning: {why}, but {error}"));
        note(
            globals,
            &format!("note: going on without a build; to build unconfined, as you would: {next}"),
        );
        None
    }
}

/// Builds versions one after the other.
fn build_all(
    versions: Vec<Checkout>,
    command: &Command<'_>,
    only_selected: bool,
    globals: &Globals,
) -> Result<Vec<Checkout>, SourceError> {
    let cache = globals.cache().unwrap_or_else(|_| Cache::disabled());
    let environment: Vec<(OsString, OsString)> = std::env::vars_os().collect();
    let binary = setup::own_binary().map_err(|cause| SourceError::System {
        doing: "cannot find Ripple's own program".to_owned(),
        cause,
    })?;
    let mut built: Vec<Checkout> = Vec::new();
    for version in versions {
        let below = below(&version, command.at);
        let shown = format!("building {} with `{}`", version.name, command.text);
        let made = progress::while_building(globals.quiet, shown, |tell| {
            let building = Building {
                command: command.text,
                below: &below,
                is_confined: command.is_confined,
                limit: command.limit,
                environment: &environment,
                binary: &binary,
                cache: &cache,
                progress: tell,
            };
            building.build(&version, only_selected)
        })?;
        built.push(made);
    }
    for index in 1..built.len() {
        if built[index].holds_positions() {
            let before = built[index - 1].clone();
            built[index].hold_positions_of(&before);
        }
    }
    Ok(built)
}

/// Where a command runs, below the root of a version.
fn below(version: &Checkout, at: &Path) -> PathBuf {
    let Ok(below) = version.directory.strip_prefix(&version.root) else { return PathBuf::new() };
    let mut place = PathBuf::new();
    for part in below.join(at).components() {
        match part {
            std::path::Component::ParentDir => {
                place.pop();
            }
            std::path::Component::Normal(name) => place.push(name),
            _ => {}
        }
    }
    place
}

/// The way from a directory up to one around it.
fn climb(from: &Path, to: &Path) -> PathBuf {
    let steps = from.strip_prefix(to).map_or(0, |below| below.components().count());
    std::iter::repeat_n("..", steps).collect()
}

/// Why a build may help: a header that files lack, which neither the version nor the system has; or
/// something else that they lack.
fn why_lost(broken: &[Broken]) -> String {
    let lacking = broken.iter().find_map(|one| {
        let header = one.nowhere.iter().find(|name| one.failure.said.contains(name.as_str()))?;
        Some(format!("{} needs {header}, which the version does not have", one.file.display()))
    });
    let first = broken.first().map(|one| format!("{} does not compile", one.file.display()));
    lacking.or(first).unwrap_or_default()
}

/// The same for files that differ and do not compile.
fn why_affected(broken: &[Broken], affected: &Affected) -> Option<String> {
    let all = broken.iter();
    let affected: Vec<Broken> =
        all.filter(|one| affected.broken.contains(&one.key)).cloned().collect();
    affected.first().map(|_| why_lost(&affected))
}

/// A file that says how others are compiled and that differs between two versions.
fn changed_build_file([old, new]: Both<&Checkout>) -> Option<PathBuf> {
    if old.is_lone_file() || new.is_lone_file() {
        return None;
    }
    let text = |version: &Checkout, key: &Path| std::fs::read(version.root.join(key)).ok();
    let mut keys = build_files(&old.root);
    keys.extend(build_files(&new.root));
    keys.sort();
    keys.dedup();
    keys.into_iter().find(|key| text(old, key) != text(new, key))
}

fn build_files(root: &Path) -> Vec<PathBuf> {
    let (mut found, mut count) = (Vec::new(), 0);
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        for entry in std::fs::read_dir(&directory).into_iter().flatten().flatten() {
            count += 1;
            if count > MOST_FILES {
                return found;
            }
            let (Ok(kind), path) = (entry.file_type(), entry.path()) else { continue };
            let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
            if kind.is_dir() && !is_hidden {
                waiting.push(path);
            } else if kind.is_file() && is_build_file(&path) {
                found.extend(path.strip_prefix(root).ok().map(Path::to_owned));
            }
        }
    }
    found
}

fn note(globals: &Globals, text: &str) {
    if !globals.quiet {
        output::note(text);
    }
}
