//! Test programs as files: a new case is a new file.
//!
//! A case is a C file, or a directory of C files that form one program. The comment at the top (of
//! `main.c` in a directory) describes its runs:
//!
//! | directive | meaning |
//! |---|---|
//! | `// args: 1 "a b"` | arguments, quoted as in a shell |
//! | `// stdin: text` | a line of standard input; `\n \t \r \\ \xHH` are escapes, `\c` at the end means no line feed |
//! | `// stdin-file: NAME` | standard input is this file beside the program |
//! | `// file NAME: text` | a line of a file in the program's directory |
//! | `// env: NAME=VALUE` | a variable of the environment |
//! | `// cflags: -DX` | flags of the compiler |
//! | `// exit: 3` | the exit status, 0 unless given; 128 + the signal if one ends the program |
//! | `// faults: text` | the run ends by a fault, and its report has these words |
//! | `// native: undefined` | what the native program does is not defined; it is not run |
//! | `// subject: NAME` | a crate whose C sources are part of the program |
//! | `// sources: a/*.c !a/b.c` | those sources: names or patterns within the crate, `!` leaves out |
//! | `// include: a` | a directory within the crate that has headers |
//! | `// scripts: *.lua` | one case per file that matches: the file and its name as first argument |

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use source::Invocation;
use thiserror::Error;

use super::directives::{Directive, directives, line_bytes, words};

const KNOWN: [&str; 13] = [
    "args",
    "stdin",
    "stdin-file",
    "file",
    "env",
    "cflags",
    "exit",
    "faults",
    "native",
    "subject",
    "sources",
    "include",
    "scripts",
];

/// Why a test program cannot be read.
#[derive(Debug, Error)]
pub enum CaseError {
    #[error("cannot read `{}`: {cause}", path.display())]
    Unreadable { path: PathBuf, cause: io::Error },
    #[error("{}:{line}: {reason}", path.display())]
    Directive { path: PathBuf, line: usize, reason: String },
}

/// One program with its input and expectations.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// The file or directory without extension; with the script's, if there is one.
    pub name: String,
    /// Relative to the root.
    pub files: Vec<PathBuf>,
    pub cflags: Vec<String>,
    pub invocation: Invocation,
    /// The expected exit status.
    pub exit: i32,
    /// Words of the report about the expected fault.
    pub fault: Option<String>,
    /// The native program's behaviour is undefined.
    pub undefined: bool,
    /// The crate whose part of the sources is still missing.
    pub subject: Option<String>,
    sources: Vec<String>,
    include: Vec<String>,
    scripts: Option<String>,
}

impl Case {
    /// All cases of a directory below the root, by name.
    pub fn all(root: &Path, directory: &str) -> Result<Vec<Case>, CaseError> {
        let mut cases = Vec::new();
        for path in entries(&root.join(directory))? {
            let relative = path.strip_prefix(root).unwrap_or(&path).to_owned();
            if path.extension().is_some_and(|extension| extension == "c") {
                cases.extend(Case::read(root, &relative, vec![relative.clone()])?);
            } else if path.join("main.c").is_file() {
                let files = matching(&path, "*.c")?;
                let files = files.into_iter().map(|name| relative.join(name)).collect();
                cases.extend(Case::read(root, &relative.join("main.c"), files)?);
            }
        }
        Ok(cases)
    }

    /// The cases of one program, whose directives are in `main`.
    fn read(root: &Path, main: &Path, files: Vec<PathBuf>) -> Result<Vec<Case>, CaseError> {
        let text = fs::read_to_string(root.join(main)).map_err(|cause| unreadable(main, cause))?;
        let directory = main.parent().unwrap_or(Path::new(""));
        let alone = files.len() == 1 && !main.ends_with("main.c");
        let name = if alone { main.file_stem() } else { directory.file_name() };
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        let mut case = Case { name, files, ..Case::default() };
        let meant =
            |directive: &Directive| directive.name == "file" || directive.argument.is_empty();
        for directive in directives(&text, &KNOWN).into_iter().filter(meant) {
            case.apply(&root.join(directory), directive).map_err(|reason| {
                CaseError::Directive { path: main.to_owned(), line: directive.line, reason }
            })?;
        }
        match case.scripts.take() {
            None => Ok(vec![case]),
            Some(pattern) => case.for_each_script(&root.join(directory), &pattern),
        }
    }

    fn apply(&mut self, directory: &Path, directive: Directive) -> Result<(), String> {
        let value = directive.value;
        match directive.name {
            "args" => self.invocation.args.extend(words(value)?.into_iter().map(Into::into)),
            "stdin" => self.invocation.stdin.extend(line_bytes(value)?),
            "stdin-file" => {
                let bytes = fs::read(directory.join(value.trim()));
                self.invocation.stdin.extend(bytes.map_err(|error| error.to_string())?);
            }
            "file" => self.add_file(directive.argument, &line_bytes(value)?)?,
            "env" => {
                let pair = value.split_once('=').ok_or("a variable has the form NAME=VALUE")?;
                self.invocation.env.push((pair.0.to_owned(), pair.1.to_owned()));
            }
            "cflags" => self.cflags.extend(words(value)?),
            "exit" => {
                self.exit = value.trim().parse().map_err(|_| "the exit status is a number")?;
            }
            "faults" => self.fault = Some(value.trim().to_owned()),
            "native" if value.trim() == "undefined" => self.undefined = true,
            "native" => return Err("only `native: undefined` has a meaning".to_owned()),
            "subject" => self.subject = Some(value.trim().to_owned()),
            "sources" => self.sources.extend(words(value)?),
            "include" => self.include.extend(words(value)?),
            "scripts" => self.scripts = Some(value.trim().to_owned()),
            other => return Err(format!("unknown directive `{other}`")),
        }
        Ok(())
    }

