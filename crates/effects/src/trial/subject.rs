//! The subject of an exploration: the program, its input space, the tests to start with, and the
//! native program for replays.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use exec::{Instrumentation, Program};
use explore::{CellFrom, Side};
use inputs::harness::PROGRAM_MAIN;
use inputs::{
    Assume, Flags, Harness, Layout, Mismatch, Origin, Space, Test, defining_file, find_function,
};
use ir::{FuncId, Module, StatementId};
use source::{NativeProgram, Sanitizer, SourceText};

use super::place::Places;
use super::target::{Scope, Target};
use crate::error::Error;
use crate::observed::{observed_globals, with_given};
use crate::program::Loader;

/// The name of a harness's C file.
const HARNESS: &str = "harness.c";

pub(crate) struct Subject<'a> {
    loader: &'a Loader<'a>,
    pub program: Program,
    pub layout: Layout,
    pub origin: Origin,
    pub seeds: Vec<Box<[u64]>>,
    pub misfits: Vec<Misfit>,
    /// The native caller of the function, unless it is `main`.
    pub harness: Option<Arc<Harness>>,
    pub native: NativeProgram,
    /// The file that the harness includes; empty without one.
    included: PathBuf,
    /// C files besides the harness.
    others: Vec<PathBuf>,
    cflags: Vec<String>,
}

/// A test that is not in the space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misfit {
    /// Counted from 1.
    pub number: usize,
    pub name: Option<String>,
    pub mismatch: Mismatch,
}

/// How the native program of a subject is built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Build {
    /// C files as passed to the compiler, besides the harness, if there is one.
    pub files: Vec<PathBuf>,
    pub cflags: Vec<String>,
    /// The C text that calls the entry, if it is not `main`. It includes the file that defines
    /// the function by its full name.
    pub harness: Option<String>,
    /// Whether nothing defines some of its symbols.
    pub has_stubs: bool,
}

impl<'a> Subject<'a> {
    pub fn load(target: &'a Target<'a>) -> Result<Subject<'a>, Error> {
        // Report errors in the flags before compiling anything.
        check_flags(target)?;
        let module = target.scope.loader.load(target.files)?.module;
        Subject::with_module(target, module)
    }

    /// Like [`Subject::load`], with a module that is already loaded.
    pub fn with_module(target: &'a Target<'a>, module: Module) -> Result<Subject<'a>, Error> {
        match target.scope.entry {
            None => Subject::whole(target, module),
            Some(name) => Subject::function(target, module, name),
        }
    }

    fn whole(target: &'a Target<'a>, module: Module) -> Result<Subject<'a>, Error> {
        let Scope { loader, tests, .. } = &target.scope;
        let (space, origin) = target.program_space(&module)?;
        let (files, plain) = (target.files, Instrumentation::default());
        let program = loader.program_from(module, "main", files, plain)?;
        let native = loader.compiler.build_native(files, &loader.cflags, false)?;
        let first = space.of_its_options();
        let mut subject = Subject {
            loader,
            program,
            layout: space.layout(),
            origin,
            seeds: Vec::new(),
            misfits: Vec::new(),
            harness: None,
            native,
            included: PathBuf::new(),
            others: files.to_vec(),
            cflags: loader.cflags.clone(),
        };
        subject.take_seeds(&first);
        subject.take_seeds(tests);
        Ok(subject)
    }

    fn function(target: &'a Target<'a>, module: Module, name: &str) -> Result<Subject<'a>, Error> {
        let Scope { loader, flags, tests, .. } = &target.scope;
        let function = find_function(&module, name)?;
        let overrides = target.overrides()?;
        let Space { params, globals, assumptions, lifted, aliases, .. } =
            Space::for_function(&module, function, &overrides)?;
        let texts = flags.texts()?;
        let space = Space { params, globals, assumptions, lifted, aliases, ..texts };
        let layout = space.layout();
        let source = source_of(target, &module, function)?;
        let said = target.common.and_then(|common| common.observed.get().cloned());
        let observed = said.unwrap_or_else(|| {
            let entries = with_given(&module, function, flags);
            observed_globals(&module, &entries, |_| true)
        });
        let harness = Harness::new(&module, function, &layout, &source.included, &observed)?;
        let mut cflags = loader.cflags.clone();
        cflags.push(format!("-Dmain={PROGRAM_MAIN}"));
        let symbol = module.functions[function].name.clone();
        let plain = Instrumentation::default();
        let program = Program::new(module, &symbol, plain)?;
        let added = SourceText { name: HARNESS, text: &harness.text };
        let native = loader.compiler.build_native_with_text(
            added,
            &source.file,
            &source.others,
            &cflags,
            None,
        )?;
        let mut subject = Subject {
            loader,
            program,
            layout,
            origin: space.origin_of_params(&overrides),
            seeds: Vec::new(),
            misfits: Vec::new(),
            harness: Some(Arc::new(harness)),
            native,
            included: source.file,
            others: source.others,
            cflags,
        };
        subject.take_seeds(tests);
        Ok(subject)
    }

    fn take_seeds(&mut self, tests: &[Test]) {
        for (index, test) in tests.iter().enumerate() {
            match self.layout.encode(&test.input) {
                Ok(assignment) => self.seeds.push(assignment.into()),
                Err(mismatch) => self.misfits.push(Misfit {
                    number: index + 1,
                    name: test.name.clone(),
                    mismatch,
                }),
            }
        }
    }

    /// The part of the space that was chosen rather than declared.
    pub fn chosen(&self, flags: &Flags) -> Result<Space, inputs::Error> {
        Ok(match self.origin {
            Origin::Declared => Space::default(),
            Origin::InferredFromTests | Origin::Options | Origin::Unspecified => {
                self.layout.space().clone()
            }
            Origin::Types => {
                let module = &self.program.module;
                let overrides = flags.overrides()?;
                let space = Space::for_function(module, self.program.entry, &overrides)?;
                let params = space.sized_by_type(&overrides).cloned().collect();
                Space { params, ..Space::default() }
            }
        })
    }

    /// The version for runs on the machine, with the sources of its cells; by default they are the
    /// common ones.
    pub fn side<'s>(&'s self, cells: Option<&'s [CellFrom]>) -> Side<'s> {
        Side {
            program: &self.program,
            concolic: &self.program,
            layout: &self.layout,
            caller: self.harness.as_deref(),
            cells,
        }
    }

    /// Finds places of the program.
    pub fn places(&self) -> Places<'_> {
        Places::new(&self.program, &self.loader.compiler.directory)
    }

    pub fn build(&self) -> Build {
        Build {
            files: self.others.clone(),
            cflags: self.cflags.clone(),
            harness: self.harness.as_ref().map(|harness| harness.text.clone()),
            has_stubs: !self.native.stubs.is_empty(),
        }
    }

    /// The native program with sanitizers, if it can be built here.
    pub fn sanitized(&self, sanitizer: Sanitizer) -> Option<NativeProgram> {
        let (compiler, sanitizer) = (self.loader.compiler, Some(sanitizer));
        let built = match &self.harness {
            None => compiler.build_sanitized(&self.others, &self.cflags, sanitizer),
            Some(harness) => {
                let added = SourceText { name: HARNESS, text: &harness.text };
                let (file, others) = (&self.included, &self.others);
                compiler.build_native_with_text(added, file, others, &self.cflags, sanitizer)
            }
        };
        built.ok()
    }

    /// The same with some statements marked.
    pub fn marked(self, statements: impl IntoIterator<Item = StatementId>) -> Subject<'a> {
        Subject { program: self.program.mark_only(statements), ..self }
    }

    /// The program with its marked statements.
    pub fn instrumented(&self) -> Result<Program, Error> {
        let module = self.program.module.clone();
        let entry = module.functions[self.program.entry].name.clone();
        let statements = Instrumentation { statements: true };
        Ok(Program::new(module, &entry, statements)?)
    }

    /// A test in the form for the native program.
    pub fn native_test(&self, test: &Test, assignment: &[u64]) -> Test {
        match &self.harness {
            None => test.clone(),
            Some(harness) => harness.test(&self.layout, assignment, test.name.clone()),
        }
    }

    /// The memory of parameters and global variables.
    pub fn memory(&self, assignment: &[u64]) -> Vec<(String, Vec<u8>)> {
        let objects = self.layout.objects.iter().map(|(id, object)| {
            let mut bytes = Vec::new();
            self.layout.memory_into(id, assignment, &mut bytes);
            (object.name.clone(), bytes)
        });
        objects.collect()
    }
}

