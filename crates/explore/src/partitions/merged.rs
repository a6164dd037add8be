//! When versions differ, as one short predicate over the input.
//!
//! Generalises the conditions of all different partitions: omits or weakens a conjunct as long as
//! the solver shows that the inputs that satisfy the rest are still in different partitions. Then
//! omits partitions that are already covered, and joins adjacent conditions. The result is verified
//! in both directions: every different partition implies the predicate, and every input that
//! satisfies the predicate is in a different partition and in no equal one. If that is not shown
//! within a number of queries, or the predicate is too long for people, there is no result.
//!
//! The predicate says *exactly* when versions differ only if the partitions cover the whole space
//! and nothing is unknown; otherwise it says when they differ at least. If there is no short
//! predicate of that kind, and the partitions cover the whole space, the conditions common to all
//! different partitions say on which inputs *only* they differ; that, too, is verified.

mod cover;
mod cubes;
mod points;

use smt::people::Glossary;
use smt::{TermId, Terms, smtlib};

use self::cover::Cover;
use self::cubes::Cube;
use super::explorer::Explorer;
use crate::proved::{DiffersWhen, How, Partition, Verdict};

/// The most disjuncts and characters that people read.
const MOST_DISJUNCTS: usize = 6;
const MOST_CHARACTERS: usize = 300;
/// The most partitions, and conditions of all of them, for which a short predicate is likely.
const MOST_PARTITIONS: usize = 400;
const MOST_CONDITIONS: usize = 20_000;
/// The most partitions to search for common conditions.
const MOST_JOINED: usize = 5000;

impl Explorer<'_> {
    /// When versions differ, if there is a short predicate for it. Makes at most this many solver
    /// queries.
    pub fn differs_when(&mut self, most_questions: usize) -> Option<DiffersWhen> {
        let found = self.found();
        let is_different = |partition: &&Partition| partition.verdict == Verdict::Different;
        let different: Vec<Partition> = found.list.iter().filter(is_different).cloned().collect();
        if different.is_empty() || self.question().exhausted().is_some() {
            return None;
        }
        let unknown = |partition: &Partition| matches!(partition.verdict, Verdict::Unknown(_));
        let is_whole = self.is_complete() && !found.list.iter().any(unknown);
        let conditions: usize = different.iter().map(|partition| partition.conditions.len()).sum();
        if different.len() <= MOST_PARTITIONS && conditions <= MOST_CONDITIONS {
            let mut cover = Cover::new(self, &different, most_questions);
            let how = if is_whole { How::Exactly } else { How::AtLeast };
            let when =
                merged(&mut cover, different.len()).and_then(|cubes| when(cover, cubes, how));
            if when.is_some() {
                return when;
            }
        }
        if !is_whole || self.found().list.len() > MOST_JOINED {
            return None;
        }
        let mut cover = Cover::new(self, &different, most_questions);
        let common = cover.common()?;
        when(cover, vec![common], How::Only)
    }
}

/// Describes the inputs that satisfy one of some conditions, unless that is too long.
fn when(mut cover: Cover<'_, '_>, cubes: Vec<Cube>, how: How) -> Option<DiffersWhen> {
    let predicate = cover.predicate(&cubes);
    let condition = text(cover.terms(), cover.words(), cubes)?;
    let smtlib = smtlib::print_question(cover.terms(), &[predicate]);
    Some(DiffersWhen { condition, smtlib, predicate, how })
}

/// A few conditions that together cover all different partitions.
fn merged(cover: &mut Cover<'_, '_>, partitions: usize) -> Option<Vec<Cube>> {
    let mut cubes: Vec<Cube> = Vec::new();
    for number in 0..partitions {
        if cover.is_spent() || cubes.len() > 4 * MOST_DISJUNCTS {
            return None;
        }
        if !cover.includes(&cubes, number) {
            let cube = cover.cube(number);
            let cube = cover.generalise(cube);
            // It is unlikely to become shorter.
            if !is_readable(&cover.text(&cube)) {
                return None;
            }
            cubes.push(cube);
        }
    }
    cover.join(&mut cubes);
    cover.leave_out_superfluous(&mut cubes);
    let is_short = cubes.len() <= MOST_DISJUNCTS;
    (is_short && cover.is_verified(&cubes)).then_some(cubes)
}

/// The disjunction for people, unless it is too long. Common parts of all disjuncts come first.
fn text(terms: &Terms, words: &Glossary, cubes: Vec<Cube>) -> Option<String> {
    let (first, others) = cubes.split_first()?;
    let is_common = |term: &&TermId| others.iter().all(|cube| cube.conditions.contains(term));
    let common: Vec<TermId> = first.conditions.iter().filter(is_common).copied().collect();
    let rest = |cube: &Cube| -> Vec<TermId> {
        cube.conditions.iter().filter(|term| !common.contains(term)).copied().collect()
    };
    let of = |conditions: &[TermId]| (conditions.len(), words.conjunction(terms, conditions));
    let mut parts: Vec<(usize, String)> = cubes.iter().map(|cube| of(&rest(cube))).collect();
    parts.sort();
    let is_alone = others.is_empty();
    let parts = parts.into_iter().map(|(_, text)| {
        if text.contains(" ∧ ") && !is_alone { format!("({text})") } else { text }
    });
    let any = parts.collect::<Vec<String>>().join(" ∨ ");
    let text = match (common.is_empty(), is_alone) {
        (true, _) => any,
        (false, true) => of(&common).1,
        (false, false) => format!("{} ∧ ({any})", of(&common).1),
    };
    is_readable(&text).then_some(text)
}

/// Whether a text is short enough and complete: a truncated text is not what was verified.
fn is_readable(text: &str) -> bool {
    text.chars().count() <= MOST_CHARACTERS && !text.contains('…')
}
