//! Global options and the environment, and what they mean: a cache, a compiler, flags.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use report::{Base, Look};
use source::{Cache, Clang, Compiler, Confinement, Remedy, Repository, Search, SourceError};

use crate::config::Config;
use crate::output;
use crate::size;

/// Options of every command.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct Globals {
    /// Clang to use: a path, or a name on the PATH [default: $RIPPLE_CLANG, clang, newest clang-N]
    #[arg(long, global = true, value_name = "CLANG")]
    pub clang: Option<PathBuf>,

    /// Cache for compiled files [default: $XDG_CACHE_HOME/ripple or ~/.cache/ripple]
    #[arg(long, global = true, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,

    /// Bound of the cache, least recently used first; 0 disables it [default: 2G]
    #[arg(long, global = true, value_name = "SIZE")]
    pub cache_size: Option<String>,

    /// Compiler flags, quoted as in a shell; repeatable
    #[arg(long, global = true, value_name = "FLAGS", allow_hyphen_values = true)]
    pub cflags: Vec<String>,

    /// Settings file [default: nearest ripple.toml, up to the root of the repository]
    #[arg(long, global = true, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,

    /// Ignore ripple.toml
    #[arg(long, global = true)]
    pub no_config: bool,

    /// Run native programs unconfined: they may do whatever you may do
    #[arg(long, global = true)]
    pub no_sandbox: bool,

    /// The contents of the settings file.
    #[arg(skip)]
    pub project: Config,

    /// Print only the result: no progress, no notes
    #[arg(long, short, global = true)]
    pub quiet: bool,
}

impl Globals {
    /// The cache; disabled if the user has no home directory.
    pub fn cache(&self) -> anyhow::Result<Cache> {
        let bound = self.cache_bound()?;
        Ok(match self.cache_directory() {
            Some(directory) if bound > 0 => Cache::at(directory).bounded(bound),
            _ => Cache::disabled(),
        })
    }

    /// `--cache-size`, or else the size in `ripple.toml`.
    fn cache_bound(&self) -> anyhow::Result<u64> {
        let (origin, text) = match (&self.cache_size, &self.project.cache_size) {
            (Some(typed), _) => (format!("--cache-size {typed}"), typed),
            (None, Some(set)) => (format!("cache-size = \"{set}\""), set),
            (None, None) => return Ok(Cache::USUAL_BOUND),
        };
        match size::parse(text) {
            Some(bytes) => Ok(bytes),
            None => bail!("`{origin}` is not a size; write 512M or 4G"),
        }
    }

    /// The directory of the cache; none if the user has no home directory.
    pub fn cache_directory(&self) -> Option<PathBuf> {
        let from_home = || Some(PathBuf::from(variable("HOME")?).join(".cache"));
        let default = || {
            // The standard says to ignore a relative path.
            let xdg = variable("XDG_CACHE_HOME").map(PathBuf::from);
            let base = xdg.filter(|path| path.is_absolute()).or_else(from_home)?;
            Some(base.join("ripple"))
        };
        self.cache_dir.clone().or_else(default)
    }

    /// The compiler to use, with the cache, in the current directory.
    pub fn compiler(&self) -> anyhow::Result<Compiler> {
        let cache = self.cache()?;
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
                    "Ripple needs clang; install it with `sudo apt-get install -y clang`",
                );
            }
            other => other?,
        };
        let mut compiler = Compiler::new(clang, cache)?.telling(say_remedy);
        compiler.confinement = self.confinement();
        Ok(compiler)
    }

    /// There is no setting for it in `ripple.toml`: the code under test could bring one along.
    pub fn confinement(&self) -> Confinement {
        if self.no_sandbox { Confinement::Unconfined } else { Confinement::Confined }
    }

    /// `--cflags`, or else those of `ripple.toml`, split as a shell does.
    pub fn split_cflags(&self) -> anyhow::Result<Vec<String>> {
        let mut flags = Vec::new();
        let texts = if self.cflags.is_empty() { &self.project.cflags } else { &self.cflags };
        for text in texts {
            match shlex::split(text) {
                Some(words) => flags.extend(words),
                None => bail!("`--cflags {text}` has an unclosed quote"),
            }
        }
        Ok(flags)
    }
}

/// Reports that a file compiles only with flags that the user did not pass.
fn say_remedy(remedy: &Remedy) {
    let (file, flags) = (remedy.path.display(), remedy.flags.join(" "));
    let why = match remedy.flags[..] {
        [_] => "it as an error",
        _ => "these as errors",
    };
    output::note(&format!("note: {file}: compiled with {flags}, because clang treats {why}"));
}

/// The directory that file names in machine-readable results are relative to: the root of the
/// repository.
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

/// Whether this runs in a GitHub workflow.
pub fn is_github() -> bool {
    variable("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// The file for the summary of a GitHub workflow step.
pub fn step_summary() -> Option<PathBuf> {
    variable("GITHUB_STEP_SUMMARY").map(PathBuf::from)
}

/// Colours and width of standard output.
pub fn look() -> Look {
    let is_terminal = std::io::stdout().is_terminal();
    let width = terminal_size::terminal_size().filter(|_| is_terminal);
    let usual = Look::default();
    Look {
        colours: is_terminal && colours_wanted(),
        width: width.map_or(usual.width, |(width, _)| usize::from(width.0).clamp(60, 160)),
    }
}

/// Whether the user allows colours (no-color.org).
fn colours_wanted() -> bool {
    variable("NO_COLOR").is_none() && env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Becomes the tool by whose name this program was called, if so; returns why that failed.
pub fn stand_in() -> Option<std::io::Error> {
    let arguments: Vec<OsString> = env::args_os().collect();
    source::stand_in(&arguments, &|name| env::var_os(name))
}

/// This program.
pub fn own_binary() -> std::io::Result<PathBuf> {
    env::current_exe().and_then(fs::canonicalize)
}

/// The value of `PATH`.
pub fn path_variable() -> OsString {
    env::var_os("PATH").unwrap_or_default()
}

/// An environment variable that is set and not empty.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}
