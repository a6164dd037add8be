//! Programs with known paths as files: a new case is a new file.
//!
//! The comment at the top of a program declares its inputs and says what exploring it finds:
//!
//! | directive | meaning |
//! |---|---|
//! | `// args: int str:3` | an atom for each argument |
//! | `// args-max: 3` | as the flag |
//! | `// stdin: text:3` | standard input |
//! | `// file NAME: text:3` | a file |
//! | `// entry: f` | the function to explore instead of `main` |
//! | `// param p: buf:4`, `// global g:` | as the flags `--param p=buf:4` and `--global g` |
//! | `// steps: 1000` | what a single run may take |
//! | `// paths: 4` | how many paths there are |
//! | `// fault: division by zero at line 7` | a fault, and where in this file; all of them are listed |
//! | `// gap: …` | a reason why there may be more paths; without any, the exploration is complete |
//! | `// native: no` | what a native run shows is not compared, because it is not defined |

use std::fs;
use std::path::{Path, PathBuf};

use inputs::Flags;

/// A program, what varies, and what is expected.
#[derive(Clone, Debug, Default)]
pub struct Case {
    pub name: String,
    /// Relative to the root.
    pub file: PathBuf,
    pub flags: Flags,
    pub entry: Option<String>,
    pub steps: Option<u64>,
    pub expected: Expected,
    pub runs_natively: bool,
}

/// What exploring a program finds, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expected {
    pub paths: usize,
    /// In alphabetical order.
    pub faults: Vec<String>,
    pub gaps: Vec<String>,
}

/// All cases of a directory below the root, by name.
pub fn all(root: &Path, directory: &str) -> Vec<Case> {
    let entries = fs::read_dir(root.join(directory)).expect("the directory exists");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the directory can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files.iter().map(|path| read(root, path)).collect()
}

fn read(root: &Path, path: &Path) -> Case {
    let text = fs::read_to_string(path).expect("the program can be read");
    let file = path.strip_prefix(root).unwrap_or(path).to_owned();
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut case = Case { name, file, runs_natively: true, ..Case::default() };
    let mut counted = false;
    for line in text.lines() {
        let Some(comment) = line.strip_prefix("//") else { break };
        let Some((head, value)) = comment.trim().split_once(':') else { continue };
        let (directive, argument) = head.trim().split_once(' ').unwrap_or((head.trim(), ""));
        counted |= directive == "paths";
        case.apply(directive, argument, value.trim());
    }
    assert!(counted, "{}: the number of paths is missing", case.name);
    case.expected.faults.sort();
    case.expected.gaps.sort();
    case
}

impl Case {
    fn apply(&mut self, directive: &str, argument: &str, value: &str) {
        let number = || -> u64 { value.parse().expect("a number") };
        let bytes = value.as_bytes().to_vec();
        let flags = &mut self.flags;
        match directive {
            "args" => {
                flags.args.extend(value.split_whitespace().map(|atom| atom.as_bytes().to_vec()));
            }
            "args-max" => flags.args_max = Some(number() as usize),
            "stdin" => flags.stdin = Some(bytes),
            "file" => flags.files.push(format!("{argument}={value}").into_bytes()),
            "entry" => self.entry = Some(value.to_owned()),
            "param" => flags.params.push(format!("{argument}={value}").into_bytes()),
            "global" if value.is_empty() => flags.globals.push(argument.as_bytes().to_vec()),
            "global" => flags.globals.push(format!("{argument}={value}").into_bytes()),
            "steps" => self.steps = Some(number()),
            "paths" => self.expected.paths = number() as usize,
            "fault" => self.expected.faults.push(value.to_owned()),
            "gap" => self.expected.gaps.push(value.to_owned()),
            "native" => self.runs_natively = value != "no",
            // Words for people.
            _ => {}
        }
    }
}
