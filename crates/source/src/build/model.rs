//! The form of a recorded build.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::execution::Execution;
use crate::flags;
use crate::paths::{absolute_flags, normal};

/// The name and version of the form on disk.
pub(super) const SCHEMA: &str = "ripple.build/1";

/// What a build did. All names of files are absolute, except those in flags.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    pub(super) schema: String,
    /// Where the command ran.
    pub directory: PathBuf,
    /// As it was typed.
    pub command: Vec<String>,
    /// How it was watched.
    pub means: Means,
    /// By the names of their files, then by flags.
    pub units: Vec<Unit>,
    /// By their paths.
    pub products: Vec<Product>,
    /// C files and headers that the build wrote.
    pub generated: Vec<PathBuf>,
    /// Flags that would change what a source means, but that clang does not know.
    pub dropped: Vec<DroppedFlag>,
    /// What a later build in the same directory continues.
    pub(super) executions: Vec<Execution>,
}

/// How a build was watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Means {
    /// All its processes were followed.
    Tracing,
    /// Tools were found on the PATH in our place. Tools called by their absolute names are missing.
    Shims,
}

/// A translation unit, by its place in `Build::units`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UnitId(pub u32);

/// A file as it was compiled. If it was compiled in several ways, each is a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unit {
    pub file: PathBuf,
    /// The flags that decide what it means, as they were given.
    pub flags: Vec<String>,
    pub language: Language,
    /// Where the compiler ran, which names in flags are relative to.
    pub directory: PathBuf,
    /// What was written; `None` if it was linked in the same command.
    pub object: Option<PathBuf>,
    /// Whether the build wrote the file.
    pub is_generated: bool,
}

/// What a source is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    C,
    #[serde(rename = "c++")]
    Cpp,
    Assembly,
    Other,
}

/// Something that was linked, by its place in `Build::products`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ProductId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProductKind {
    Program,
    SharedLibrary,
    Archive,
}

/// A program or a library that the build left.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Product {
    /// What people call it: its path below the directory of the build, or its absolute path.
    pub name: String,
    pub path: PathBuf,
    pub kind: ProductKind,
    /// In the order in which they were linked, those of archives included, as far as they were
    /// taken from there.
    pub units: Vec<UnitId>,
    /// Shared libraries of the same build that it is linked with.
    pub shared: Vec<ProductId>,
    /// Archives of the same build that it is linked with.
    pub archives: Vec<ProductId>,
    /// Libraries of the system, without `-l`.
    pub libraries: Vec<String>,
    /// Objects whose sources the build did not compile.
    pub unknown: Vec<PathBuf>,
    /// Other places where the build put it.
    pub copies: Vec<PathBuf>,
}

/// A flag, and how many units were compiled with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DroppedFlag {
    pub flag: String,
    pub units: usize,
}

impl Build {
    pub fn unit(&self, id: UnitId) -> &Unit {
        &self.units[id.0 as usize]
    }

    pub fn product(&self, id: ProductId) -> &Product {
        &self.products[id.0 as usize]
    }

    /// The programs.
    pub fn programs(&self) -> impl Iterator<Item = &Product> {
        self.of_kind(ProductKind::Program)
    }

    pub fn of_kind(&self, kind: ProductKind) -> impl Iterator<Item = &Product> {
        self.products.iter().filter(move |product| product.kind == kind)
    }

    /// The programs and libraries that a name means: a path, or its last parts. Programs come
    /// first; if one has the name itself, others that only end with it do not count.
    pub fn named(&self, name: &str) -> Vec<&Product> {
        let path = normal(&self.directory.join(name));
        let places = |product: &'_ Product| -> Vec<PathBuf> {
            std::iter::once(&product.path).chain(&product.copies).cloned().collect()
        };
        let exactly = |product: &&Product| product.name == name || places(product).contains(&path);
        let at_end = |product: &&Product| places(product).iter().any(|place| place.ends_with(name));
        let mut found: Vec<&Product> = self.products.iter().filter(exactly).collect();
        if found.is_empty() {
            found = self.products.iter().filter(at_end).collect();
        }
        found.sort_by_key(|product| product.kind);
        found
    }

    /// The program of that name, if there is exactly one.
    pub fn program(&self, name: &str) -> Option<&Product> {
        let mut programs =
            self.named(name).into_iter().filter(|one| one.kind == ProductKind::Program);
        programs.next().filter(|_| programs.next().is_none())
    }

    /// The same without what a later build in the same directory would continue.
    pub(crate) fn without_executions(self) -> Build {
        Build { executions: Vec::new(), ..self }
    }

    /// The units of a product and of the build's shared libraries that it needs, each once.
    pub fn units_with_libraries(&self, product: &Product) -> Vec<UnitId> {
        let mut units = Vec::new();
        let mut seen = BTreeSet::new();
        let mut done = BTreeSet::new();
        let mut waiting = vec![product];
        while let Some(product) = waiting.pop() {
            units.extend(product.units.iter().copied().filter(|unit| seen.insert(*unit)));
            let further = product.shared.iter().rev().filter(|library| done.insert(**library));
            waiting.extend(further.map(|library| self.product(*library)));
        }
        units
    }
}

impl Unit {
    /// The flags with absolute names: they mean the same in any directory.
    pub fn absolute_flags(&self) -> Vec<String> {
        absolute_flags(&self.flags, &self.directory)
    }
}

/// The flags of a command that decide what its sources mean.
pub(super) fn flags_of(meaning: &flags::Meaning, variables: &[(String, String)]) -> Vec<String> {
    let mut all = meaning.kept.clone();
    for (name, value) in variables {
        let flag = match name.as_str() {
            "CPATH" => "-I",
            "C_INCLUDE_PATH" => "-isystem",
            _ => continue,
        };
        // An empty name is the current directory.
        let directories = value.split(':').map(|name| if name.is_empty() { "." } else { name });
        all.extend(directories.flat_map(|name| [flag.to_owned(), name.to_owned()]));
    }
    all
}

/// What people call a product: libtool puts the real file below `.libs`.
pub(super) fn name_of(path: &Path, directory: &Path) -> String {
    let is_hidden = path.parent().and_then(Path::file_name).is_some_and(|name| name == ".libs");
    let outer = path.parent().and_then(Path::parent).zip(path.file_name());
    let shown = match outer {
        Some((outer, name)) if is_hidden => outer.join(name),
        _ => path.to_owned(),
    };
    shown.strip_prefix(directory).unwrap_or(&shown).display().to_string()
}
