//! How the parts of a change act together: which sequences of parts inputs exercise, where parts may
//! interact, and which smallest sets of parts each difference needs.
//!
//! A driver on top of `compare`, which finds and replays the differences. Then configurations, OLD
//! with some parts applied, are built and run natively on the input of each difference. So a verdict
//! about parts is one about these inputs: another input may need other parts.

mod errors;
mod lattice;
mod order;
mod parts;
mod sequences;
mod verdict;

use std::collections::BTreeSet;

use base::Version;
use explore::pair::Arena;
use explore::{Progress, Stopwatch};
use inputs::Test;
use source::Configurations;

use crate::compare::{self, Compared, Hidden, NAME, Requests, Witness, compare_saving, native_on};
use crate::error::Error;
use crate::pairing::{Pairing, Ready, Targets};
use crate::trial::{Allowance, Native, Patience, Phase, Runner, Saving};
use crate::versions::{HunkMeaning, Versions};

pub use errors::ErrorOf;
pub use lattice::Shown;
pub use parts::Part;
pub use sequences::{Exercised, Location, Sequences};
pub use verdict::{Analysis, Kind, Minimal};

use errors::Followed;
use lattice::{Lattice, Sought};
use order::{Orders, by_first_pass};
use parts::Parts;

/// The most configurations to build of hunks to find out what they do.
const MOST_HUNK_BUILDS: usize = 64;
/// The least time for configurations, as a share of the budget.
const SHARE: u32 = 2;
/// The most inputs to follow.
const MOST_FOLLOWED: usize = 4_096;

/// A request: a comparison, and how far to look into its configurations.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub compare: compare::Request<'a>,
    /// The most configurations to build.
    pub most_builds: usize,
}

/// The difference that an analysis is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Index of a witness of the comparison.
    Witness(usize),
    /// Index of a part that makes a difference alone, which NEW hides.
    Hidden(usize),
}

/// A difference, and what it needs.
#[derive(Clone, Debug)]
pub struct Difference {
    pub of: Of,
    /// The parts that its input passes, in order, by their indices.
    pub order: Vec<usize>,
    pub analysis: Analysis,
    /// If NEW is not correct there.
    pub error: Option<ErrorOf>,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Interacted {
    pub compared: Compared,
    pub parts: Vec<Part>,
    /// Hunks that do nothing here, and are no parts.
    pub apart: Vec<HunkMeaning>,
    pub sequences: Sequences,
    pub differences: Vec<Difference>,
    /// Configurations that were built, of how many that there are (if they can be counted), and
    /// those that do not build.
    pub built: usize,
    pub broken: Vec<Vec<usize>>,
    /// Whether a bound or the budget ended the search among configurations.
    pub is_cut: bool,
}

/// Finds differences between two versions, and tells which parts of the change they need.
pub fn interact(
    request: &Request<'_>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Interacted, Error> {
    let spent = Allowance::start(&request.compare.options.budget);
    let compared = compare_parts(request, progress, tell)?;
    tell(Phase::Explaining);
    let sources = compare::sources(&request.compare);
    let requests = Requests::new(&request.compare, &sources);
    let versions = requests.pairing.load()?;
    let watch = Stopwatch::start();
    // Configurations get at least as much time as the search was meant to have.
    let least = request.compare.options.budget.time.map(|time| time / SHARE);
    let is_over = || {
        let time = spent.left().zip(least);
        let is_spent = time.is_some_and(|(left, least)| left.is_zero() && watch.elapsed() >= least);
        progress.is_stopped() || !request.compare.options.deterministic && is_spent
    };
    let loader = &request.compare.scope.loader;
    let meanings = versions.hunks(loader, MOST_HUNK_BUILDS, &is_over)?;
    let parts = Parts::new(&versions, meanings);
    let found = Found { request, requests: &requests, versions: &versions, parts: &parts };
    let (sequences, differences, lattice) = found.analyse(&compared, progress, tell, &is_over)?;
    let Parts { all, apart, .. } = parts;
    Ok(Interacted {
        compared,
        parts: all,
        apart,
        sequences,
        built: lattice.built,
        broken: lattice.broken,
        is_cut: lattice.is_cut,
        differences,
    })
}

/// The comparison, with part of the budget.
fn compare_parts(
    request: &Request<'_>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Compared, Error> {
    let mut options = request.compare.options.clone();
    options.budget.time = options.budget.time.map(|time| time / SHARE);
    let compare = compare::Request { options, ..request.compare.clone() };
    compare_saving(&compare, Saving::default(), progress, tell)
}

/// What was done in configurations.
#[derive(Default)]
struct Done {
    built: usize,
    broken: Vec<Vec<usize>>,
    is_cut: bool,
}

/// The versions of a request, and their parts.
struct Found<'a> {
    request: &'a Request<'a>,
    requests: &'a Requests<'a>,
    versions: &'a Versions,
    parts: &'a Parts,
}

