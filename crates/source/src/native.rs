//! Native programs: what clang makes of the same files at -O0, optionally with sanitizers.
//!
//! Objects are compiled in parallel and cached one by one; a linked program is cached under its
//! objects. A fully cached build starts no process.

pub(crate) mod stubs;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use crate::artifact::{Artifact, Job, Target, complaint, rejection};
use crate::cache::{Cache, Entry, Key, KeyOf, Kind as EntryKind, Lease};
use crate::compile::{Compiler, Kind, SourceText};
use crate::confine::Confinement;
use crate::error::SourceError;
use crate::paths::check_name;
use crate::protections::require;
use crate::scratch::{scratch, write_scratch};

/// Names of files in macros.
pub(crate) const MACRO_PREFIX: &str = "-fmacro-prefix-map=";

/// Some linkers stop after twenty undefined symbols; this suffices for many more.
const MOST_LINKS: usize = 50;

/// What a build detects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sanitizer {
    /// Accesses outside of objects, and undefined operations.
    Behaviour,
    /// Uninitialised values that something depends on.
    Memory,
}

impl Sanitizer {
    pub fn flag(self) -> &'static str {
        match self {
            Sanitizer::Behaviour => "-fsanitize=address,undefined",
            Sanitizer::Memory => "-fsanitize=memory",
        }
    }
}

/// An executable. Its file lives in the cache, or as long as the value does.
#[derive(Clone, Debug)]
pub struct NativeProgram {
    pub path: PathBuf,
    /// Built with sanitizers.
    pub sanitized: bool,
    pub(crate) confinement: Confinement,
    /// The symbols that nothing defines. A run that reaches one ends as [`crate::End::Undefined`].
    pub stubs: Arc<[String]>,
    /// Removes the file with the last owner, if the cache did not take it.
    _directory: Option<Arc<TempDir>>,
    /// Keeps the file in the cache.
    _lease: Option<Lease>,
}

impl NativeProgram {
    /// An existing program, a tool of the user: it is not confined.
    pub(crate) fn tool(path: PathBuf) -> NativeProgram {
        let confinement = Confinement::Unconfined;
        NativeProgram {
            path,
            sanitized: false,
            confinement,
            stubs: Arc::default(),
            _directory: None,
            _lease: None,
        }
    }
}

impl Compiler {
    /// Builds the files into one program: `clang -O0 -g`, linked with the math library.
    pub fn build_native(
        &self,
        files: &[PathBuf],
        cflags: &[String],
        sanitize: bool,
    ) -> Result<NativeProgram, SourceError> {
        self.build_sanitized(files, cflags, sanitize.then_some(Sanitizer::Behaviour))
    }

    /// As `build_native`, with one of the sanitizers or none.
    pub fn build_sanitized(
        &self,
        files: &[PathBuf],
        cflags: &[String],
        sanitizer: Option<Sanitizer>,
    ) -> Result<NativeProgram, SourceError> {
        self.build_with(None, files, cflags, sanitizer)
    }

