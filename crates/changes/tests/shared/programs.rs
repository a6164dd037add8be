//! What the tests on builds share: modules from C files.

use std::path::Path;
use std::{env, fs};

use ir::{Module, StatementId};
use source::{Cache, Clang, Compiler, Search};

/// A compiler; `None`, with a message, where there is none.
pub fn compiler() -> Option<Compiler> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("align");
    fs::create_dir_all(&directory).expect("a directory for the cache");
    let cache = Cache::at(directory.join("cache"));
    let path_var = env::var_os("PATH").unwrap_or_default();
    let search = Search { explicit: None, from_env: None, path_var: &path_var };
    match Clang::find(search, &cache) {
        Ok(clang) => Some(Compiler { clang, cache, directory }),
        Err(_) => {
            testing::skip("there is no clang");
            None
        }
    }
}

/// The linked module of one file, without the C library.
pub fn module(compiler: &Compiler, file: &Path, flags: &[String]) -> Module {
    let units = compiler.compile_files(&[file.to_owned()], flags).expect("it compiles");
    let read = llvm::read("case", &units[0].text).expect("it can be read");
    ir::link::link_with_archive(vec![read.module], |_| None::<Result<Module, ir::link::LinkError>>)
        .expect("it links")
}

pub fn line(module: &Module, statement: StatementId) -> u32 {
    module.statements[statement].span.line
}
