//! The programs of a version: which units make each of them, and which a change affects.
//!
//! The build of a version says which (`built`). Without one, every unit that defines `main` is a
//! program, and the other units are like members of an archive (`closure`). Two versions are
//! compared unit by unit (`changed`), so that nothing is linked to find out which programs and
//! functions a change can affect (`affected`). Runs nothing.

mod affected;
mod built;
mod changed;
mod closure;
mod covered;
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
pub use covered::Covering;
pub use functions::{Callable, Obstacle, callable};
pub use plan::{
    One, Plan, Question, Several, Single, Survey, Wanted, Why, around, plan, plan_single, survey,
};
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
    /// The build of the version linked it from these units, of which this file defines `main`.
    Built { main: PathBuf, units: Vec<usize>, lacks: Lacks },
}

/// What a program that was built has besides C files that compile.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    /// Files that clang does not compile, by their positions in [`Units::broken`].
    pub broken: Vec<usize>,
    /// Files that are in it twice, compiled in two ways.
    pub repeated: Vec<PathBuf>,
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
        match &self.kind {
            Kind::Inferred { main } | Kind::Built { main, .. } => main,
        }
    }
}

impl Units {
    /// All programs, by name.
    pub fn programs(&self) -> Vec<Program> {
        let mut programs = match &self.checkout.build {
            Some(build) => self.built_programs(&build.record),
            None => {
                let mains = self.mains();
                let names = self.program_names(&mains);
                mains.iter().zip(names).map(|(&main, name)| self.program(main, name)).collect()
            }
        };
        programs.sort_by(|one, other| one.name.cmp(&other.name));
        programs
    }

    /// The unit in which a program begins.
    fn main_of(&self, program: &Program) -> Option<usize> {
        match &program.kind {
            Kind::Inferred { main } => self.with_file(main),
            Kind::Built { units, .. } => {
                units.iter().copied().find(|&unit| self.units[unit].symbols.has_main())
            }
        }
    }

    /// The units of a program.
    fn closure_of_program(&self, program: &Program) -> Closure {
        match &program.kind {
            Kind::Inferred { main } => {
                self.with_file(main).map(|unit| self.closure(unit)).unwrap_or_default()
            }
            Kind::Built { units, .. } => self.closure_of_built(units),
        }
    }

    /// The unit of a changed symbol.
    fn of_change(&self, symbol: &ChangedSymbol) -> Option<usize> {
        self.with_key(&symbol.key, symbol.variant)
    }

    /// The program with a name, or whose `main` is in a file of this name; otherwise the names of
    /// programs that are similar.
    pub fn program_named(&self, name: &str) -> Result<Program, Vec<String>> {
        let programs = self.programs();
        let is_meant = |program: &&Program| {
            let key = self.checkout.key(program.main());
            let is_at_end = matches!(program.kind, Kind::Built { .. })
                && (Path::new(name).ends_with(&program.name)
                    || program.name.ends_with(&format!("/{name}")));
            program.name == name
                || is_at_end
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
        checkout.flags.extend(self.flags(&closure.units));
        checkout.has_gaps = true;
        checkout
    }

    /// Flags of units that are not those of the checkout.
    fn flags(&self, units: &[usize]) -> BTreeMap<PathBuf, Vec<String>> {
        let other = units.iter().map(|&unit| &self.units[unit]).filter(|unit| unit.variant > 0);
        let flags = other.filter_map(|unit| {
            let flags = self.variant(unit.variant).flags.get(&unit.file)?;
            Some((unit.file.clone(), flags.clone()))
        });
        flags.collect()
    }

    fn files(&self, closure: &Closure) -> Vec<PathBuf> {
        let mut files: Vec<PathBuf> =
            closure.units.iter().map(|&unit| self.units[unit].file.clone()).collect();
        files.sort();
        files.dedup();
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
