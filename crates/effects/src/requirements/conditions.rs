//! Phase 2 of the requirements: the conditions on the state at the entry of a change under which the
//! end of a chain shows its effect.
//!
//! Santelices et al. (2008), §3.2.2. Condition 1: the other version comes to the end of the chain as
//! well, and a live variable differs there. Condition 2: it does not come there. If a path comes to a
//! statement several times, the n-th time is compared with the n-th time of the other version.
//!
//! Inputs on which a version does something undefined before are left out. What was not followed is
//! kept apart: a condition is refuted only if no part of it could hold there either.

use std::collections::BTreeSet;
use std::rc::Rc;

use explore::partial::{Open, PartialPath};
use ir::StatementId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::people::Glossary;
use smt::{Answer, Budget, Chain, Solver, TermId, Terms};

use super::Gap;
use super::states::{Contrast, State};
use super::walks::{Visit, Walk, Walked};

/// The most pairs of states to compare for a chain.
const MOST_PAIRS: usize = 4_000;
/// The most ways to tell in words.
const MOST_TOLD: usize = 4;
/// The most pairs of paths to look at for that.
const MOST_LOOKED: usize = 4_000;
/// The most parts of a way that are asked to be superfluous.
const MOST_SHORTENED: usize = 16;

/// Whether a condition can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    Satisfiable,
    /// It cannot, for no input.
    Unsatisfiable,
    Incomplete,
}

/// One of the two conditions of a chain from one start.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    /// When it certainly holds.
    pub holds: TermId,
    pub verdict: Verdict,
    pub gaps: BTreeSet<Gap>,
    /// In words, if it can hold: ways of which one must.
    pub text: Vec<String>,
}

/// What a chain requires of the state, from one start.
#[derive(Clone, Debug)]
pub(super) struct Required {
    pub values: Asked,
    pub path: Asked,
    /// When it is not known whether they hold.
    pub unknown: TermId,
}

/// Asks about the chains of one start.
pub(super) struct Asking<'w, 'p> {
    pub walk: &'w Walk<'p>,
    pub glossary: &'w Glossary,
    pub conflicts: u32,
    pub is_over: &'w dyn Fn() -> bool,
    pub terms: &'w mut Terms,
    pub solver: &'w mut Chain,
    answers: FxHashMap<TermId, Option<bool>>,
    /// What is undefined in neither version.
    sound: TermId,
}

/// The visits of a chain's end, in both versions.
struct Sides<'a> {
    here: Vec<&'a Visit>,
    there: Vec<&'a Visit>,
}

/// Visits in the same round with the same state, and when they are made.
struct Group<'a> {
    round: usize,
    state: &'a Rc<State>,
    when: TermId,
    is_partial: bool,
}

/// Where an end can be reached from.
pub(super) type Reaching<'a> = &'a dyn Fn(&Open) -> bool;

impl<'w, 'p> Asking<'w, 'p> {
    pub fn new(
        walk: &'w Walk<'p>,
        glossary: &'w Glossary,
        (terms, solver): (&'w mut Terms, &'w mut Chain),
        conflicts: u32,
        is_over: &'w dyn Fn() -> bool,
    ) -> Asking<'w, 'p> {
        let mut unsound = Vec::new();
        for path in walk.there.iter().flat_map(|there| &there.paths.paths) {
            let decides = all_of(terms, path.conditions.iter().map(|one| one.1));
            let undefined = terms.any(&path.undefined);
            unsound.push(terms.and(decides, undefined));
        }
        let unsound = terms.any(&unsound);
        let sound = terms.not(unsound);
        let answers = FxHashMap::default();
        Asking { walk, glossary, conflicts, is_over, terms, solver, answers, sound }
    }

