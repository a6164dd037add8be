//! Checks conditions against the different partitions, by known inputs first and then by the
//! solver.

use smt::people::Glossary;
use smt::{Answer, Budget, TermId, Terms};

use super::super::explorer::Explorer;
use super::cubes::{Cells, Cube};
use super::is_readable;
use super::points::Points;
use crate::proved::{Partition, Verdict, Why};

/// Conflicts of the SAT solver on one question.
const CONFLICTS: u32 = 2000;
/// Propagations of the SAT solver on all queries together; a second or two.
const MOST_EFFORT: u64 = 10_000_000;
/// The most characters that people read at a glance.
const BRIEF: usize = 100;
/// The most inputs of the sample to try before a query.
const MOST_POINTS: usize = 256;

/// The different partitions, and queries about them.
pub(super) struct Cover<'e, 'p> {
    explorer: &'e mut Explorer<'p>,
    cells: Cells<'p>,
    /// What holds for every input.
    domain: Vec<TermId>,
    partitions: &'e [Partition],
    /// That an input is not in a partition.
    outside: Vec<TermId>,
    points: Points,
    /// Remaining queries.
    left: usize,
    /// The solver's effort before.
    effort: u64,
}

impl<'e, 'p> Cover<'e, 'p> {
    pub fn new(
        explorer: &'e mut Explorer<'p>,
        partitions: &'e [Partition],
        questions: usize,
    ) -> Cover<'e, 'p> {
        let cells = Cells { layout: explorer.layout(), terms: explorer.inputs().cells.clone() };
        let domain = explorer.inputs().domain.clone();
        let terms = explorer.terms_mut();
        let outside =
            partitions.iter().map(|partition| negation(terms, &partition.conditions)).collect();
        let (points, left, effort) = (Points::default(), questions, explorer.sat_effort());
        let mut cover =
            Cover { explorer, cells, domain, partitions, outside, points, left, effort };
        cover.find_points();
        cover
    }

    pub fn words(&self) -> &Glossary {
        self.explorer.words()
    }

    /// A cube for people.
    pub fn text(&self, cube: &Cube) -> String {
        self.words().conjunction(self.terms(), &cube.conditions)
    }

    pub fn terms(&self) -> &Terms {
        self.explorer.terms()
    }

    /// Whether no query is left.
    pub fn is_spent(&self) -> bool {
        self.left == 0
            || self.explorer.sat_effort() - self.effort > MOST_EFFORT
            || self.explorer.question().exhausted().is_some()
    }

    /// The conditions of a partition.
    pub fn cube(&mut self, number: usize) -> Cube {
        let conditions = &self.partitions[number].conditions;
        Cube::new(self.explorer.terms_mut(), &self.cells, conditions)
    }

    /// Weakens one part after the other, as long as only inputs of the partitions satisfy it.
    pub fn generalise(&mut self, mut cube: Cube) -> Cube {
        for literal in cube.parts(self.explorer.terms()) {
            let weaker = cube.weaker(self.explorer.terms_mut(), &self.cells, literal);
            if let Some(weaker) = weaker.into_iter().find(|cube| self.is_within(cube)) {
                cube = weaker;
            }
        }
        cube
    }

    /// Joins adjacent cubes.
    pub fn join(&mut self, cubes: &mut Vec<Cube>) {
        let mut first = 0;
        while first < cubes.len() {
            let joined = (first + 1..cubes.len()).find_map(|second| {
                let terms = self.explorer.terms_mut();
                let joined = cubes[first].join(&cubes[second], terms, &self.cells);
                self.is_within(&joined).then_some((second, joined))
            });
            match joined {
                Some((second, joined)) => {
                    cubes.remove(second);
                    cubes[first] = joined;
                    // Others may be adjacent to it.
                    first = 0;
                }
                None => first += 1,
            }
        }
    }

    /// Omits cubes that the others cover, the longest first.
    pub fn leave_out_superfluous(&mut self, cubes: &mut Vec<Cube>) {
        cubes.sort_by_key(Cube::literals);
        for number in (0..cubes.len()).rev() {
            let mut question = cubes[number].conditions.clone();
            let others = cubes.iter().enumerate().filter(|(other, _)| *other != number);
            let terms = self.explorer.terms_mut();
            question.extend(others.map(|(_, other)| negation(terms, &other.conditions)));
            if cubes.len() > 1 && self.is_impossible(question) {
                cubes.remove(number);
            }
        }
    }

