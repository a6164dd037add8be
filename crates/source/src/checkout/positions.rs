//! Stable positions: compiles a version so that `__LINE__` and the like have the values of an older
//! version, although code moved.
//!
//! The preprocessor runs twice: as usual, and with a mark in place of every position. If both texts
//! agree except for the marks, each mark shows the place and value of a position. The older
//! version's values replace them, and this text is compiled instead of the file. Its line markers
//! keep debug information at the lines of the newer version.
//!
//! Lines of a file are renamed one to one: distinct lines stay distinct, so a program that uses
//! lines as names of places behaves as before. If the texts do not agree (a position decides what
//! is compiled), the file is compiled as it is. Code that moved to another file has the positions
//! of its new place.

mod lines;
mod marks;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use memchr::memmem;

use self::lines::LineMap;
use self::marks::{MARK_FLAGS, Mark, Position, find_marks, has_marks};
use super::Checkout;
use crate::artifact::{Job, Target};
use crate::compile::{Compiler, InputFile, Kind, Substitution};

/// Macros that can change although no line moved.
const OTHERS: [&[u8]; 2] = [b"__COUNTER__", b"__FILE_NAME__"];

/// The version whose positions are used.
#[derive(Debug)]
pub(crate) struct Positions {
    pub old: Checkout,
    held: Mutex<BTreeSet<HeldPosition>>,
}

/// A place where a macro has the older version's value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct HeldPosition {
    /// As the compiler names it.
    pub file: String,
    pub line: u32,
    /// The macro.
    pub name: &'static str,
}

impl Positions {
    pub fn of(old: &Checkout) -> Positions {
        Positions { old: old.clone(), held: Mutex::default() }
    }

    fn note(&self, changed: &[(&Mark, Vec<u8>)]) {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        held.extend(changed.iter().map(|(mark, _)| HeldPosition {
            file: mark.file.clone(),
            line: mark.line,
            name: mark.position.macro_name(),
        }));
    }

    pub fn held(&self) -> Vec<HeldPosition> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// A version compiled with the positions of another.
#[derive(Clone, Debug)]
pub(crate) struct Holding {
    pub positions: Arc<Positions>,
    pub new: Arc<Checkout>,
}

impl Substitution for Holding {
    /// Preprocesses the inputs whose positions would otherwise move. Inputs that do not preprocess
    /// are left to the compiler, which reports why.
    fn substitute(&self, compiler: &Compiler, inputs: &mut [InputFile], flags: &[String]) {
        let mut maps = LineMaps::new(self);
        let may_move = |input: &InputFile| input.kind == Kind::C && maps.may_move(input);
        let moving: Vec<bool> = inputs.iter().map(may_move).collect();
        let moving: Vec<usize> = (0..inputs.len()).filter(|&index| moving[index]).collect();
        let marked = texts(compiler, inputs, &moving, flags, true);
        let with_marks = |(_, text): &(usize, Vec<u8>)| has_marks(text);
        let marked: Vec<_> = moving.into_iter().zip(marked).filter(with_marks).collect();
        let moving: Vec<usize> = marked.iter().map(|(index, _)| *index).collect();
        let genuine = texts(compiler, inputs, &moving, flags, false);
        for ((index, marked), text) in marked.into_iter().zip(genuine) {
            let Some(marks) = find_marks(&text, &marked) else { continue };
            let input = &mut inputs[index];
            let before = || self.old_marks(compiler, input, flags);
            let changed = maps.changed(&marks, before);
            if !changed.is_empty() {
                self.positions.note(&changed);
                input.content = with_values(&text, &changed);
                input.is_preprocessed = true;
            }
        }
    }
}

/// The preprocessed text of some inputs; nothing if one of them does not preprocess.
fn texts(
    compiler: &Compiler,
    inputs: &[InputFile],
    chosen: &[usize],
    flags: &[String],
    is_marked: bool,
) -> Vec<Vec<u8>> {
    let mut flags = compiler.flags_of_each(inputs, flags);
    for flags in flags.iter_mut().filter(|_| is_marked) {
        flags.extend(MARK_FLAGS.map(str::to_owned));
    }
    let job = |&index: &usize| compiler.job(&inputs[index], &flags[index], Target::Text);
    let jobs: Vec<Job<'_>> = chosen.iter().map(job).collect();
    let made = compiler.make_all(&jobs).unwrap_or_default();
    made.into_iter().map(|artifact| artifact.entry.payload).collect()
}

/// The renaming of lines of files.
struct LineMaps {
    holding: Holding,
    /// By file as the compiler names it; nothing where no line moves.
    known: BTreeMap<String, Option<LineMap>>,
    /// If the older version has the positions of a still older one.
    older: Option<Box<LineMaps>>,
}

impl LineMaps {
    fn new(holding: &Holding) -> LineMaps {
        let older = holding.positions.old.holding();
        let older = older.map(|older| Box::new(LineMaps::new(&older)));
        LineMaps { holding: holding.clone(), known: BTreeMap::new(), older }
    }

    /// The new number of a line of a file.
    fn line(&mut self, file: &str, line: u32) -> u32 {
        let line = self.of(file).map_or(line, |map| map.line(line));
        match &mut self.older {
            Some(older) => older.line(&self.holding.key(file), line),
            None => line,
        }
    }

