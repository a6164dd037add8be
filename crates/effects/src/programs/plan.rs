//! What to look at, if a version is more than one program: the program or function that was named,
//! or else what the change affects.
//!
//! If all files of a version are one program, they are taken as they are.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use base::{Both, Version};
use inputs::{Room, nearest_names};
use source::{Checkout, SourceError};

use super::affected::{Affected, AffectedProgram, affected};
use super::functions::{Callable, callable};
use super::units::{Broken, Units};
use super::{Closure, Kind, Lacks, Program};
use crate::error::Error;
use crate::program::Loader;

/// What was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wanted<'a> {
    pub program: Option<&'a str>,
    pub entry: Option<&'a str>,
    /// Whether a function or program must run, so that there must be one.
    pub runs: bool,
}

/// What to look at in two versions.
#[derive(Debug)]
pub enum Plan {
    /// All files, as they are.
    AsTheyAre,
    /// All files, because nothing sensible can be done without some that do not compile.
    Lost {
        versions: Box<Both<Checkout>>,
        broken: Vec<Broken>,
    },
    One(Box<One>),
    /// No single program is meant.
    Several(Box<Several>),
    Question(Question),
}

/// One program, or one function with what it needs.
#[derive(Debug)]
pub struct One {
    pub versions: Both<Checkout>,
    pub why: Why,
    /// Files that are left out because they do not compile.
    pub broken: Vec<Broken>,
}

/// Why these files are looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// The user named the program or function.
    Named,
    /// There is no other program.
    OnlyProgram { program: String },
    /// It is the only program that the change affects.
    OnlyAffected { program: String, unaffected: usize },
}

/// What a change affects, to choose from.
#[derive(Debug)]
pub struct Several {
    pub affected: Affected,
    pub functions: Vec<Callable>,
    pub units: Both<Units>,
    pub broken: Vec<Broken>,
}

impl Several {
    /// Both versions reduced to the closest affected program, if there is one, and the changed
    /// files with what they need.
    pub fn together(&self) -> Both<Checkout> {
        let program = self.affected.programs.first();
        let side = |side: usize| {
            let units = &self.units[side];
            let program = program.map(|one| [&one.old, &one.new][side]);
            let own = program.map(|one| units.closure_of_program(one).units).unwrap_or_default();
            let changed = self.affected.changed.iter().filter_map(|one| units.of_change(one));
            units.reduced(&units.closure_of(own.into_iter().chain(changed)))
        };
        alike([side(0), side(1)])
    }

    /// Whether the file in which a program begins tells options, so that there are inputs to begin
    /// with.
    pub fn tells_options(&self, loader: &Loader<'_>, program: &AffectedProgram) -> bool {
        let units = &self.units[1];
        let main = units.main_of(&program.new);
        let module = main.and_then(|main| units.module(loader, main).ok());
        module.is_some_and(|module| !Room::of([&module]).options.is_empty())
    }
}

/// What Ripple must know, or what it did not find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// There are several, and none was named.
    WhichProgram {
        mains: Vec<(String, PathBuf)>,
    },
    /// There is none, and a function was not named either.
    NoProgram {
        functions: Vec<String>,
    },
    UnknownProgram {
        name: String,
        nearest: Vec<String>,
        all: Vec<String>,
    },
    /// Only one version has the program.
    ProgramOnlyIn {
        name: String,
        version: Version,
    },
    /// The functions with similar names, and their files.
    UnknownEntry {
        name: String,
        version: Option<Version>,
        nearest: Vec<(String, PathBuf)>,
    },
    /// Several files define the function, and no program tells which is meant.
    WhichEntry {
        name: String,
        files: Vec<PathBuf>,
    },
}

/// The name of a version in error messages.
const NAMES: [&str; 2] = ["OLD", "NEW"];

/// Which programs a change affects, with the files that could not be looked at.
#[derive(Debug)]
pub struct Survey {
    pub units: Both<Units>,
    pub affected: Affected,
    pub broken: Vec<Broken>,
}

/// Tells which programs of two directories a change affects.
pub fn survey(loader: &Loader<'_>, versions: Both<&Checkout>) -> Result<Survey, Error> {
    let units = read_both(loader, versions)?;
    let sides = [&units[0], &units[1]];
    let affected = affected(loader, sides)?;
    let broken = all_broken(sides);
    Ok(Survey { units, affected, broken })
}