    /// The conditions common to all different partitions, in few words. If they are too long, first
    /// omits those that other partitions that execute the change share, and then those about
    /// several cells at once. `None` if nothing is left.
    pub fn common(&mut self) -> Option<Cube> {
        let different: Vec<Vec<TermId>> =
            self.partitions.iter().map(|partition| partition.conditions.clone()).collect();
        let list = self.explorer.found().list.iter();
        let reaching = list.filter(|one| one.verdict != Verdict::Equal(Why::NotReached));
        let reaching: Vec<Vec<TermId>> = reaching.map(|one| one.conditions.clone()).collect();
        let all = self.joined(&different)?;
        let reached = self.joined(&reaching)?;
        let terms = self.explorer.terms_mut();
        let own = all.without(&reached, terms, &self.cells);
        let plain = own.ranges_only(terms, &self.cells);
        let length = |cube: &Cube| {
            let text = self.text(cube);
            let is_told = cube.literals() > 0 && is_readable(&text);
            is_told.then(|| text.chars().count())
        };
        let is_brief = length(&all).is_some_and(|length| length <= BRIEF);
        let told = if is_brief { vec![all] } else { vec![own, plain, all] };
        let common = told.into_iter().find(|cube| length(cube).is_some())?;
        let holds = |number: usize| self.includes(std::slice::from_ref(&common), number);
        (0..different.len()).all(holds).then_some(common)
    }

    /// The common part of conjunctions.
    fn joined(&mut self, conjunctions: &[Vec<TermId>]) -> Option<Cube> {
        let terms = self.explorer.terms_mut();
        let cubes = conjunctions.iter().map(|one| Cube::new(terms, &self.cells, one));
        let cubes: Vec<Cube> = cubes.collect();
        let (first, others) = cubes.split_first()?;
        let join = |all: Cube, one: &Cube| all.join(one, terms, &self.cells);
        Some(others.iter().fold(first.clone(), join))
    }

    /// Whether all inputs of a partition satisfy one of the cubes.
    pub fn includes(&mut self, cubes: &[Cube], number: usize) -> bool {
        let partition = &self.partitions[number];
        let mut touches = |cube: &Cube| self.explorer.satisfies(&partition.input, &cube.conditions);
        if !cubes.iter().any(&mut touches) {
            return false;
        }
        let terms = self.explorer.terms_mut();
        let outside = cubes.iter().map(|cube| negation(terms, &cube.conditions));
        let question = partition.conditions.iter().copied().chain(outside).collect();
        self.is_impossible(question)
    }

    /// Whether partitions and cubes are shown to be the same inputs, none of which is in an equal
    /// partition.
    pub fn is_verified(&mut self, cubes: &[Cube]) -> bool {
        let all_included = (0..self.partitions.len()).all(|number| self.includes(cubes, number));
        let is_sound = all_included && cubes.iter().all(|cube| self.is_within(cube));
        let predicate = self.predicate(cubes);
        let list = &self.explorer.found().list;
        let is_equal = |partition: &&Partition| matches!(partition.verdict, Verdict::Equal(_));
        let equal: Vec<Vec<TermId>> =
            list.iter().filter(is_equal).map(|partition| partition.conditions.clone()).collect();
        is_sound
            && equal.into_iter().all(|mut conditions| {
                conditions.push(predicate);
                self.is_impossible(conditions)
            })
    }

    /// The disjunction.
    pub fn predicate(&mut self, cubes: &[Cube]) -> TermId {
        let terms = self.explorer.terms_mut();
        cubes.iter().fold(Terms::FALSE, |any, cube| {
            let outside = negation(terms, &cube.conditions);
            let inside = terms.not(outside);
            terms.or(any, inside)
        })
    }

    /// Whether only inputs of the partitions satisfy a cube.
    fn is_within(&mut self, cube: &Cube) -> bool {
        if self.is_spent() || self.points.any(self.explorer.terms(), &cube.conditions) {
            return false;
        }
        let mut question = cube.conditions.clone();
        question.extend(&self.outside);
        self.is_impossible(question)
    }

    /// Whether the solver shows that no input satisfies all conditions.
    fn is_impossible(&mut self, conditions: Vec<TermId>) -> bool {
        if self.is_spent() {
            return false;
        }
        self.left -= 1;
        let all: Vec<TermId> = self.domain.iter().copied().chain(conditions).collect();
        let budget = Budget { conflicts: Some(CONFLICTS), ..self.explorer.question().clone() };
        match self.explorer.solve(&all, &budget) {
            Answer::Unsat(_) => true,
            Answer::Unknown(_) => false,
            Answer::Sat(model) => {
                let input = self.explorer.inputs().assignment(self.explorer.terms(), &model);
                self.note(&input);
                false
            }
        }
    }

    /// Known inputs that are in none of the partitions.
    fn find_points(&mut self) {
        let is_other = |partition: &&Partition| partition.verdict != Verdict::Different;
        let others = self.explorer.found().list.iter().filter(is_other);
        let mut inputs: Vec<Box<[u64]>> =
            others.take(MOST_POINTS).map(|partition| partition.input.clone()).collect();
        inputs.extend(self.explorer.sampled(MOST_POINTS));
        inputs.iter().for_each(|input| self.note(input));
    }

    /// Keeps an input that is in none of the partitions.
    fn note(&mut self, input: &[u64]) {
        if self.explorer.satisfies(input, &self.outside) {
            let model = self.explorer.inputs().model(self.explorer.terms(), input);
            self.points.push(model);
        }
    }
}

/// That not all conditions hold.
fn negation(terms: &mut Terms, conditions: &[TermId]) -> TermId {
    let all = conditions.iter().fold(Terms::TRUE, |all, &condition| terms.and(all, condition));
    terms.not(all)
}