    fn add_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), String> {
        if name.is_empty() {
            return Err("a file has a name: `file NAME: text`".to_owned());
        }
        let files = &mut self.invocation.files;
        match files.iter_mut().find(|(known, _)| known == name) {
            Some((_, content)) => content.extend(bytes),
            None => files.push((name.to_owned(), bytes.to_vec())),
        }
        Ok(())
    }

    fn for_each_script(self, directory: &Path, pattern: &str) -> Result<Vec<Case>, CaseError> {
        let mut cases = Vec::new();
        for name in matching(directory, pattern)? {
            let path = directory.join(&name);
            let bytes = fs::read(&path).map_err(|cause| unreadable(&path, cause))?;
            let file = name.rsplit('/').next().unwrap_or(&name).to_owned();
            let mut case = self.clone();
            case.name = format!("{} {file}", self.name);
            case.invocation.args.insert(0, file.clone().into());
            case.invocation.files.push((file, bytes));
            cases.push(case);
        }
        Ok(cases)
    }

    /// The case together with the sources of its subject, which are in `crate_directory`.
    pub fn with_subject(&self, crate_directory: &Path) -> Result<Case, CaseError> {
        let mut case = Case { subject: None, ..self.clone() };
        let mut files: Vec<PathBuf> = Vec::new();
        for pattern in &self.sources {
            match pattern.strip_prefix('!') {
                None => {
                    let names = matching(crate_directory, pattern)?;
                    files.extend(names.iter().map(|name| crate_directory.join(name)));
                }
                Some(pattern) => {
                    let out = matching(crate_directory, pattern)?;
                    files.retain(|file| !out.iter().any(|name| file.ends_with(name)));
                }
            }
        }
        case.files.extend(files);
        let include = self.include.iter().map(|name| crate_directory.join(name));
        case.cflags.extend(include.map(|path| format!("-I{}", path.display())));
        Ok(case)
    }
}

fn unreadable(path: &Path, cause: io::Error) -> CaseError {
    CaseError::Unreadable { path: path.to_owned(), cause }
}

/// Everything in a directory, by name.
fn entries(directory: &Path) -> Result<Vec<PathBuf>, CaseError> {
    let list = || -> io::Result<Vec<PathBuf>> {
        fs::read_dir(directory)?.map(|entry| Ok(entry?.path())).collect()
    };
    let mut paths = list().map_err(|cause| unreadable(directory, cause))?;
    paths.sort();
    Ok(paths)
}

/// Names, relative to the directory, of the files that match: a name, or a pattern with one `*` in
/// its last part.
fn matching(directory: &Path, pattern: &str) -> Result<Vec<String>, CaseError> {
    let Some((before, after)) = pattern.split_once('*') else {
        return Ok(vec![pattern.to_owned()]);
    };
    let parent = before.rfind('/').map_or("", |slash| &before[..=slash]);
    let mut names = Vec::new();
    for path in entries(&directory.join(parent))? {
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let name = format!("{parent}{file}");
        let long_enough = name.len() >= before.len() + after.len();
        if long_enough && name.starts_with(before) && name.ends_with(after) {
            names.push(name);
        }
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_is_one_program_and_a_script_is_one_case() {
        let place = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| {
            let path = place.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put("run/one.c", "// args: a\n// file f: x\n// file f: y\n// exit: 3\n");
        put("run/two/main.c", "// stdin: z\\c\n");
        put("run/two/other.c", "");
        put("run/three.c", "// scripts: lua/*.lua\n");
        put("run/lua/a.lua", "A");
        put("run/lua/b.lua", "B");
        let cases = Case::all(place.path(), "run").unwrap();
        let names: Vec<&str> = cases.iter().map(|case| case.name.as_str()).collect();
        assert_eq!(names, ["one", "three a.lua", "three b.lua", "two"]);
        assert_eq!(cases[0].invocation.files, [("f".to_owned(), b"x\ny\n".to_vec())]);
        assert_eq!(cases[0].exit, 3);
        assert_eq!(cases[2].invocation.args, ["b.lua"]);
        assert_eq!(cases[3].files.len(), 2);
        assert_eq!(cases[3].invocation.stdin, b"z");
    }

    #[test]
    fn sources_of_a_subject_can_be_left_out() {
        let place = tempfile::tempdir().unwrap();
        for name in ["a.c", "ab.c", "b.c"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        let words = |text: &str| words(text).unwrap();
        let case = Case { sources: words("*.c !a*.c"), include: words("x"), ..Case::default() };
        let whole = case.with_subject(place.path()).unwrap();
        assert_eq!(whole.files, [place.path().join("b.c")]);
        assert_eq!(whole.cflags, [format!("-I{}", place.path().join("x").display())]);
    }
}
