//! What changed between two versions, function by function, with the lines of the source.
//!
//! Also what did not change although its text differs: comments, white space, renamed locals and
//! moved functions.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use changes::versions::{FunctionPair, GlobalChange, Why};
use ir::FuncId;

use super::{
    BuildDependences, ChangeKind, ChangedRegion, HunkEffect, HunkMeaning, Inactive, NumberedChange,
    Place, Side, Versions,
};

/// A changed statement.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedStatement {
    /// As in `Versions::numbered`.
    pub number: usize,
    pub kind: ChangeKind,
    pub old: Option<Place>,
    pub new: Option<Place>,
    /// The lines of the source, without the white space around them.
    pub old_text: Option<String>,
    pub new_text: Option<String>,
    pub why: Option<Why>,
}

/// A function with changes.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedFunction {
    pub name: String,
    pub place: Option<Place>,
    pub statements: Vec<ChangedStatement>,
    pub regions: Vec<ChangedRegion>,
    pub signature: bool,
}

/// A function that only one version has.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedFunction {
    pub name: String,
    pub place: Option<Place>,
}

/// A global variable that is there in one version only, or differs.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedGlobal {
    pub name: String,
    pub in_old: bool,
    pub in_new: bool,
}

/// A function whose text differs although it does the same.
#[derive(Clone, Debug, PartialEq)]
pub struct NotAChange {
    pub name: String,
    pub place: Option<Place>,
    /// Old and new names of local variables.
    pub renamed: Vec<(String, String)>,
    /// Whether it stands elsewhere among the functions of its file.
    pub moved: bool,
    /// Whether its text differs in other ways: comments, white space, spelling.
    pub reformatted: bool,
    /// Why code of it that differs is not compiled in this build.
    pub inactive: Vec<Inactive>,
    /// Its lines in OLD and in NEW, with their files.
    spans: [Option<(Place, u32)>; 2],
}

/// What changed between two versions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The versions, as they were typed.
    pub old: String,
    pub new: String,
    pub functions: Vec<ChangedFunction>,
    pub added: Vec<NamedFunction>,
    pub removed: Vec<NamedFunction>,
    pub globals: Vec<ChangedGlobal>,
    pub not_changes: Vec<NotAChange>,
    /// Empty until they are asked for.
    pub hunks: Vec<HunkMeaning>,
    pub dependences: Option<BuildDependences>,
}

impl Changes {
    /// Whether the program is the same. Hunks do not count: their text may differ all the same.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.globals.is_empty()
    }
}

impl NotAChange {
    /// Tells code that is not compiled from comments, white space and spelling.
    fn note_hunks(&mut self, hunks: &[HunkMeaning]) {
        let is_within = |meaning: &&HunkMeaning| {
            let hunk = &meaning.hunk;
            let sides = [(&hunk.old_file, &hunk.old), (&hunk.new_file, &hunk.new)];
            sides.into_iter().zip(&self.spans).any(|((file, lines), span)| {
                let Some((from, last)) = span else { return false };
                Path::new(&from.file) == file
                    && lines.first <= *last
                    && from.line < lines.first + lines.count.max(1)
            })
        };
        let within: Vec<&HunkMeaning> = hunks.iter().filter(is_within).collect();
        let is_inactive =
            |meaning: &&HunkMeaning| matches!(meaning.effect, HunkEffect::Inactive(_));
        self.reformatted &= within.is_empty() || !within.iter().all(is_inactive);
        let mut inactive: Vec<Inactive> = Vec::new();
        for meaning in within {
            if let HunkEffect::Inactive(conditions) = &meaning.effect {
                inactive.extend(conditions.iter().cloned());
            }
        }
        inactive.sort();
        inactive.dedup();
        self.inactive = inactive;
    }
}

