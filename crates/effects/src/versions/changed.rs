//! What changed between two versions, function by function, with the lines of the source.
//!
//! Also what did not change although its text differs: comments, white space, renamed locals and
//! moved functions.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use changes::versions::{FunctionPair, GlobalChange, Why};
use ir::FuncId;
use source::HeldPosition;

use super::cause::{Cause, Causes};
use super::{
    BuildDependences, ChangeKind, ChangedRegion, HunkEffect, HunkMeaning, Inactive, NumberedChange,
    Place, Side, Versions,
};

/// The most lines of a statement to show completely.
const LONGEST_STATEMENT: usize = 24;

/// A changed statement.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedStatement {
    /// As in `Versions::numbered`.
    pub number: usize,
    pub kind: ChangeKind,
    pub old: Option<Place>,
    pub new: Option<Place>,
    /// The lines of the source, trimmed: the first of the statement, or all of them if only a later
    /// one differs.
    pub old_text: Option<String>,
    pub new_text: Option<String>,
    pub why: Option<Why>,
    /// Whether both versions have the text, so that something else makes the difference.
    pub is_same_text: bool,
    /// The cause, as far as it is known.
    pub cause: Option<Cause>,
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

/// A global variable that only one version has, or that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedGlobal {
    pub name: String,
    pub in_old: bool,
    pub in_new: bool,
}

/// A function whose text differs although its behaviour is the same.
#[derive(Clone, Debug, PartialEq)]
pub struct NotAChange {
    pub name: String,
    pub place: Option<Place>,
    /// Old and new names of local variables.
    pub renamed: Vec<(String, String)>,
    /// Whether it is elsewhere among the functions of its file.
    pub moved: bool,
    /// Whether its text differs in other ways: comments, white space, spelling.
    pub reformatted: bool,
    /// Why differing code in it is not compiled in this build.
    pub inactive: Vec<Inactive>,
    /// Its lines in OLD and in NEW, with their files.
    spans: [Option<(Place, u32)>; 2],
    /// Whether a position in it, such as `__LINE__`, has another value.
    pub position: bool,
}

/// What changed between two versions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Changes {
    /// The versions, as typed.
    pub old: String,
    pub new: String,
    pub functions: Vec<ChangedFunction>,
    pub added: Vec<NamedFunction>,
    pub removed: Vec<NamedFunction>,
    pub globals: Vec<ChangedGlobal>,
    pub not_changes: Vec<NotAChange>,
    /// Empty until they are requested.
    pub hunks: Vec<HunkMeaning>,
    pub dependences: Option<BuildDependences>,
}

impl Changes {
    /// Whether the program is the same. Hunks do not count: their text may differ nevertheless.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
            && self.added.is_empty()
            && self.removed.is_empty()
            && self.globals.is_empty()
    }
}

impl NotAChange {
    /// Distinguishes code that is not compiled from comments, white space and spelling.
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

    /// Up to `count` lines starting at a place; fewer if the file ends or cannot be read.
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

    /// The lines of the statement that begins at a place.
    fn statement(&self, place: Option<&Place>) -> Option<String> {
        let lines = self.lines(place?, LONGEST_STATEMENT);
        let mut depth = 0;
        let ends = |line: &String| {
            depth += open_brackets(line);
            depth <= 0 && line.ends_with([';', '{', '}', ':'])
        };
        let count = lines.iter().position(ends).map_or(1, |last| last + 1);
        (!lines.is_empty()).then(|| lines[..count].join("\n"))
    }

    /// The start of a function, and its last line.
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

/// How many more brackets a line opens than it closes, ignoring texts and comments.
fn open_brackets(line: &str) -> i32 {
    let (mut depth, mut quote) = (0, None);
    let code = line.split("//").next().unwrap_or(line);
    let mut characters = code.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(_), '\\') => {
                characters.next();
            }
            (Some(end), _) if character == end => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(character),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth -= 1,
            (None, _) => {}
        }
    }
    depth
}

impl Versions {
    /// The changes, in the order of NEW, with what is known about hunks.
    pub fn changes_with(&self, hunks: &[HunkMeaning]) -> Changes {
        let mut changes = self.changes();
        changes.not_changes.iter_mut().for_each(|same| same.note_hunks(hunks));
        changes
    }

