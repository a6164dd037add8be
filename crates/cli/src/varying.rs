//! Flags that say what varies about a program's runs, shared by the commands that look for
//! inputs. Only what was typed and what it means in bytes; atoms are read by `inputs`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use anyhow::bail;
use effects::Loader;
use effects::trial::Scope;
use inputs::{Assume, Flags, Test};

use crate::config::Config;

/// What `--strict-space` says where a verdict is about other inputs than declared ones.
pub const UNDECLARED: &str = "--strict-space: nobody declared what varies, so this verdict does \
                              not count (exit code 3); see --arg, --stdin, --file and --param";

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "What varies")]
pub struct Varying {
    /// What the next argument of the program may be; may be repeated
    #[arg(long = "arg", value_name = "ATOM", allow_hyphen_values = true)]
    args: Vec<OsString>,

    /// Any number of arguments up to N; the last --arg stands for all further ones
    #[arg(long, value_name = "N", allow_hyphen_values = true)]
    args_max: Option<String>,

    /// What standard input may be [default: empty]
    #[arg(long, value_name = "ATOM", allow_hyphen_values = true)]
    stdin: Option<OsString>,

    /// What a file of the program's directory may be; may be repeated
    #[arg(long = "file", value_name = "NAME=ATOM", allow_hyphen_values = true)]
    input_files: Vec<OsString>,

    /// Tests to begin with: JSON lines, or command lines; without atoms they tell what varies
    #[arg(long, value_name = "FILE")]
    tests: Option<PathBuf>,

    /// Take this function instead of `main`
    #[arg(long, value_name = "FUNCTION")]
    entry: Option<String>,

    /// What a parameter of the function may be; may be repeated
    #[arg(long = "param", value_name = "NAME=ATOM", allow_hyphen_values = true)]
    params: Vec<OsString>,

    /// A global variable that varies, too; may be repeated
    #[arg(long = "global", value_name = "NAME[=ATOM]", allow_hyphen_values = true)]
    global_variables: Vec<OsString>,

    /// What is taken for granted about the function's parameters
    #[arg(long, value_name = "WHAT", value_enum, default_value_t)]
    assume: Assumed,

    /// Let parameters that point to the same type be the same object, too
    #[arg(long)]
    alias: bool,
}

/// What is taken for granted about parameters, as typed.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
enum Assumed {
    /// That they are consistent: lengths fit their buffers, `end` belongs to its beginning
    #[default]
    Consistent,
    /// Nothing
    None,
}

/// What varies, and the inputs to begin with.
pub struct Varied {
    pub flags: Flags,
    pub tests: Vec<Test>,
    pub entry: Option<String>,
}

impl Varied {
    /// The same, of programs that are loaded so.
    pub fn scope<'a>(&'a self, loader: Loader<'a>) -> Scope<'a> {
        Scope { loader, entry: self.entry.as_deref(), flags: &self.flags, tests: &self.tests }
    }
}

impl Varying {
    /// What was typed; where nothing was said about what varies, what the project says.
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
                Err(_) => bail!("`--args-max {text}` is not a number of arguments"),
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