pub(crate) fn check_flags(target: &Target<'_>) -> Result<(), Error> {
    let Flags { args, args_max, params, globals, assume, alias, .. } = target.scope.flags;
    target.scope.flags.texts()?;
    target.scope.flags.overrides()?;
    match target.scope.entry {
        Some(_) if !args.is_empty() => Err(Error::ArgumentsOfFunction("--arg")),
        Some(_) if args_max.is_some() => Err(Error::ArgumentsOfFunction("--args-max")),
        None if !params.is_empty() => Err(Error::NoEntry("--param")),
        None if !globals.is_empty() => Err(Error::NoEntry("--global")),
        None if *assume == Assume::Nothing => Err(Error::NoEntry("--assume")),
        None if *alias => Err(Error::NoEntry("--alias")),
        _ => Ok(()),
    }
}

/// Whether the entry can be called, by its types and the flags.
pub(crate) fn check_entry(target: &Target<'_>, module: &Module, name: &str) -> Result<(), Error> {
    let function = find_function(module, name)?;
    Space::for_function(module, function, &target.overrides()?)?;
    Ok(())
}

/// The C file that a harness includes, and the other files of the program.
struct HarnessSource {
    /// As passed to the compiler.
    file: PathBuf,
    included: PathBuf,
    others: Vec<PathBuf>,
}

fn source_of(
    target: &Target<'_>,
    module: &Module,
    function: FuncId,
) -> Result<HarnessSource, Error> {
    let directory = &target.scope.loader.compiler.directory;
    let name = module.functions[function].display_name();
    let is_c = |file: &&PathBuf| file.extension().is_none_or(|extension| extension != "ll");
    let same = |file: &Path, other: &Path| {
        let real = |path: &Path| fs::canonicalize(directory.join(path)).ok();
        real(file).is_some_and(|file| Some(file) == real(other))
    };
    let defining = defining_file(module, function);
    let by_name = |file: &&PathBuf| defining.as_ref().is_some_and(|path| same(file, path));
    let found = match target.files.iter().filter(is_c).find(by_name) {
        Some(file) => Some(file),
        // It is defined in a header: any file that includes it suffices.
        None => including_file(target, name)?.filter(is_c),
    };
    let Some(found) = found else { return Err(Error::NoSource(name.to_owned())) };
    let others = target.files.iter().filter(|file| *file != found).cloned().collect();
    Ok(HarnessSource { file: found.clone(), included: directory.join(found), others })
}

fn including_file<'r>(target: &Target<'r>, name: &str) -> Result<Option<&'r PathBuf>, Error> {
    let modules = target.scope.loader.modules(target.files)?;
    let defines = |module: &Module| {
        module.functions.values().any(|f| f.body().is_some() && f.display_name() == name)
    };
    let position = modules.iter().position(defines);
    Ok(position.and_then(|position| target.files.get(position)))
}
