//! What the global options and the environment mean: a cache, a compiler, flags.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use report::{Base, Look};
use source::{Cache, Clang, Compiler, Remedy, Repository, Search, SourceError};

use crate::options::Globals;
use crate::output;

impl Globals {
    /// The cache directory, or none if the user has no home.
    pub fn cache(&self) -> Cache {
        let from_home = || Some(PathBuf::from(variable("HOME")?).join(".cache"));
        let default = || {
            // The standard says to ignore a relative path.
            let xdg = variable("XDG_CACHE_HOME").map(PathBuf::from);
            let base = xdg.filter(|path| path.is_absolute()).or_else(from_home)?;
            Some(base.join("ripple"))
        };
        match self.cache_dir.clone().or_else(default) {
            Some(directory) => Cache::at(directory),
            None => Cache::disabled(),
        }
    }

    /// The compiler to use, with the cache, in the current directory.
    pub fn compiler(&self) -> anyhow::Result<Compiler> {
        let cache = self.cache();
        let from_env = variable("RIPPLE_CLANG").map(PathBuf::from);
        let path_var = path_variable();
        let search = Search {
            explicit: self.clang.as_deref(),
            from_env: from_env.as_deref(),
            path_var: &path_var,
        };
        let clang = match Clang::find(search, &cache) {
            Err(error @ SourceError::NoClang) => {
                return Err(error).context(
                    "a C compiler is needed; install one with `sudo apt-get install -y clang`",
                );
            }
            other => other?,
        };
        Ok(Compiler::new(clang, cache)?.telling(say_remedy))
    }

    /// All `--cflags`, or else those of the project, split as a shell does.
    pub fn split_cflags(&self) -> anyhow::Result<Vec<String>> {
        let mut flags = Vec::new();
        let texts = if self.cflags.is_empty() { &self.project.cflags } else { &self.cflags };
        for text in texts {
            match shlex::split(text) {
                Some(words) => flags.extend(words),
                None => bail!("`--cflags {text}` ends inside a quotation"),
            }
        }
        Ok(flags)
    }
}

/// Says that a file compiles only with flags that nobody typed.
fn say_remedy(remedy: &Remedy) {
    let (file, flags) = (remedy.path.display(), remedy.flags.join(" "));
    let why = match remedy.flags[..] {
        [_] => "it as an error",
        _ => "these as errors",
    };
    output::note(&format!("note: {file}: compiled with {flags}, because clang treats {why}"));
}

/// Where names of files begin in results that others read: at the root of the repository.
pub fn base(directory: &Path) -> Base {
    let here = || fs::canonicalize(directory).ok();
    let work_tree = Repository::discover(directory).ok().and_then(|found| found.work_tree());
    match (work_tree, here()) {
        (Some(root), Some(here)) if here.starts_with(&root) => {
            let below = here.strip_prefix(&root).map(Path::to_owned).unwrap_or_default();
            Base { root, below }
        }
        _ => Base { root: directory.to_owned(), below: PathBuf::new() },
    }
}

/// Whether this is a step of a workflow on GitHub.
pub fn is_github() -> bool {
    variable("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Where GitHub wants the summary of a step.
pub fn step_summary() -> Option<PathBuf> {
    variable("GITHUB_STEP_SUMMARY").map(PathBuf::from)
}

/// How a result looks where it goes.
pub fn look() -> Look {
    let is_terminal = std::io::stdout().is_terminal();
    let width = terminal_size::terminal_size().filter(|_| is_terminal);
    let usual = Look::default();
    Look {
        colours: is_terminal && colours_wanted(),
        width: width.map_or(usual.width, |(width, _)| usize::from(width.0).clamp(60, 160)),
    }
}

/// Whether colours may be used on a terminal (no-color.org).
fn colours_wanted() -> bool {
    variable("NO_COLOR").is_none() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The value of `PATH`.
pub fn path_variable() -> OsString {
    env::var_os("PATH").unwrap_or_default()
}

/// A variable that is set and not empty.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}
