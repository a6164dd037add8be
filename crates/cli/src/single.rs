//! One version of a program: C files, or a directory or revision of which a program is taken.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::bail;
use effects::Loader;
use source::{Checkout, Selection, check_out};

use crate::programs::{ProgramFlag, choose_single, refuse_with_files};
use crate::setup::Globals;

/// What names the program.
pub enum Named {
    /// Files, as they are.
    Files(Vec<PathBuf>),
    /// A program of a directory or revision.
    Program(Box<Checkout>),
}

impl Named {
    /// Tells files from a directory or a revision.
    pub fn of(
        typed: &[PathBuf],
        program: &ProgramFlag,
        entry: Option<&str>,
        loader: &Loader<'_>,
        globals: &Globals,
    ) -> anyhow::Result<Named> {
        let directory = &loader.compiler.directory;
        let [one] = typed else {
            if let Some(inner) = typed.iter().find(|path| directory.join(path).is_dir()) {
                bail!("`{}` is a directory; give it alone, or files", inner.display());
            }
            refuse_with_files(program)?;
            return Ok(Named::Files(typed.to_vec()));
        };
        if is_file(one, directory) {
            refuse_with_files(program)?;
            return Ok(Named::Files(typed.to_vec()));
        }
        let selection = Selection::of(loader.compiler, &[], &loader.cflags);
        let checkout = check_out(&OsString::from(one), &selection)?;
        let checkout = program.build.apply(vec![checkout], false, globals)?.remove(0);
        let wanted = program.wanted(entry, true);
        Ok(Named::Program(Box::new(choose_single(loader, checkout, wanted, globals)?)))
    }

    /// The files, and the compiler for them.
    pub fn parts(&self, loader: &Loader<'_>) -> (Vec<PathBuf>, source::Compiler) {
        match self {
            Named::Files(files) => (files.clone(), loader.compiler.clone()),
            Named::Program(checkout) => {
                (checkout.files.clone(), checkout.compiler(loader.compiler))
            }
        }
    }

    /// The name that the program is called by.
    pub fn name(&self, typed: &[PathBuf], program: &ProgramFlag) -> Option<OsString> {
        let stem = |path: &PathBuf| path.file_stem().map(OsString::from);
        match self {
            Named::Files(_) => typed.first().and_then(stem),
            Named::Program(checkout) => {
                let named = program.program.as_ref().map(PathBuf::from);
                named.as_ref().and_then(stem).or_else(|| checkout.files.first().and_then(stem))
            }
        }
    }
}

/// Whether a name is meant as a file, even if there is none.
fn is_file(path: &Path, directory: &Path) -> bool {
    let has_kind = path.extension().is_some_and(|kind| kind == "c" || kind == "i" || kind == "ll");
    has_kind || directory.join(path).is_file()
}