    /// The same; a file that is made for this build alone is no matter for the cache.
    fn build_with(
        &self,
        own: Option<&Path>,
        files: &[PathBuf],
        cflags: &[String],
        sanitizer: Option<Sanitizer>,
    ) -> Result<NativeProgram, SourceError> {
        // What cannot run need not be built.
        require(self.confinement)?;
        let uncached = Cache::disabled();
        let mut inputs = self.read_all(files)?;
        let mut flags = cflags.to_vec();
        flags.extend(["-O0", "-g"].map(str::to_owned));
        flags.extend(sanitizer.map(|sanitizer| sanitizer.flag().to_owned()));
        self.substitute(&mut inputs, &flags);
        let flags_of_each = self.flags_of_each(&inputs, &flags);
        let jobs: Vec<_> = inputs
            .iter()
            .zip(&flags_of_each)
            .map(|(input, flags)| {
                let target = match input.kind {
                    Kind::C => Target::Object,
                    Kind::Ir => Target::ObjectOfIr,
                };
                let job = self.job(input, flags, target);
                let is_own = own.is_some_and(|own| own == input.path);
                Job { cache: if is_own { &uncached } else { job.cache }, ..job }
            })
            .collect();
        let objects = self.make_all(&jobs)?;
        let key = self.program_key(&objects, &flags);
        let sanitized = sanitizer.is_some();
        let confinement = self.confinement;
        let program = |path, stubs: BTreeSet<String>, directory, lease| NativeProgram {
            path,
            sanitized,
            confinement,
            stubs: stubs.into_iter().collect(),
            _directory: directory,
            _lease: lease,
        };
        if let Some((path, lease)) = key.and_then(|key| self.stored_program(key)) {
            return Ok(program(path, BTreeSet::new(), None, Some(lease)));
        }
        if !self.orders.has_stubs
            && let Some(said) = key.and_then(|key| self.stored_complaint(key))
        {
            return Err(SourceError::DoesNotLink { said });
        }
        let linked = self.link(&objects, &flags);
        if let (Some(key), Err(SourceError::DoesNotLink { said })) = (key, &linked)
            && lacks_definitions_only(said)
        {
            let entry = Entry { payload: Vec::new(), diagnostics: said.clone().into_bytes() };
            self.cache.put(rejection(key), EntryKind::Rejection, &entry);
        }
        let Linked { place, path, stubs } = linked?;
        // The key does not say whether there are stubs.
        let key = key.filter(|_| stubs.is_empty());
        Ok(match key.and_then(|key| self.store_program(key, &path)) {
            Some((path, lease)) => program(path, stubs, None, Some(lease)),
            None => program(path, stubs, Some(Arc::new(place)), None),
        })
    }

    /// As `build_native`, with one more C file that exists as text only and includes the file
    /// `included` by its full name. Such a file has no lasting name, so neither its object nor the
    /// program is cached; the other objects are. It serves to call one function: whatever else is undefined becomes a stub.
    pub fn build_native_with_text(
        &self,
        added: SourceText,
        included: &Path,
        files: &[PathBuf],
        cflags: &[String],
        sanitizer: Option<Sanitizer>,
    ) -> Result<NativeProgram, SourceError> {
        check_name(added.name)?;
        let place = scratch()?;
        let path = place.path().join(added.name);
        write_scratch(&path, added.text)?;
        let mut compiler = self.clone();
        let mut file_flags = BTreeMap::clone(&self.orders.file_flags);
        file_flags.insert(path.clone(), self.flags_of_including(included));
        compiler.orders.file_flags = Arc::new(file_flags);
        compiler.orders.is_silent = true;
        compiler.orders.has_stubs = true;
        let mut all = vec![path.clone()];
        all.extend_from_slice(files);
        compiler.build_with(Some(&path), &all, cflags, sanitizer)
    }

    /// Flags of a file that includes another one by its full name: those of the other, with macros
    /// that name files as there.
    fn flags_of_including(&self, included: &Path) -> Vec<String> {
        let own = self.orders.file_flags.get(included).cloned().unwrap_or_default();
        let directory = format!("{}/", self.directory.display());
        // The flag splits at the first `=`; the rest is the replacement.
        if directory.contains('=') {
            return own;
        }
        let mut flags = vec![format!("{MACRO_PREFIX}{directory}=")];
        let renames = own.iter().filter_map(|flag| flag.strip_prefix(MACRO_PREFIX));
        let relative = renames.filter(|names| !names.starts_with('/'));
        flags.extend(relative.map(|names| format!("{MACRO_PREFIX}{directory}{names}")));
        flags.extend(own);
        flags
    }

