//! The units of a version: its C files, each compiled alone, with their symbols.
//!
//! A file that does not compile is set aside with the reason, so that it does not stand in the way
//! of programs that do not need it. Where nothing says on which path headers are, that is inferred.
//! A file that the version's build compiles in several ways is as many units.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use base::parallel::{cores, in_parallel};
use exec::shims;
use ir::Module;
use source::{Checkout, Compiler, Failure, IncludePaths, Inferred, IrText};

use super::symbols::{Binding, Symbols};
use crate::error::Error;
use crate::program::{Loader, read_unit};

/// How many files are compiled before their IR is read and dropped.
const AT_ONCE: usize = 32;
/// What clang says about a header that it does not find.
const NOT_FOUND: &str = "file not found";

/// A C file that compiles, with the flags that are meant.
#[derive(Clone, Debug)]
pub struct Unit {
    /// As in the checkout.
    pub file: PathBuf,
    /// The name that it has in every version.
    pub key: PathBuf,
    /// A build may compile a file in several ways: which one this is.
    pub variant: usize,
    pub symbols: Symbols,
    /// Of its IR: units with the same digest are the same.
    pub digest: [u8; 32],
}

/// A C file that does not compile.
#[derive(Clone, Debug)]
pub struct Broken {
    pub file: PathBuf,
    pub key: PathBuf,
    pub variant: usize,
    pub failure: Failure,
    /// What it includes of the version's tree, and itself, by the names of every version.
    pub reads: BTreeSet<PathBuf>,
    /// Headers that it asks for and that neither the version nor the system has.
    pub nowhere: BTreeSet<String>,
}

/// All C files of a version.
#[derive(Clone, Debug)]
pub struct Units {
    /// With the flags that were inferred.
    pub checkout: Checkout,
    pub units: Vec<Unit>,
    pub broken: Vec<Broken>,
    /// The version with further flags of files that its build compiles in several ways.
    variants: Vec<Checkout>,
    /// Which units define a symbol that others see.
    defining: BTreeMap<String, Vec<usize>>,
}

impl Units {
    /// Compiles and reads all files of a version, each alone.
    pub fn read(loader: &Loader<'_>, checkout: &Checkout) -> Result<Units, Error> {
        let mut checkout = checkout.clone();
        // A build says everything.
        let inferred = match checkout.build {
            Some(_) => BTreeMap::new(),
            None => infer(&mut checkout, &loader.cflags),
        };
        let mut reading = Reading { loader, inferred, units: Vec::new(), broken: Vec::new() };
        reading.read(&mut checkout, 0)?;
        let mut variants = further_variants(&checkout);
        for (number, variant) in (1..).zip(&mut variants) {
            reading.read(variant, number)?;
        }
        let Reading { units, mut broken, .. } = reading;
        add_included(&checkout, &mut broken, &loader.cflags);
        let mut defining: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (index, unit) in units.iter().enumerate() {
            for name in unit.symbols.defined.keys() {
                if unit.symbols.exports(name).is_some() {
                    defining.entry(name.clone()).or_default().push(index);
                }
            }
        }
        Ok(Units { checkout, units, broken, variants, defining })
    }

    /// The version with the flags of a variant.
    pub(super) fn variant(&self, number: usize) -> &Checkout {
        number.checked_sub(1).and_then(|index| self.variants.get(index)).unwrap_or(&self.checkout)
    }

    /// The units that define a symbol that others see.
    pub fn defining(&self, symbol: &str) -> &[usize] {
        self.defining.get(symbol).map_or(&[], Vec::as_slice)
    }

    /// The units in which a program can begin.
    pub fn mains(&self) -> Vec<usize> {
        let has_main = |&index: &usize| self.units[index].symbols.has_main();
        (0..self.units.len()).filter(has_main).collect()
    }

    /// The unit with a name that it has in every version, compiled in that way.
    pub fn with_key(&self, key: &Path, variant: usize) -> Option<usize> {
        self.units.iter().position(|unit| unit.key == key && unit.variant == variant)
    }

    /// The unit of a file of the checkout.
    pub fn with_file(&self, file: &Path) -> Option<usize> {
        self.units.iter().position(|unit| unit.file == file)
    }

    /// Whether all files together are at most one program, as the linker would have them: each
    /// compiles, and no symbol is defined twice.
    pub fn are_one_program(&self) -> bool {
        let is_strong = |symbol: &str, &index: &usize| {
            let definition = self.units[index].symbols.exports(symbol);
            definition.is_some_and(|definition| definition.binding == Binding::Strong)
        };
        let mut all = self.defining.iter();
        self.broken.is_empty()
            && all.all(|(symbol, units)| {
                units.iter().filter(|unit| is_strong(symbol, unit)).count() < 2
            })
    }

    /// Whether the linker takes a symbol from the C library, if no unit is sure to be part of the
    /// program.
    pub(super) fn is_of_library(symbol: &str) -> bool {
        shims::find(symbol).is_some() || symbol.starts_with("llvm.")
    }

    /// The module of a unit.
    pub fn module(&self, loader: &Loader<'_>, unit: usize) -> Result<Module, Error> {
        let compiler = self.variant(self.units[unit].variant).compiler(loader.compiler);
        let file = std::slice::from_ref(&self.units[unit].file);
        let mut texts = compiler.compile_files(file, &loader.cflags)?;
        let text = texts.pop().expect("one file gives one module");
        Ok(read_unit(&text)?.module)
    }
}

/// What was read so far.
struct Reading<'a> {
    loader: &'a Loader<'a>,
    /// What was inferred about include paths.
    inferred: BTreeMap<PathBuf, Inferred>,
    units: Vec<Unit>,
    broken: Vec<Broken>,
}

