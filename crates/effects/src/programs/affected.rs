//! Which programs a change affects: those that can reach a changed function or variable from
//! `main`, by what code and initial values mention.
//!
//! A mention counts as a use, so this finds too much rather than too little, and needs neither
//! pointers nor a linked program.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;

use base::Both;

use super::Program;
use super::changed::{ChangeOf, ChangedSymbol, changed};
use super::closure::Closure;
use super::units::{Broken, Units};
use crate::error::Error;
use crate::program::Loader;

/// What a change affects.
#[derive(Clone, Debug)]
pub struct Affected {
    /// All that differs.
    pub changed: Vec<ChangedSymbol>,
    /// Programs that both versions have and that can reach a change, the closest to it first.
    pub programs: Vec<AffectedProgram>,
    /// Names of programs that only one version has.
    pub only_old: Vec<String>,
    pub only_new: Vec<String>,
    /// Changed symbols that such a program reaches, by their positions in [`Affected::changed`].
    pub in_only: BTreeSet<usize>,
    /// Names of programs that both versions have and that cannot reach a change.
    pub unaffected: Vec<String>,
    /// Changed files that do not compile in a version.
    pub broken: Vec<PathBuf>,
}

/// A program that can reach a change.
#[derive(Clone, Debug)]
pub struct AffectedProgram {
    pub old: Program,
    pub new: Program,
    /// How many mentions lead from `main` to the closest change.
    pub distance: u32,
    /// Changed symbols that it reaches, by their positions in [`Affected::changed`].
    pub reached: Vec<usize>,
}

impl Affected {
    /// Changes that no program reaches.
    pub fn in_no_program(&self) -> impl Iterator<Item = &ChangedSymbol> {
        let is_reached = |index: &usize| {
            self.in_only.contains(index)
                || self.programs.iter().any(|one| one.reached.contains(index))
        };
        let all = self.changed.iter().enumerate();
        all.filter(move |(index, _)| !is_reached(index)).map(|(_, symbol)| symbol)
    }
}

/// Compares two versions.
pub fn affected(loader: &Loader<'_>, [old, new]: Both<&Units>) -> Result<Affected, Error> {
    let changed = changed(loader, [old, new])?;
    let (olds, news) = (old.programs(), new.programs());
    let named = |programs: &[Program], name: &str| programs.iter().any(|one| one.name == name);
    let only = |one: &[Program], other: &[Program]| -> Vec<String> {
        let lone = one.iter().filter(|program| !named(other, &program.name));
        lone.map(|program| program.name.clone()).collect()
    };
    let (only_old, only_new) = (only(&olds, &news), only(&news, &olds));
    let mut in_only = BTreeSet::new();
    for program in olds.iter().filter(|one| only_old.contains(&one.name)) {
        in_only.extend(reached(&changed, [Some((old, program)), None]).into_keys());
    }
    for program in news.iter().filter(|one| only_new.contains(&one.name)) {
        in_only.extend(reached(&changed, [None, Some((new, program))]).into_keys());
    }
    let (mut programs, mut unaffected) = (Vec::new(), Vec::new());
    for program in news {
        let Some(before) = olds.iter().find(|one| one.name == program.name).cloned() else {
            continue;
        };
        let reached = reached(&changed, [Some((old, &before)), Some((new, &program))]);
        let name = program.name.clone();
        match reached.values().min() {
            Some(&distance) => programs.push(AffectedProgram {
                old: before,
                new: program,
                distance,
                reached: reached.into_keys().collect(),
            }),
            None => unaffected.push(name),
        }
    }
    programs.sort_by(|a, b| (a.distance, &a.new.name).cmp(&(b.distance, &b.new.name)));
    let broken = broken([old, new]);
    Ok(Affected { changed, programs, only_old, only_new, in_only, unaffected, broken })
}

/// The changes that a program reaches, and from how far.
fn reached(
    changed: &[ChangedSymbol],
    sides: Both<Option<(&Units, &Program)>>,
) -> BTreeMap<usize, u32> {
    let distances = sides.map(|side| {
        let (units, program) = side?;
        let root = units.main_of(program)?;
        Some(distances(units, root, &units.closure_of_program(program)))
    });
    let mut reached = BTreeMap::new();
    for (index, symbol) in changed.iter().enumerate() {
        let place = |side: usize| {
            let unit = sides[side]?.0.of_change(symbol)?;
            distances[side].as_ref()?.get(&(unit, symbol.symbol.clone())).copied()
        };
        let nearest = match symbol.change {
            ChangeOf::Added => place(1),
            ChangeOf::Removed => place(0),
            ChangeOf::Modified => place(1).or_else(|| place(0)),
        };
        if let Some(distance) = nearest {
            reached.insert(index, distance);
        }
    }
    reached
}

/// How many mentions lead from the start of a program to each symbol, by unit and name.
fn distances(units: &Units, root: usize, closure: &Closure) -> BTreeMap<(usize, String), u32> {
    let mut found: BTreeMap<(usize, String), u32> = BTreeMap::new();
    let mut waiting = VecDeque::new();
    let roots = closure.units.iter().flat_map(|&unit| {
        units.units[unit].symbols.roots.iter().map(move |name| (unit, name.clone()))
    });
    for place in [(root, "main".to_owned())].into_iter().chain(roots) {
        found.insert(place.clone(), 0);
        waiting.push_back(place);
    }
    while let Some(place) = waiting.pop_front() {
        let steps = found[&place];
        let (unit, name) = &place;
        let Some(definition) = units.units[*unit].symbols.defined.get(name) else { continue };
        for used in &definition.uses {
            let is_own = units.units[*unit].symbols.defined.contains_key(used);
            let target = if is_own { Some(*unit) } else { closure.provided.get(used).copied() };
            let Some(target) = target else { continue };
            let next = (target, used.clone());
            if !found.contains_key(&next) {
                found.insert(next.clone(), steps + 1);
                waiting.push_back(next);
            }
        }
    }
    found
}

/// Files that do not compile in a version and that differ, or include something that does.
fn broken([old, new]: Both<&Units>) -> Vec<PathBuf> {
    let text = |units: &Units, key: &PathBuf| std::fs::read(units.checkout.root.join(key)).ok();
    let all = old.broken.iter().chain(&new.broken);
    let differs = |one: &&Broken| one.reads.iter().any(|key| text(old, key) != text(new, key));
    let mut keys: Vec<PathBuf> = all.filter(differs).map(|broken| broken.key.clone()).collect();
    keys.sort();
    keys.dedup();
    keys
}
