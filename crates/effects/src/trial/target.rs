//! The targets of requests: programs, their entry and inputs; and versions of them, each with a
//! compiler in its own directory.

use std::path::PathBuf;
use std::sync::OnceLock;

use inputs::{Evidence, Flags, Origin, Overrides, Room, Space, Test};
use ir::Module;
use source::{Checkout, Compiler};

use crate::error::Error;
use crate::observed::observed_in;
use crate::program::{Libc, Loader};
use crate::versions::Side;

/// The common part of requests about programs.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    pub loader: Loader<'a>,
    /// The entry function instead of `main`.
    pub entry: Option<&'a str>,
    pub flags: &'a Flags,
    pub tests: &'a [Test],
}

/// One program to load and build.
pub(crate) struct Target<'a> {
    /// The loader is its own.
    pub scope: Scope<'a>,
    pub files: &'a [PathBuf],
    /// What is known about all versions, if there are several; otherwise only the files count.
    pub common: Option<&'a Common>,
}

impl Target<'_> {
    /// The space of the whole program, one of whose versions this is.
    pub fn program_space(&self, module: &Module) -> Result<(Space, Origin), Error> {
        let known = self.common.and_then(|common| common.room.get().cloned());
        let room = known.unwrap_or_else(|| Room::of([module]));
        Ok(self.scope.flags.program_space(self.scope.tests, &room)?)
    }

    /// What the user and the versions tell about parameters.
    pub fn overrides(&self) -> Result<Overrides, Error> {
        let evidence = self.common.and_then(|common| common.evidence.get().cloned());
        Ok(Overrides { evidence, ..self.scope.flags.overrides()? })
    }
}

/// What is known about all versions together, once they are loaded.
#[derive(Default)]
pub(crate) struct Common {
    /// Variables that are observed after a call of the entry.
    pub observed: OnceLock<Vec<String>>,
    /// How the versions use the parameters of the entry.
    pub evidence: OnceLock<Evidence>,
    /// Room for inputs of the whole program beyond the tests.
    pub room: OnceLock<Room>,
}

/// The compilers and files of versions.
pub(crate) struct Sources<'a> {
    libc: Libc,
    versions: Vec<(Compiler, &'a [PathBuf])>,
    pub common: Common,
}

impl<'a> Sources<'a> {
    pub fn new(libc: Libc) -> Sources<'a> {
        Sources { libc, versions: Vec::new(), common: Common::default() }
    }

    /// Adds a version. Returns its number.
    pub fn add(&mut self, scope: &Scope<'_>, checkout: &'a Checkout) -> usize {
        self.versions.push((checkout.compiler(scope.loader.compiler), &checkout.files));
        self.versions.len() - 1
    }

    /// The same with the positions as written in its files.
    pub fn add_written(&mut self, scope: &Scope<'_>, checkout: &'a Checkout) -> usize {
        let number = self.add(scope, checkout);
        self.versions[number].0 = checkout.as_written().compiler(scope.loader.compiler);
        number
    }

    /// A version, by its number.
    pub fn target<'t>(&'t self, scope: &Scope<'t>, number: usize) -> Target<'t> {
        let (compiler, files) = &self.versions[number];
        self.other(scope, compiler, files)
    }

    /// All versions, in the order in which they were added.
    pub fn targets<'t>(&'t self, scope: &Scope<'t>) -> Vec<Target<'t>> {
        (0..self.versions.len()).map(|number| self.target(scope, number)).collect()
    }

    /// Other files, with a compiler in their directory.
    pub fn other<'t>(
        &'t self,
        scope: &Scope<'t>,
        compiler: &'t Compiler,
        files: &'t [PathBuf],
    ) -> Target<'t> {
        let loader = Loader { compiler, libc: self.libc, ..scope.loader.clone() };
        let scope = Scope { loader, ..scope.clone() };
        Target { scope, files, common: Some(&self.common) }
    }

    /// Determines what versions have in common.
    pub fn learn(&self, scope: &Scope<'_>, sides: &[Side]) {
        let modules = sides.iter().map(|side| &side.module);
        if let Some(entry) = scope.entry {
            self.common.evidence.get_or_init(|| Evidence::of(modules, entry));
            self.common.observed.get_or_init(|| observed_in(entry, scope.flags, sides));
        } else {
            self.common.room.get_or_init(|| Room::of(modules));
        }
    }
}
