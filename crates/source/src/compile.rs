//! C files and C text to LLVM IR text, many at once.
//!
//! Cached results come first, on the calling thread; only the rest is compiled, on as many threads
//! as there are cores. Reports all failures, not only the first. Files of LLVM IR text are passed
//! on without a look at their content.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use base::parallel::{cores, in_parallel};

use crate::artifact::{Artifact, Job, Stop, Target};
use crate::cache::Cache;
use crate::clang::Clang;
use crate::confine::Confinement;
use crate::error::{Failure, SourceError};
use crate::paths::check_name;

/// Unoptimised code with names and lines, and without attributes that forbid later passes.
const IR_FLAGS: [&str; 5] =
    ["-O0", "-g", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"];

/// All builds have the same date and time. The user's definitions come later and win.
const TIMELESS: [&str; 4] = [
    "-Wno-builtin-macro-redefined",
    "-D__DATE__=\"Jan  1 1970\"",
    "-D__TIME__=\"00:00:00\"",
    "-D__TIMESTAMP__=\"Thu Jan  1 00:00:00 1970\"",
];

/// A clang, a cache, and the directory that relative file names refer to.
#[derive(Clone, Debug)]
pub struct Compiler {
    pub clang: Clang,
    pub cache: Cache,
    /// Absolute.
    pub directory: PathBuf,
    /// How the native programs run that it builds.
    pub confinement: Confinement,
    pub(crate) orders: Orders,
    pub(crate) listener: Listener,
}

/// Orders to a compiler besides the flags of all files.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders {
    /// Flags of single files, by the names they are compiled under. They come before the others.
    pub file_flags: Arc<BTreeMap<PathBuf, Vec<String>>>,
    /// Results do not depend on the directory's name: the same files elsewhere give the same.
    pub relocatable: bool,
    /// Every build has the same date and time.
    pub is_timeless: bool,
    /// Replaces the contents of some files before they are compiled.
    pub substitution: Option<Arc<dyn Substitution>>,
    /// The user does not know its files by name, so remedies for them are not reported.
    pub is_silent: bool,
    /// Native programs link even if nothing defines some of their symbols.
    pub has_stubs: bool,
}

/// Replaces the text of files that are about to be compiled.
pub(crate) trait Substitution: fmt::Debug + Send + Sync {
    fn substitute(&self, compiler: &Compiler, inputs: &mut [InputFile], flags: &[String]);
}

/// A file that compiles only with flags that the user did not type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Remedy {
    /// As the user named it.
    pub path: PathBuf,
    /// They downgrade errors to warnings, as other compilers treat them.
    pub flags: Vec<String>,
}

type Tell = Arc<dyn Fn(&Remedy) + Send + Sync>;

/// Where remedies are reported, and which have been.
#[derive(Clone, Default)]
pub(crate) struct Listener {
    tell: Option<Tell>,
    told: Arc<Mutex<BTreeSet<Remedy>>>,
}

impl fmt::Debug for Listener {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listener").field("told", &self.told).finish_non_exhaustive()
    }
}

/// C source held in memory.
#[derive(Clone, Copy, Debug)]
pub struct SourceText<'a> {
    /// The file name that debug info will show, relative.
    pub name: &'a str,
    pub text: &'a str,
}

/// One file's LLVM IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrText {
    /// The C or IR file, as the user named it.
    pub path: PathBuf,
    pub text: String,
    /// Diagnostics of a successful compilation.
    pub warnings: String,
    /// Whether no compiler had to run.
    pub from_cache: bool,
}

impl Compiler {
    /// A compiler that works in the current directory.
    pub fn new(clang: Clang, cache: Cache) -> Result<Self, SourceError> {
        let directory = std::env::current_dir()
            .map_err(|cause| SourceError::system("the current directory is not usable", cause))?;
        Ok(Self::at(clang, cache, directory))
    }

    /// A compiler that works in a directory, whose name is absolute.
    pub fn at(clang: Clang, cache: Cache, directory: PathBuf) -> Self {
        Self {
            clang,
            cache,
            directory,
            confinement: Confinement::default(),
            orders: Orders::default(),
            listener: Listener::default(),
        }
    }

    /// The same compiler; it reports each remedy once.
    pub fn telling(mut self, tell: impl Fn(&Remedy) + Send + Sync + 'static) -> Self {
        self.listener = Listener { tell: Some(Arc::new(tell)), ..Listener::default() };
        self
    }

    /// Whether native programs link even if nothing defines some of their symbols.
    pub fn has_stubs(&self) -> bool {
        self.orders.has_stubs
    }

