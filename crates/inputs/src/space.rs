//! Input spaces: what may vary about a run.

use crate::{Alias, Alphabet, Assumption, Atom, Length, Param};

/// What may vary about a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Space {
    /// Without the program's name.
    pub args: Vec<Atom>,
    /// With less than `args.len()`, any number of arguments in between may be given.
    pub args_min: usize,
    /// `None`: standard input is empty.
    pub stdin: Option<Atom>,
    /// Names relative to the working directory.
    pub files: Vec<(String, Atom)>,
    /// Names of those files that may be missing.
    pub missing: Vec<String>,
    /// Parameters of the entry function, in order.
    pub params: Vec<Param>,
    /// Global variables that are set before the run.
    pub globals: Vec<Param>,
    /// What is taken for granted about parameters.
    pub assumptions: Vec<Assumption>,
    /// What holds of consistent parameters, and is not taken for granted here.
    pub lifted: Vec<Assumption>,
    /// Parameters that may lead to the same object.
    pub aliases: Vec<Alias>,
}

impl Space {
    /// What is explored if neither atoms nor tests say anything: two arguments of up to 4 bytes
    /// and up to 8 bytes of standard input.
    pub fn unspecified() -> Space {
        let argument = Atom::bytes(Alphabet::NoNul, Length::UpTo(4));
        Space {
            args: vec![argument.clone(), argument],
            args_min: 2,
            stdin: Some(Atom::bytes(Alphabet::Any, Length::UpTo(8))),
            ..Space::default()
        }
    }
}
