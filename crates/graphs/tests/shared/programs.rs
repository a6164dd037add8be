//! What the tests of this crate share: programs from C files, linked with the C runtime.

use std::fs;
use std::path::{Path, PathBuf};

use effects::{Libc, Loader};
use source::Compiler;

/// A program and the directory of its files.
#[allow(dead_code)] // Not every test has files of its own.
pub struct Example {
    pub module: ir::Module,
    directory: PathBuf,
}

#[allow(dead_code)]
impl Example {
    /// The program of one C file below `tests`; `None`, with a message, without a compiler.
    pub fn load(name: &str) -> Option<Example> {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        let module = load_with(&[directory.join(name)], &["-w"])?;
        Some(Example { module, directory })
    }

    /// Another file below `tests`.
    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.directory.join(name)).expect("the file is there")
    }
}

/// The linked program of some C files; `None`, with a message, without a compiler.
pub fn load_with(files: &[PathBuf], cflags: &[&str]) -> Option<ir::Module> {
    let compiler = compiler()?;
    let cflags = cflags.iter().map(|&flag| flag.to_owned()).collect();
    let loader = Loader { compiler: &compiler, cflags, libc: Libc::Open };
    match loader.load(files) {
        Ok(loaded) => Some(loaded.module),
        Err(error) => panic!("{files:?}: {error}"),
    }
}

pub fn compiler() -> Option<Compiler> {
    testkit::compiler("graphs")
}