impl Found<'_> {
    fn analyse(
        &self,
        compared: &Compared,
        progress: &Progress,
        tell: &(dyn Fn(Phase) + Sync),
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Sequences, Vec<Difference>, Done), Error> {
        let (graph, _) = self.versions.sequence_graph();
        let mut sequences = Sequences::new(self.versions, self.parts, &graph);
        if self.versions.alignment.is_empty() {
            return Ok((sequences, Vec::new(), Done::default()));
        }
        let options = &self.request.compare.options;
        let matching = self.versions.matching();
        let pairing: &Pairing<'_> = &self.requests.pairing;
        let targets = Targets::of(pairing);
        let ready = Ready::load(&targets, self.versions, &matching)?;
        let pair = ready.pair(&matching);
        let orders = Orders::new(&ready.new, pair, &self.parts.passed, NAME, options.limits)?;
        let budget = explore::Budget::default();
        let mut arena =
            Arena::new(pair, options.observe.clone(), options.limits, NAME, budget, progress);
        tell(Phase::Searching("sequences"));
        let followed = follow(&orders, &mut arena, compared, is_over);
        sequences.followed = (followed.len(), known_inputs(compared).len());
        sequences.exercise(
            followed
                .iter()
                .map(|one| {
                    let input = pair.layout().decode(&one.assignment);
                    let test = Test { input, ..Test::default() };
                    (by_first_pass(&one.order), test, one.differs.is_some())
                })
                .collect(),
        );
        let correct = ready.golden.as_ref().map(|golden| {
            let how = (NAME, options.limits);
            errors::correct(golden, &pair, &options.observe, how, &followed, is_over)
        });
        let runners = [Runner::new(&ready.old), Runner::new(&ready.new)];
        tell(Phase::Searching("configurations"));
        let (mut differences, done) = self.differences(compared, &runners, is_over)?;
        for difference in &mut differences {
            let assignment = match difference.of {
                Of::Witness(index) => Some(compared.witnesses[index].assignment.clone()),
                Of::Hidden(part) => hidden_of(compared, self.parts, part)
                    .and_then(|hidden| pair.layout().encode(&hidden.test.input).ok())
                    .map(Vec::into_boxed_slice),
            };
            difference.order = assignment.map(|one| orders.of(&one)).unwrap_or_default();
            let witness = match difference.of {
                Of::Witness(index) => &compared.witnesses[index],
                Of::Hidden(_) => continue,
            };
            let is_error = witness
                .golden
                .as_ref()
                .is_some_and(|(_, judgement)| *judgement != compare::Judgement::Progression);
            if let (Some(correct), true) = (&correct, is_error) {
                difference.error = errors::error(&followed, correct, witness.observable);
            }
        }
        Ok((sequences, differences, done))
    }

    /// What each difference needs.
    fn differences(
        &self,
        compared: &Compared,
        runners: &[Runner<'_>; 2],
        is_over: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Vec<Difference>, Done), Error> {
        let hunks: Vec<_> = self.parts.all.iter().map(|part| part.hunk.id).collect();
        let hidden = self.hidden(compared, runners)?;
        let mut of = Vec::new();
        let mut sought = Vec::new();
        for (index, witness) in compared.witnesses.iter().enumerate() {
            let natives = [
                runners[0].run(&witness.native_tests[0], Patience::Usual)?,
                runners[1].run(&witness.native_tests[1], Patience::Usual)?,
            ];
            of.push((Of::Witness(index), None));
            let tests = [&witness.test, &witness.native_tests[1]];
            sought.push(Sought { tests, natives, witness: Some(witness) });
        }
        for one in &hidden {
            of.push((Of::Hidden(one.part), Some(one.part)));
            let tests = [one.test, &one.native_test];
            sought.push(Sought { tests, natives: one.natives.clone(), witness: None });
        }
        if sought.is_empty() {
            return Ok((Vec::new(), Done::default()));
        }
        let observe = &self.request.compare.options.observe;
        let most = self.request.most_builds;
        let mut lattice =
            Lattice::new(self.requests, &runners[1], observe, sought, hunks, most, is_over)?;
        lattice.is_thorough = self.request.compare.options.thorough;
        let complete = lattice.search()?;
        let mut differences = Vec::new();
        for (index, (of, hidden)) in of.into_iter().enumerate() {
            let analysis = verdict::analyse(&mut lattice, index, complete[index], hidden)?;
            differences.push(Difference { of, order: Vec::new(), analysis, error: None });
        }
        let is_cut = complete.iter().any(|&size| size < lattice.parts());
        Ok((differences, Done { built: lattice.built, broken: lattice.broken(), is_cut }))
    }

    /// The parts that make a difference alone, which NEW hides.
    fn hidden<'h>(
        &self,
        compared: &'h Compared,
        runners: &[Runner<'_>; 2],
    ) -> Result<Vec<HiddenPart<'h>>, Error> {
        let request = &self.request.compare;
        let loader = &request.scope.loader;
        let mut found = Vec::new();
        let mut configurations = None;
        for hidden in &compared.hidden {
            let part = self.parts.all.iter().position(|part| part.hunk.id == hidden.hunk);
            let native_test = |version: Version| {
                let subject = runners[version].subject;
                let assignment = subject.layout.encode(&hidden.test.input).ok()?;
                Some(subject.native_test(&hidden.test, &assignment))
            };
            let tests = native_test(Version::Old).zip(native_test(Version::New));
            let Some((part, (old_test, new_test))) = part.zip(tests) else { continue };
            let configurations = match &mut configurations {
                Some(known) => known,
                none => none.insert(Configurations::new(
                    request.old,
                    request.new,
                    loader.compiler,
                    &loader.cflags,
                )?),
            };
            let alone = configurations.materialize(&[hidden.hunk])?;
            let tests = [&hidden.test, &new_test];
            let Some(shown) = native_on(self.requests, &runners[1], alone, tests)? else {
                continue;
            };
            let old = runners[0].run(&old_test, Patience::Usual)?;
            let natives = [old, shown];
            found.push(HiddenPart { part, test: &hidden.test, native_test: new_test, natives });
        }
        Ok(found)
    }
}

