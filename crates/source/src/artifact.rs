//! Compiling one input to one artifact (IR text or an object), at most once.
//!
//! Two levels, as in ccache. *Direct*: the main file's content, the flags and the compiler name a
//! manifest; if the included files it lists are unchanged, it names the artifact and no process
//! starts. *Preprocessed*: otherwise the preprocessor runs, and its output with the contents of all
//! included files names the artifact. (The contents count because white space and comments, which
//! the preprocessor drops, move the columns in debug info.) Only then does the compiler run.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Output, Stdio};
use std::time::SystemTime;

use memchr::memmem;
use tempfile::TempDir;

use crate::cache::{Cache, Entry, Key, KeyOf, Kind};
use crate::clang::Clang;
use crate::depfile::prerequisites;
use crate::dialect::remedies;
use crate::error::{Failure, SourceError};
use crate::manifest::{Included, Manifest, settle};
use crate::scratch::{scratch, write_scratch};

/// Flags that make clang read files that neither level sees.
const UNSEEN_INPUTS: [&str; 9] = [
    "@",
    "--config",
    "-fplugin",
    "-fpass-plugin",
    "-fprofile-use",
    "-fprofile-instr-use",
    "-fmodules",
    "-include-pch",
    "-fsanitize-ignorelist",
];

/// Words in a source that make its meaning depend on more than the files read.
const UNSTABLE_WORDS: [&[u8]; 3] = [b"__DATE__", b"__TIME__", b"__TIMESTAMP__"];

/// What to compile to what. Contains everything that decides the result.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub clang: &'a Clang,
    pub cache: &'a Cache,
    /// The base of relative names; None for text in memory, which gets a fresh directory.
    pub directory: Option<&'a Path>,
    /// The main file as passed to the compiler, relative to the directory.
    pub name: &'a Path,
    pub content: &'a [u8],
    /// Flags without those that select the kind of output.
    pub flags: &'a [String],
    /// Whether the result must not depend on the directory's name.
    pub relocatable: bool,
    /// Whether the content is preprocessed text, compiled instead of the file.
    pub is_preprocessed: bool,
    pub target: Target,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// Preprocessed text.
    Text,
    IrText,
    Object,
    /// An object, from LLVM IR text instead of C.
    ObjectOfIr,
}

impl Target {
    fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Text => &["-E"],
            Self::IrText => &["-S", "-emit-llvm"],
            Self::Object => &["-c"],
            // Preprocessor flags mean nothing for IR; clang should not warn about them.
            Self::ObjectOfIr => &["-c", "-x", "ir", "-Wno-unused-command-line-argument"],
        }
    }

    fn kind(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::IrText => "ir",
            Self::Object => "object",
            Self::ObjectOfIr => "object of ir",
        }
    }

    fn entry_kind(self) -> Kind {
        match self {
            Self::Text => Kind::Text,
            Self::IrText => Kind::Ir,
            Self::Object | Self::ObjectOfIr => Kind::Object,
        }
    }
}

/// A compiled artifact and its key in the cache, if it is cached.
pub(crate) struct Artifact {
    pub entry: Entry,
    pub key: Option<Key>,
    pub from_cache: bool,
    /// Flags without which the compiler rejects it.
    pub remedies: Vec<String>,
}

