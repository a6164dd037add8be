//! Functions that can be called alone to see what a change does: the changed ones, and those that
//! call them.
//!
//! Ranked by how many calls are between a function and the change, and by how much its parameters
//! ask for: a number or a text is easy to make up, a struct with a history is not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use base::Both;
use inputs::shape::{Form, Pointer, Shape};
use inputs::{Overrides, Space, find_function};
use ir::Module;

use super::changed::{ChangeOf, ChangedSymbol};
use super::symbols::Binding;
use super::units::{Unit, Units};
use crate::error::Error;
use crate::program::Loader;

/// The most calls between a function and a change.
const MOST_CALLS: u32 = 3;
/// The most functions to look at.
const MOST_FUNCTIONS: usize = 64;

/// A function that the change affects.
#[derive(Clone, Debug)]
pub struct Callable {
    /// As in the source.
    pub name: String,
    /// The name that its file has in every version.
    pub key: PathBuf,
    /// How many calls are between it and the closest change.
    pub calls: u32,
    /// How much its parameters ask for.
    pub effort: u32,
    pub is_exported: bool,
    /// Whether its name alone tells which function is meant.
    pub is_unique: bool,
    /// Why it cannot be called alone.
    pub obstacle: Option<Obstacle>,
    /// The units that define it.
    pub units: Both<usize>,
}

/// Why a function cannot be called alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// It has no parameters that could vary.
    NoParameters,
    /// Several functions have this name.
    SeveralOfThisName,
    /// Its types do not allow it.
    Types(String),
}

/// The functions that the change affects and that both versions have, the most promising first;
/// those with an obstacle come last.
pub fn callable(
    loader: &Loader<'_>,
    [old, new]: Both<&Units>,
    changed: &[ChangedSymbol],
) -> Result<Vec<Callable>, Error> {
    let mut found: Vec<Callable> = Vec::new();
    let mut modules: Both<BTreeMap<usize, Module>> = Default::default();
    for ((unit, symbol), calls) in near(new, changed).into_iter().take(MOST_FUNCTIONS) {
        let definition = &new.units[unit].symbols.defined[&symbol];
        let Unit { key, variant, .. } = &new.units[unit];
        // A file that is compiled in several ways has it several times, which a name cannot tell.
        if found.iter().any(|one| one.name == definition.name && one.key == *key) {
            continue;
        }
        let before = old.with_key(key, *variant).filter(|&unit| {
            old.units[unit].symbols.defined.get(&symbol).is_some_and(|one| one.is_function)
        });
        let Some(before) = before.filter(|_| definition.name != "main") else { continue };
        let units = [before, unit];
        for (side, versions) in [old, new].into_iter().enumerate() {
            if !modules[side].contains_key(&units[side]) {
                let module = versions.module(loader, units[side])?;
                modules[side].insert(units[side], module);
            }
        }
        let judged = [0, 1].map(|side| judge(&modules[side][&units[side]], &symbol));
        let (effort, obstacle) = match judged {
            [Ok(_), Ok(effort)] => (effort, ambiguity([old, new], units, &definition.name)),
            [Err(obstacle), _] | [_, Err(obstacle)] => (0, Some(obstacle)),
        };
        found.push(Callable {
            name: definition.name.clone(),
            key: key.clone(),
            calls,
            effort,
            is_exported: definition.binding != Binding::Internal,
            is_unique: [old, new].iter().all(|units| units.is_entry(&definition.name)),
            obstacle,
            units,
        });
    }
    let rank = |one: &Callable| {
        (one.obstacle.is_some(), one.effort + one.calls, !one.is_exported, one.calls)
    };
    found.sort_by(|a, b| {
        rank(a).cmp(&rank(b)).then_with(|| (&a.name, &a.key).cmp(&(&b.name, &b.key)))
    });
    Ok(found)
}

/// Functions of a version from which a change is a few calls away, and how many; the closest first.
fn near(units: &Units, changed: &[ChangedSymbol]) -> Vec<((usize, String), u32)> {
    let users = users(units);
    let mut calls: BTreeMap<(usize, String), u32> = BTreeMap::new();
    let present = changed.iter().filter(|one| one.change != ChangeOf::Removed);
    let mut last: Vec<(usize, String)> =
        present.filter_map(|one| Some((units.of_change(one)?, one.symbol.clone()))).collect();
    for steps in 0..=MOST_CALLS {
        let mut next = Vec::new();
        for place in last {
            if calls.contains_key(&place) {
                continue;
            }
            next.extend(users.get(&place).into_iter().flatten().cloned());
            calls.insert(place, steps);
        }
        last = next;
    }
    let is_function = |(unit, name): &(usize, String)| {
        units.units[*unit].symbols.defined.get(name).is_some_and(|one| one.is_function)
    };
    let mut near: Vec<((usize, String), u32)> =
        calls.into_iter().filter(|(place, _)| is_function(place)).collect();
    near.sort_by_key(|(_, steps)| *steps);
    near
}

/// For each symbol, those that mention it.
pub(super) fn users(units: &Units) -> BTreeMap<(usize, String), BTreeSet<(usize, String)>> {
    let mut users: BTreeMap<(usize, String), BTreeSet<(usize, String)>> = BTreeMap::new();
    for (index, unit) in units.units.iter().enumerate() {
        for (name, definition) in &unit.symbols.defined {
            for used in &definition.uses {
                let own = unit.symbols.defined.contains_key(used).then_some(index);
                let target = own.or_else(|| units.nearest(index, used));
                if let Some(target) = target {
                    let user = (index, name.clone());
                    users.entry((target, used.clone())).or_default().insert(user);
                }
            }
        }
    }
    users
}

/// How much the parameters of a function ask for.
fn judge(module: &Module, symbol: &str) -> Result<u32, Obstacle> {
    let types = |error: inputs::Error| Obstacle::Types(error.to_string());
    let function = find_function(module, symbol).map_err(types)?;
    let space = Space::for_function(module, function, &Overrides::default()).map_err(types)?;
    if space.params.is_empty() {
        return Err(Obstacle::NoParameters);
    }
    Ok(space.params.iter().map(|param| effort(&param.shape)).sum())
}

/// How far a value is from a plain number or text.
fn effort(shape: &Shape) -> u32 {
    match &shape.form {
        Form::Scalar(_) | Form::Fixed(_) => 0,
        Form::Raw { .. } => 1,
        Form::Struct(fields) => {
            1 + fields.iter().map(|field| effort(&field.shape)).max().unwrap_or(0)
        }
        Form::Array { element, .. } => effort(element),
        Form::Pointer(Pointer::Null) => 4,
        Form::Pointer(Pointer::Function(_)) => 3,
        Form::Pointer(Pointer::Inside(_)) => 0,
        Form::Pointer(Pointer::Buffer(buffer)) => effort(&buffer.target),
    }
}

/// Whether a name alone does not say which function is meant.
fn ambiguity(versions: Both<&Units>, units: Both<usize>, name: &str) -> Option<Obstacle> {
    let several = |side: usize| {
        let closure = versions[side].closure(units[side]);
        let defines = |&&unit: &&usize| {
            let mut defined = versions[side].units[unit].symbols.defined.values();
            defined.any(|one| one.is_function && one.name == name)
        };
        closure.units.iter().filter(defines).count() > 1
    };
    (several(0) || several(1)).then_some(Obstacle::SeveralOfThisName)
}