/// A part that makes a difference alone, which NEW hides.
struct HiddenPart<'h> {
    part: usize,
    test: &'h Test,
    native_test: Test,
    /// Of OLD, and of OLD with this part alone.
    natives: [Native; 2],
}

fn hidden_of<'c>(compared: &'c Compared, parts: &Parts, part: usize) -> Option<&'c Hidden> {
    let hunk = parts.all.get(part)?.hunk.id;
    compared.hidden.iter().find(|hidden| hidden.hunk == hunk)
}

/// The inputs that a comparison found and kept, each once.
fn known_inputs(compared: &Compared) -> Vec<&[u64]> {
    let witnesses = compared.witnesses.iter().map(|witness: &Witness| &witness.assignment);
    let mut known: BTreeSet<&[u64]> = BTreeSet::new();
    let all = witnesses.chain(&compared.kept).map(|assignment| &assignment[..]);
    all.filter(|&assignment| known.insert(assignment)).collect()
}

/// Follows the inputs that a comparison kept: in which order they pass parts, and what they show.
fn follow(
    orders: &Orders<'_>,
    arena: &mut Arena<'_>,
    compared: &Compared,
    is_over: &dyn Fn() -> bool,
) -> Vec<Followed> {
    let mut followed: Vec<Followed> = Vec::new();
    for assignment in known_inputs(compared).into_iter().take(MOST_FOLLOWED) {
        if is_over() {
            break;
        }
        let differs = arena.probe(assignment);
        let order = orders.of(assignment);
        followed.push(Followed { assignment: assignment.into(), order, differs });
    }
    followed
}