/// Decides what to look at in two versions of a directory.
pub fn plan(
    loader: &Loader<'_>,
    [old, new]: Both<&Checkout>,
    wanted: Wanted<'_>,
) -> Result<Plan, Error> {
    if old.is_lone_file() || new.is_lone_file() {
        return Ok(Plan::AsTheyAre);
    }
    let units = read_both(loader, [old, new])?;
    let sides = [&units[0], &units[1]];
    if let Some(name) = wanted.program {
        return named_program(sides, name);
    }
    if sides.iter().all(|units| is_whole(units, wanted)) {
        let is_same = |(units, typed): (&&Units, &Checkout)| units.checkout.flags == typed.flags;
        if sides.iter().zip([old, new]).all(is_same) {
            return Ok(Plan::AsTheyAre);
        }
        let versions = alike(sides.map(|units| units.checkout.clone()));
        return Ok(Plan::One(Box::new(One { versions, why: Why::Named, broken: Vec::new() })));
    }
    if sides.iter().any(|units| is_lost(units)) {
        let versions = Box::new(alike(sides.map(|units| units.checkout.clone())));
        return Ok(Plan::Lost { versions, broken: all_broken(sides) });
    }
    if let Some(name) = wanted.entry {
        return named_entry(sides, name);
    }
    let affected = affected(loader, sides)?;
    let broken = all_broken(sides);
    if let Some((program, why)) = only_program(sides, &affected) {
        let versions = program.versions(sides)?;
        return Ok(Plan::One(Box::new(One { versions, why, broken })));
    }
    let functions = callable(loader, sides, &affected.changed)?;
    Ok(Plan::Several(Box::new(Several { affected, functions, units, broken })))
}

/// The program that is all that matters, and why: no other program and nothing else differs, as far
/// as that is known.
fn only_program([old, new]: Both<&Units>, affected: &Affected) -> Option<(AffectedProgram, Why)> {
    let is_all = affected.in_no_program().next().is_none()
        && affected.broken.is_empty()
        && affected.only_old.is_empty()
        && affected.only_new.is_empty();
    let programs = affected.programs.len() + affected.unaffected.len();
    match (&affected.programs[..], &affected.unaffected[..]) {
        _ if !is_all => None,
        ([program], _) => {
            let name = program.new.name.clone();
            let why = match programs {
                1 => Why::OnlyProgram { program: name },
                _ => Why::OnlyAffected { program: name, unaffected: programs - 1 },
            };
            Some((program.clone(), why))
        }
        // What was built is known, so that the only program may be looked at all the same.
        ([], [name]) if new.checkout.build.is_some() => {
            let [old, new] = [old, new].map(|units| units.program_named(name).ok());
            let program =
                AffectedProgram { old: old?, new: new?, distance: 0, reached: Vec::new() };
            Some((program, Why::OnlyProgram { program: name.clone() }))
        }
        _ => None,
    }
}

/// What to look at in one version.
#[derive(Debug)]
pub enum Single {
    AsItIs,
    /// As it is, because nothing sensible can be done without these, which do not compile.
    Lost {
        checkout: Box<Checkout>,
        broken: Vec<Broken>,
    },
    One {
        checkout: Box<Checkout>,
        broken: Vec<Broken>,
    },
    Question(Question),
}

/// Decides what to look at in one version of a directory.
pub fn plan_single(
    loader: &Loader<'_>,
    checkout: &Checkout,
    wanted: Wanted<'_>,
) -> Result<Single, Error> {
    if checkout.is_lone_file() {
        return Ok(Single::AsItIs);
    }
    let units = Units::read(loader, checkout)?;
    if wanted.program.is_none() && !is_whole(&units, wanted) && is_lost(&units) {
        let checkout = Box::new(units.checkout.clone());
        return Ok(Single::Lost { checkout, broken: units.broken });
    }
    let one = |checkout: Checkout| {
        let broken = units.broken.clone();
        Ok(Single::One { checkout: Box::new(checkout), broken })
    };
    if let Some(name) = wanted.program {
        return match units.program_named(name) {
            Ok(program) => one(checked(&units, &program, None)?),
            Err(nearest) => Ok(Single::Question(unknown_program(&units, name, nearest))),
        };
    }
    if is_whole(&units, wanted) {
        let checkout = Box::new(units.checkout.clone());
        return Ok(Single::One { checkout, broken: Vec::new() });
    }
    if let Some(name) = wanted.entry {
        return match units.entry(name, None) {
            Ok(unit) => one(units.around(unit)),
            Err(question) => Ok(Single::Question(question)),
        };
    }
    let programs = units.programs();
    match &programs[..] {
        [program] => one(checked(&units, program, None)?),
        [] => Ok(Single::Question(Question::NoProgram { functions: units.exported_functions() })),
        several => Ok(Single::Question(which(several))),
    }
}