impl Job<'_> {
    /// The artifact if it is known without starting a process.
    pub fn remembered(&self) -> Option<Artifact> {
        self.stored(self.known_key()?)
    }

    /// The key of the artifact if it is known without starting a process.
    fn known_key(&self) -> Option<Key> {
        if !self.is_cacheable() {
            return None;
        }
        if self.is_self_contained() {
            Some(self.direct_key())
        } else {
            Some(self.manifest()?.artifact)
        }
    }

    /// Whether content and flags alone decide the result.
    fn is_self_contained(&self) -> bool {
        self.is_preprocessed || self.target == Target::ObjectOfIr
    }

    /// The included files as recorded, if they are unchanged.
    fn manifest(&self) -> Option<Manifest> {
        let manifest = Manifest::from_bytes(&self.cache.get(self.direct_key())?.payload)?;
        manifest.still_holds(self.directory.unwrap_or(Path::new("/"))).then_some(manifest)
    }

    /// The files that are read besides the main file; none if the preprocessor fails.
    pub fn included(&self) -> Result<Vec<PathBuf>, SourceError> {
        if self.is_cacheable()
            && let Some(manifest) = self.manifest()
        {
            return Ok(manifest.files.into_iter().map(|file| file.path).collect());
        }
        let place = Place::of(self)?;
        let (output, rule) = match self.preprocessor_says(&place) {
            Ok(said) => said,
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Rejected(_)) => return Ok(Vec::new()),
        };
        let rule = rule.filter(|_| output.status.success()).unwrap_or_default();
        let main = self.told_name();
        Ok(prerequisites(&rule).into_iter().filter(|path| *path != main).collect())
    }

    /// The preprocessor's output if an overlay replaces some files. None if it fails.
    pub fn preprocessed(&self, overlay: &Path) -> Result<Option<Vec<u8>>, SourceError> {
        let place = Place::of(self)?;
        let more = [OsStr::new("-ivfsoverlay"), overlay.as_os_str()];
        match self.clang_says(&place, &["-E"], &more) {
            Ok(output) => Ok(output.status.success().then_some(output.stdout)),
            Err(Stop::Error(error)) => Err(error),
            Err(Stop::Rejected(_)) => Ok(None),
        }
    }

    /// The artifact, compiled if necessary.
    pub fn make(&self) -> Result<Artifact, Stop> {
        if let Some(known) = self.known_key().and_then(|key| self.known(key)) {
            return known;
        }
        let place = Place::of(self)?;
        if !self.is_cacheable() {
            return Ok(self.unremembered(self.compile(&place)?));
        }
        if self.is_self_contained() {
            return self.keep(self.direct_key(), self.compile(&place));
        }
        self.make_preprocessed(&place)
    }

    /// The artifact, compiled if necessary; in an old dialect of C if nothing else helps. If a file
    /// does not compile either way, the first diagnostics are reported.
    pub fn make_in_any_dialect(&self) -> Result<Artifact, Stop> {
        let rejected = match self.make() {
            Err(Stop::Rejected(failure)) => failure,
            other => return other,
        };
        let (mut flags, mut said) = (self.flags.to_vec(), rejected.said.clone());
        loop {
            let more = remedies(&said, &flags);
            if more.is_empty() {
                return Err(Stop::Rejected(rejected));
            }
            flags.extend(more);
            match (Job { flags: &flags, ..*self }).make() {
                Ok(artifact) => {
                    let remedies = flags.split_off(self.flags.len());
                    return Ok(Artifact { remedies, ..artifact });
                }
                // Errors may hide others.
                Err(Stop::Rejected(failure)) => said = failure.said,
                Err(stop) => return Err(stop),
            }
        }
    }

    fn make_preprocessed(&self, place: &Place) -> Result<Artifact, Stop> {
        if self.is_unstable(self.content) {
            return Ok(self.unremembered(self.compile(place)?));
        }
        let start = match self.directory {
            Some(directory) => settle(&directory.join(self.name)),
            None => SystemTime::now(),
        };
        let Some(read) = self.preprocess(place, start)? else {
            return Ok(self.unremembered(self.compile(place)?));
        };
        let manifest = Manifest { artifact: read.key, files: read.files };
        if let Some(known) = self.known(read.key) {
            self.remember(&manifest);
            return known;
        }
        let compiled = match self.target {
            Target::Text => Ok(Entry { payload: read.text, diagnostics: Vec::new() }),
            _ => self.compile(place),
        };
        if !manifest.still_holds(&place.directory) || self.has_changed(place) {
            return compiled.map(|entry| self.unremembered(entry));
        }
        self.remember(&manifest);
        self.keep(read.key, compiled)
    }

    /// Caches the result of compiling: the artifact, or why there is none.
    fn keep(&self, key: Key, compiled: Result<Entry, Stop>) -> Result<Artifact, Stop> {
        if let Err(Stop::Rejected(failure)) = &compiled
            && failure.is_final
        {
            let diagnostics = failure.said.clone().into_bytes();
            let entry = Entry { payload: Vec::new(), diagnostics };
            self.cache.put(rejection(key), Kind::Rejection, &entry);
        }
        Ok(self.store(key, compiled?))
    }

    /// The cached result of compiling: the artifact, or why there is none.
    fn known(&self, key: Key) -> Option<Result<Artifact, Stop>> {
        if let Some(artifact) = self.stored(key) {
            return Some(Ok(artifact));
        }
        let entry = self.cache.get(rejection(key))?;
        let said = String::from_utf8(entry.diagnostics).ok()?;
        let path = self.name.to_owned();
        Some(Err(Stop::Rejected(Failure { path, said, is_final: true })))
    }

    fn remember(&self, manifest: &Manifest) {
        let entry = Entry { payload: manifest.to_bytes(), diagnostics: Vec::new() };
        self.cache.put(self.direct_key(), Kind::Manifest, &entry);
    }

    fn store(&self, key: Key, entry: Entry) -> Artifact {
        self.cache.put(key, self.target.entry_kind(), &entry);
        Artifact { key: Some(key), ..self.unremembered(entry) }
    }

    fn stored(&self, key: Key) -> Option<Artifact> {
        let entry = self.cache.get(key)?;
        Some(Artifact { key: Some(key), from_cache: true, ..self.unremembered(entry) })
    }

    fn unremembered(&self, entry: Entry) -> Artifact {
        Artifact { entry, key: None, from_cache: false, remedies: Vec::new() }
    }

    /// Whether the main file changed after it was read and before the compiler ran.
    fn has_changed(&self, place: &Place) -> bool {
        fs::read(place.directory.join(self.name)).map_or(true, |now| now != self.content)
    }

    fn is_cacheable(&self) -> bool {
        let unseen = |flag: &String| UNSEEN_INPUTS.iter().any(|known| flag.starts_with(known));
        self.cache.directory().is_some() && !self.flags.iter().any(unseen)
    }

    /// Whether a text may mean something else the next time.
    fn is_unstable(&self, text: &[u8]) -> bool {
        let is_defined = |word: &[u8]| {
            let definition = [b"-D", word, b"="].concat();
            self.flags.iter().any(|flag| flag.as_bytes().starts_with(&definition))
        };
        let mut words = UNSTABLE_WORDS.iter();
        words.any(|word| mentions(text, &[word]) && !is_defined(word))
    }

    fn key_of_invocation(&self, level: &str) -> KeyOf {
        let directory = match self.directory {
            None => OsStr::new(""),
            Some(_) if self.relocatable => OsStr::new("."),
            Some(directory) => directory.as_os_str(),
        };
        let level = if self.is_preprocessed { "preprocessed before" } else { level };
        KeyOf::kind(self.target.kind())
            .part(level.as_bytes())
            .part(directory.as_bytes())
            .part(self.name.as_os_str().as_bytes())
            .parts(self.flags.iter().map(|flag| flag.as_bytes()))
            .part(self.content)
    }

    fn direct_key(&self) -> Key {
        self.key_of_invocation("direct").part(&self.clang.identity).finish()
    }

    /// Runs the preprocessor. None if its inputs cannot be pinned down, or if it fails: then the
    /// compiler fails too and reports why.
    fn preprocess(&self, place: &Place, start: SystemTime) -> Result<Option<Preprocessed>, Stop> {
        let (output, rule) = self.preprocessor_says(place)?;
        if !output.status.success() || mentions(&output.stdout, &[b"#embed", b".incbin"]) {
            return Ok(None);
        }
        let Some(rule) = rule else {
            return Ok(None);
        };
        let mut files = Vec::new();
        let mut key = self
            .key_of_invocation("preprocessed")
            .part(self.clang.answer.as_bytes())
            .part(&output.stdout);
        for path in prerequisites(&rule) {
            if path == self.told_name() {
                continue;
            }
            let stable = |bytes: &[u8]| !self.is_unstable(bytes);
            let Some(file) = Included::note(&place.directory, path, start, stable) else {
                return Ok(None);
            };
            key = key.part(&file.hash);
            files.push(file);
        }
        let key = key.finish();
        Ok(Some(Preprocessed { key, files, text: output.stdout }))
    }

    /// Runs the preprocessor: its output, and the rule with the names of included files.
    fn preprocessor_says(&self, place: &Place) -> Result<(Output, Option<Vec<u8>>), Stop> {
        let rule = place.scratch.path().join("rule.d");
        let rule_flags = [OsStr::new("-MD"), OsStr::new("-MF"), rule.as_os_str()];
        let output = self.clang_says(place, &["-E"], &rule_flags)?;
        Ok((output, fs::read(&rule).ok()))
    }

    fn compile(&self, place: &Place) -> Result<Entry, Stop> {
        let output = self.clang_says(place, self.target.flags(), &[])?;
        if output.status.success() {
            return Ok(Entry { payload: output.stdout, diagnostics: output.stderr });
        }
        Err(Stop::Rejected(Failure {
            path: self.name.to_owned(),
            said: complaint(&output.stderr, output.status),
            // A compiler that was killed may succeed the next time.
            is_final: output.status.code() == Some(1),
        }))
    }

    /// A name that looks like a flag is one to a part of clang even after `--`.
    fn told_name(&self) -> PathBuf {
        if self.name.as_os_str().as_bytes().starts_with(b"-") {
            return Path::new(".").join(self.name);
        }
        self.name.to_owned()
    }

    /// The content for the compiler to read: as a file, because a pipe would have to be fed.
    fn content_as_file(&self, place: &Place) -> Result<Stdio, SourceError> {
        let path = place.scratch.path().join("preprocessed");
        write_scratch(&path, self.content)?;
        let file = fs::File::open(&path)
            .map_err(|cause| SourceError::system("cannot read a temporary file", cause))?;
        Ok(Stdio::from(file))
    }

    fn clang_says(&self, place: &Place, what: &[&str], more: &[&OsStr]) -> Result<Output, Stop> {
        let mut command = self.clang.command(&place.directory);
        command.args(self.flags).args(what).args(more);
        if self.directory.is_none() || self.relocatable {
            command.arg("-fdebug-compilation-dir=.");
        }
        command.arg("-o").arg("-");
        if self.is_preprocessed {
            // Columns are those of another text, and warnings were given for the file itself.
            let flags = ["-w", "-Wno-unused-command-line-argument", "-gno-column-info"];
            command.args(flags).args(["-x", "cpp-output", "-"]);
            command.stdin(self.content_as_file(place)?);
        } else {
            command.arg("--").arg(self.told_name()).stdin(Stdio::null());
        }
        Ok(self.clang.output(&mut command)?)
    }
}

