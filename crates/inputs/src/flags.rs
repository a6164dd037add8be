//! Turns the typed flags that declare inputs into a space.

use crate::error::{Error, FlagProblem};
use crate::infer::infer;
use crate::parse::{self, MOST_ARGUMENTS, Override};
use crate::{Alphabet, Assume, Atom, Evidence, Length, Room, Space, Test};

/// The flags that declare inputs, as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--arg`, in order.
    pub args: Vec<Vec<u8>>,
    /// `--args-max`
    pub args_max: Option<usize>,
    /// `--stdin`
    pub stdin: Option<Vec<u8>>,
    /// `--file NAME=…`
    pub files: Vec<Vec<u8>>,
    /// `--param NAME=…`
    pub params: Vec<Vec<u8>>,
    /// `--global NAME[=…]`
    pub globals: Vec<Vec<u8>>,
    /// `--assume`
    pub assume: Assume,
    /// `--alias`
    pub alias: bool,
}

/// What the user says about parameters and global variables.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    pub params: Vec<Override>,
    pub globals: Vec<Override>,
    pub assume: Assume,
    /// Whether parameters may point to the same object.
    pub alias: bool,
    /// How the code uses parameters; if `None`, it is derived from the code at hand.
    pub evidence: Option<Evidence>,
}

/// Where a space comes from, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    Declared,
    InferredFromTests,
    /// From neither flags nor tests, but options that the code tells: [`Space::of_options`].
    Options,
    /// From nothing: [`Space::unspecified`].
    Unspecified,
    /// A function's parameters, if no flag declares the size of the memory behind some pointer.
    Types,
}

impl Flags {
    /// The space of a whole program: as declared, otherwise as the tests suggest with room beyond
    /// them, otherwise with the options that the code knows, otherwise unspecified.
    pub fn program_space(&self, tests: &[Test], room: &Room) -> Result<(Space, Origin), Error> {
        let declares = !self.args.is_empty()
            || self.args_max.is_some()
            || self.stdin.is_some()
            || !self.files.is_empty();
        Ok(match (declares, tests.is_empty()) {
            (true, _) => (self.texts()?, Origin::Declared),
            (false, false) => (infer(tests, room), Origin::InferredFromTests),
            (false, true) if !room.options.is_empty() => {
                (Space::of_options(&room.options), Origin::Options)
            }
            (false, true) => (Space::unspecified(), Origin::Unspecified),
        })
    }

    /// Arguments, standard input and files, as far as they are declared.
    pub fn texts(&self) -> Result<Space, Error> {
        let args: Vec<Atom> =
            self.args.iter().map(|text| parse::argument(text)).collect::<Result<_, _>>()?;
        let (args, args_min) = with_varying_count(args, self.args_max)?;
        let stdin = self.stdin.as_ref().map(|text| parse::stdin(text)).transpose()?;
        Ok(Space { args, args_min, stdin, files: self.file_atoms()?, ..Space::default() })
    }

    fn file_atoms(&self) -> Result<Vec<(String, Atom)>, Error> {
        let mut files: Vec<(String, Atom)> = Vec::with_capacity(self.files.len());
        for text in &self.files {
            let (name, atom) = parse::file(text)?;
            if files.iter().any(|(known, _)| *known == name) {
                let flag = format!("--file {}", String::from_utf8_lossy(text));
                return Err(Error::Flag { flag, problem: FlagProblem::NameTwice { name } });
            }
            files.push((name, atom));
        }
        Ok(files)
    }

    pub fn overrides(&self) -> Result<Overrides, Error> {
        let params = self.params.iter().map(|text| parse::param(text)).collect::<Result<_, _>>()?;
        let globals =
            self.globals.iter().map(|text| parse::global(text)).collect::<Result<_, _>>()?;
        let Flags { assume, alias, .. } = *self;
        let overrides = Overrides { params, globals, assume, alias, evidence: None };
        for list in [&overrides.params, &overrides.globals] {
            for (index, later) in list.iter().enumerate() {
                if list[..index].iter().any(|earlier| earlier.path == later.path) {
                    let problem = FlagProblem::NameTwice { name: later.path.clone() };
                    return Err(Error::Flag { flag: later.flag.clone(), problem });
                }
            }
        }
        Ok(overrides)
    }
}

/// With a maximum, any smaller number is possible, and the last atom stands for all further
/// arguments.
fn with_varying_count(
    mut args: Vec<Atom>,
    max: Option<usize>,
) -> Result<(Vec<Atom>, usize), Error> {
    let Some(max) = max else {
        let count = args.len();
        return if count <= MOST_ARGUMENTS {
            Ok((args, count))
        } else {
            Err(Error::ArgumentCount { most: MOST_ARGUMENTS })
        };
    };
    if max == 0 || max > MOST_ARGUMENTS {
        return Err(Error::ArgumentCount { most: MOST_ARGUMENTS });
    }
    if max < args.len() {
        return Err(Error::TooFewArguments { max, declared: args.len() });
    }
    let usual = || Atom::bytes(Alphabet::NoNul, Length::UpTo(4));
    let last = args.last().cloned().unwrap_or_else(usual);
    args.resize(max, last);
    Ok((args, 0))
}