    /// What a chain requires: by which visits it is taken, its end in both versions, and from where
    /// these can be reached.
    pub fn ask(
        &mut self,
        taken: Option<&BTreeSet<(usize, usize)>>,
        [end, end_there]: [Option<StatementId>; 2],
        [reaching, reaching_there]: [Reaching<'_>; 2],
    ) -> Required {
        let walk = self.walk;
        let is_taken =
            |visit: &&Visit| taken.is_some_and(|taken| taken.contains(&(visit.path, visit.round)));
        let here = end.and_then(|end| walk.here.visits.get(&end)).into_iter().flatten();
        let beside = walk.there.as_ref().zip(end_there);
        let there = beside.and_then(|(there, end)| there.visits.get(&end)).into_iter().flatten();
        let sides = Sides { here: here.filter(is_taken).collect(), there: there.collect() };
        let mut gaps = walk.here.gaps.clone();
        let open = self.open(&walk.here, reaching, &mut gaps);
        let mut missed = BTreeSet::new();
        let unsure = match (walk.there.as_ref(), end_there) {
            (Some(there), Some(_)) => self.open(there, reaching_there, &mut missed),
            // The other version has no such place, so it does not come there.
            (_, None) => Terms::FALSE,
            (None, Some(_)) => {
                missed.insert(Gap::NoPlace);
                Terms::TRUE
            }
        };
        let here = self.groups(&walk.here, &sides.here);
        let there = walk.there.as_ref().map(|there| self.groups(there, &sides.there));
        let there = there.unwrap_or_default();
        let values = self.values(&sides, (&here, &there), &gaps, (unsure, &missed));
        let path = self.path(&sides, &here, &gaps, (unsure, &missed));
        let unknown = self.terms.or(open, unsure);
        Required { values, path, unknown }
    }

    /// When paths are left that were not followed and may come to an end.
    fn open(
        &mut self,
        walked: &Walked,
        reaching: Reaching<'_>,
        gaps: &mut BTreeSet<Gap>,
    ) -> TermId {
        let mut all = Vec::new();
        for open in walked.paths.open.iter().filter(|open| reaching(open)) {
            gaps.insert(Gap::Path(open.why.clone()));
            all.push(self.terms.all(&open.conditions));
        }
        self.terms.any(&all)
    }

    fn groups<'a>(&mut self, walked: &Walked, visits: &[&'a Visit]) -> Vec<Group<'a>> {
        let mut places: FxHashMap<(usize, &Rc<State>), usize> = FxHashMap::default();
        let mut groups: Vec<(Group<'a>, Vec<TermId>)> = Vec::new();
        for &visit in visits {
            let when = full(self.terms, &walked.paths.paths[visit.path], visit);
            let key = (visit.round, &visit.state);
            let place = *places.entry(key).or_insert(groups.len());
            if place == groups.len() {
                let (round, state, is_partial) = (visit.round, &visit.state, false);
                groups.push((Group { round, state, when, is_partial }, Vec::new()));
            }
            groups[place].0.is_partial |= visit.is_partial;
            groups[place].1.push(when);
        }
        let mut joined =
            |(group, all): (Group<'a>, Vec<TermId>)| Group { when: self.terms.any(&all), ..group };
        groups.into_iter().map(&mut joined).collect()
    }

    /// Condition 1.
    fn values(
        &mut self,
        sides: &Sides<'_>,
        (here, there): (&[Group<'_>], &[Group<'_>]),
        gaps: &BTreeSet<Gap>,
        (unsure, missed): (TermId, &BTreeSet<Gap>),
    ) -> Asked {
        let mut gaps = gaps.clone();
        let (mut parts, mut count) = (Vec::new(), 0);
        for one in here {
            for other in there.iter().filter(|other| other.round == one.round) {
                count += 1;
                if count > MOST_PAIRS {
                    gaps.insert(Gap::Pairs);
                    break;
                }
                let both = self.terms.and(one.when, other.when);
                if (one.is_partial || other.is_partial) && self.can_hold(both) != Some(false) {
                    gaps.insert(Gap::Objects);
                }
                if one.state == other.state {
                    continue;
                }
                match one.state.contrast(other.state, self.terms) {
                    Contrast::When(when) => {
                        let differs = self.terms.any(&when);
                        parts.push(self.terms.and(both, differs));
                    }
                    Contrast::Always => parts.push(both),
                    Contrast::Unknown(name) => {
                        if self.can_hold(both) != Some(false) {
                            gaps.insert(Gap::Variable(name));
                        }
                    }
                }
            }
        }
        let holds = self.terms.any(&parts);
        self.add_missed(here, (unsure, missed), None, &mut gaps);
        let mut asked = self.judge(holds, gaps);
        if asked.verdict == Verdict::Satisfiable {
            asked.text = self.tell_values(sides);
        }
        asked
    }

    /// Condition 2.
    fn path(
        &mut self,
        sides: &Sides<'_>,
        here: &[Group<'_>],
        gaps: &BTreeSet<Gap>,
        (unsure, missed): (TermId, &BTreeSet<Gap>),
    ) -> Asked {
        let mut gaps = gaps.clone();
        let rounds: BTreeSet<usize> = here.iter().map(|group| group.round).collect();
        let mut parts = Vec::new();
        for round in rounds {
            let arriving = here.iter().filter(|group| group.round == round);
            let arriving: Vec<TermId> = arriving.map(|group| group.when).collect();
            let arrives = self.terms.any(&arriving);
            // What is undefined there is left out already.
            let decided: Vec<TermId> = sides
                .there
                .iter()
                .filter(|visit| visit.round == round)
                .map(|visit| decides(self.terms, self.walk.there.as_ref(), visit))
                .collect();
            let reached = self.terms.any(&decided);
            let misses = self.terms.not(reached);
            let part = self.terms.and(arrives, misses);
            parts.push(part);
        }
        let either = self.terms.any(&parts);
        self.add_missed(here, (unsure, missed), Some(either), &mut gaps);
        let sure = self.terms.not(unsure);
        let holds = self.terms.and(either, sure);
        let mut asked = self.judge(holds, gaps);
        if asked.verdict == Verdict::Satisfiable {
            asked.text = self.tell_path(sides);
        }
        asked
    }

    /// Adds what was not followed in the other version, if it can matter.
    fn add_missed(
        &mut self,
        here: &[Group<'_>],
        (unsure, missed): (TermId, &BTreeSet<Gap>),
        otherwise: Option<TermId>,
        gaps: &mut BTreeSet<Gap>,
    ) {
        if missed.is_empty() {
            return;
        }
        let all: Vec<TermId> = here.iter().map(|group| group.when).collect();
        let arrives = otherwise.unwrap_or_else(|| self.terms.any(&all));
        let both = self.terms.and(arrives, unsure);
        if self.can_hold(both) != Some(false) {
            gaps.extend(missed.iter().cloned());
        }
    }

    fn judge(&mut self, holds: TermId, mut gaps: BTreeSet<Gap>) -> Asked {
        let verdict = match self.can_hold(holds) {
            Some(true) => Verdict::Satisfiable,
            Some(false) if gaps.is_empty() => Verdict::Unsatisfiable,
            Some(false) => Verdict::Incomplete,
            None => {
                gaps.insert(Gap::Solver);
                Verdict::Incomplete
            }
        };
        Asked { holds, verdict, gaps, text: Vec::new() }
    }

    /// Whether a condition can hold where nothing is undefined; `None` if the solver does not know.
    fn can_hold(&mut self, condition: TermId) -> Option<bool> {
        if condition == Terms::FALSE {
            return Some(false);
        }
        if let Some(known) = self.answers.get(&condition) {
            return *known;
        }
        if (self.is_over)() {
            return None;
        }
        let budget = Budget { conflicts: Some(self.conflicts), ..Budget::default() };
        let answer = match self.solver.check(self.terms, &[condition, self.sound], &budget) {
            Answer::Sat(_) => Some(true),
            Answer::Unsat(_) => Some(false),
            Answer::Unknown(_) => None,
        };
        self.answers.insert(condition, answer);
        answer
    }

    /// The ways in which Condition 1 holds, in words.
    fn tell_values(&mut self, sides: &Sides<'_>) -> Vec<String> {
        let mut told = Told::default();
        for (looked, (one, other)) in pairs(sides).enumerate() {
            if looked >= MOST_LOOKED || told.is_full() {
                break;
            }
            let differs = match one.state.contrast(&other.state, self.terms) {
                Contrast::When(when) if when.is_empty() => continue,
                Contrast::When(when) => self.terms.any(&when),
                Contrast::Always => Terms::TRUE,
                Contrast::Unknown(_) => continue,
            };
            let mut parts = conditions(&self.walk.here, one);
            let there = self.walk.there.as_ref().map(|there| conditions(there, other));
            parts.extend(there.into_iter().flatten());
            let both = self.terms.all(&parts);
            if self.can_hold(both) != Some(true) {
                continue;
            }
            parts.push(differs);
            self.tell(parts, &mut told);
        }
        told.texts()
    }

    /// The ways in which Condition 2 holds, in words.
    fn tell_path(&mut self, sides: &Sides<'_>) -> Vec<String> {
        let mut told = Told::default();
        let mut looked = 0;
        for one in &sides.here {
            let mut parts = conditions(&self.walk.here, one);
            let arrives = self.terms.all(&parts);
            for other in sides.there.iter().filter(|other| other.round == one.round) {
                looked += 1;
                if looked > MOST_LOOKED || told.is_full() {
                    return told.texts();
                }
                let Some(walked) = self.walk.there.as_ref() else { continue };
                let mut theirs = conditions(walked, other);
                theirs.retain(|&part| {
                    let fails = self.terms.not(part);
                    let otherwise = self.terms.and(arrives, fails);
                    self.can_hold(otherwise) != Some(false)
                });
                let meets = self.terms.all(&theirs);
                let both = self.terms.and(arrives, meets);
                if self.can_hold(both) != Some(false) {
                    let misses = self.terms.not(meets);
                    parts.push(misses);
                }
            }
            self.tell(parts, &mut told);
        }
        told.texts()
    }

    /// Adds a way, without the parts that follow from others.
    fn tell(&mut self, mut parts: Vec<TermId>, told: &mut Told) {
        let mut known = FxHashSet::default();
        parts.retain(|part| *part != Terms::TRUE && known.insert(*part));
        let all = self.terms.all(&parts);
        if self.can_hold(all) != Some(true) {
            return;
        }
        let mut place = 0;
        for _ in 0..parts.len().min(MOST_SHORTENED) {
            let mut rest = parts.clone();
            let part = rest.remove(place);
            let other = self.terms.not(part);
            rest.push(other);
            let without = self.terms.all(&rest);
            if parts.len() > 1 && self.can_hold(without) == Some(false) {
                parts.remove(place);
            } else {
                place += 1;
            }
        }
        told.add(self.glossary.conjunction(self.terms, &parts));
    }
}

/// Ways in words.
#[derive(Default)]
struct Told {
    texts: Vec<String>,
    has_more: bool,
}

impl Told {
    fn is_full(&self) -> bool {
        self.has_more
    }

    fn add(&mut self, text: String) {
        if self.texts.contains(&text) {
            return;
        }
        if self.texts.len() < MOST_TOLD {
            self.texts.push(text);
        } else {
            self.has_more = true;
        }
    }

    fn texts(mut self) -> Vec<String> {
        if self.has_more {
            self.texts.push("…".to_owned());
        }
        self.texts
    }
}

fn pairs<'s>(sides: &'s Sides<'_>) -> impl Iterator<Item = (&'s Visit, &'s Visit)> {
    sides.here.iter().flat_map(|one| {
        let others = sides.there.iter().filter(|other| other.round == one.round);
        others.map(|other| (*one, *other))
    })
}

fn all_of(terms: &mut Terms, conditions: impl Iterator<Item = TermId>) -> TermId {
    let all: Vec<TermId> = conditions.collect();
    terms.all(&all)
}

/// What decides that a path comes to a visit.
fn conditions(walked: &Walked, visit: &Visit) -> Vec<TermId> {
    let path = &walked.paths.paths[visit.path];
    path.leading_to(&path.arrivals[visit.arrival]).0
}

fn decides(terms: &mut Terms, walked: Option<&Walked>, visit: &Visit) -> TermId {
    let all = walked.map_or(Vec::new(), |walked| conditions(walked, visit));
    terms.all(&all)
}

/// When a path comes to a visit, and nothing before is undefined.
fn full(terms: &mut Terms, path: &PartialPath, visit: &Visit) -> TermId {
    let arrival = &path.arrivals[visit.arrival];
    let (decides, assumed) = path.leading_to(arrival);
    let undefined = terms.any(path.undefined_before(arrival));
    let defined = terms.not(undefined);
    all_of(terms, decides.into_iter().chain(assumed).chain([defined]))
}
