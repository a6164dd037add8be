//! Flags that declare the input space, shared by the commands that search for inputs.
//!
//! Atoms stay bytes here; `inputs` parses them.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use anyhow::bail;
use effects::Loader;
use effects::trial::Scope;
use inputs::{Assume, Flags, Test};

use crate::config::Config;

/// The part of the help that explains atoms.
pub const ATOMS: &str = "\
Atoms declare what an input can be:
  int, int:LOW..HIGH  a decimal number              choice:A,B  one of these
  str:N, text:N       up to N bytes, N printable    =TEXT       exactly this text
  bytes:N, lines:NxM  for --stdin and --file        :=N         exactly N instead of up to N";

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Inputs")]
pub struct Varying {
    /// Declare the next command-line argument; repeatable
    #[arg(long = "arg", value_name = "ATOM", allow_hyphen_values = true)]
    args: Vec<OsString>,

    /// Allow up to N arguments; the last --arg declares all further ones
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    args_max: Option<String>,

    /// Declare standard input [default: empty]
    #[arg(long, value_name = "ATOM", allow_hyphen_values = true)]
    stdin: Option<OsString>,

    /// Declare a file in the program's directory; repeatable
    #[arg(long = "file", value_name = "NAME=ATOM", allow_hyphen_values = true)]
    input_files: Vec<OsString>,

    /// Start from these tests: JSON lines, command lines, or a directory of files, one a test;
    /// without atoms, infer the inputs from them
    #[arg(long, value_name = "FILE")]
    tests: Option<PathBuf>,

    /// Call this function instead of `main`
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// Declare a parameter of the function; repeatable
    #[arg(long = "param", value_name = "NAME=ATOM", allow_hyphen_values = true)]
    params: Vec<OsString>,

    /// Vary a global variable as well; repeatable
    #[arg(long = "global", value_name = "NAME[=ATOM]", allow_hyphen_values = true)]
    global_variables: Vec<OsString>,

    /// What to assume about the function's parameters
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    assume: Assumed,

    /// Also try pointer parameters of the same type that refer to the same object
    #[arg(long)]
    alias: bool,
}

/// What to assume about parameters.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Assumed {
    /// They are consistent: lengths fit their buffers, `end` points into the buffer of `begin`
    #[default]
    Consistent,
    /// Nothing
    None,
}

/// The declared input space, and the tests to start from.
pub struct Varied {
    pub flags: Flags,
    pub tests: Vec<Test>,
    pub entry: Option<String>,
}

impl Varied {
    /// The scope of a search, for programs loaded this way.
    pub fn scope<'a>(&'a self, loader: Loader<'a>) -> Scope<'a> {
        Scope { loader, entry: self.entry.as_deref(), flags: &self.flags, tests: &self.tests }
    }
}

impl Varying {
    /// The declared space: the flags, or else the settings of the project.
    pub fn meant(&self, config: &Config) -> anyhow::Result<Varied> {
        let flags = self.flags()?;
        let is_typed = self.entry.is_some() || flags != Flags::default();
        let (mut flags, entry) = if is_typed {
            (flags, self.entry.clone())
        } else {
            (configured(config), config.entry.clone())
        };
        flags.assume = match self.assume {
            Assumed::Consistent => Assume::Consistent,
            Assumed::None => Assume::Nothing,
        };
        flags.alias = self.alias;
        let tests = match self.tests.clone().or_else(|| config.tests()) {
            None => Vec::new(),
            Some(path) if path.is_dir() => inputs::read_corpus(&path, &flags)?,
            Some(path) => inputs::read_tests(&path)?,
        };
        Ok(Varied { flags, tests, entry })
    }

    fn flags(&self) -> anyhow::Result<Flags> {
        let bytes = |texts: &[OsString]| -> Vec<Vec<u8>> {
            texts.iter().map(|text| text.as_bytes().to_vec()).collect()
        };
        let args_max = match &self.args_max {
            None => None,
            Some(text) => match text.parse() {
                Ok(count) => Some(count),
                Err(_) => bail!("`--args-max {text}` is not a number"),
            },
        };
        Ok(Flags {
            args: bytes(&self.args),
            args_max,
            stdin: self.stdin.as_ref().map(|text| text.as_bytes().to_vec()),
            files: bytes(&self.input_files),
            params: bytes(&self.params),
            globals: bytes(&self.global_variables),
            assume: Assume::default(),
            alias: false,
        })
    }
}

fn configured(config: &Config) -> Flags {
    let atoms = &config.atoms;
    let bytes = |texts: &[String]| -> Vec<Vec<u8>> {
        texts.iter().map(|text| text.clone().into()).collect()
    };
    Flags {
        args: bytes(&atoms.args),
        args_max: atoms.args_max,
        stdin: atoms.stdin.clone().map(String::into_bytes),
        files: bytes(&atoms.files),
        params: bytes(&atoms.params),
        globals: bytes(&atoms.globals),
        assume: Assume::default(),
        alias: false,
    }
}
