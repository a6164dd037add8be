//! What is explored: the program, its input space, the tests to begin with, and the native
//! program that everything found is replayed on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use exec::{Instrumentation, Program};
use inputs::harness::{PROGRAM_MAIN, defining_file};
use inputs::{Assume, Flags, Harness, Layout, Origin, Overrides, Space, Test, find_function};
use ir::{FuncId, Module};
use source::{NativeProgram, Sanitizer, SourceText};

use super::{ExploreError, Misfit, Request};
use crate::observed::{observed_globals, with_given};
use crate::program::{LoadError, Loader};

/// What the C file of a harness is called.
const HARNESS: &str = "harness.c";

pub(crate) struct Subject<'a> {
    loader: &'a Loader<'a>,
    pub program: Program,
    pub layout: Layout,
    pub origin: Origin,
    pub seeds: Vec<Box<[u64]>>,
    pub misfits: Vec<Misfit>,
    /// How the function is called natively, unless it is `main`.
    pub harness: Option<Arc<Harness>>,
    pub native: NativeProgram,
    /// The file that the harness includes; nothing without one.
    included: PathBuf,
    /// C files besides the harness.
    others: Vec<PathBuf>,
    cflags: Vec<String>,
}

/// How the native program of a subject is built.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Build {
    /// C files, as the compiler is told; besides the harness, if there is one.
    pub files: Vec<PathBuf>,
    pub cflags: Vec<String>,
    /// The C text that calls the entry, if it is not `main`. It includes the file that defines
    /// the function by its full name.
    pub harness: Option<String>,
}

impl<'a> Subject<'a> {
    pub fn load(request: &'a Request<'a>) -> Result<Subject<'a>, ExploreError> {
        // What is wrong about the flags alone is said before anything is compiled.
        check_flags(request)?;
        let module = request.loader.load(request.files)?.module;
        Subject::with_module(request, module)
    }

    /// As [`Subject::load`], with what was loaded from the files already.
    pub fn with_module(
        request: &'a Request<'a>,
        module: Module,
    ) -> Result<Subject<'a>, ExploreError> {
        match request.entry {
            None => Subject::whole(request, module),
            Some(name) => Subject::function(request, module, name),
        }
    }

    fn whole(request: &'a Request<'a>, module: Module) -> Result<Subject<'a>, ExploreError> {
        let loader = &request.loader;
        let (space, origin) = request.flags.program_space(request.tests)?;
        let (files, plain) = (request.files, Instrumentation::default());
        let program = loader.program_from(module, "main", files, plain)?;
        let native = loader.compiler.build_native(files, &loader.cflags, false)?;
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
        subject.take_seeds(request.tests);
        Ok(subject)
    }

    fn function(
        request: &'a Request<'a>,
        module: Module,
        name: &str,
    ) -> Result<Subject<'a>, ExploreError> {
        let loader = &request.loader;
        let function = find_function(&module, name)?;
        let overrides = overrides(request)?;
        let Space { params, globals, assumptions, lifted, aliases, .. } =
            Space::for_function(&module, function, &overrides)?;
        let texts = request.flags.texts()?;
        let space = Space { params, globals, assumptions, lifted, aliases, ..texts };
        let layout = space.layout();
        let source = source_of(request, &module, function)?;
        let said = request.observed.and_then(|observed| observed.get().cloned());
        let observed = said.unwrap_or_else(|| {
            let entries = with_given(&module, function, request.flags);
            observed_globals(&module, &entries, |_| true)
        });
        let harness = Harness::new(&module, function, &layout, &source.included, &observed)?;
        let mut cflags = loader.cflags.clone();
        cflags.push(format!("-Dmain={PROGRAM_MAIN}"));
        let symbol = module.functions[function].name.clone();
        let plain = Instrumentation::default();
        let program = Program::new(module, &symbol, plain).map_err(LoadError::from)?;
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
        subject.take_seeds(request.tests);
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

    /// What was chosen of the space rather than declared.
    pub fn chosen(&self, flags: &Flags, tests: &[Test]) -> Result<Space, inputs::Error> {
        Ok(match self.origin {
            Origin::Declared => Space::default(),
            Origin::InferredFromTests | Origin::Unspecified => flags.program_space(tests)?.0,
            Origin::Types => {
                let module = &self.program.module;
                let overrides = flags.overrides()?;
                let space = Space::for_function(module, self.program.entry, &overrides)?;
                let params = space.sized_by_type(&overrides).cloned().collect();
                Space { params, ..Space::default() }
            }
        })
    }

    pub fn build(&self) -> Build {
        Build {
            files: self.others.clone(),
            cflags: self.cflags.clone(),
            harness: self.harness.as_ref().map(|harness| harness.text.clone()),
        }
    }

    /// The native program with sanitizers, if that can be built here.
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

    /// The program with statements to be seen.
    pub fn instrumented(&self) -> Result<Program, ExploreError> {
        let module = self.program.module.clone();
        let entry = module.functions[self.program.entry].name.clone();
        let statements = Instrumentation { statements: true };
        Ok(Program::new(module, &entry, statements).map_err(LoadError::from)?)
    }

    /// A test as the native program takes it.
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

