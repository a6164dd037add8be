//! Which changes a set of comparisons does not show, so that *equal* of all of them says nothing
//! about these.
//!
//! A compared program shows what it reaches. A compared function shows changes of itself, and of
//! what only compared functions use and other files do not see: whoever else uses a change may do it
//! in another way.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::changed::{ChangeOf, ChangedSymbol};
use super::functions::users;
use super::plan::Several;
use super::units::Units;

/// Something that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covering<'a> {
    Program(&'a str),
    /// By the file that has it in every version, and its name.
    Function {
        key: &'a Path,
        name: &'a str,
    },
}

/// A unit and the name of a symbol in it.
type Symbol = (usize, String);

impl Several {
    /// What changed and none of these shows.
    pub fn uncovered(&self, by: &[Covering<'_>]) -> Vec<&ChangedSymbol> {
        let affected = &self.affected;
        let is_compared = |name: &str| by.contains(&Covering::Program(name));
        let programs = affected.programs.iter().filter(|one| is_compared(&one.new.name));
        let reached: BTreeSet<usize> =
            programs.flat_map(|program| program.reached.iter().copied()).collect();
        let sides = [0, 1].map(|side| Uses::of(&self.units[side], by));
        let is_shown = |symbol: &ChangedSymbol| {
            let side = if symbol.change == ChangeOf::Removed { 0 } else { 1 };
            sides[side].shows(symbol)
        };
        let all = affected.changed.iter().enumerate();
        all.filter(|(index, symbol)| !reached.contains(index) && !is_shown(symbol))
            .map(|(_, symbol)| symbol)
            .collect()
    }
}

/// Who uses what in one version.
struct Uses<'a> {
    units: &'a Units,
    users: BTreeMap<Symbol, BTreeSet<Symbol>>,
    compared: BTreeSet<Symbol>,
}

impl Uses<'_> {
    fn of<'a>(units: &'a Units, by: &[Covering<'_>]) -> Uses<'a> {
        let mut compared = BTreeSet::new();
        for (index, unit) in units.units.iter().enumerate() {
            for (symbol, definition) in &unit.symbols.defined {
                let place = Covering::Function { key: &unit.key, name: &definition.name };
                if definition.is_function && by.contains(&place) {
                    compared.insert((index, symbol.clone()));
                }
            }
        }
        Uses { units, users: users(units), compared }
    }

    /// Whether whatever can execute a symbol is compared.
    fn shows(&self, symbol: &ChangedSymbol) -> bool {
        let Some(unit) = self.units.of_change(symbol) else { return false };
        let mut seen = BTreeSet::new();
        let mut waiting = vec![(unit, symbol.symbol.clone())];
        while let Some(place) = waiting.pop() {
            if self.compared.contains(&place) || !seen.insert(place.clone()) {
                continue;
            }
            let (unit, name) = &place;
            let symbols = &self.units.units[*unit].symbols;
            // Others may use what they see, and what runs before `main` is used by nobody.
            if symbols.exports(name).is_some() || symbols.roots.contains(name) {
                return false;
            }
            waiting.extend(self.users.get(&place).into_iter().flatten().cloned());
        }
        true
    }
}
