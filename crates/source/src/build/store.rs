//! Recorded builds on disk: JSON, written beside its place and put there in one step.

use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::model::{Build, SCHEMA};
use crate::cache::{Cache, KeyOf};
use crate::error::SourceError;

impl Build {
    /// Where the cache keeps the build of a directory, whose name is absolute. `None` without a
    /// cache.
    pub fn place(cache: &Cache, directory: &Path) -> Option<PathBuf> {
        let real = fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
        let key = KeyOf::kind("build").part(real.as_os_str().as_bytes()).finish();
        Some(cache.directory()?.join("builds").join(format!("{}.json", key.name())))
    }

    /// The form on disk.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("it holds text and numbers");
        text.push('\n');
        text
    }

    /// Reads a build that was written.
    pub fn read(path: &Path) -> Result<Build, SourceError> {
        let unreadable = |cause| SourceError::Unreadable { path: path.to_owned(), cause };
        let bytes = fs::read(path).map_err(unreadable)?;
        let bad = |said: String| SourceError::BadBuild { path: path.to_owned(), said };
        let value: serde_json::Value =
            serde_json::from_slice(&bytes).map_err(|error| bad(error.to_string()))?;
        let schema = value.get("schema").and_then(serde_json::Value::as_str);
        if schema != Some(SCHEMA) {
            return Err(bad(format!("its schema is not `{SCHEMA}`")));
        }
        let build: Build = serde_json::from_value(value).map_err(|error| bad(error.to_string()))?;
        build
            .is_consistent()
            .then_some(build)
            .ok_or_else(|| bad("it names a unit or a product that it does not have".to_owned()))
    }

    /// Writes it, with the directories that lead there. The file is never half there.
    pub fn write(&self, path: &Path) -> Result<(), SourceError> {
        let doing = || format!("cannot write `{}`", path.display());
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let directory = directory.unwrap_or(Path::new("."));
        let write = || {
            fs::create_dir_all(directory)?;
            let mut file = tempfile::NamedTempFile::new_in(directory)?;
            file.write_all(self.json().as_bytes())?;
            // A file like any other, not one for its owner only.
            let mode = std::os::unix::fs::PermissionsExt::from_mode(0o644);
            file.as_file().set_permissions(mode)?;
            file.persist(path).map_err(|error| error.error)
        };
        write().map(drop).map_err(|cause| SourceError::system(doing(), cause))
    }

    fn is_consistent(&self) -> bool {
        let (units, products) = (self.units.len(), self.products.len());
        self.products.iter().all(|product| {
            product.units.iter().all(|unit| (unit.0 as usize) < units)
                && product.shared.iter().all(|one| (one.0 as usize) < products)
                && product.archives.iter().all(|one| (one.0 as usize) < products)
        })
    }
}