    fn of(&mut self, file: &str) -> Option<&LineMap> {
        if !self.known.contains_key(file) {
            let map = self.holding.line_map(Path::new(file));
            self.known.insert(file.to_owned(), map);
        }
        self.known.get(file)?.as_ref()
    }

    /// Whether the preprocessor must run. Includes are known only afterwards, unless the version is
    /// a single file.
    fn may_move(&mut self, input: &InputFile) -> bool {
        let Holding { positions, new } = self.holding.clone();
        let (true, Some(file)) = (new.is_lone_file, new.files.first()) else { return true };
        let moves = self.of(&file.to_string_lossy()).is_some_and(LineMap::moves);
        if moves || self.older.is_some() {
            return true;
        }
        let text = if *file == input.path {
            input.content.clone()
        } else {
            fs::read(new.path(file)).unwrap_or_default()
        };
        let old = positions.old.files.first();
        OTHERS.iter().any(|word| memmem::find(&text, word).is_some())
            && old.is_some_and(|old| fs::read(positions.old.path(old)).ok() != Some(text))
    }

    /// The positions that get other values, with these values.
    fn changed<'m>(
        &mut self,
        marks: &'m [Mark],
        before: impl Fn() -> Vec<Mark>,
    ) -> Vec<(&'m Mark, Vec<u8>)> {
        let asks = marks.iter().any(|mark| mark.position != Position::Line);
        let before = if asks { before() } else { Vec::new() };
        let mut counters = Counters::of(&before);
        let mut changed = Vec::new();
        for mark in marks {
            let value = match mark.position {
                // A macro call that spans lines has the number of the last, so its value gives the
                // line.
                Position::Line => mark.number().map(|line| digits(self.line(&mark.file, line))),
                Position::Counter => {
                    let line = self.of(&mark.file).map_or(mark.line, |map| map.line(mark.line));
                    Some(digits(counters.next(&self.holding.key(&mark.file), line)))
                }
                Position::FileName => {
                    let file = self.holding.key(&mark.file);
                    let mut names = before.iter().filter(|old| {
                        old.position == Position::FileName
                            && old.file == file
                            && old.value.first() == mark.value.first()
                    });
                    names.next().map(|old| old.value.clone())
                }
            };
            changed.extend(value.filter(|value| *value != mark.value).map(|value| (mark, value)));
        }
        changed
    }
}

fn digits(number: impl Into<u64>) -> Vec<u8> {
    number.into().to_string().into_bytes()
}

/// Values of `__COUNTER__` in the older version, by file and line.
#[derive(Default)]
struct Counters {
    left: BTreeMap<(String, u32), VecDeque<u64>>,
    /// A value that the older version does not have.
    fresh: u64,
}

impl Counters {
    fn of(marks: &[Mark]) -> Counters {
        let mut counters = Counters::default();
        for mark in marks.iter().filter(|mark| mark.position == Position::Counter) {
            let Some(value) = mark.number().map(u64::from) else { continue };
            counters.fresh = counters.fresh.max(value + 1);
            counters.left.entry((mark.file.clone(), mark.line)).or_default().push_back(value);
        }
        counters
    }

    fn next(&mut self, file: &str, line: u32) -> u64 {
        let known = self.left.get_mut(&(file.to_owned(), line)).and_then(VecDeque::pop_front);
        known.unwrap_or_else(|| {
            self.fresh += 1;
            self.fresh - 1
        })
    }
}

impl Holding {
    /// The positions of the same file in the older version, in order; none if it has no such file.
    fn old_marks(&self, compiler: &Compiler, input: &InputFile, flags: &[String]) -> Vec<Mark> {
        let old = &self.positions.old;
        let name = self.new.key(&input.path).map(|key| old.name_of(&key));
        let Some(name) = name.filter(|name| old.files.contains(name)) else { return Vec::new() };
        let compiler = old.compiler(compiler);
        let Ok(inputs) = compiler.read_all(&[name]) else { return Vec::new() };
        let marked = texts(&compiler, &inputs, &[0], flags, true);
        let genuine = texts(&compiler, &inputs, &[0], flags, false);
        let both = genuine.first().zip(marked.first());
        both.and_then(|(genuine, marked)| find_marks(genuine, marked)).unwrap_or_default()
    }

    /// How the lines of a file move; nothing if it is the same, or not in both versions.
    fn line_map(&self, file: &Path) -> Option<LineMap> {
        let Holding { positions, new } = self;
        let (old, key) = (&positions.old, new.key(file)?);
        let before = fs::read(old.path(&old.name_of(&key))).ok()?;
        let after = fs::read(new.path(file)).ok()?;
        (before != after).then(|| LineMap::new(&before, &after))
    }

    /// The name of a file in the older version.
    fn key(&self, file: &str) -> String {
        let old = &self.positions.old;
        let name = self.new.key(Path::new(file)).map(|key| old.name_of(&key));
        name.map_or_else(|| file.to_owned(), |name| name.to_string_lossy().into_owned())
    }
}

/// The text with some positions, which are in order, replaced.
fn with_values(text: &[u8], changed: &[(&Mark, Vec<u8>)]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    let mut copied = 0;
    for (mark, value) in changed {
        replaced.extend_from_slice(&text[copied..mark.start]);
        replaced.extend_from_slice(value);
        copied = mark.start + mark.value.len();
    }
    replaced.extend_from_slice(&text[copied..]);
    replaced
}
