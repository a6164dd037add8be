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
    /// Which of the ways in which its file is compiled.
    pub variant: usize,
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

/// A file by the name that it has in every version, and a way to compile it.
type Place<'a> = (&'a Path, usize);

/// All symbols that differ, by file.
pub(super) fn changed(
    loader: &Loader<'_>,
    [old, new]: Both<&Units>,
) -> Result<Vec<ChangedSymbol>, Error> {
    let places: BTreeSet<Place<'_>> =
        old.units.iter().chain(&new.units).map(|unit| (unit.key.as_path(), unit.variant)).collect();
    let with = |units: &Units, (key, variant): Place<'_>| units.with_key(key, variant);
    let differs = |place: &Place<'_>| {
        let digest = |units: &Units| with(units, *place).map(|unit| units.units[unit].digest);
        digest(old) != digest(new)
    };
    let places: Vec<Place<'_>> = places.into_iter().filter(differs).collect();
    let found = in_parallel(&places, cores(), |&place| {
        let module = |units: &Units| {
            let unit = with(units, place);
            unit.map(|unit| units.module(loader, unit)).transpose()
        };
        // A file that exists in one version only is compared with nothing.
        let modules = [module(old)?.unwrap_or_default(), module(new)?.unwrap_or_default()];
        Ok(in_unit(place, &modules))
    });
    let found: Result<Vec<Vec<ChangedSymbol>>, Error> = found.into_iter().collect();
    Ok(found?.into_iter().flatten().collect())
}

fn in_unit((key, variant): Place<'_>, [old, new]: &Both<Module>) -> Vec<ChangedSymbol> {
    let alignment: Alignment = align(old, new, |_, module, function| module.is_own(function));
    let function = |module: &Module, id, change| {
        let function = &module.functions[id];
        ChangedSymbol {
            key: key.to_owned(),
            variant,
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
        let key = key.to_owned();
        ChangedSymbol { key, variant, name, symbol, is_function: false, change }
    });
    let mut found: Vec<ChangedSymbol> =
        modified.chain(added).chain(removed).chain(globals).collect();
    found.sort();
    found
}