/// Reads both versions; NEW with the positions of OLD if it has them.
fn read_both(loader: &Loader<'_>, [old, new]: Both<&Checkout>) -> Result<Both<Units>, Error> {
    let old = Units::read(loader, old)?;
    let mut new = new.clone();
    if new.holds_positions() {
        new.hold_positions_of(&old.checkout);
    }
    Ok([old, Units::read(loader, &new)?])
}

/// Whether all files are one program that can be looked at as wanted.
fn is_whole(units: &Units, wanted: Wanted<'_>) -> bool {
    let mains = units.mains();
    if units.checkout.build.is_some() {
        return false;
    }
    let can_start = !wanted.runs || wanted.entry.is_some() || !mains.is_empty();
    let is_found = wanted.entry.is_none_or(|name| units.entry(name, None).is_ok());
    if !can_start || !is_found || mains.len() > 1 || !units.are_one_program() {
        return false;
    }
    // Files that need something that is nowhere may be no part of the program.
    match mains[..] {
        [main] if wanted.entry.is_none() => {
            let all = Closure { units: (0..units.units.len()).collect(), ..units.closure(main) };
            units.undefined(&all).len() <= units.undefined(&units.closure(main)).len()
        }
        _ => true,
    }
}

/// Whether nothing sensible can be done without the files that do not compile.
fn is_lost(units: &Units) -> bool {
    let names_main = |broken: &Broken| units.text(broken).contains("main");
    units.units.is_empty() || units.mains().is_empty() && units.broken.iter().any(names_main)
}

fn named_program([old, new]: Both<&Units>, name: &str) -> Result<Plan, Error> {
    let question = |question| Ok(Plan::Question(question));
    let versions = match (old.program_named(name), new.program_named(name)) {
        (Ok(old_program), Ok(new_program)) => {
            let program = AffectedProgram {
                old: old_program,
                new: new_program,
                distance: 0,
                reached: Vec::new(),
            };
            program.versions([old, new])?
        }
        (Err(_), Err(nearest)) => return question(unknown_program(new, name, nearest)),
        (Ok(_), Err(_)) => {
            let name = name.to_owned();
            return question(Question::ProgramOnlyIn { name, version: Version::Old });
        }
        (Err(_), Ok(_)) => {
            let name = name.to_owned();
            return question(Question::ProgramOnlyIn { name, version: Version::New });
        }
    };
    let broken = all_broken([old, new]);
    Ok(Plan::One(Box::new(One { versions, why: Why::Named, broken })))
}

fn unknown_program(units: &Units, name: &str, nearest: Vec<String>) -> Question {
    let all = units.programs().into_iter().map(|program| program.name).collect();
    Question::UnknownProgram { name: name.to_owned(), nearest, all }
}

fn named_entry([old, new]: Both<&Units>, name: &str) -> Result<Plan, Error> {
    let found = match (old.entry(name, Some(Version::Old)), new.entry(name, Some(Version::New))) {
        (Ok(old), Ok(new)) => [old, new],
        (Err(_), Err(Question::UnknownEntry { name, nearest, .. })) => {
            let question = Question::UnknownEntry { name, version: None, nearest };
            return Ok(Plan::Question(question));
        }
        (_, Err(question)) | (Err(question), _) => return Ok(Plan::Question(question)),
    };
    let versions = around([old, new], found);
    let broken = all_broken([old, new]);
    Ok(Plan::One(Box::new(One { versions, why: Why::Named, broken })))
}

/// Both versions reduced to the units of a function and what they need.
pub fn around([old, new]: Both<&Units>, units: Both<usize>) -> Both<Checkout> {
    alike([old.around(units[0]), new.around(units[1])])
}

/// Compiles NEW with the positions of this OLD, if it is compiled with any.
fn alike([old, mut new]: Both<Checkout>) -> Both<Checkout> {
    if new.holds_positions() {
        new.hold_positions_of(&old);
    }
    [old, new]
}

fn which(programs: &[Program]) -> Question {
    let mains = programs.iter().map(|one| (one.name.clone(), one.main().to_owned()));
    Question::WhichProgram { mains: mains.collect() }
}

fn all_broken(units: Both<&Units>) -> Vec<Broken> {
    let mut seen = BTreeSet::new();
    let all = units.into_iter().rev().flat_map(|units| &units.broken);
    all.filter(|broken| seen.insert(broken.key.clone())).cloned().collect()
}

/// A version reduced to a program; fails if a part of the program does not compile.
fn checked(
    units: &Units,
    program: &Program,
    which: Option<&'static str>,
) -> Result<Checkout, Error> {
    if let Kind::Built { lacks: Lacks { repeated, .. }, .. } = &program.kind
        && let Some(file) = repeated.first()
    {
        let (program, file) = (program.name.clone(), file.clone());
        return Err(Error::CompiledTwice { program, file });
    }
    let failures = units.lost_parts(program);
    if failures.is_empty() {
        return Ok(program.of(&units.checkout));
    }
    let cause = Error::Source(SourceError::DoesNotCompile(failures));
    Err(match which {
        Some(which) => Error::Build { which, cause: Box::new(cause) },
        None => cause,
    })
}

