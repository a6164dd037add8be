//! When versions differ, as one short predicate over the input.
//!
//! The conditions of all different partitions are generalised: a conjunct is left out or weakened
//! as long as the solver shows that what satisfies the rest is in different partitions all the
//! same. Partitions that are covered by then are left out, and conditions that are next to each
//! other are joined. What is given has been verified in both directions: every different
//! partition implies the predicate, and every input that satisfies the predicate is in a
//! different partition and in no equal one. Where that is not shown within a number of questions,
//! or the predicate is too long for people, nothing is given.
//!
//! It says *exactly* when versions differ only if the partitions are the whole space and nothing
//! is unknown; otherwise it says when they differ at least.

mod cover;
mod cubes;
mod points;

use smt::{TermId, Terms, people, smtlib};

use self::cover::Cover;
use self::cubes::Cube;
use super::explorer::Explorer;
use super::{Partition, Verdict};

/// Disjuncts and characters beyond which nobody reads.
const MOST_DISJUNCTS: usize = 6;
const MOST_CHARACTERS: usize = 300;
/// Partitions, and conditions of all of them, beyond which no short predicate is to be expected.
const MOST_PARTITIONS: usize = 400;
const MOST_CONDITIONS: usize = 20_000;

/// When versions differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffersWhen {
    /// For people: infix, in the names of the input; `true` if on every input.
    pub condition: String,
    /// The same as a question in SMT-LIB.
    pub smtlib: String,
    /// The same in the terms of the exploration.
    pub predicate: TermId,
    /// Whether they differ on no other input.
    pub is_exact: bool,
}

impl Explorer<'_> {
    /// When versions differ, if that can be said in few words. The solver is asked at most so
    /// often.
    pub fn differs_when(&mut self, most_questions: usize) -> Option<DiffersWhen> {
        let found = self.found();
        let is_different = |partition: &&Partition| partition.verdict == Verdict::Different;
        let different: Vec<Partition> = found.list.iter().filter(is_different).cloned().collect();
        let conditions: usize = different.iter().map(|partition| partition.conditions.len()).sum();
        let is_little = different.len() <= MOST_PARTITIONS && conditions <= MOST_CONDITIONS;
        if different.is_empty() || !is_little || self.question().exhausted().is_some() {
            return None;
        }
        let unknown = |partition: &Partition| matches!(partition.verdict, Verdict::Unknown(_));
        let is_exact = self.is_complete() && !found.pinned && !found.list.iter().any(unknown);
        let mut cover = Cover::new(self, &different, most_questions);
        let cubes = merged(&mut cover, different.len())?;
        let predicate = cover.predicate(&cubes);
        let condition = text(self.terms(), cubes)?;
        let smtlib = smtlib::print_question(self.terms(), &[predicate]);
        Some(DiffersWhen { condition, smtlib, predicate, is_exact })
    }
}

/// Few conditions that together are those of all different partitions.
fn merged(cover: &mut Cover<'_, '_>, partitions: usize) -> Option<Vec<Cube>> {
    let mut cubes: Vec<Cube> = Vec::new();
    for number in 0..partitions {
        if cover.is_spent() || cubes.len() > 4 * MOST_DISJUNCTS {
            return None;
        }
        if !cover.includes(&cubes, number) {
            let cube = cover.cube(number);
            let cube = cover.generalise(cube);
            // It will hardly become shorter.
            if !is_readable(&people::conjunction(cover.terms(), &cube.conditions)) {
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

/// The disjunction for people, unless it is too long. What all disjuncts have in common stands
/// in front of them.
fn text(terms: &Terms, cubes: Vec<Cube>) -> Option<String> {
    let (first, others) = cubes.split_first()?;
    let is_common = |term: &&TermId| others.iter().all(|cube| cube.conditions.contains(term));
    let common: Vec<TermId> = first.conditions.iter().filter(is_common).copied().collect();
    let rest = |cube: &Cube| -> Vec<TermId> {
        cube.conditions.iter().filter(|term| !common.contains(term)).copied().collect()
    };
    let of = |conditions: &[TermId]| (conditions.len(), people::conjunction(terms, conditions));
    let mut parts: Vec<(usize, String)> = cubes.iter().map(|cube| of(&rest(cube))).collect();
    parts.sort();
    let is_alone = others.is_empty();
    let parts = parts.into_iter().map(|(_, text)| match text.contains(" ∧ ") && !is_alone {
        true => format!("({text})"),
        false => text,
    });
    let any = parts.collect::<Vec<String>>().join(" ∨ ");
    let text = match (common.is_empty(), is_alone) {
        (true, _) => any,
        (false, true) => of(&common).1,
        (false, false) => format!("{} ∧ ({any})", of(&common).1),
    };
    is_readable(&text).then_some(text)
}

/// Whether a text is short enough, and all of it is there: what is cut off is not what was
/// verified.
fn is_readable(text: &str) -> bool {
    text.chars().count() <= MOST_CHARACTERS && !text.contains('…')
}
