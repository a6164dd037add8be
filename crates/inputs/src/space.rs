//! Input spaces: what may vary about a run.

use crate::{Alias, Alphabet, Assumption, Atom, Input, Length, Param, Test};

/// Arguments where only options are known, and how long each may be if no option is longer.
const MOST_WORDS: usize = 4;
const SHORT: usize = 8;

/// What may vary about a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// Without the program's name.
    pub args: Vec<Atom>,
    /// If less than `args.len()`, any number of arguments in between is possible.
    pub args_min: usize,
    /// `None`: standard input is empty.
    pub stdin: Option<Atom>,
    /// Names relative to the working directory.
    pub files: Vec<(String, Atom)>,
    /// Names of those files that may be missing.
    pub missing: Vec<String>,
    /// Parameters of the entry function, in order.
    pub params: Vec<Param>,
    /// Global variables to set before the run.
    pub globals: Vec<Param>,
    /// What Ripple assumes about parameters.
    pub assumptions: Vec<Assumption>,
    /// What holds for consistent parameters but is not assumed here.
    pub lifted: Vec<Assumption>,
    /// Parameters that may point to the same object.
    pub aliases: Vec<Alias>,
    /// Options that the code of the program tells, if nothing else is known about its arguments.
    pub options: Vec<Vec<u8>>,
}

impl Space {
    /// The space to explore without atoms and tests: two arguments of up to 4 bytes and up to 8
    /// bytes of standard input.
    pub fn unspecified() -> Space {
        let argument = Atom::bytes(Alphabet::NoNul, Length::UpTo(4));
        Space { args: vec![argument.clone(), argument], args_min: 2, ..Space::unspecified_stdin() }
    }

    /// The space to explore if all that is known are options of a program: up to four arguments,
    /// of which each may be an option or its argument, and up to 8 bytes of standard input.
    pub fn of_options(options: &[Vec<u8>]) -> Space {
        let longest = options.iter().map(Vec::len).max().unwrap_or(0).max(SHORT);
        let length = Length::UpTo(u32::try_from(longest).unwrap_or(SHORT as u32));
        Space {
            args: vec![Atom::bytes(Alphabet::NoNul, length); MOST_WORDS],
            options: options.to_vec(),
            ..Space::unspecified_stdin()
        }
    }

    /// Inputs to begin with: each option alone, with something that may be its argument, and with
    /// other options.
    pub fn of_its_options(&self) -> Vec<Test> {
        let alone = self.options.iter().map(|option| vec![&option[..]]);
        let with =
            |value: &'static [u8]| self.options.iter().map(move |option| vec![&option[..], value]);
        let next = self.options.iter().skip(1);
        let pairs = self.options.iter().zip(next).flat_map(|(one, other)| {
            let (one, other) = (&one[..], &other[..]);
            [vec![one, other], vec![one, b"1", other], vec![one, b"1", other, b"1"]]
        });
        let lists = alone.chain(with(b"1")).chain(with(b"a")).chain(pairs);
        let test = |words: Vec<&[u8]>| {
            let args = words.into_iter().map(<[u8]>::to_vec).collect();
            Test { input: Input { args, ..Input::default() }, ..Test::default() }
        };
        lists.map(test).collect()
    }

    fn unspecified_stdin() -> Space {
        let stdin = Some(Atom::bytes(Alphabet::Any, Length::UpTo(8)));
        Space { stdin, ..Space::default() }
    }
}
