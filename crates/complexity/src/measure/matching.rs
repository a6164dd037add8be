//! Matches functions of the old version with those of the new one.
//!
//! By name in the same file; then, for the rest, by equal tokens in the same file (renamed), by
//! name in another file (moved), and by equal tokens in another file. A renamed function whose body
//! also changed counts as deleted and added.

use std::collections::BTreeMap;

use super::{FunctionRef, Versions};
use crate::text::compare::{is_same, same_tokens};
use crate::text::syntax::Function;
use crate::text::unit::Unit;

/// The functions that are not the same in both versions.
#[derive(Debug, Default)]
pub(super) struct Matching {
    pub(super) modified: Vec<(FunctionRef, FunctionRef)>,
    pub(super) added: Vec<FunctionRef>,
    pub(super) deleted: Vec<FunctionRef>,
}

impl Matching {
    pub(super) fn new(versions: &[Versions<'_>]) -> Matching {
        let mut matching = Matching::default();
        for (file, of) in versions.iter().enumerate() {
            matching.match_file(file, of);
        }
        matching.match_rest(versions, |function, _| function.qualified_name());
        matching.match_rest(versions, body_text);
        matching
    }

    fn match_file(&mut self, file: usize, of: &Versions<'_>) {
        let olds = by_name(of.old.as_ref());
        let news = by_name(of.new.as_ref());
        for (name, news) in &news {
            let olds = olds.get(name).map_or(&[][..], Vec::as_slice);
            self.match_same_name(file, of, olds, news);
        }
        for (name, olds) in &olds {
            if !news.contains_key(name) {
                self.deleted.extend(olds.iter().map(|&function| FunctionRef { file, function }));
            }
        }
    }

    /// Overloads, and definitions under several conditions: first those with the same head, then
    /// in order.
    fn match_same_name(&mut self, file: usize, of: &Versions<'_>, olds: &[usize], news: &[usize]) {
        let mut free: Vec<usize> = olds.to_vec();
        let mut waiting = Vec::new();
        for &new in news {
            let same_head = free
                .iter()
                .position(|&old| olds.len() == 1 && news.len() == 1 || has_same_head(of, old, new));
            match same_head {
                Some(at) => self.pair(file, of, free.remove(at), new),
                None => waiting.push(new),
            }
        }
        for new in waiting {
            if free.is_empty() {
                self.added.push(FunctionRef { file, function: new })
            } else {
                self.pair(file, of, free.remove(0), new)
            }
        }
        self.deleted.extend(free.into_iter().map(|function| FunctionRef { file, function }));
    }

    fn pair(&mut self, file: usize, of: &Versions<'_>, old: usize, new: usize) {
        let (Some(before), Some(after)) = (&of.old, &of.new) else { return };
        if !is_same((before, &before.functions[old]), (after, &after.functions[new])) {
            let at = |function| FunctionRef { file, function };
            self.modified.push((at(old), at(new)));
        }
    }

    /// Matches deleted functions with added ones that have the same key, in order.
    fn match_rest(&mut self, versions: &[Versions<'_>], key: fn(&Function, &Unit<'_>) -> String) {
        if self.deleted.is_empty() || self.added.is_empty() {
            return;
        }
        let mut olds: BTreeMap<String, Vec<FunctionRef>> = BTreeMap::new();
        for &at in self.deleted.iter().rev() {
            if let Some(unit) = &versions[at.file].old {
                olds.entry(key(&unit.functions[at.function], unit)).or_default().push(at);
            }
        }
        let mut matched = Vec::new();
        self.added.retain(|&new| {
            let Some(unit) = &versions[new.file].new else { return true };
            let function = &unit.functions[new.function];
            // Whole modules and empty bodies are too similar to match.
            if function.head.is_empty() || function.body.is_empty() {
                return true;
            }
            let found = olds.get_mut(&key(function, unit)).and_then(Vec::pop);
            matched.extend(found.map(|old| (old, new)));
            found.is_none()
        });
        for (old, new) in matched {
            self.deleted.retain(|&at| at != old);
            let (Some(before), Some(after)) = (&versions[old.file].old, &versions[new.file].new)
            else {
                continue;
            };
            let functions = (&before.functions[old.function], &after.functions[new.function]);
            if !is_same((before, functions.0), (after, functions.1)) {
                self.modified.push((old, new));
            }
        }
    }
}

/// Functions by name, in order. Names repeat.
fn by_name(unit: Option<&Unit<'_>>) -> BTreeMap<String, Vec<usize>> {
    let mut found: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, function) in unit.into_iter().flat_map(|unit| &unit.functions).enumerate() {
        found.entry(function.qualified_name()).or_default().push(index);
    }
    found
}

fn has_same_head(of: &Versions<'_>, old: usize, new: usize) -> bool {
    let (Some(before), Some(after)) = (&of.old, &of.new) else { return false };
    let heads = (before.functions[old].head.clone(), after.functions[new].head.clone());
    same_tokens(before, &[heads.0], after, &[heads.1])
}

fn body_text(function: &Function, unit: &Unit<'_>) -> String {
    let mut text = String::new();
    for at in unit.own_tokens(function).into_iter().flatten() {
        text.push_str(unit.token_text(at));
        text.push(' ');
    }
    text
}
