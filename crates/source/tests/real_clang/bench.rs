//! What the tests with a real clang share.

use std::path::{Path, PathBuf};
use std::{env, fs};

use ripple_source::{Cache, Clang, Compiler, Search};
use tempfile::TempDir;

/// A directory with files and a compiler that works in it.
pub struct Bench {
    pub directory: TempDir,
    pub store: TempDir,
    pub compiler: Compiler,
}

/// None, with a message, where no clang is installed.
pub fn bench() -> Option<Bench> {
    let directory = tempfile::tempdir().unwrap();
    let store = tempfile::tempdir().unwrap();
    let path_var = env::var_os("PATH").unwrap_or_default();
    let search = Search { explicit: None, from_env: None, path_var: &path_var };
    let cache = Cache::at(store.path());
    let Ok(clang) = Clang::find(search, &cache) else {
        testkit::skip("no clang is installed");
        return None;
    };
    let compiler = Compiler::at(clang, cache, fs::canonicalize(directory.path()).unwrap());
    Some(Bench { directory, store, compiler })
}

impl Bench {
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.directory.path().join(name), text).unwrap();
        PathBuf::from(name)
    }

    /// All entries of the cache.
    pub fn entries(&self) -> Vec<PathBuf> {
        let shards = fs::read_dir(self.store.path()).unwrap().flatten();
        let shards = shards.filter(|shard| shard.path().is_dir());
        let files = shards.flat_map(|shard| fs::read_dir(shard.path()).unwrap().flatten());
        files.map(|entry| entry.path()).collect()
    }

    /// The same, with a compiler that cannot be started: what still works starts no process.
    pub fn without_processes(&self) -> Compiler {
        let mut compiler = self.compiler.clone();
        compiler.clang.path = Path::new("/nonexistent/clang").to_owned();
        compiler
    }
}