impl AffectedProgram {
    /// Both versions reduced to this program.
    pub fn versions(&self, [old, new]: Both<&Units>) -> Result<Both<Checkout>, Error> {
        let old = checked(old, &self.old, Some(NAMES[0]))?;
        let new = checked(new, &self.new, Some(NAMES[1]))?;
        Ok(alike([old, new]))
    }
}

impl Units {
    /// The unit of the function that a user names.
    fn entry(&self, name: &str, version: Option<Version>) -> Result<usize, Question> {
        let defines = |&unit: &usize| {
            let symbols = &self.units[unit].symbols;
            let mut all = symbols.defined.iter().filter(|(_, one)| one.is_function);
            all.any(|(symbol, one)| symbol == name || one.name == name)
        };
        let units: Vec<usize> = (0..self.units.len()).filter(defines).collect();
        let exported =
            units.iter().filter(|&&unit| self.units[unit].symbols.exports(name).is_some());
        let exported: Vec<usize> = exported.copied().collect();
        match (&exported[..], &units[..]) {
            ([unit], _) | ([], [unit]) => Ok(*unit),
            (_, []) => Err(self.unknown_entry(name, version)),
            (_, several) => Err(Question::WhichEntry {
                name: name.to_owned(),
                files: several.iter().map(|&unit| self.units[unit].file.clone()).collect(),
            }),
        }
    }

    /// Whether a name tells which function is meant.
    pub(super) fn is_entry(&self, name: &str) -> bool {
        self.entry(name, None).is_ok()
    }

    fn unknown_entry(&self, name: &str, version: Option<Version>) -> Question {
        let functions = self.units.iter().flat_map(|unit| {
            let functions = unit.symbols.defined.values().filter(|one| one.is_function);
            functions.map(|one| (one.name.as_str(), &unit.file))
        });
        let functions: Vec<(&str, &PathBuf)> = functions.collect();
        let similar = nearest_names(name, functions.iter().map(|(name, _)| *name));
        let with_file = |name: String| {
            let found = functions.iter().find(|(other, _)| *other == name);
            found.map(|(_, file)| (name.clone(), (*file).clone()))
        };
        let nearest = similar.into_iter().filter_map(with_file).collect();
        Question::UnknownEntry { name: name.to_owned(), version, nearest }
    }

    /// The functions that others can call, by name.
    fn exported_functions(&self) -> Vec<String> {
        let all = self
            .units
            .iter()
            .flat_map(|unit| unit.symbols.defined.iter().map(move |one| (unit, one)));
        let exported = all.filter(|(unit, (symbol, one))| {
            one.is_function && unit.symbols.exports(symbol).is_some()
        });
        let names: BTreeSet<String> = exported.map(|(_, (_, one))| one.name.clone()).collect();
        names.into_iter().collect()
    }

    /// What units of a closure need, and neither they nor the C library define.
    fn undefined(&self, closure: &Closure) -> BTreeSet<&str> {
        let needed = closure.units.iter().flat_map(|&unit| &self.units[unit].symbols.needed);
        let is_known = |name: &&String| {
            let mut units = closure.units.iter();
            units.any(|&unit| self.units[unit].symbols.exports(name).is_some())
                || Units::is_of_library(name)
                || exec::runtime::member_defining(name).is_some()
        };
        needed.filter(|name| !is_known(name)).map(String::as_str).collect()
    }

    /// Files that do not compile and that probably define what a program needs.
    fn lost_parts(&self, program: &Program) -> Vec<source::Failure> {
        if self.broken.is_empty() {
            return Vec::new();
        }
        if let Kind::Built { lacks, .. } = &program.kind {
            let all = lacks.broken.iter();
            return all.map(|&index| self.broken[index].failure.clone()).collect();
        }
        let unit = self.with_file(program.main());
        let closure = unit.map(|unit| self.closure(unit)).unwrap_or_default();
        let undefined = self.undefined(&closure);
        let defines = |broken: &&Broken| {
            let text = self.text(broken);
            let words: BTreeSet<&str> =
                text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').collect();
            undefined.iter().any(|name| words.contains(name))
        };
        self.broken.iter().filter(defines).map(|broken| broken.failure.clone()).collect()
    }

    fn text(&self, broken: &Broken) -> String {
        let bytes = fs::read(self.checkout.path(&broken.file)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}
