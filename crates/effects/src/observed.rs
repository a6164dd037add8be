//! Which global variables a caller can see a function write to.
//!
//! Those of the program, static ones included, that the function or its possible callees mention.
//! Functions whose address is taken count as called. This is a superset of the written variables,
//! unless a pointer in the input points to a variable that no function mentions.

use inputs::harness::ERRNO;
use inputs::parse::{How, Override};
use inputs::{Flags, find_function};
use ir::{FuncId, Global, GlobalId, Module, References};
use library::Function;

use crate::versions::Side;

/// The same for all versions together: a variable that one of them writes is observed in all.
pub(crate) fn observed_in<'a>(
    entry: &str,
    flags: &Flags,
    sides: impl IntoIterator<Item = &'a Side>,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for side in sides {
        let Ok(function) = find_function(&side.module, entry) else { continue };
        let entries = with_given(&side.module, function, flags);
        let own = observed_globals(&side.module, &entries, |function| side.is_own(function));
        let new: Vec<String> = own.into_iter().filter(|name| !names.contains(name)).collect();
        names.extend(new);
    }
    names.sort();
    names
}

/// The entry, and functions whose addresses the user gives it.
pub(crate) fn with_given(module: &Module, entry: FuncId, flags: &Flags) -> Vec<FuncId> {
    let overrides = flags.overrides().unwrap_or_default();
    let named = |over: &Override| match &over.how {
        Some(How::Literal(name)) => find_function(module, &String::from_utf8_lossy(name)).ok(),
        _ => None,
    };
    let given = overrides.params.iter().chain(&overrides.globals).filter_map(named);
    std::iter::once(entry).chain(given).collect()
}

/// The symbols of variables that are observed after a call of the entries. Functions that are not
/// the program's own are not examined.
pub(crate) fn observed_globals(
    module: &Module,
    entries: &[FuncId],
    is_own: impl Fn(FuncId) -> bool,
) -> Vec<String> {
    let reachable = References::reachable(module, entries, is_own);
    let is_observed = |(id, global): &(GlobalId, &Global)| {
        // Variables of the C library have no name of the source.
        reachable.globals[*id]
            && !global.constant
            && global.source_name.is_some()
            && global.is_defined()
    };
    let observed = module.globals.iter().filter(is_observed);
    let mut names: Vec<String> = observed.map(|(_, global)| global.name.clone()).collect();
    let mut functions = module.functions.iter().filter(|(id, _)| reachable.functions[*id]);
    let locates = |name: &str| library::find(name).is_some_and(Function::locates_errno);
    let has_errno = functions.any(|(_, function)| locates(&function.name));
    names.extend(has_errno.then(|| ERRNO.to_owned()));
    names
}
