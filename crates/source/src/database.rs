//! `compile_commands.json`: which C files a program is made of, and with which flags.
//!
//! Keeps those flags of each command that decide what the source means: include paths, macros, the
//! language standard, the target. Leaves out outputs, warnings, optimisation, and flags that only
//! other compilers know.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::error::SourceError;
use crate::flags::meaning;
use crate::paths::{absolute_flags, normal};

const NAME: &str = "compile_commands.json";

/// A C file and its flags. All names are absolute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Command {
    pub file: PathBuf,
    pub flags: Vec<String>,
}

/// A directory whose files are read at another place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relocation<'a> {
    pub from: &'a Path,
    pub to: &'a Path,
}

/// The database of a directory, which may be in its `build`. If a file has several commands, the
/// first counts.
pub(crate) fn read(
    directory: &Path,
    relocation: Option<Relocation<'_>>,
) -> Result<Option<Vec<Command>>, SourceError> {
    let places = [directory.join(NAME), directory.join("build").join(NAME)];
    let Some(path) = places.into_iter().find(|path| path.is_file()) else {
        return Ok(None);
    };
    let bytes =
        fs::read(&path).map_err(|cause| SourceError::Unreadable { path: path.clone(), cause })?;
    let bad = |said: String| SourceError::BadDatabase { path: path.clone(), said };
    let value: Value = serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
    let entries = value.as_array().ok_or_else(|| bad("it is not an array".to_owned()))?;
    let base = path.parent().unwrap_or(directory);
    let mut commands: Vec<Command> = Vec::new();
    for (index, entry) in entries.iter().enumerate() {
        let command = command(entry, base, relocation)
            .map_err(|said| bad(format!("entry {}: {said}", index + 1)))?;
        let is_c = command.file.extension().is_some_and(|e| e == "c" || e == "i");
        if is_c && !commands.iter().any(|known| known.file == command.file) {
            commands.push(command);
        }
    }
    Ok(Some(commands))
}

fn command(
    entry: &Value,
    base: &Path,
    relocation: Option<Relocation<'_>>,
) -> Result<Command, String> {
    let text = |name: &str| entry.get(name).and_then(Value::as_str);
    let words = match (entry.get("arguments").and_then(Value::as_array), text("command")) {
        (Some(words), _) => {
            let words: Option<Vec<String>> =
                words.iter().map(|word| word.as_str().map(str::to_owned)).collect();
            words.ok_or("`arguments` holds something that is no text")?
        }
        (None, Some(line)) => shlex::split(line).ok_or("`command` ends inside a quotation")?,
        (None, None) => return Err("it has neither `arguments` nor `command`".to_owned()),
    };
    let file = text("file").ok_or("it has no `file`")?;
    let directory = normal(&base.join(text("directory").unwrap_or_default()));
    let moved = |path: &Path| match relocation {
        Some(Relocation { from, to }) => {
            path.strip_prefix(from).map_or_else(|_| path.to_owned(), |below| to.join(below))
        }
        None => path.to_owned(),
    };
    let directory = moved(&directory);
    let kept = meaning(words.get(1..).unwrap_or_default()).kept;
    let flags = absolute_flags(&kept, &directory);
    let flags = crate::paths::map_paths(&flags, &|_, path| moved(path));
    Ok(Command { file: moved(&normal(&directory.join(file))), flags })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn database(text: &str) -> Result<Option<Vec<Command>>, SourceError> {
        let place = tempfile::tempdir().expect("a directory can be made");
        fs::write(place.path().join(NAME), text).expect("it can be written");
        read(place.path(), Some(Relocation { from: Path::new("/p"), to: Path::new("/q") }))
    }

    #[test]
    fn flags_that_decide_the_meaning_are_kept_with_names_resolved() {
        let text = r#"[{"directory": "/p/build", "file": "../a.c",
            "command": "gcc -O2 -Wall -I../inc -D 'X=\"y z\"' -std=c99 -c -o a.o ../a.c"},
            {"directory": "/p", "arguments": ["c++", "-c", "b.cc"], "file": "b.cc"}]"#;
        let commands = database(text).expect("it is well-formed").expect("it is there");
        let flags = ["-I/q/inc", "-D", "X=\"y z\"", "-std=c99"].map(str::to_owned).to_vec();
        assert_eq!(commands, [Command { file: "/q/a.c".into(), flags }]);
    }

    #[test]
    fn what_is_wrong_with_a_database_is_said() {
        for (text, words) in [
            ("{", "EOF"),
            ("{}", "not an array"),
            (r#"[{"file": "a.c"}]"#, "entry 1: it has neither"),
            (r#"[{"file": "a.c", "command": "cc 'a"}]"#, "quotation"),
            (r#"[{"command": "cc a.c"}]"#, "no `file`"),
        ] {
            let error = database(text).expect_err("it is malformed").to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
