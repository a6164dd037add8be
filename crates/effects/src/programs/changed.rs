//! Which functions and variables differ between two versions, unit by unit.
//!
//! Units with the same IR are the same. Others are aligned without linking them, so a function that
//! moved to another file counts as removed and added.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use base::Both;
use base::parallel::{cores, in_parallel};
use changes::versions::{Alignment, GlobalChange, align};
use ir::Module;

use super::units::Units;
use crate::error::Error;
use crate::program::Loader;

/// A function or variable that differs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ChangedSymbol {
    /// The name that its file has in every version.
    pub key: PathBuf,
    /// As in the source.
    pub name: String,
    /// As the linker sees it.
    pub symbol: String,
    pub is_function: bool,
    pub change: ChangeOf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeOf {
    Modified,
    Added,
    Removed,
}

/// All symbols that differ, by file.
pub(super) fn changed(
    loader: &Loader<'_>,
    [old, new]: Both<&Units>,
) -> Result<Vec<ChangedSymbol>, Error> {
    let keys: BTreeSet<&PathBuf> =
        old.units.iter().chain(&new.units).map(|unit| &unit.key).collect();
    let differs = |key: &&PathBuf| {
        let digest = |units: &Units| units.with_key(key).map(|unit| units.units[unit].digest);
        digest(old) != digest(new)
    };
    let keys: Vec<&PathBuf> = keys.into_iter().filter(differs).collect();
    let found = in_parallel(&keys, cores(), |key| {
        let module = |units: &Units| {
            let unit = units.with_key(key);
            unit.map(|unit| units.module(loader, unit)).transpose()
        };
        // A file that exists in one version only is compared with nothing.
        let modules = [module(old)?.unwrap_or_default(), module(new)?.unwrap_or_default()];
        Ok(in_unit(key, &modules))
    });
    let found: Result<Vec<Vec<ChangedSymbol>>, Error> = found.into_iter().collect();
    Ok(found?.into_iter().flatten().collect())
}

fn in_unit(key: &Path, [old, new]: &Both<Module>) -> Vec<ChangedSymbol> {
    let alignment: Alignment = align(old, new, |_, module, function| module.is_own(function));
    let function = |module: &Module, id, change| {
        let function = &module.functions[id];
        ChangedSymbol {
            key: key.to_owned(),
            name: function.display_name().to_owned(),
            symbol: function.name.clone(),
            is_function: true,
            change,
        }
    };
    let pairs = alignment.functions.iter();
    let modified = pairs.filter(|pair| !pair.changes.is_empty() || pair.signature);
    let modified = modified.map(|pair| function(new, pair.new, ChangeOf::Modified));
    let added = alignment.added.iter().map(|&id| function(new, id, ChangeOf::Added));
    let removed = alignment.removed.iter().map(|&id| function(old, id, ChangeOf::Removed));
    let globals = alignment.globals.iter().map(|global| {
        let (symbol, change) = match *global {
            GlobalChange::Added { new: id, .. } => (&new.globals[id].name, ChangeOf::Added),
            GlobalChange::Removed { old: id, .. } => (&old.globals[id].name, ChangeOf::Removed),
            GlobalChange::Modified { new: id, .. } => (&new.globals[id].name, ChangeOf::Modified),
        };
        let (name, symbol) = (global.name().to_owned(), symbol.clone());
        ChangedSymbol { key: key.to_owned(), name, symbol, is_function: false, change }
    });
    let mut found: Vec<ChangedSymbol> =
        modified.chain(added).chain(removed).chain(globals).collect();
    found.sort();
    found
}
