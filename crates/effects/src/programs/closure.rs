//! Which units make a program: the one in which it begins, and those that define what it needs, as
//! a linker takes members of an archive.
//!
//! If several units define a symbol, one that does not clash with those taken so far comes first,
//! then the nearest one: of the same directory, then by the steps between directories.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use super::symbols::Binding;
use super::units::Units;

/// The units of a program or of a function with what it calls.
#[derive(Clone, Debug, Default)]
pub struct Closure {
    /// Sorted.
    pub units: Vec<usize>,
    /// For each symbol that one of the units provides, that unit.
    pub provided: BTreeMap<String, usize>,
    /// Symbols for which there was a choice.
    pub choices: Vec<Choice>,
}

/// A symbol that several units define.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Choice {
    pub symbol: String,
    pub taken: PathBuf,
    pub others: Vec<PathBuf>,
}

impl Units {
    /// The closure of one unit.
    pub fn closure(&self, root: usize) -> Closure {
        self.closure_of([root])
    }

    /// The closure of several units, without those that clash with an earlier one.
    pub fn closure_of(&self, roots: impl IntoIterator<Item = usize>) -> Closure {
        let mut closing =
            Closing { units: self, closure: Closure::default(), waiting: VecDeque::new() };
        for root in roots {
            if !closing.closure.units.contains(&root) && !closing.clashes(root) {
                closing.take(root);
            }
        }
        while let Some((by, symbol)) = closing.waiting.pop_front() {
            closing.resolve(by, &symbol);
        }
        let mut closure = closing.closure;
        closure.units.sort_unstable();
        closure.choices.sort();
        closure
    }

    /// The closure that a build says: these units, and no others.
    pub fn closure_of_built(&self, units: &[usize]) -> Closure {
        let mut closure = Closure { units: units.to_vec(), ..Closure::default() };
        closure.units.sort_unstable();
        // The first strong definition counts, or else the first one.
        for is_strong in [true, false] {
            for &unit in units {
                for (name, definition) in &self.units[unit].symbols.defined {
                    let counts = match definition.binding {
                        Binding::Internal => false,
                        binding => (binding == Binding::Strong) == is_strong,
                    };
                    if counts {
                        closure.provided.entry(name.clone()).or_insert(unit);
                    }
                }
            }
        }
        closure
    }

    /// The unit that most likely defines a symbol for another one.
    pub(super) fn nearest(&self, from: usize, symbol: &str) -> Option<usize> {
        let candidates = self.defining(symbol).iter().copied();
        candidates.min_by_key(|&one| self.remoteness(from, one))
    }

    fn remoteness(&self, from: usize, to: usize) -> (usize, &Path) {
        let directory = |unit: usize| self.units[unit].key.parent().unwrap_or(Path::new(""));
        (distance(directory(from), directory(to)), &self.units[to].key)
    }
}

struct Closing<'a> {
    units: &'a Units,
    closure: Closure,
    /// Symbols to resolve, and the units that need them.
    waiting: VecDeque<(usize, String)>,
}

impl Closing<'_> {
    fn take(&mut self, unit: usize) {
        self.closure.units.push(unit);
        let symbols = &self.units.units[unit].symbols;
        for (name, definition) in &symbols.defined {
            if definition.binding != Binding::Internal {
                self.closure.provided.entry(name.clone()).or_insert(unit);
            }
        }
        self.waiting.extend(symbols.needed.iter().map(|name| (unit, name.clone())));
    }

    fn resolve(&mut self, by: usize, symbol: &str) {
        if self.closure.provided.contains_key(symbol) || Units::is_of_library(symbol) {
            return;
        }
        let units = self.units;
        let all = units.defining(symbol).iter().copied();
        // Another program is no part of this one.
        let parts: Vec<usize> = all.filter(|&unit| !units.units[unit].symbols.has_main()).collect();
        let fitting: Vec<usize> =
            parts.iter().copied().filter(|&unit| !self.clashes(unit)).collect();
        let Some(&taken) = fitting.iter().min_by_key(|&&unit| units.remoteness(by, unit)) else {
            return;
        };
        if fitting.len() > 1 {
            let name = |unit: usize| units.units[unit].key.clone();
            let others = fitting.iter().filter(|&&unit| unit != taken).map(|&unit| name(unit));
            let others = others.collect();
            let choice = Choice { symbol: symbol.to_owned(), taken: name(taken), others };
            self.closure.choices.push(choice);
        }
        self.take(taken);
    }

    /// Whether a unit defines something that cannot be defined once more.
    fn clashes(&self, unit: usize) -> bool {
        let is_strong = |unit: usize, name: &str| {
            let definition = self.units.units[unit].symbols.exports(name);
            definition.is_some_and(|definition| definition.binding == Binding::Strong)
        };
        let mut names = self.units.units[unit].symbols.defined.keys();
        names.any(|name| {
            let other = self.closure.provided.get(name);
            other.is_some_and(|&other| is_strong(unit, name) && is_strong(other, name))
        })
    }
}

/// How many steps lead from one directory to another.
fn distance(from: &Path, to: &Path) -> usize {
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    from.components().count() + to.components().count() - 2 * shared
}
