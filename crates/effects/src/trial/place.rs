//! Places of a program in its source, with their text.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use exec::Program;
use exec::stop::Site;
use ir::{FileId, FuncId, Span, StatementId};

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub function: String,
    /// As passed to the compiler.
    pub file: Option<String>,
    /// 0 if unknown.
    pub line: u32,
    pub column: u32,
    /// The line, if its file could be read.
    pub text: Option<String>,
    /// Whether it is in Ripple's C library.
    pub in_library: bool,
}

/// Finds places of one program.
pub(crate) struct Places<'p> {
    pub program: &'p Program,
    directory: &'p Path,
    /// Texts read so far, by path.
    texts: Mutex<BTreeMap<PathBuf, Option<Vec<String>>>>,
}

impl<'p> Places<'p> {
    /// `directory` is where the program was compiled.
    pub fn new(program: &'p Program, directory: &'p Path) -> Places<'p> {
        Places { program, directory, texts: Mutex::default() }
    }

    pub fn of(&self, site: Site) -> Place {
        let position = self.program.position(site);
        let function = &self.program.module.functions[site.function];
        let file = self.file_of(function.span);
        let path = position.file.as_ref().map(|name| match file {
            Some(id) => self.directory_of(id).join(name),
            None => PathBuf::from(name),
        });
        let in_library = file.is_some_and(|file| self.is_library(file));
        let text =
            if in_library { None } else { path.and_then(|path| self.line(&path, position.line)) };
        Place {
            function: position.function,
            file: position.file,
            line: position.line,
            column: position.column,
            text,
            in_library,
        }
    }

    /// The place of a statement.
    pub fn of_statement(&self, statement: StatementId) -> Option<Place> {
        let module = &self.program.module;
        let function = module.statements.get(statement)?.function;
        let mut insts = module.functions[function].body()?.insts.iter();
        let (inst, _) = insts.find(|(_, inst)| inst.statement == statement)?;
        Some(self.of(Site { function, inst }))
    }

    /// The file of a position.
    pub fn file_of(&self, span: Span) -> Option<FileId> {
        Some(self.program.module.scopes.get(span.scope?)?.file)
    }

    /// The path of a file.
    pub fn path_of(&self, file: FileId) -> PathBuf {
        self.directory_of(file).join(&self.program.module.files[file].name)
    }

    /// The name of a file, as passed to the compiler.
    pub fn name_of(&self, file: FileId) -> &str {
        &self.program.module.files[file].name
    }

    fn directory_of(&self, file: FileId) -> PathBuf {
        self.directory.join(&self.program.module.files[file].directory)
    }

    /// Functions that the user wrote, as opposed to those of the C library.
    pub fn own_functions(&self) -> impl Iterator<Item = FuncId> {
        let functions = self.program.module.functions.iter();
        functions.filter(|(_, function)| function.body().is_some()).filter_map(|(id, function)| {
            let file = self.file_of(function.span)?;
            (!self.is_library(file)).then_some(id)
        })
    }

    /// Whether a file is a member of the C library.
    fn is_library(&self, file: FileId) -> bool {
        self.program.module.files[file].in_archive
    }

    fn line(&self, path: &Path, line: u32) -> Option<String> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        let lines = texts.entry(path.to_owned()).or_insert_with(|| {
            let bytes = fs::read(path).ok()?;
            let text = String::from_utf8_lossy(&bytes);
            Some(text.lines().map(str::to_owned).collect())
        });
        lines.as_ref()?.get((line as usize).checked_sub(1)?).cloned()
    }
}
