//! The version pairs of the examples, from their manifests.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use inputs::{Flags, Test};
use toml::{Table, Value};

/// The examples that the search is measured with. A test of this crate checks them with native
/// builds alone.
pub const SUBJECTS: [&str; 10] =
    ["desk", "dispatch", "lexer", "matrix", "merge", "spin", "subst", "table", "tape", "units"];

/// A program with several versions.
pub struct Example {
    pub name: String,
    pub directory: PathBuf,
    /// The input space, as options of the command line.
    pub atoms: Vec<String>,
    pub flags: Flags,
    pub tests: Vec<Test>,
    pub pairs: Vec<Pair>,
}

/// Two versions, and what is known about them.
pub struct Pair {
    pub old: PathBuf,
    pub new: PathBuf,
    pub differs: bool,
    pub kind: String,
    pub golden: Option<PathBuf>,
    /// An input that distinguishes them, as a line of a test file.
    pub witness: Option<String>,
}

impl Pair {
    pub fn name(&self) -> String {
        let stem =
            |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        format!("{}-{}", stem(&self.old), stem(&self.new))
    }

    /// Whether the versions differ and the tests of the example do not show it: those of a fix or a
    /// feature may.
    pub fn is_hidden(&self) -> bool {
        self.differs && !matches!(self.kind.as_str(), "fix" | "feature")
    }
}

/// All examples with a manifest, by name.
pub fn examples(root: &Path) -> anyhow::Result<Vec<Example>> {
    let directory = root.join("examples");
    let mut examples = Vec::new();
    for entry in fs::read_dir(&directory).context("cannot read the examples")? {
        let directory = entry?.path();
        if directory.join("pairs.toml").exists() {
            let read = example(&directory);
            examples.push(read.with_context(|| format!("in {}", directory.display()))?);
        }
    }
    examples.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(examples)
}

fn example(directory: &Path) -> anyhow::Result<Example> {
    let manifest: Table = fs::read_to_string(directory.join("pairs.toml"))?.parse()?;
    let atoms = atoms(&manifest)?;
    let tests = directory.join("tests.jsonl");
    let pairs = manifest.get("pair").and_then(Value::as_array).context("there are no pairs")?;
    Ok(Example {
        name: directory.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        flags: flags(&atoms)?,
        atoms,
        tests: if tests.exists() { inputs::read_tests(&tests)? } else { Vec::new() },
        pairs: pairs.iter().map(|value| pair(directory, value)).collect::<Result<_, _>>()?,
        directory: directory.to_owned(),
    })
}

/// The atoms, as on the command line.
fn atoms(manifest: &Table) -> anyhow::Result<Vec<String>> {
    let atoms = manifest.get("atoms").and_then(Value::as_array).context("there are no atoms")?;
    Ok(atoms.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

fn flags(words: &[String]) -> anyhow::Result<Flags> {
    let mut flags = Flags::default();
    for words in words.chunks(2) {
        let [flag, atom] = words else { bail!("`{}` has no value", words[0]) };
        let text = atom.as_bytes().to_vec();
        match flag.as_str() {
            "--arg" => flags.args.push(text),
            "--args-max" => flags.args_max = Some(atom.parse()?),
            "--stdin" => flags.stdin = Some(text),
            "--file" => flags.files.push(text),
            "--param" => flags.params.push(text),
            "--global" => flags.globals.push(text),
            other => bail!("`{other}` declares no input"),
        }
    }
    Ok(flags)
}

fn pair(directory: &Path, value: &Value) -> anyhow::Result<Pair> {
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    let path = |key: &str| text(key).map(|name| directory.join(name.trim_end_matches('/')));
    Ok(Pair {
        old: path("old").context("a pair has no `old`")?,
        new: path("new").context("a pair has no `new`")?,
        differs: match text("expected") {
            Some("different") => true,
            Some("equal") => false,
            _ => bail!("`expected` is neither `different` nor `equal`"),
        },
        kind: text("kind").unwrap_or_default().to_owned(),
        golden: path("golden"),
        witness: text("witness").map(str::to_owned),
    })
}