/// The key under which the cache records that something cannot be made.
pub(crate) fn rejection(key: Key) -> Key {
    KeyOf::kind("rejected").part(key.bytes()).finish()
}

struct Preprocessed {
    key: Key,
    files: Vec<Included>,
    text: Vec<u8>,
}

/// How a job stops without an artifact: through the input's fault, or ours.
pub(crate) enum Stop {
    Rejected(Failure),
    Error(SourceError),
}

impl From<SourceError> for Stop {
    fn from(error: SourceError) -> Self {
        Self::Error(error)
    }
}

/// Where the compiler runs, and a directory for its secondary outputs.
struct Place {
    directory: PathBuf,
    scratch: TempDir,
}

impl Place {
    fn of(job: &Job) -> Result<Self, SourceError> {
        let scratch = scratch()?;
        let directory = match job.directory {
            Some(directory) => directory.to_owned(),
            None => {
                let text = scratch.path().join("text");
                write_scratch(&text.join(job.name), job.content)?;
                text
            }
        };
        Ok(Self { directory, scratch })
    }
}

/// The compiler's diagnostics, or at least how it ended.
pub(crate) fn complaint(stderr: &[u8], status: ExitStatus) -> String {
    let said = String::from_utf8_lossy(stderr).into_owned();
    if said.trim().is_empty() {
        return format!("clang ended with {status} and said nothing");
    }
    said
}

/// Whether any of the words occurs in the text.
fn mentions(text: &[u8], words: &[&[u8]]) -> bool {
    words.iter().any(|word| memmem::find(text, word).is_some())
}