    /// The changes, in the order of NEW.
    pub fn changes(&self) -> Changes {
        let sources = (Sources::of(&self.old), Sources::of(&self.new));
        let mut changes = Changes {
            old: self.old.checkout.name.clone(),
            new: self.new.checkout.name.clone(),
            ..Changes::default()
        };
        // All files are read only if a text is the same.
        let causes = OnceCell::new();
        let held = self.new.checkout.held_positions();
        let mut order = Vec::new();
        let mut numbered = self.numbered.iter();
        for (pair, regions) in self.alignment.functions.iter().zip(self.regions()) {
            let is_moved = order.last().is_some_and(|&last| pair.old < last);
            order.push(pair.old);
            if pair.changes.is_empty() && !pair.signature {
                changes.not_changes.extend(self.not_a_change(pair, is_moved, &held, &sources));
                continue;
            }
            let own = numbered.by_ref().take(pair.changes.len());
            let own: Vec<&NumberedChange> = own.collect();
            let mut statements: Vec<ChangedStatement> =
                own.iter().map(|change| statement(change, &sources)).collect();
            mark_twins(&mut statements);
            for (statement, change) in statements.iter_mut().zip(own) {
                let text = statement.new_text.as_deref().or(statement.old_text.as_deref());
                // Conditions, and variables that are known by name, suffice.
                let is_told = matches!(statement.why, Some(Why::Control | Why::Uses(_)));
                if let Some(text) = text.filter(|_| statement.is_same_text && !is_told) {
                    let causes = causes.get_or_init(|| Causes::new(&self.old, &self.new));
                    statement.cause = causes.of(change, text);
                }
            }
            changes.functions.push(ChangedFunction {
                name: self.new.name(pair.new),
                place: self.new.place_of_function(pair.new),
                statements,
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
        held: &[HeldPosition],
        sources: &(Sources<'_>, Sources<'_>),
    ) -> Option<NotAChange> {
        let text = sources.1.function(pair.new);
        let reformatted = sources.0.function(pair.old) != text;
        let lines = text.map_or(0, |lines| lines.len() as u32);
        let position = self.new.place_of_function(pair.new).is_some_and(|place| {
            let own = held.iter().filter(|held| held.file == place.file);
            own.into_iter().any(|held| (place.line..place.line + lines).contains(&held.line))
        });
        if !reformatted && !moved && !position {
            return None;
        }
        let renamed = pair.renamed.iter().map(|r| (r.old.clone(), r.new.clone())).collect();
        let place = self.new.place_of_function(pair.new);
        let spans = [sources.0.span(pair.old), sources.1.span(pair.new)];
        let (name, inactive) = (self.new.name(pair.new), Vec::new());
        Some(NotAChange { name, place, renamed, moved, reformatted, position, inactive, spans })
    }
}

fn statement(change: &NumberedChange, sources: &(Sources<'_>, Sources<'_>)) -> ChangedStatement {
    let (old, new) = (change.old.as_ref(), change.new.as_ref());
    let (mut old_text, mut new_text) = (sources.0.line(old), sources.1.line(new));
    if change.kind == ChangeKind::Modified && old_text == new_text {
        let whole = (sources.0.statement(old), sources.1.statement(new));
        if whole.0 != whole.1 {
            (old_text, new_text) = whole;
        }
    }
    ChangedStatement {
        number: change.number,
        kind: change.kind,
        old: change.old.clone(),
        new: change.new.clone(),
        is_same_text: change.kind == ChangeKind::Modified && old_text == new_text,
        old_text,
        new_text,
        why: change.why.clone(),
        cause: None,
    }
}

/// Finds statements that were deleted and added with the same text.
fn mark_twins(statements: &mut [ChangedStatement]) {
    for index in 0..statements.len() {
        let old = &statements[index];
        if old.kind != ChangeKind::Deleted || old.old_text.is_none() {
            continue;
        }
        let is_twin = |new: &ChangedStatement| {
            new.kind == ChangeKind::Added && !new.is_same_text && new.new_text == old.old_text
        };
        if let Some(twin) = statements.iter().position(is_twin) {
            statements[index].is_same_text = true;
            statements[twin].is_same_text = true;
        }
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
