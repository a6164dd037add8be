//! A version with what its build says: its units, or those of one product.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use super::{Checkout, dot};
use crate::build::{Build, Language, Product, Unit, UnitId};
use crate::compile::Kind;
use crate::paths::{map_paths, relative};

/// Files of a product that a version of it lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    /// Not C, or under a name that is not one of C files.
    pub not_c: Vec<PathBuf>,
    /// Compiled in another way, too, than the one that counts.
    pub repeated: Vec<PathBuf>,
}

/// How a version was built, and what the build did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionBuild {
    /// With names that are those of the version's files.
    pub record: Build,
    /// What a shell executed, and where below the root of the version.
    pub command: String,
    pub below: PathBuf,
    /// The root of the files that were copied to be built; of a revision, those without a build.
    pub source: PathBuf,
}

/// A C file as a build compiled it. A file that was compiled in several ways is several of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuiltUnit {
    /// As in the checkout.
    pub file: PathBuf,
    pub flags: Vec<String>,
    /// The units of the build that are this one.
    pub ids: BTreeSet<UnitId>,
}

impl Checkout {
    /// The same version with the C files that its build compiles, whose files are below `root`:
    /// all, or those of them that it has. Of a file that is compiled in several ways, the flags are
    /// those of the first one.
    pub(crate) fn with_build(
        &self,
        build: Arc<VersionBuild>,
        root: PathBuf,
        only_own: bool,
    ) -> Checkout {
        let below = self.directory.strip_prefix(&self.root).unwrap_or("".as_ref());
        let directory = crate::paths::normal(&root.join(below));
        let keys: BTreeSet<PathBuf> = self.files.iter().filter_map(|file| self.key(file)).collect();
        let mut built = Checkout {
            directory,
            root,
            files: Vec::new(),
            flags: BTreeMap::new(),
            build: Some(build),
            relocatable: true,
            _place: None,
            ..self.clone()
        };
        for unit in built.built_units() {
            let is_wanted =
                !only_own || built.key(&unit.file).is_some_and(|key| keys.contains(&key));
            if is_wanted && !built.flags.contains_key(&unit.file) {
                let flags = unit.flags.into_iter().chain(self.outside.iter().cloned()).collect();
                built.flags.insert(unit.file.clone(), flags);
                built.files.push(unit.file);
            }
        }
        built.files.sort();
        built
    }

    /// The C files as the version's build compiled them, by name, then by flags. Empty if it was not
    /// built.
    pub fn built_units(&self) -> Vec<BuiltUnit> {
        let mut units: BTreeMap<(PathBuf, Vec<String>), BTreeSet<UnitId>> = BTreeMap::new();
        let Some(build) = &self.build else { return Vec::new() };
        for (index, unit) in (0..).zip(&build.record.units) {
            if unit.language == Language::C && Kind::of(&unit.file) == Some(Kind::C) {
                let place = (self.name_in_use(unit), self.flags_in_use(unit));
                units.entry(place).or_default().insert(UnitId(index));
            }
        }
        let unit = |((file, flags), ids)| BuiltUnit { file, flags, ids };
        units.into_iter().map(unit).collect()
    }

    /// The same version with the C files of a product, and of the build's shared libraries that it
    /// needs, in place of those that were selected; each with the flags that it was compiled with.
    /// The build was one of this version, in its directory or elsewhere below its root.
    pub fn with_product(&self, build: &Build, product: &Product) -> (Checkout, LeftOut) {
        let mut left_out = LeftOut::default();
        let mut flags = BTreeMap::new();
        for id in build.units_with_libraries(product) {
            let unit = build.unit(id);
            if unit.language != Language::C || Kind::of(&unit.file) != Some(Kind::C) {
                left_out.not_c.push(unit.file.clone());
                continue;
            }
            match flags.entry(self.name_in_use(unit)) {
                Entry::Occupied(_) => left_out.repeated.push(unit.file.clone()),
                Entry::Vacant(place) => {
                    place.insert(self.flags_in_use(unit));
                }
            }
        }
        let files = flags.keys().cloned().collect();
        (Checkout { files, flags, is_lone_file: false, ..self.clone() }, left_out)
    }

    /// As the other files are named: absolute, or relative to the directory.
    fn name_in_use(&self, unit: &Unit) -> PathBuf {
        let is_absolute = self.files.first().is_some_and(|file| file.is_absolute());
        if is_absolute || !unit.file.starts_with(&self.root) {
            return unit.file.clone();
        }
        relative(&self.directory, &unit.file)
    }

    fn flags_in_use(&self, unit: &Unit) -> Vec<String> {
        map_paths(&unit.absolute_flags(), &|_, path| {
            if path.starts_with(&self.root) {
                dot(relative(&self.directory, path))
            } else {
                path.to_owned()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::build::{Recording, Tracing};
    use crate::cache::Cache;
    use crate::checkout::{Selection, check_out};

    #[test]
    fn a_version_gets_the_files_and_flags_of_a_program() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("inc")).unwrap();
        for (name, text) in [
            ("a.c", "#include <n.h>\nint main(void) { return N; }"),
            ("b.c", "int main(void) { return B; }"),
            ("inc/n.h", "#define N 0\n"),
        ] {
            fs::write(root.join(name), text).unwrap();
        }
        let script = "cc -Iinc -o one a.c && cc -DB=0 -O2 -o two b.c";
        let build = Build::record(&Recording {
            command: &["sh".into(), "-c".into(), script.into()],
            directory: &root,
            environment: &std::env::vars_os().collect::<Vec<_>>(),
            tracing: Tracing::WherePossible,
            shims: &root,
            binary: &root,
            output: None,
            earlier: None,
            containment: None,
            progress: &|_| {},
        });
        let build = build.unwrap().build;
        let cache = Cache::disabled();
        let selection = Selection { directory: &root, paths: &[], cflags: &[], cache: &cache };
        let checkout = check_out(".".as_ref(), &selection).unwrap();
        let check = |name: &str, file: &str, flags: &[&str]| {
            let (found, left_out) = checkout.with_product(&build, build.program(name).unwrap());
            assert_eq!(found.files, [PathBuf::from(file)]);
            assert_eq!(found.flags[&PathBuf::from(file)], flags);
            assert_eq!(left_out, LeftOut::default());
        };
        check("one", "a.c", &["-Iinc"]);
        check("two", "b.c", &["-DB=0"]);
    }
}