    /// The IR of each file, in order. C files are compiled with `cflags`.
    pub fn compile_files(
        &self,
        files: &[PathBuf],
        cflags: &[String],
    ) -> Result<Vec<IrText>, SourceError> {
        whole(self.compile_each(files, cflags)?)
    }

    /// The same, with the failures of files that do not compile.
    pub fn compile_each(
        &self,
        files: &[PathBuf],
        cflags: &[String],
    ) -> Result<Vec<Result<IrText, Failure>>, SourceError> {
        let mut inputs = self.read_all(files)?;
        let flags = ir_flags(cflags);
        self.substitute(&mut inputs, &flags);
        let flags = self.flags_of_each(&inputs, &flags);
        let jobs = inputs.iter().zip(&flags).filter(|(input, _)| input.kind == Kind::C);
        let jobs: Vec<Job> =
            jobs.map(|(input, flags)| self.job(input, flags, Target::IrText)).collect();
        let mut artifacts = self.make_each(&jobs)?.into_iter();
        drop(jobs);
        let mut modules = Vec::with_capacity(inputs.len());
        for input in inputs {
            modules.push(match input.kind {
                Kind::C => {
                    let artifact = artifacts.next().expect("there is one artifact per C file");
                    artifact.map(|artifact| ir_text(input.path, artifact))
                }
                Kind::Ir => Ok(IrText {
                    text: utf8(&input.path, input.content)?,
                    path: input.path,
                    warnings: String::new(),
                    from_cache: true,
                }),
            });
        }
        Ok(modules)
    }

    /// The IR of each text, in order. Texts cannot include each other.
    pub fn compile_texts(
        &self,
        texts: &[SourceText],
        cflags: &[String],
    ) -> Result<Vec<IrText>, SourceError> {
        let flags = ir_flags(cflags);
        texts.iter().try_for_each(|source| check_name(source.name))?;
        let jobs: Vec<Job> = texts
            .iter()
            .map(|source| Job {
                clang: &self.clang,
                cache: &self.cache,
                directory: None,
                name: Path::new(source.name),
                content: source.text.as_bytes(),
                flags: &flags,
                relocatable: self.orders.relocatable,
                is_preprocessed: false,
                target: Target::IrText,
            })
            .collect();
        let artifacts = self.make_all(&jobs)?.into_iter();
        let named = texts.iter().map(|source| PathBuf::from(source.name));
        Ok(named.zip(artifacts).map(|(p, a)| ir_text(p, a)).collect())
    }

    /// The IR of one text.
    pub fn compile_text(
        &self,
        name: &str,
        text: &str,
        cflags: &[String],
    ) -> Result<IrText, SourceError> {
        let mut one = self.compile_texts(&[SourceText { name, text }], cflags)?;
        Ok(one.pop().expect("one text gives one module"))
    }

    /// The files that the compiler reads for the given ones, besides them: as it names them,
    /// relative to the directory or absolute. For a file that does not compile there are none.
    pub fn included_files(
        &self,
        files: &[PathBuf],
        cflags: &[String],
    ) -> Result<BTreeSet<PathBuf>, SourceError> {
        let inputs = self.read_all(files)?;
        let flags = self.flags_of_each(&inputs, &ir_flags(cflags));
        let mut included = BTreeSet::new();
        for (input, flags) in inputs.iter().zip(&flags).filter(|(i, _)| i.kind == Kind::C) {
            included.extend(self.job(input, flags, Target::IrText).included()?);
        }
        Ok(included)
    }

    /// All flags of each input: its own come first.
    pub(crate) fn flags_of_each(&self, inputs: &[InputFile], flags: &[String]) -> Vec<Vec<String>> {
        let time = TIMELESS.iter().filter(|_| self.orders.is_timeless);
        let time: Vec<String> = time.map(|&flag| flag.to_owned()).collect();
        let own = |input: &InputFile| self.orders.file_flags.get(&input.path);
        let all = |input| {
            time.iter().chain(own(input).into_iter().flatten()).chain(flags).cloned().collect()
        };
        inputs.iter().map(all).collect()
    }

    pub(crate) fn read_all(&self, files: &[PathBuf]) -> Result<Vec<InputFile>, SourceError> {
        files.iter().map(|path| self.read(path)).collect()
    }

