//! One function as the entry: the space of its parameters and of global variables, from debug
//! information.

use std::path::PathBuf;

use ir::{DebugType, DebugTypeId, Definition, FuncId, Function, Linkage, Module};

use crate::error::{Error, nearest_names};
use crate::flags::{Origin, Overrides};
use crate::lookup::{defining_file, find_global};
use crate::parse::Override;
use crate::shape::aliases;
use crate::shape::build::Builder;
use crate::types::resolve;
use crate::{Assume, Evidence, Param, Shape, Space};

/// A function as C code calls it.
#[derive(Clone, Debug, PartialEq)]
pub struct Signature {
    pub params: Vec<Param>,
    /// Global variables that also vary.
    pub globals: Vec<Param>,
    /// `None` for a function without a result.
    pub returns: Option<Shape>,
    /// Only the file that defines it can call it.
    pub is_static: bool,
    pub file: Option<PathBuf>,
}

impl Signature {
    pub fn of(
        module: &Module,
        function: FuncId,
        overrides: &Overrides,
    ) -> Result<Signature, Error> {
        let Space { params, globals, .. } = Space::for_function(module, function, overrides)?;
        let file = defining_file(module, function);
        let function = &module.functions[function];
        let ty = function.debug_type.and_then(|id| module.debug_types.get(id));
        let returns = match ty {
            Some(DebugType::Function { returns, .. }) => *returns,
            _ => None,
        };
        let returns = match resolve(module, returns) {
            DebugType::Void => None,
            _ => Some(Builder::new(module, &[]).param("result", returns)?.shape),
        };
        let is_static = function.linkage == Linkage::Internal;
        Ok(Signature { params, globals, returns, is_static, file })
    }
}

impl Space {
    /// The parameters of a function and the global variables that the user names.
    pub fn for_function(
        module: &Module,
        id: FuncId,
        overrides: &Overrides,
    ) -> Result<Space, Error> {
        let function = &module.functions[id];
        let name = function.display_name();
        if name == "main" {
            return Err(Error::EntryIsMain);
        }
        if let Definition::Unreadable { reason, .. } = &function.definition {
            let (function, reason) = (name.to_owned(), reason.clone());
            return Err(Error::UnreadableFunction { function, reason });
        }
        if function.variadic {
            return Err(Error::Variadic { function: name.to_owned() });
        }
        let declared = declared_params(module, function)?;
        let mut builder = Builder::new(module, &overrides.params);
        let seen;
        builder.ties = overrides.assume == Assume::Consistent;
        builder.evidence = match &overrides.evidence {
            Some(evidence) => Some(evidence),
            None => {
                let mut evidence = Evidence::default();
                evidence.add(module, id);
                seen = evidence;
                Some(&seen)
            }
        };
        let params = builder.params(&declared)?;
        let found = std::mem::take(&mut builder.assumptions);
        let (assumptions, lifted) = match overrides.assume {
            Assume::Consistent => (found, Vec::new()),
            Assume::Nothing => found.into_iter().partition(|known| !known.can_be_lifted()),
        };
        if let Some(unused) = first_unused(&builder) {
            let names = declared.iter().map(|(name, _)| name.as_str());
            let (function, nearest) = (name.to_owned(), nearest_names(&unused.path, names));
            return Err(Error::NoSuchParam { function, name: unused.path.clone(), nearest });
        }
        let globals = Space::globals(module, &overrides.globals)?;
        let aliases = if overrides.alias {
            aliases(module, &declared, &params, &overrides.params)
        } else {
            Vec::new()
        };
        Ok(Space { params, globals, assumptions, lifted, aliases, ..Space::default() })
    }

    /// Where the space of a function comes from.
    pub fn origin_of_params(&self, overrides: &Overrides) -> Origin {
        match self.sized_by_type(overrides).next() {
            Some(_) => Origin::Types,
            None => Origin::Declared,
        }
    }

    /// Parameters with memory behind pointers whose size no flag declares.
    pub fn sized_by_type<'a>(
        &'a self,
        overrides: &'a Overrides,
    ) -> impl Iterator<Item = &'a Param> {
        let is_declared = |param: &Param| {
            overrides.params.iter().any(|over| {
                let rest = over.path.strip_prefix(param.name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
            })
        };
        self.params.iter().filter(move |param| param.shape.has_memory() && !is_declared(param))
    }

    /// The global variables that the user names, which need no entry function.
    pub fn globals(module: &Module, overrides: &[Override]) -> Result<Vec<Param>, Error> {
        let mut builder = Builder::new(module, overrides);
        let mut params: Vec<Param> = Vec::new();
        for path in overrides.iter().map(|over| &over.path) {
            let name = path.split(['.', '[']).next().unwrap_or(path);
            if params.iter().any(|param| param.name == name) {
                continue;
            }
            let ty = global_type(module, name)?;
            params.push(builder.param(name, Some(ty))?);
        }
        // The path names a variable but no place in it; the bare name of a struct is fine.
        let lost = first_unused(&builder).filter(|over| over.path.contains(['.', '[']));
        match lost {
            Some(over) => Err(Error::NoSuchGlobal { name: over.path.clone(), nearest: Vec::new() }),
            None => Ok(params),
        }
    }
}

fn first_unused<'a>(builder: &Builder<'a>) -> Option<&'a Override> {
    let unused = builder.used.iter().position(|used| !used)?;
    builder.overrides.get(unused)
}

/// Names and types of the parameters, as in the source.
fn declared_params(
    module: &Module,
    function: &Function,
) -> Result<Vec<(String, Option<DebugTypeId>)>, Error> {
    let unknown = || Error::NoDebugTypes { function: function.display_name().to_owned() };
    let ty = function.debug_type.and_then(|id| module.debug_types.get(id));
    let Some(DebugType::Function { params, .. }) = ty else { return Err(unknown()) };
    let mut params = params.as_slice();
    // A function declared without a prototype ends with unknown parameters.
    while let [rest @ .., None] = params {
        params = rest;
    }
    let variables = function.body().map_or(&[][..], |body| &body.variables);
    let name = |position: usize| {
        let named = variables.iter().find(|variable| variable.parameter as usize == position);
        let named = named.filter(|variable| !variable.name.is_empty());
        named.map_or_else(|| format!("param{position}"), |variable| variable.name.clone())
    };
    // Parameters of an old-style definition are not part of its type.
    if params.is_empty() {
        let mut found: Vec<_> = variables.iter().filter(|v| v.parameter > 0).collect();
        found.sort_by_key(|variable| variable.parameter);
        found.dedup_by_key(|variable| variable.parameter);
        return Ok(found.into_iter().map(|v| (v.name.clone(), v.ty)).collect());
    }
    Ok(params.iter().enumerate().map(|(index, ty)| (name(index + 1), *ty)).collect())
}

fn global_type(module: &Module, name: &str) -> Result<DebugTypeId, Error> {
    let Some(global) = find_global(module, name) else {
        let named = module.globals.values().filter_map(|global| global.source_name.as_deref());
        let nearest = nearest_names(name, named);
        return Err(Error::NoSuchGlobal { name: name.to_owned(), nearest });
    };
    if global.constant {
        return Err(Error::ConstantGlobal { name: name.to_owned() });
    }
    global.debug_type.ok_or_else(|| Error::NoGlobalType { name: name.to_owned() })
}