pub(crate) fn check_flags(request: &Request<'_>) -> Result<(), ExploreError> {
    let Flags { args, args_max, params, globals, assume, alias, .. } = request.flags;
    request.flags.texts()?;
    request.flags.overrides()?;
    match request.entry {
        Some(_) if !args.is_empty() => Err(ExploreError::ArgumentsOfFunction("--arg")),
        Some(_) if args_max.is_some() => Err(ExploreError::ArgumentsOfFunction("--args-max")),
        None if !params.is_empty() => Err(ExploreError::NoEntry("--param")),
        None if !globals.is_empty() => Err(ExploreError::NoEntry("--global")),
        None if *assume == Assume::Nothing => Err(ExploreError::NoEntry("--assume")),
        None if *alias => Err(ExploreError::NoEntry("--alias")),
        _ => Ok(()),
    }
}

/// Whether the entry can be called with what its types and the flags say.
pub(crate) fn check_entry(
    request: &Request<'_>,
    module: &Module,
    name: &str,
) -> Result<(), ExploreError> {
    let function = find_function(module, name)?;
    Space::for_function(module, function, &overrides(request)?)?;
    Ok(())
}

fn overrides(request: &Request<'_>) -> Result<Overrides, ExploreError> {
    let evidence = request.evidence.and_then(OnceLock::get).cloned();
    Ok(Overrides { evidence, ..request.flags.overrides()? })
}

/// The C file that a harness includes, and the other files of the program.
struct HarnessSource {
    /// As the compiler is told.
    file: PathBuf,
    included: PathBuf,
    others: Vec<PathBuf>,
}

fn source_of(
    request: &Request<'_>,
    module: &Module,
    function: FuncId,
) -> Result<HarnessSource, ExploreError> {
    let directory = &request.loader.compiler.directory;
    let name = module.functions[function].display_name();
    let is_c = |file: &&PathBuf| file.extension().is_none_or(|extension| extension != "ll");
    let same = |file: &Path, other: &Path| {
        let real = |path: &Path| fs::canonicalize(directory.join(path)).ok();
        real(file).is_some_and(|file| Some(file) == real(other))
    };
    let defining = defining_file(module, function);
    let by_name = |file: &&PathBuf| defining.as_ref().is_some_and(|path| same(file, path));
    let found = match request.files.iter().filter(is_c).find(by_name) {
        Some(file) => Some(file),
        // It stands in a header: any file that includes it will do.
        None => including_file(request, name)?.filter(is_c),
    };
    let Some(found) = found else { return Err(ExploreError::NoSource(name.to_owned())) };
    let others = request.files.iter().filter(|file| *file != found).cloned().collect();
    Ok(HarnessSource { file: found.clone(), included: directory.join(found), others })
}

fn including_file<'r>(
    request: &Request<'r>,
    name: &str,
) -> Result<Option<&'r PathBuf>, ExploreError> {
    let modules = request.loader.modules(request.files)?;
    let defines = |module: &Module| {
        module.functions.values().any(|f| f.body().is_some() && f.display_name() == name)
    };
    let position = modules.iter().position(defines);
    Ok(position.and_then(|position| request.files.get(position)))
}
