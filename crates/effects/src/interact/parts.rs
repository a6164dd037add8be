//! The parts of a change: hunks that do something to the program, and the places of NEW where a run
//! passes them.
//!
//! Hunks without an effect, such as comments and code that the preprocessor skips, are no parts. A
//! part without a place, such as the declaration of a variable, is never seen in a run, but belongs
//! to configurations.

use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use changes::points::{ChangePoint, ChangePoints, successors};
use ir::{BlockId, FuncId, Module, StatementId};

use crate::versions::{Hunk, HunkEffect, HunkMeaning, Place, Versions};

/// A part of a change.
#[derive(Clone, Debug)]
pub struct Part {
    /// From 1.
    pub number: usize,
    pub hunk: Hunk,
    /// Functions that it changes.
    pub functions: Vec<String>,
    /// Whether runs of NEW can be seen to pass it.
    pub is_placed: bool,
    /// Its first changed line in NEW, or in OLD if it has none there.
    pub place: Option<(Version, Place)>,
}

/// The parts of a change, and what else its text consists of.
pub(super) struct Parts {
    pub all: Vec<Part>,
    /// Hunks that do nothing here.
    pub apart: Vec<HunkMeaning>,
    /// The parts that each changed statement belongs to.
    pub of_statement: [BTreeMap<StatementId, BTreeSet<usize>>; 2],
    pub passed: Passed,
}

/// Where runs of NEW pass parts.
#[derive(Clone, Debug, Default)]
pub(super) struct Passed {
    pub statements: BTreeMap<StatementId, BTreeSet<usize>>,
    pub ways: BTreeMap<(FuncId, BlockId, BlockId), BTreeSet<usize>>,
    pub entries: BTreeMap<FuncId, BTreeSet<usize>>,
}

impl Parts {
    pub fn new(versions: &Versions, meanings: Vec<HunkMeaning>) -> Parts {
        let (own, apart): (Vec<HunkMeaning>, Vec<HunkMeaning>) =
            meanings.into_iter().partition(|meaning| is_part(&meaning.effect));
        let places = Places::new(versions);
        let mut parts = Parts {
            all: Vec::new(),
            apart,
            of_statement: Default::default(),
            passed: Passed::default(),
        };
        for (index, meaning) in own.into_iter().enumerate() {
            let points = places.of(&meaning);
            for (of, statements) in parts.of_statement.iter_mut().zip(&meaning.statements) {
                for &statement in statements {
                    of.entry(statement).or_default().insert(index);
                }
            }
            for &point in &points {
                parts.passed.add(&versions.new.module, point, index);
            }
            parts.all.push(Part {
                number: index + 1,
                place: first_place(&meaning),
                functions: meaning.functions,
                hunk: meaning.hunk,
                is_placed: !points.is_empty(),
            });
        }
        parts
    }
}

fn is_part(effect: &HunkEffect) -> bool {
    match effect {
        HunkEffect::Changes | HunkEffect::Needed | HunkEffect::Unknown => true,
        HunkEffect::Nothing | HunkEffect::Inactive(_) | HunkEffect::NotInProgram => false,
    }
}

fn first_place(meaning: &HunkMeaning) -> Option<(Version, Place)> {
    let first =
        |version: Version| meaning.places[version].first().map(|place| (version, place.clone()));
    first(Version::New).or_else(|| first(Version::Old))
}

/// The places in NEW of all changes.
struct Places {
    /// By the number of the change, from 0.
    of_change: Vec<Vec<ChangePoint>>,
}

impl Places {
    fn new(versions: &Versions) -> Places {
        let (old, new) = (&versions.old.module, &versions.new.module);
        let points = ChangePoints::new(&versions.alignment, old, new, Version::New);
        Places { of_change: points.of_change.into_iter().flatten().collect() }
    }

    fn of(&self, meaning: &HunkMeaning) -> BTreeSet<ChangePoint> {
        let numbers = meaning.changes.iter().filter_map(|number| self.of_change.get(number - 1));
        let mut points: BTreeSet<ChangePoint> = numbers.flatten().copied().collect();
        let own = meaning.statements[Version::New].iter();
        points.extend(own.map(|&statement| ChangePoint::Statement(statement)));
        points
    }
}

impl Passed {
    fn add(&mut self, module: &Module, point: ChangePoint, part: usize) {
        match point {
            ChangePoint::Statement(statement) | ChangePoint::Behind(statement) => {
                self.statements.entry(statement).or_default().insert(part);
            }
            ChangePoint::Way { function, block, successor } => {
                let body = module.functions[function].body();
                let ways = body.map(|body| successors(body, block)).unwrap_or_default();
                if let Some(&to) = ways.get(successor as usize) {
                    self.ways.entry((function, block, to)).or_default().insert(part);
                }
            }
            ChangePoint::Entry(function) => {
                self.entries.entry(function).or_default().insert(part);
            }
        }
    }
}
