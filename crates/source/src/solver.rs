//! Other SMT solvers, run on one script at a time under limits.
//!
//! To this crate, scripts and answers are text, which it does not interpret. A solver is a tool of
//! the user, not a program under test, so it is not confined.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::clang::find_program;
use crate::end::End;
use crate::error::SourceError;
use crate::native::NativeProgram;
use crate::run::{Invocation, Limits, run_native};

/// Known solvers, and the options with which they read standard input.
const KNOWN: [(&str, &[&str]); 3] = [
    ("z3", &["-in", "-smt2"]),
    ("cvc5", &["--lang=smt2", "--produce-models", "--fp-exp"]),
    ("bitwuzla", &["--lang=smt2", "--produce-models"]),
];

/// A solver that reads SMT-LIB text from its standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SmtSolver {
    pub path: PathBuf,
    pub args: Vec<String>,
}

impl SmtSolver {
    /// The solver that a command line names. Without options, a known solver gets its own.
    pub fn find(command: &[String], path_var: &OsStr) -> Result<SmtSolver, SourceError> {
        let name = command.first().map(String::as_str).unwrap_or_default();
        let path = find_program(Path::new(name), path_var);
        let path = path.ok_or_else(|| SourceError::SolverMissing { name: name.to_owned() })?;
        let mut args = command.get(1..).unwrap_or_default().to_vec();
        if args.is_empty() {
            let stem = Path::new(name).file_stem();
            let known = KNOWN.iter().find(|(known, _)| stem == Some(OsStr::new(known)));
            args.extend(known.into_iter().flat_map(|(_, options)| *options).map(|&o| o.to_owned()));
        }
        Ok(SmtSolver { path, args })
    }

    /// The solver's output for the script. Nothing if it exceeds a limit or is killed; an exit code
    /// other than 0 is ignored, because solvers differ in what they treat as an error.
    pub fn ask(&self, script: &str, limits: &Limits) -> Result<Option<String>, SourceError> {
        let program = NativeProgram::tool(self.path.clone());
        let invocation = Invocation {
            arg0: self.path.to_string_lossy().into_owned(),
            args: self.args.iter().map(Into::into).collect(),
            stdin: script.as_bytes().to_vec(),
            ..Invocation::default()
        };
        let run = run_native(&program, &invocation, limits)?;
        Ok(match run.end {
            End::Exited(_) => Some(String::from_utf8_lossy(&run.stdout).into_owned()),
            _ => None,
        })
    }

    /// Limits of one query.
    pub fn limits(time: Duration) -> Limits {
        Limits { time, memory: 4 << 30, ..Limits::default() }
    }
}
