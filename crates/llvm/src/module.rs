//! The order in which a module is read.
//!
//! First every symbol gets its id, then come globals, then functions with their bodies.

use base::entity::PrimaryMap;
use ir::{Definition, FuncId, Module};

use crate::reader::Reader;
use crate::{ReadError, ReadModule, body};

pub(crate) fn read(name: &str, text: &[u8]) -> Result<ReadModule, ReadError> {
    let mut reader = Reader::new(text)?;
    let heads = reader.declare_globals()?;
    reader.declare_functions()?;
    reader.read_globals(heads);
    let aliases = reader.read_aliases();
    for position in 0..reader.functions.len() {
        // Ids are dense; intrinsics that bodies mention are appended.
        read_function(&mut reader, FuncId::at(position as u32));
    }
    reader.debug.finish();
    reader.problems.sort_by_key(|problem| problem.line);
    let mut module = Module {
        name: name.to_owned(),
        types: reader.types.types,
        files: reader.debug.files,
        scopes: reader.debug.scopes,
        debug_types: reader.debug.types,
        globals: reader.globals,
        functions: reader.functions,
        aliases,
        constructors: reader.constructors,
        destructors: reader.destructors,
        statements: PrimaryMap::new(),
    };
    module.constructors.sort_by_key(|entry| entry.0);
    module.destructors.sort_by_key(|entry| entry.0);
    ir::statements::assign(&mut module);
    Ok(ReadModule { module, problems: reader.problems })
}

fn read_function(reader: &mut Reader<'_>, id: FuncId) {
    let Some((header, text)) = reader.read_header(id) else { return };
    let start = text.range.start;
    match body::read(reader, id, text.range, &header) {
        Ok(body) => reader.functions[id].definition = Definition::Body(Box::new(body)),
        Err((fault, source)) => reader.unreadable(id, &fault, start, text.line, source),
    }
}