/// Lines of a version's files, each file read once.
struct Sources<'a> {
    side: &'a Side,
    files: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Sources<'_> {
    fn of(side: &Side) -> Sources<'_> {
        Sources { side, files: RefCell::new(BTreeMap::new()) }
    }

    /// Up to `count` lines from a place on; fewer where the file ends or cannot be read.
    fn lines(&self, place: &Place, count: usize) -> Vec<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(place.file.clone()).or_insert_with(|| {
            let path = self.side.checkout.path(Path::new(&place.file));
            let text = fs::read(path).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(|line| line.trim().to_owned()).collect()
        });
        lines.iter().skip(place.line.max(1) as usize - 1).take(count).cloned().collect()
    }

    fn line(&self, place: Option<&Place>) -> Option<String> {
        self.lines(place?, 1).pop()
    }

    /// Where a function begins, and its last line.
    fn span(&self, function: FuncId) -> Option<(Place, u32)> {
        let place = self.side.place_of_function(function)?;
        let body = self.side.module.functions[function].body()?;
        let last = body.insts.values().map(|inst| inst.span.line).max()?;
        let last = last.max(place.line);
        Some((place, last))
    }

    /// The text of a function, from its first to its last line.
    fn function(&self, function: FuncId) -> Option<Vec<String>> {
        let (place, last) = self.span(function)?;
        let count = (last - place.line) as usize + 1;
        Some(self.lines(&place, count))
    }
}

impl Versions {
    /// What changed, in the order of NEW, with what is known of hunks.
    pub fn changes_with(&self, hunks: &[HunkMeaning]) -> Changes {
        let mut changes = self.changes();
        changes.not_changes.iter_mut().for_each(|same| same.note_hunks(hunks));
        changes
    }

    /// What changed, in the order of NEW.
    pub fn changes(&self) -> Changes {
        let sources = (Sources::of(&self.old), Sources::of(&self.new));
        let mut changes = Changes {
            old: self.old.checkout.name.clone(),
            new: self.new.checkout.name.clone(),
            ..Changes::default()
        };
        let mut order = Vec::new();
        let mut numbered = self.numbered.iter();
        for (pair, regions) in self.alignment.functions.iter().zip(self.regions()) {
            let is_moved = order.last().is_some_and(|&last| pair.old < last);
            order.push(pair.old);
            if pair.changes.is_empty() && !pair.signature {
                changes.not_changes.extend(self.not_a_change(pair, is_moved, &sources));
                continue;
            }
            let own = numbered.by_ref().take(pair.changes.len());
            changes.functions.push(ChangedFunction {
                name: self.new.name(pair.new),
                place: self.new.place_of_function(pair.new),
                statements: own.map(|change| statement(change, &sources)).collect(),
                regions,
                signature: pair.signature,
            });
        }
        let named = |side: &Side, functions: &[FuncId]| {
            let of = |&id: &FuncId| NamedFunction {
                name: side.name(id),
                place: side.place_of_function(id),
            };
            functions.iter().map(of).collect()
        };
        changes.added = named(&self.new, &self.alignment.added);
        changes.removed = named(&self.old, &self.alignment.removed);
        changes.globals = self.alignment.globals.iter().map(global).collect();
        changes
    }

    /// How the text of an unchanged function differs, if it does.
    fn not_a_change(
        &self,
        pair: &FunctionPair,
        moved: bool,
        sources: &(Sources<'_>, Sources<'_>),
    ) -> Option<NotAChange> {
        let reformatted = sources.0.function(pair.old) != sources.1.function(pair.new);
        if !reformatted && !moved {
            return None;
        }
        let renamed = pair.renamed.iter().map(|r| (r.old.clone(), r.new.clone())).collect();
        let place = self.new.place_of_function(pair.new);
        let spans = [sources.0.span(pair.old), sources.1.span(pair.new)];
        let (name, inactive) = (self.new.name(pair.new), Vec::new());
        Some(NotAChange { name, place, renamed, moved, reformatted, inactive, spans })
    }
}

fn statement(change: &NumberedChange, sources: &(Sources<'_>, Sources<'_>)) -> ChangedStatement {
    ChangedStatement {
        number: change.number,
        kind: change.kind,
        old: change.old.clone(),
        new: change.new.clone(),
        old_text: sources.0.line(change.old.as_ref()),
        new_text: sources.1.line(change.new.as_ref()),
        why: change.why.clone(),
    }
}

fn global(change: &GlobalChange) -> ChangedGlobal {
    let (name, in_old, in_new) = match change {
        GlobalChange::Added { name, .. } => (name, false, true),
        GlobalChange::Removed { name, .. } => (name, true, false),
        GlobalChange::Modified { name, .. } => (name, true, true),
    };
    ChangedGlobal { name: name.clone(), in_old, in_new }
}
