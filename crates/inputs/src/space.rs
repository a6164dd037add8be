//! Input spaces: what may vary about a run.

use crate::flags::{Origin, Overrides};
use crate::{Alias, Alphabet, Assumption, Atom, Cell, Input, Layout, Length, Mismatch, Param};

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

    /// Where the space of a function comes from.
    pub fn origin_of_params(&self, overrides: &Overrides) -> Origin {
        match self.sized_by_type(overrides).next() {
            Some(_) => Origin::Types,
            None => Origin::Declared,
        }
    }

    /// Parameters with memory behind pointers whose size no flag says.
    pub fn sized_by_type<'a>(
        &'a self,
        overrides: &'a Overrides,
    ) -> impl Iterator<Item = &'a Param> {
        let is_declared = |param: &Param| {
            overrides.params.iter().any(|over| {
                let rest = over.path.strip_prefix(param.name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            })
        };
        self.params.iter().filter(move |param| param.shape.has_memory() && !is_declared(param))
    }

    /// The unknowns and their places. Make it once and ask it often.
    pub fn layout(&self) -> Layout {
        Layout::new(self)
    }

    pub fn cells(&self) -> Vec<Cell> {
        self.layout().cells.values().cloned().collect()
    }

    /// The input of an assignment of all cells.
    pub fn decode(&self, assignment: &[u64]) -> Input {
        self.layout().decode(assignment)
    }

    /// The assignment of an input, or why it is not in the space.
    pub fn encode(&self, input: &Input) -> Result<Vec<u64>, Mismatch> {
        self.layout().encode(input)
    }
}
