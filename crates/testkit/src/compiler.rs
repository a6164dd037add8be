//! Compilers for tests, and the programs they build.

use std::path::{Path, PathBuf};
use std::{env, fs};

use effects::{Libc, Loader};
use exec::{Instrumentation, Program};
use source::{Cache, Clang, Compiler, Search, SourceError};

use crate::subjects::target_directory;
use crate::{scratch, skip};

/// The clang that `RIPPLE_CLANG` names, or else the newest one that is installed.
pub fn find_clang(cache: &Cache) -> Result<Clang, SourceError> {
    let path_var = env::var_os("PATH").unwrap_or_default();
    let from_env = env::var_os("RIPPLE_CLANG").map(PathBuf::from);
    Clang::find(
        Search { explicit: None, from_env: from_env.as_deref(), path_var: &path_var },
        cache,
    )
}

/// A compiler that works in a directory and uses the cache.
pub fn compiler_at(cache: Cache, directory: &Path) -> Result<Compiler, SourceError> {
    let clang = find_clang(&cache)?;
    Ok(Compiler::at(clang, cache, directory.to_owned()))
}

/// The compiler for repeated measurements, with its cache in the target directory.
pub fn bench_compiler(root: &Path) -> Result<Compiler, SourceError> {
    compiler_at(Cache::at(target_directory(root).join("bench-cache")), root)
}

/// A compiler that works in a directory; skips if none is installed. All tests share its cache, so
/// that the C library is compiled once.
pub fn compiler_in(directory: &Path) -> Option<Compiler> {
    match compiler_at(Cache::at(scratch("cache")), directory) {
        Ok(compiler) => Some(compiler),
        Err(error) => {
            skip(error);
            None
        }
    }
}

/// A compiler that works in the directory of the tests of this name; skips if none is installed.
pub fn compiler(name: &str) -> Option<Compiler> {
    compiler_in(&scratch(name))
}

/// Writes a C file into a compiler's directory.
pub fn file(compiler: &Compiler, name: &str, text: &str) -> PathBuf {
    let file = compiler.directory.join(format!("{name}.c"));
    fs::write(&file, text).expect("the program can be written");
    file
}

/// The program of a text, linked with an executable C library; skips without a compiler.
pub fn program(tests: &str, name: &str, text: &str) -> Option<Program> {
    let compiler = compiler(tests)?;
    let file = file(&compiler, name, text);
    let loader = Loader { compiler: &compiler, cflags: Vec::new(), libc: Libc::Open };
    Some(loader.program(&[file], Instrumentation::default()).expect("it builds"))
}
