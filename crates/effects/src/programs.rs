//! The programs of a version: which units make each of them, and which a change affects.
//!
//! Without a recorded build, every unit that defines `main` is a program, and the other units are
//! like members of an archive (`closure`). Two versions are compared unit by unit (`changed`), so
//! that nothing is linked to find out which programs and functions a change can affect
//! (`affected`). Runs nothing.

mod affected;
mod changed;
mod closure;
mod functions;
mod plan;
mod symbols;
mod units;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use inputs::nearest_names;
use source::Checkout;

pub use affected::{Affected, AffectedProgram, affected};
pub use changed::{ChangeOf, ChangedSymbol};
pub use closure::{Choice, Closure};
pub use functions::{Callable, Obstacle, callable};
pub use plan::{One, Plan, Question, Several, Single, Wanted, Why, around, plan, plan_single};
pub use symbols::{Binding, Definition, Symbols};
pub use units::{Broken, Unit, Units};

/// A program of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    pub name: String,
    /// As in the checkout.
    pub files: Vec<PathBuf>,
    /// Flags of files, where they are not those of the checkout.
    pub flags: BTreeMap<PathBuf, Vec<String>>,
    pub kind: Kind,
    /// Symbols for which there was a choice of units.
    pub choices: Vec<Choice>,
}

/// How it is known that these files are a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// This file defines `main`, and the others what it needs.
    Inferred { main: PathBuf },
}

impl Program {
    /// The version reduced to this program.
    pub fn of(&self, checkout: &Checkout) -> Checkout {
        let mut checkout = checkout.clone();
        checkout.files.clone_from(&self.files);
        checkout.flags.extend(self.flags.clone());
        checkout.has_gaps = true;
        checkout
    }

    /// The file in which it begins.
    pub fn main(&self) -> &Path {
        let Kind::Inferred { main } = &self.kind;
        main
    }
}

impl Units {
    /// All programs, by name.
    pub fn programs(&self) -> Vec<Program> {
        let mains = self.mains();
        let names = self.program_names(&mains);
        let mut programs: Vec<Program> =
            mains.iter().zip(names).map(|(&main, name)| self.program(main, name)).collect();
        programs.sort_by(|one, other| one.name.cmp(&other.name));
        programs
    }

    /// The program with a name, or whose `main` is in a file of this name; otherwise the names of
    /// programs that are similar.
    pub fn program_named(&self, name: &str) -> Result<Program, Vec<String>> {
        let programs = self.programs();
        let is_meant = |program: &&Program| {
            let key = self.checkout.key(program.main());
            program.name == name
                || program.main() == Path::new(name)
                || key.is_some_and(|key| key == Path::new(name))
        };
        match programs.iter().find(is_meant) {
            Some(program) => Ok(program.clone()),
            None => Err(nearest_names(name, programs.iter().map(|program| program.name.as_str()))),
        }
    }

    /// The version reduced to the unit of a function and what it needs.
    pub fn around(&self, unit: usize) -> Checkout {
        self.reduced(&self.closure(unit))
    }

    fn reduced(&self, closure: &Closure) -> Checkout {
        let mut checkout = self.checkout.clone();
        checkout.files = self.files(closure);
        checkout.has_gaps = true;
        checkout
    }

    fn files(&self, closure: &Closure) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            closure.units.iter().map(|&unit| self.units[unit].file.clone()).collect();
        files.sort();
        files
    }

    fn program(&self, main: usize, name: String) -> Program {
        let closure = self.closure(main);
        Program {
            name,
            files: self.files(&closure),
            flags: BTreeMap::new(),
            kind: Kind::Inferred { main: self.units[main].file.clone() },
            choices: closure.choices,
        }
    }

    /// The name of each program: that of its file, or of the directory if the file is called
    /// `main`; with the directory if several programs would have the same name.
    fn program_names(&self, mains: &[usize]) -> Vec<String> {
        let key = |unit: usize| &self.units[unit].key;
        let short: Vec<String> = mains.iter().map(|&unit| short_name(key(unit))).collect();
        let is_taken = |name: &String| short.iter().filter(|other| *other == name).count() > 1;
        let long = |unit: usize| key(unit).with_extension("").to_string_lossy().into_owned();
        let names = mains.iter().zip(&short);
        names.map(|(&unit, name)| if is_taken(name) { long(unit) } else { name.clone() }).collect()
    }
}

fn short_name(key: &Path) -> String {
    let text =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let stem = text(key.file_stem()).unwrap_or_default();
    match text(key.parent().and_then(Path::file_name)) {
        Some(directory) if stem == "main" && directory != "src" => directory,
        _ => stem,
    }
}
