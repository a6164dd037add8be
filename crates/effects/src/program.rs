//! Turns source files into a program that the machine can run.
//!
//! C files are compiled to LLVM IR, read, and linked with each other and with those
//! members of the C runtime that they need. The result is the same for the same files,
//! flags and compiler.

use std::path::{Path, PathBuf};

use exec::{Instrumentation, Program, runtime, shims};
use ir::Module;
use source::{Compiler, IrText};

use crate::error::Error;

/// Which form of the C library a program gets, if there are two: strings, numbers from text,
/// reading, scanning and formatting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Libc {
    /// Functions of the machine where available: fast, but opaque.
    #[default]
    Quick,
    /// C code, executed like the program.
    Open,
}

/// How to load.
#[derive(Clone, Debug)]
pub struct Loader<'a> {
    pub compiler: &'a Compiler,
    pub cflags: Vec<String>,
    pub libc: Libc,
}

/// A linked module, and the messages of the compiler and the reader.
#[derive(Clone, Debug)]
pub struct Loaded {
    pub module: Module,
    /// Warnings of the compiler, verbatim.
    pub warnings: String,
    /// Functions that could not be read: `file: reason`.
    pub problems: Vec<String>,
}

impl Loader<'_> {
    /// Compiles, reads and links the files of one program with the C runtime.
    pub fn load(&self, files: &[PathBuf]) -> Result<Loaded, Error> {
        let mut loaded =
            Loaded { module: Module::default(), warnings: String::new(), problems: Vec::new() };
        let mut modules = Vec::with_capacity(files.len());
        for unit in self.compiler.compile_files(files, &self.cflags)? {
            let read = read_unit(&unit)?;
            let name = unit.path.display();
            loaded.warnings.push_str(&unit.warnings);
            loaded.problems.extend(read.problems.iter().map(|problem| {
                format!("{name}: line {} of the IR: {}", problem.line, problem.reason)
            }));
            modules.push(read.module);
        }
        loaded.module = ir::link::link_with_archive(modules, |name| self.member(name))?;
        Ok(loaded)
    }

    /// Compiles and reads the files, one module each, without linking.
    pub fn modules(&self, files: &[PathBuf]) -> Result<Vec<Module>, Error> {
        let units = self.compiler.compile_files(files, &self.cflags)?;
        units.iter().map(|unit| Ok(read_unit(unit)?.module)).collect()
    }

    /// The member of the C runtime that defines a name, unless the machine provides it.
    fn member(&self, name: &str) -> Option<Result<Module, Error>> {
        if let Some(shim) = shims::find(name)
            && (!shims::get(shim).has_twin || self.libc == Libc::Quick)
        {
            return None;
        }
        let member = runtime::member_defining(name)?;
        Some(self.compile_member(member))
    }

    fn compile_member(&self, member: &runtime::Member) -> Result<Module, Error> {
        // Undefined operations are searched in the program's own code only, so that the arithmetic
        // of the library makes no promises.
        let flags = runtime::CFLAGS.iter().chain(&["-fwrapv"]);
        let flags: Vec<String> = flags.map(|&flag| flag.to_owned()).collect();
        let file = format!("{}.c", member.name);
        let unit = self.compiler.compile_text(&file, &member.text(), &flags)?;
        let mut module = read(Path::new(&file), &unit.text)?.module;
        // Variables of the C library are no variables of the program.
        for global in module.globals.values_mut() {
            (global.source_name, global.debug_type) = (None, None);
        }
        Ok(module)
    }

    /// Loads files and makes them ready to run from `main`.
    pub fn program(
        &self,
        files: &[PathBuf],
        instrumentation: Instrumentation,
    ) -> Result<Program, Error> {
        self.program_from(self.load(files)?.module, "main", files, instrumentation)
    }

    /// Makes a module that was loaded from the files ready to run from a function, which is
    /// named as in the module.
    pub fn program_from(
        &self,
        module: Module,
        entry: &str,
        files: &[PathBuf],
        instrumentation: Instrumentation,
    ) -> Result<Program, Error> {
        let program = Program::new(module, entry, instrumentation)?;
        if !self.compiler.has_stubs() {
            program.check_globals()?;
            self.check_symbols(&program, files)?;
        }
        Ok(program)
    }

    /// Distinguishes functions of the C library that the machine lacks, which end a run when they
    /// are called, from functions that nothing defines: with those, the native program does not
    /// link.
    fn check_symbols(&self, program: &Program, files: &[PathBuf]) -> Result<(), Error> {
        let missing = program.missing_functions();
        let compiled = |file: &PathBuf| file.extension().is_some_and(|extension| extension == "c");
        if missing.is_empty() || !files.iter().all(compiled) {
            return Ok(());
        }
        let Err(error) = self.compiler.build_native(files, &self.cflags, false) else {
            return Ok(());
        };
        let said = error.to_string();
        let names = missing.into_iter().filter(|name| said.contains(&format!("`{name}'")));
        let names: Vec<String> = names.map(str::to_owned).collect();
        if names.is_empty() { Ok(()) } else { Err(Error::UndefinedFunctions(names)) }
    }
}

/// Reads one file's IR. A user's file is checked; the compiler's output is trusted.
pub(crate) fn read_unit(unit: &IrText) -> Result<llvm::ReadModule, Error> {
    let read = read(&unit.path, &unit.text)?;
    if unit.path.extension().is_some_and(|extension| extension == "ll") {
        let violations = ir::verify(&read.module);
        if let Some(violation) = violations.first() {
            let first = with_names(&read.module, violation);
            let (path, more) = (unit.path.clone(), violations.len() - 1);
            return Err(Error::Invalid { path, first, more });
        }
    }
    Ok(read)
}

/// A violation with the names of the file rather than internal numbers.
fn with_names(module: &Module, violation: &ir::Violation) -> String {
    let problem = &violation.problem;
    match violation.place {
        ir::Place::Module => problem.clone(),
        ir::Place::Global(global) => {
            let name = module.globals.get(global).map_or("?", |global| &global.name);
            format!("@{name}: {problem}")
        }
        ir::Place::Function(function)
        | ir::Place::Block(function, _)
        | ir::Place::Inst(function, ..) => {
            let name = module.functions.get(function).map_or("?", |function| &function.name);
            format!("in the function @{name}: {problem}")
        }
    }
}

fn read(path: &Path, text: &str) -> Result<llvm::ReadModule, Error> {
    llvm::read(&path.display().to_string(), text)
        .map_err(|error| Error::Read { path: path.to_owned(), error })
}
