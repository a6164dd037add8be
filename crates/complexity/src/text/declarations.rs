//! Compares two versions of a file outside of its functions: macros, constants, variables, types.
//!
//! Lines that only introduce names (includes, imports, new prototypes) are no changes. Collects the
//! names that a changed declaration declares, to find the statements that use them.

use std::collections::{BTreeMap, BTreeSet};

use super::compare::{Lines, compare_lines, same_tokens, token_lines};
use super::token::Kind;
use super::unit::{Declaration, DeclarationKind, Unit};

/// A declaration that differs between two versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclarationChange {
    pub kind: DeclarationKind,
    pub name: String,
    pub lines: Lines,
    /// In the new version, or in the old one if it was deleted.
    pub line: u32,
    /// Whether the old version has it, and whether the new one does.
    pub in_old: bool,
    pub in_new: bool,
    /// Names whose uses are affected.
    pub names: BTreeSet<String>,
    /// Names of members, which are used after a point or an arrow.
    pub members: BTreeSet<String>,
}

/// The declarations that differ between two versions of a file.
pub fn compare(old: Option<&Unit<'_>>, new: Option<&Unit<'_>>) -> Vec<DeclarationChange> {
    let olds = by_name(old);
    let news = by_name(new);
    let mut changes = Vec::new();
    for (key, declaration) in &news {
        let counterpart = olds.get(key);
        let (Some(new), counted) = (new, counts(key.0, counterpart.is_some())) else { continue };
        let before = old.zip(counterpart.copied());
        let same = before.is_some_and(|(old, before)| {
            same_tokens(
                old,
                std::slice::from_ref(&before.tokens),
                new,
                std::slice::from_ref(&declaration.tokens),
            )
        });
        if counted && !same {
            changes.push(change(before, Some((new, declaration))));
        }
    }
    for (key, declaration) in &olds {
        if let Some(old) = old
            && counts(key.0, false)
            && !news.contains_key(key)
        {
            changes.push(change(Some((old, declaration)), None));
        }
    }
    changes.retain(|change| change.lines.total() > 0);
    changes.sort_by_key(|change| change.line);
    changes
}

type Key = (DeclarationKind, String, usize);

/// Declarations by kind and name, and by order among those of the same name.
fn by_name<'u>(unit: Option<&'u Unit<'_>>) -> BTreeMap<Key, &'u Declaration> {
    let mut found: BTreeMap<Key, &Declaration> = BTreeMap::new();
    let mut seen: BTreeMap<(DeclarationKind, &str), usize> = BTreeMap::new();
    for declaration in unit.into_iter().flat_map(|unit| &unit.declarations) {
        let count = seen.entry((declaration.kind, &declaration.name)).or_default();
        found.insert((declaration.kind, declaration.name.clone(), *count), declaration);
        *count += 1;
    }
    found
}

/// Whether a difference is a change: prototypes only if both versions have one.
fn counts(kind: DeclarationKind, in_both: bool) -> bool {
    match kind {
        DeclarationKind::Import | DeclarationKind::Other => false,
        DeclarationKind::Prototype => in_both,
        DeclarationKind::Macro | DeclarationKind::Variable | DeclarationKind::Type => true,
    }
}

fn change(
    old: Option<(&Unit<'_>, &Declaration)>,
    new: Option<(&Unit<'_>, &Declaration)>,
) -> DeclarationChange {
    let lines_of = |side: Option<(&Unit<'_>, &Declaration)>| {
        side.map_or_else(Vec::new, |(unit, of)| {
            token_lines(unit, std::iter::once(of.tokens.clone()))
        })
    };
    let (before, after) = (lines_of(old), lines_of(new));
    let lines = compare_lines(&before, &after);
    let side = new.or(old);
    let kind = side.map_or(DeclarationKind::Other, |(_, of)| of.kind);
    let name = side.map_or_else(String::new, |(_, of)| of.name.clone());
    let line = side.map_or(0, |(unit, of)| unit.line(of.tokens.start));
    let mut names = BTreeSet::new();
    let mut members = BTreeSet::new();
    let (in_old, in_new) = (old.is_some(), new.is_some());
    if kind == DeclarationKind::Type {
        members = changed_members(old, new, &before, &after);
        let is_enumeration = side
            .is_some_and(|(unit, of)| of.tokens.clone().take(3).any(|i| unit.word(i) == "enum"));
        if is_enumeration {
            names = std::mem::take(&mut members);
        }
    } else if !name.is_empty() {
        names.insert(name.clone());
    }
    DeclarationChange { kind, name, lines, line, in_old, in_new, names, members }
}

/// Words of changed lines of a type that are followed by the end of a member's name.
fn changed_members(
    old: Option<(&Unit<'_>, &Declaration)>,
    new: Option<(&Unit<'_>, &Declaration)>,
    before: &[String],
    after: &[String],
) -> BTreeSet<String> {
    let before: BTreeSet<&str> = before.iter().map(String::as_str).collect();
    let after: BTreeSet<&str> = after.iter().map(String::as_str).collect();
    let mut members = BTreeSet::new();
    for (side, others) in [(old, &after), (new, &before)] {
        let Some((unit, of)) = side else { continue };
        let mut line_start = of.tokens.start;
        while line_start < of.tokens.end {
            let line = unit.line(line_start);
            let rest = line_start..of.tokens.end;
            let line_end = rest.clone().find(|&at| unit.line(at) != line).unwrap_or(of.tokens.end);
            let text = token_lines(unit, std::iter::once(line_start..line_end)).concat();
            if !others.contains(text.as_str()) {
                members.extend(
                    (line_start..line_end)
                        .filter(|&at| names_member(unit, at))
                        .map(|at| unit.word(at).to_owned()),
                );
            }
            line_start = line_end;
        }
    }
    members
}

fn names_member(unit: &Unit<'_>, at: usize) -> bool {
    let ends = matches!(
        unit.kind(at + 1),
        Some(Kind::Punct(b';' | b',' | b'=' | b'[' | b':' | b'(' | b'}'))
    );
    !unit.word(at).is_empty() && ends
}

/// Names that statements may use.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub names: BTreeSet<String>,
    /// Used after a point or an arrow.
    pub members: BTreeSet<String>,
}

impl Names {
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.members.is_empty()
    }

    /// Whether a token uses one of them.
    pub fn has_use(&self, unit: &Unit<'_>, at: usize) -> bool {
        let word = unit.word(at);
        if word.is_empty() || self.is_empty() {
            return false;
        }
        let behind_point =
            || at > 0 && matches!(unit.kind(at - 1), Some(Kind::Punct(b'.') | Kind::Arrow));
        self.names.contains(word) || self.members.contains(word) && behind_point()
    }
}