impl Reading<'_> {
    /// Reads the files of a version. Adds inferred flags to it.
    fn read(&mut self, checkout: &mut Checkout, variant: usize) -> Result<(), Error> {
        let Reading { loader, inferred, .. } = self;
        for files in checkout.files.clone().chunks(AT_ONCE) {
            let compiler = checkout.compiler(loader.compiler);
            let results = compiler.compile_each(files, &loader.cflags)?;
            let results = again(checkout, inferred, loader, files, results)?;
            let compiled: Vec<(&PathBuf, Result<IrText, Failure>)> =
                files.iter().zip(results).collect();
            let read = in_parallel(&compiled, cores(), |(file, result)| match result {
                Ok(text) => unit(checkout, file, variant, text).map(Ok),
                Err(failure) => Ok(Err(failure.clone())),
            });
            for ((file, _), result) in compiled.iter().zip(read) {
                match result? {
                    Ok(unit) => self.units.push(unit),
                    Err(failure) => self.broken.push(Broken {
                        file: (*file).clone(),
                        key: key(checkout, file),
                        variant,
                        failure,
                        reads: BTreeSet::new(),
                        nowhere: nowhere(inferred, file),
                    }),
                }
            }
        }
        Ok(())
    }
}

/// The version with the second flags of files, with the third ones, and so on; each with the files
/// that were compiled in so many ways.
fn further_variants(checkout: &Checkout) -> Vec<Checkout> {
    let mut variants: Vec<Checkout> = Vec::new();
    let mut last: Option<(PathBuf, usize)> = None;
    for unit in checkout.built_units() {
        let number = match &last {
            Some((file, number)) if *file == unit.file => number + 1,
            _ => 0,
        };
        last = Some((unit.file.clone(), number));
        // Files that were not selected are in no variant.
        if number == 0 || !checkout.files.contains(&unit.file) {
            continue;
        }
        if variants.len() < number {
            let mut empty = checkout.clone();
            empty.files.clear();
            empty.flags.clear();
            variants.push(empty);
        }
        let variant = &mut variants[number - 1];
        variant.flags.insert(unit.file.clone(), unit.flags);
        variant.files.push(unit.file);
    }
    variants
}

/// Adds what files that do not compile include.
fn add_included(checkout: &Checkout, broken: &mut [Broken], cflags: &[String]) {
    if broken.is_empty() {
        return;
    }
    let paths = IncludePaths::of(checkout, cflags);
    for one in broken {
        one.reads = paths.included(&one.file).iter().map(|path| key(checkout, path)).collect();
        one.reads.insert(one.key.clone());
    }
}

/// Adds flags to files that certainly need them; returns what is known about all.
fn infer(checkout: &mut Checkout, cflags: &[String]) -> BTreeMap<PathBuf, Inferred> {
    let paths = IncludePaths::of(checkout, cflags);
    let files = checkout.files.iter();
    let inferred: BTreeMap<PathBuf, Inferred> =
        files.map(|file| (file.clone(), paths.infer(file))).collect();
    for (file, one) in inferred.iter().filter(|(_, one)| one.is_needed) {
        checkout.flags.entry(file.clone()).or_default().extend(one.flags.clone());
    }
    inferred
}

/// Compiles files again that lacked a header, with the inferred flags; keeps the flags that help.
fn again(
    checkout: &mut Checkout,
    inferred: &BTreeMap<PathBuf, Inferred>,
    loader: &Loader<'_>,
    files: &[PathBuf],
    mut results: Vec<Result<IrText, Failure>>,
) -> Result<Vec<Result<IrText, Failure>>, Error> {
    let lacks_header = |index: &usize| {
        let has_flags =
            inferred.get(&files[*index]).is_some_and(|one| !one.is_needed && !one.flags.is_empty());
        has_flags && results[*index].as_ref().is_err_and(|failure| failure.said.contains(NOT_FOUND))
    };
    let lacking: Vec<usize> = (0..files.len()).filter(lacks_header).collect();
    if lacking.is_empty() {
        return Ok(results);
    }
    let mut with_flags = checkout.clone();
    for &index in &lacking {
        let flags = inferred[&files[index]].flags.clone();
        with_flags.flags.entry(files[index].clone()).or_default().extend(flags);
    }
    let compiler: Compiler = with_flags.compiler(loader.compiler);
    let names: Vec<PathBuf> = lacking.iter().map(|&index| files[index].clone()).collect();
    for (index, result) in lacking.into_iter().zip(compiler.compile_each(&names, &loader.cflags)?) {
        if result.is_ok() {
            let flags = inferred[&files[index]].flags.clone();
            checkout.flags.entry(files[index].clone()).or_default().extend(flags);
        }
        results[index] = result;
    }
    Ok(results)
}

fn unit(checkout: &Checkout, file: &Path, variant: usize, text: &IrText) -> Result<Unit, Error> {
    let module = read_unit(text)?.module;
    Ok(Unit {
        file: file.to_owned(),
        key: key(checkout, file),
        variant,
        symbols: Symbols::of(&module),
        digest: *blake3::hash(text.text.as_bytes()).as_bytes(),
    })
}

fn key(checkout: &Checkout, file: &Path) -> PathBuf {
    checkout.key(file).unwrap_or_else(|| file.to_owned())
}

fn nowhere(inferred: &BTreeMap<PathBuf, Inferred>, file: &Path) -> BTreeSet<String> {
    inferred.get(file).map(|one| one.nowhere.clone()).unwrap_or_default()
}
