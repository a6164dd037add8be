//! Resolves what users name in a module: functions, variables, and the files that define them.

use std::path::{Path, PathBuf};

use ir::{Definition, FuncId, Function, Global, Module};

use crate::error::{Error, nearest_names};

/// The function that a user names.
pub fn find_function(module: &Module, name: &str) -> Result<FuncId, Error> {
    let defined = |function: &Function| !matches!(function.definition, Definition::Declaration);
    let all = || module.functions.iter().filter(|(_, function)| defined(function));
    let found: Vec<FuncId> = match all().find(|(_, function)| function.name == name) {
        Some((id, _)) => vec![id],
        None => all().filter(|(_, f)| f.display_name() == name).map(|(id, _)| id).collect(),
    };
    match found.as_slice() {
        [] => {
            let names = all().map(|(_, function)| function.display_name());
            Err(Error::NoSuchFunction {
                name: name.to_owned(),
                nearest: nearest_names(name, names),
            })
        }
        [id] => Ok(*id),
        several => {
            let names = several.iter().map(|&id| module.functions[id].name.clone()).collect();
            Err(Error::AmbiguousFunction { name: name.to_owned(), names })
        }
    }
}

/// The global variable that a user names.
pub(crate) fn find_global<'m>(module: &'m Module, name: &str) -> Option<&'m Global> {
    let called = |global: &&Global| match &global.source_name {
        Some(source) => source == name,
        None => global.name == name,
    };
    module.globals.values().find(called)
}

/// The file of the function's definition, as the debug information names it.
pub fn defining_file(module: &Module, function: FuncId) -> Option<PathBuf> {
    let scope = module.functions.get(function)?.span.scope?;
    let file = module.files.get(module.scopes.get(scope)?.file)?;
    Some(Path::new(&file.directory).join(&file.name))
}