    fn read(&self, path: &Path) -> Result<InputFile, SourceError> {
        let full = self.directory.join(path);
        let path = path.to_owned();
        let unreadable = |path, cause| SourceError::Unreadable { path, cause };
        match fs::metadata(&full) {
            Ok(meta) if meta.is_dir() => return Err(SourceError::IsDirectory { path }),
            Ok(_) => {}
            Err(cause) => return Err(unreadable(path, cause)),
        }
        let Some(kind) = Kind::of(&path) else {
            return Err(SourceError::UnknownKind { path });
        };
        match fs::read(&full) {
            Ok(content) => Ok(InputFile { path, kind, content, is_preprocessed: false }),
            Err(cause) => Err(unreadable(path, cause)),
        }
    }

    /// Does all jobs; on failure, returns the diagnostics of all of them.
    pub(crate) fn make_all(&self, jobs: &[Job]) -> Result<Vec<Artifact>, SourceError> {
        whole(self.make_each(jobs)?)
    }

    /// Does all jobs, as far as the compiler accepts them.
    fn make_each(&self, jobs: &[Job]) -> Result<Vec<Result<Artifact, Failure>>, SourceError> {
        let mut done: Vec<Option<Result<Artifact, Failure>>> =
            jobs.iter().map(|job| job.remembered().map(Ok)).collect();
        let missing: Vec<usize> = (0..jobs.len()).filter(|&i| done[i].is_none()).collect();
        let made = in_parallel(&missing, cores(), |&index| jobs[index].make_in_any_dialect());
        for (index, result) in missing.into_iter().zip(made) {
            done[index] = Some(match result {
                Ok(artifact) => {
                    self.tell(jobs[index].name, &artifact.remedies);
                    Ok(artifact)
                }
                Err(Stop::Rejected(failure)) => Err(failure),
                Err(Stop::Error(error)) => return Err(error),
            });
        }
        Ok(done.into_iter().flatten().collect())
    }

    fn tell(&self, path: &Path, flags: &[String]) {
        let Some(tell) = self.listener.tell.as_ref() else { return };
        if flags.is_empty() || self.orders.is_silent {
            return;
        }
        let remedy = Remedy { path: path.to_owned(), flags: flags.to_vec() };
        let mut told = self.listener.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.contains(&remedy) {
            tell(&remedy);
            told.insert(remedy);
        }
    }

    /// Replaces the contents of files that are not compiled as written.
    pub(crate) fn substitute(&self, inputs: &mut [InputFile], flags: &[String]) {
        if let Some(substitution) = &self.orders.substitution {
            substitution.substitute(self, inputs, flags);
        }
    }

    pub(crate) fn job<'a>(
        &'a self,
        input: &'a InputFile,
        flags: &'a [String],
        target: Target,
    ) -> Job<'a> {
        Job {
            clang: &self.clang,
            cache: &self.cache,
            directory: Some(&self.directory),
            name: &input.path,
            content: &input.content,
            flags,
            relocatable: self.orders.relocatable,
            is_preprocessed: input.is_preprocessed,
            target,
        }
    }
}

/// All results, or all failures.
fn whole<T>(results: Vec<Result<T, Failure>>) -> Result<Vec<T>, SourceError> {
    let (mut done, mut failures) = (Vec::with_capacity(results.len()), Vec::new());
    for result in results {
        match result {
            Ok(one) => done.push(one),
            Err(failure) => failures.push(failure),
        }
    }
    if failures.is_empty() { Ok(done) } else { Err(SourceError::DoesNotCompile(failures)) }
}

/// An input file with its content.
pub(crate) struct InputFile {
    pub path: PathBuf,
    pub kind: Kind,
    pub content: Vec<u8>,
    /// Whether the content is the preprocessed file with other positions.
    pub is_preprocessed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    C,
    Ir,
}

impl Kind {
    pub fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "c" | "i" => Some(Self::C),
            "ll" => Some(Self::Ir),
            _ => None,
        }
    }
}

/// Our flags come last: flags copied from a Makefile say `-O2`, and a program means what clang
/// makes of it at -O0. Clang 14 may write typed pointers: its own flag for opaque ones has no
/// effect, and LLVM's is experimental there.
pub(crate) fn ir_flags(cflags: &[String]) -> Vec<String> {
    let mut flags = cflags.to_vec();
    flags.extend(IR_FLAGS.map(str::to_owned));
    flags
}

fn ir_text(path: PathBuf, artifact: Artifact) -> IrText {
    // Clang escapes non-UTF-8 bytes everywhere except in the comment with the file's name.
    let text = String::from_utf8(artifact.entry.payload)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    IrText {
        path,
        text,
        warnings: String::from_utf8_lossy(&artifact.entry.diagnostics).into_owned(),
        from_cache: artifact.from_cache,
    }
}

fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, SourceError> {
    String::from_utf8(bytes).map_err(|_| SourceError::NotText { path: path.to_owned() })
}
