//! Input spaces: what may vary about a run.

use crate::{Alias, Alphabet, Assumption, Atom, Length, Param};

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
}

impl Space {
    /// The space to explore without atoms and tests: two arguments of up to 4 bytes and up to 8
    /// bytes of standard input.
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
