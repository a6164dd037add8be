//! `ripple.toml`: settings of a project.
//!
//! Ripple looks for it in the current directory and its parents, up to the root of the repository.
//! The command line wins. Unknown keys are errors that name their line.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::ValueEnum;
use effects::compare::Acceptance;
use serde::Deserialize;
use toml::value::Datetime;

/// The name of the file.
pub const NAME: &str = "ripple.toml";

/// The settings; empty if there is no file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Config {
    /// The file they come from.
    #[serde(skip)]
    pub path: Option<PathBuf>,
    pub entry: Option<String>,
    pub atoms: Atoms,
    /// Relative to the directory of the settings file.
    pub tests: Option<PathBuf>,
    pub cflags: Vec<String>,
    pub budget: Option<String>,
    pub cache_size: Option<String>,
    pub build: Option<String>,
    pub observe: Vec<Observed>,
    pub ignore_regex: Vec<String>,
    pub float: Option<Floats>,
    pub float_tolerance: Option<u64>,
    pub golden: Option<String>,
    pub baseline_rev: Option<String>,
    pub accepted: Vec<AcceptedEntry>,
}

/// The input space.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Atoms {
    pub args: Vec<String>,
    pub args_max: Option<usize>,
    pub stdin: Option<String>,
    /// `NAME=ATOM` each, as on the command line.
    pub files: Vec<String>,
    pub params: Vec<String>,
    pub globals: Vec<String>,
}

/// An accepted difference.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct AcceptedEntry {
    pub id: String,
    /// For people.
    #[serde(default, rename = "what")]
    pub _what: Option<String>,
    #[serde(default)]
    pub functions: Vec<String>,
    pub reason: String,
    #[serde(default)]
    pub expires: Option<Datetime>,
}

/// What counts as a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Observed {
    Stdout,
    Stderr,
    Exit,
    Files,
    /// The return value of a function and everything reachable from it
    Result,
    /// Everything reachable from the parameters of a function
    Memory,
    /// Global variables that a function may write
    Globals,
    /// Undefined behaviour that only one version has
    Ub,
    /// Modifier: ignore static variables
    Public,
    /// Modifier: include unreachable heap blocks
    Leaks,
    /// Modifier: include __LINE__ and the like where code only moved
    Positions,
}

/// How floating-point numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Floats {
    /// All NaNs are equal
    Value,
    /// NaNs are compared bit by bit
    NanBits,
}

impl Config {
    /// Reads the named file, or else the nearest one.
    pub fn load(named: Option<&Path>) -> anyhow::Result<Config> {
        let path = match named {
            Some(path) => path.to_owned(),
            None => match find()? {
                Some(path) => path,
                None => return Ok(Config::default()),
            },
        };
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut config = parse(&path, &text)?;
        config.path = Some(path);
        Ok(config)
    }

    /// The path of the tests, relative to the current directory.
    pub fn tests(&self) -> Option<PathBuf> {
        let tests = self.tests.as_ref()?;
        let directory = self.path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        Some(directory.join(tests))
    }

    /// The directory of the settings file, relative to the current one.
    pub fn directory(&self) -> Option<&Path> {
        self.path.as_deref().and_then(Path::parent)
    }

    pub fn acceptances(&self) -> Vec<Acceptance> {
        let acceptance = |entry: &AcceptedEntry| Acceptance {
            id: entry.id.clone(),
            functions: entry.functions.clone(),
            reason: entry.reason.clone(),
            expires: entry.expires.and_then(|day| day.date).map(|date| date.to_string()),
        };
        self.accepted.iter().map(acceptance).collect()
    }
}

fn parse(path: &Path, text: &str) -> anyhow::Result<Config> {
    let config: Config = match toml::from_str(text) {
        Ok(config) => config,
        Err(error) => {
            let start = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text[..start].matches('\n').count() + 1;
            let message = error.message().replace('\n', " ").replace("field", "key");
            bail!("{}:{line}: {message}", path.display());
        }
    };
    for entry in &config.accepted {
        if let Some(day) = &entry.expires
            && (day.date.is_none() || day.time.is_some())
        {
            bail!(
                "{}: `expires` of the accepted difference {} is not a date; write expires = 2030-12-31",
                path.display(),
                entry.id
            );
        }
    }
    Ok(config)
}

/// The nearest file, not above the repository. Without a repository, only here.
fn find() -> anyhow::Result<Option<PathBuf>> {
    let here = std::env::current_dir().context("cannot determine the current directory")?;
    let is_there = |path: &Path| -> anyhow::Result<bool> {
        match fs::metadata(path) {
            Ok(meta) => Ok(meta.is_file()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    };
    let root = here.ancestors().find(|directory| directory.join(".git").exists());
    let root = root.unwrap_or(&here).to_owned();
    let mut name = PathBuf::from(NAME);
    for directory in here.ancestors() {
        if is_there(&directory.join(NAME))? {
            // The shortest relative path.
            return Ok(Some(name));
        }
        if directory == root {
            break;
        }
        name = Path::new("..").join(name);
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        parse(Path::new("ripple.toml"), text).err().map(|e| e.to_string()).unwrap_or_default()
    }

    #[test]
    fn keys_that_mean_nothing_are_refused_with_their_line() {
        let said = refusal("entry = \"f\"\n\nentyr = 1\n");
        assert!(said.starts_with("ripple.toml:3: unknown key `entyr`"), "{said}");
        let said = refusal("[atoms]\nargs = [\"int\"]\nargz = 1\n");
        assert!(said.starts_with("ripple.toml:3: unknown key `argz`"), "{said}");
        let said = refusal("observe = [\"stdout\", \"smell\"]\n");
        assert!(said.starts_with("ripple.toml:1: ") && said.contains("smell"), "{said}");
        let said = refusal("a = \n");
        assert!(said.starts_with("ripple.toml:1: ") && !said.contains('\n'), "{said}");
    }

    #[test]
    fn an_acceptance_needs_a_reason_and_a_day() {
        let said = refusal("[[accepted]]\nid = \"1\"\n");
        assert!(said.contains("reason"), "{said}");
        let text = "[[accepted]]\nid = \"1\"\nreason = \"r\"\nexpires = 12:00:00\n";
        assert!(refusal(text).contains("is not a date"), "{}", refusal(text));
        let text = text.replace("12:00:00", "2030-02-01");
        let config = parse(Path::new("ripple.toml"), &text).expect("a day");
        assert_eq!(config.acceptances()[0].expires.as_deref(), Some("2030-02-01"));
    }
}
