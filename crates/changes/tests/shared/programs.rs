//! What the tests on builds share: modules from C files.

use std::path::Path;

use ir::{Module, StatementId};
use source::Compiler;

/// A compiler; skips where there is none.
pub fn compiler() -> Option<Compiler> {
    testkit::compiler("align")
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