    /// None if the program depends on more than objects with keys.
    fn program_key(&self, objects: &[Artifact], flags: &[String]) -> Option<Key> {
        if flags.iter().any(|flag| names_a_library(flag)) {
            return None;
        }
        let keys: Option<Vec<Key>> = objects.iter().map(|object| object.key).collect();
        let key = KeyOf::kind("program")
            .part(&self.clang.identity)
            .parts(flags.iter().map(|flag| flag.as_bytes()))
            .parts(keys?.iter().map(|key| &key.bytes()[..]));
        Some(key.finish())
    }

    fn stored_program(&self, key: Key) -> Option<(PathBuf, Lease)> {
        let (path, lease) = self.cache.lease(key)?;
        let mode = fs::metadata(&path).ok()?.permissions().mode();
        (mode & 0o100 != 0).then_some((path, lease))
    }

    /// The linker's messages, if it failed to link these objects before.
    fn stored_complaint(&self, key: Key) -> Option<String> {
        String::from_utf8(self.cache.get(rejection(key))?.diagnostics).ok()
    }

    fn store_program(&self, key: Key, linked: &Path) -> Option<(PathBuf, Lease)> {
        let entry = Entry { payload: fs::read(linked).ok()?, diagnostics: Vec::new() };
        self.cache.put(key, EntryKind::Program, &entry)?;
        self.stored_program(key)
    }

    /// Links objects. Symbols that nothing defines become stubs, if that is allowed.
    fn link(&self, objects: &[Artifact], flags: &[String]) -> Result<Linked, SourceError> {
        let place = scratch()?;
        let mut names = Vec::with_capacity(objects.len());
        for (index, object) in objects.iter().enumerate() {
            let name = place.path().join(format!("{index}.o"));
            write_scratch(&name, &object.entry.payload)?;
            names.push(name);
        }
        let path = place.path().join("program");
        let mut stubs = BTreeSet::new();
        for _ in 0..MOST_LINKS {
            let said = match self.link_once(&names, flags, &path) {
                Ok(()) => return Ok(Linked { place, path, stubs }),
                Err(SourceError::DoesNotLink { said }) if self.orders.has_stubs => said,
                Err(error) => return Err(error),
            };
            let found = stubs::undefined(&said);
            if found.is_subset(&stubs) || !lacks_definitions_only(&said) {
                return Err(SourceError::DoesNotLink { said });
            }
            stubs.extend(found);
            let object = stubs::compile(&self.clang, &stubs, place.path())?;
            names.truncate(objects.len());
            names.push(object);
        }
        self.link_once(&names, flags, &path)?;
        Ok(Linked { place, path, stubs })
    }

    fn link_once(
        &self,
        names: &[PathBuf],
        flags: &[String],
        program: &Path,
    ) -> Result<(), SourceError> {
        let mut command = self.clang.command(&self.directory);
        command
            .args(flags)
            .arg("-Wno-unused-command-line-argument")
            .args(names)
            .arg("-o")
            .arg(program)
            .arg("-lm");
        let output = self.clang.output(&mut command)?;
        if !output.status.success() {
            let said = complaint(&output.stderr, output.status);
            return Err(SourceError::DoesNotLink { said });
        }
        Ok(())
    }
}

/// A linked program in a temporary directory.
struct Linked {
    place: TempDir,
    path: PathBuf,
    stubs: BTreeSet<String>,
}

/// Whether the linker would fail again. A missing library may be installed.
fn lacks_definitions_only(said: &str) -> bool {
    let undefined = ["undefined reference", "undefined symbol"];
    let lacking = ["cannot find", "unable to find", "no such file"];
    let said = said.to_lowercase();
    undefined.iter().any(|words| said.contains(words))
        && !lacking.iter().any(|words| said.contains(words))
}

/// Whether this flag makes the linker read more than our objects.
fn names_a_library(flag: &str) -> bool {
    let prefixes = ["-l", "-L", "-Wl,", "-Xlinker", "-B", "--ld-path"];
    let suffixes = [".a", ".o", ".so"];
    prefixes.iter().any(|prefix| flag.starts_with(prefix))
        || suffixes.iter().any(|suffix| flag.ends_with(suffix))
}
