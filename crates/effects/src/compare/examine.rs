//! Examines differences: groups them, minimises an input of each group and replays it natively.

use std::time::Duration;

use base::Version;
use base::in_parallel;
use base::parallel::side_by_side;
use exec::Stop;
use exec::stop::Site;
use explore::pair::{Arena, Finding, Slow};
use explore::{Pair, Stopwatch, affordable_events};
use inputs::snapshot::{Differing, Side, describe};
use inputs::{Alias, Harness, Test};
use ir::StatementId;
use trace::outcome::Observable;
use trace::why::Question;
use trace::{Observe, Outcome};

use super::classify::{classify, judge};
use super::confirm::{Behaviour, Replayed, Undefined, confirm, forgetful};
use super::explain::{Explanation, MOST_EVENTS, explain};
use super::group::{Group, Key, group, reduce};
use super::likeness::{explained_by, unlike};
use super::requests::Requests;
use super::slower::{Settled, Slower, tests_of};
use super::when::condition;
use super::who::{Blame, Blamer, native};
use super::{Class, Judgement, Unconfirmed, Witness};
use crate::error::Error;
use crate::marked::Tracing;
use crate::trial::{
    Allowance, Fault, Native, Patience, Place, Runner, Subject, agree, natives_differ,
};

/// Groups to replay, and witnesses to explain, in parallel.
const AT_A_TIME: usize = 2;
/// The most inputs of one group to replay until one is confirmed.
const MOST_REPLAYS: usize = 3;
/// Time to minimise inputs even if the budget is exhausted.
const LEAST_PATIENCE: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(2);
/// The most witnesses to explain, and the time for it.
const MOST_EXPLAINED: usize = 8;
const MOST_EXPLAINING: Duration = Duration::from_secs(10);

pub(super) struct Examiner<'a> {
    requests: &'a Requests<'a>,
    runners: [Runner<'a>; 2],
    golden: Option<Runner<'a>>,
    /// NEW with its own positions, if it is explored with those of OLD.
    written: Option<Runner<'a>>,
}

/// An input on which the machine's runs differ, ready to be replayed.
struct Candidate {
    assignment: Box<[u64]>,
    /// The input as a test of each version.
    tests: [Test; 2],
    outcomes: [Outcome; 2],
    /// Parameters that must be the same object.
    same: Vec<Alias>,
}

/// The explanation, the blame and the condition.
#[derive(Default)]
struct Explained {
    why: Option<Explanation>,
    responsible: [Vec<Place>; 2],
    condition: Option<String>,
    blame: Option<Blame>,
}

/// The results for the differences.
#[derive(Default)]
pub(super) struct Examined {
    pub witnesses: Vec<Witness>,
    pub unconfirmed: Vec<Unconfirmed>,
    pub slower: Vec<Slower>,
}

impl<'a> Examiner<'a> {
    pub fn new(
        requests: &'a Requests<'a>,
        [old, new]: [&'a Subject<'a>; 2],
        golden: Option<&'a Subject<'a>>,
        written: Option<&'a Subject<'a>>,
    ) -> Examiner<'a> {
        let (golden, written) = (golden.map(Runner::new), written.map(Runner::new));
        Examiner { requests, runners: [old, new].map(Runner::new), golden, written }
    }

    /// The native runners of OLD and NEW.
    pub fn runners(&self) -> [&Runner<'a>; 2] {
        self.runners.each_ref()
    }

    /// The native runner of NEW with its own positions, if it is explored with those of OLD.
    pub fn written(&self) -> Option<&Runner<'a>> {
        self.written.as_ref()
    }

    pub fn place(&self, version: Version, site: Site) -> Place {
        self.runners[version].places.of(site)
    }

    /// A fault of a version, with places.
    pub fn fault(&self, version: Version, stop: &Stop) -> Option<Fault> {
        self.runners[version].fault(stop)
    }

    /// Groups differences and replays one of each group.
    pub fn examine(&self, arena: &mut Arena<'_>, examined: &mut Examined) -> Result<(), Error> {
        let findings = std::mem::take(&mut arena.findings);
        let most = self.requests.request.options.most_witnesses;
        let watch = Stopwatch::start();
        for groups in group(arena, findings).chunks(AT_A_TIME) {
            // Without a witness it is worth waiting a little longer for one.
            let patience = if examined.witnesses.is_empty() { PATIENCE } else { LEAST_PATIENCE };
            let is_late = arena.exhausted().is_some() && watch.elapsed() > patience;
            if examined.witnesses.len() >= most || is_late {
                break;
            }
            let smallest = groups.iter().filter_map(|group| {
                let finding = group.findings.first()?;
                Some((group, finding, self.reduced(arena, group, finding, watch)))
            });
            let smallest: Vec<(&Group, &Finding, Candidate)> = smallest.collect();
            let observe = &arena.observe;
            let replayed = in_parallel(&smallest, AT_A_TIME, |(group, _, candidate)| {
                self.replay(observe, group, candidate)
            });
            for ((group, finding, candidate), replayed) in smallest.into_iter().zip(replayed) {
                match replayed? {
                    replayed if replayed.confirmed.is_some() => {
                        let witness = self.witness(group, finding, &candidate, replayed)?;
                        examined.witnesses.push(witness);
                    }
                    replayed => self.examine_others(arena, group, candidate, replayed, examined)?,
                }
            }
        }
        Ok(())
    }

    /// A witness of an input as it is, if both native programs differ on it.
    pub fn witness_of(
        &self,
        arena: &mut Arena<'_>,
        finding: Finding,
    ) -> Result<Option<Witness>, Error> {
        let Some(key) = Key::of(arena, &finding.assignment) else { return Ok(None) };
        let candidate = self.candidate(arena, finding.assignment.clone());
        let group = Group { key, findings: vec![finding] };
        let replayed = self.replay(&arena.observe, &group, &candidate)?;
        let is_confirmed = replayed.confirmed.is_some();
        let witness = || self.witness(&group, &group.findings[0], &candidate, replayed);
        is_confirmed.then(witness).transpose()
    }

    /// Takes the results for inputs on which a version did not end within its bounds: a difference
    /// like any other, or a slower version.
    pub fn examine_slow(
        &self,
        arena: &mut Arena<'_>,
        settled: Vec<Settled>,
        examined: &mut Examined,
    ) -> Result<(), Error> {
        let mut known: Vec<Key> = Vec::new();
        for Settled { slow, tests, differs, written, natively } in settled {
            let Some((observable, natives)) = differs else {
                let test = self.test(&slow.assignment);
                let Slow { version, steps, .. } = slow;
                examined.slower.push(Slower { test, version, steps, natively });
                continue;
            };
            arena.probe(&slow.assignment);
            let outcomes = arena.outcomes();
            let endings = outcomes.each_ref().map(|outcome| outcome.ending().sort());
            let reached = slow.reached.map(sorted);
            let key = Key { observable, endings, reached, undefined: None };
            if known.contains(&key) {
                continue;
            }
            known.push(key.clone());
            let behaviour = |native: Native, version: Version| {
                let outcome = &outcomes[version];
                Behaviour {
                    fault: self.fault(version, &outcome.stop),
                    reads_unwritten: outcome.reads_unwritten,
                    ..Behaviour::natively(native)
                }
            };
            let [old, new] = natives;
            let behaviours = [behaviour(old, Version::Old), behaviour(new, Version::New)];
            let written = written.map(|native| behaviour(native, Version::New));
            let finding = Finding::of(slow.assignment.clone(), slow.by, slow.effort);
            let group = Group { key, findings: vec![finding] };
            // There was no time to check whether separate memory suffices.
            let same = Vec::new();
            let candidate = Candidate { assignment: slow.assignment, tests, outcomes, same };
            let replayed = Replayed { behaviours, confirmed: Some(observable), written };
            let witness = self.witness(&group, &group.findings[0], &candidate, replayed)?;
            examined.witnesses.push(witness);
        }
        Ok(())
    }

    /// Replays others of a group whose smallest input is not confirmed.
    fn examine_others(
        &self,
        arena: &mut Arena<'_>,
        group: &Group,
        smallest: Candidate,
        unconfirmed: Replayed,
        examined: &mut Examined,
    ) -> Result<(), Error> {
        let watch = Stopwatch::start();
        // If the machine shows something on every input that native programs do not, the smallest
        // inputs may show nothing else. Try the largest first, then those in between.
        let last = group.findings.len() - 1;
        let mut chosen = vec![0, last, last / 2];
        chosen.truncate(MOST_REPLAYS.min(group.findings.len()));
        for (number, finding) in chosen.into_iter().map(|at| &group.findings[at]).enumerate() {
            let mut candidates = Vec::new();
            if number > 0 {
                candidates.push(self.reduced(arena, group, finding, watch));
            }
            let reduced = candidates.last().unwrap_or(&smallest);
            if reduced.assignment != finding.assignment {
                candidates.push(self.candidate(arena, finding.assignment.clone()));
            }
            for candidate in candidates {
                let replayed = self.replay(&arena.observe, group, &candidate)?;
                if replayed.confirmed.is_some() {
                    let witness = self.witness(group, finding, &candidate, replayed)?;
                    examined.witnesses.push(witness);
                    return Ok(());
                }
            }
        }
        let [old, new] = unconfirmed.behaviours;
        examined.unconfirmed.push(Unconfirmed {
            test: self.test(&smallest.assignment),
            observable: group.key.observable,
            old,
            new,
        });
        Ok(())
    }

    /// A finding, minimised as long as there is time.
    fn reduced(
        &self,
        arena: &mut Arena<'_>,
        group: &Group,
        finding: &Finding,
        watch: Stopwatch,
    ) -> Candidate {
        let patience = match arena.exhausted() {
            Some(_) => LEAST_PATIENCE,
            None => PATIENCE,
        };
        let mut assignment = finding.assignment.clone();
        reduce(arena, &group.key, &mut assignment, &|| watch.elapsed() > patience);
        self.candidate(arena, assignment)
    }

    fn candidate(&self, arena: &mut Arena<'_>, assignment: Box<[u64]>) -> Candidate {
        let same = needed(arena, &assignment);
        arena.probe(&assignment);
        let outcomes = arena.outcomes();
        let tests = tests_of(&arena.pair, self.runners(), &assignment);
        Candidate { assignment, tests, outcomes, same }
    }

    fn replay(
        &self,
        observe: &Observe,
        group: &Group,
        candidate: &Candidate,
    ) -> Result<Replayed, Error> {
        let [old, new] = &self.runners;
        let Candidate { tests, outcomes, .. } = candidate;
        let observable = group.key.observable;
        let mut replayed = confirm([old, new], observe, tests, outcomes, observable)?;
        if let Some(written) = self.written.as_ref().filter(|_| replayed.confirmed.is_some()) {
            // A difference must be one between the programs as written.
            let real = confirm([old, written], observe, tests, outcomes, observable)?;
            replayed.confirmed = replayed.confirmed.filter(|_| real.confirmed.is_some());
            let [_, new] = real.behaviours;
            replayed.written = Some(new);
        }
        Ok(replayed)
    }

    /// An input of the common space as a test.
    fn test(&self, assignment: &[u64]) -> Test {
        let input = self.runners[1].subject.layout.decode(assignment);
        Test { input, ..Test::default() }
    }

    fn witness(
        &self,
        group: &Group,
        finding: &Finding,
        candidate: &Candidate,
        replayed: Replayed,
    ) -> Result<Witness, Error> {
        let Replayed { behaviours: [mut old, mut new], confirmed, written } = replayed;
        let left = self.left(&candidate.outcomes, [&old, &new]);
        if !left.is_empty() {
            let lines = |value: fn(&Differing) -> &str| {
                let line = |one: &Differing| format!("{}: {}\n", one.place, value(one));
                left.iter().map(line).collect::<String>()
            };
            (old.left, new.left) = (Some(lines(|one| &one.old)), Some(lines(|one| &one.new)));
        }
        let reached = Version::BOTH.map(|version| {
            let statements = &group.key.reached[version];
            statements.iter().filter_map(|&id| self.place_of(version, id)).collect()
        });
        let observable = confirmed.unwrap_or(group.key.observable);
        let undefined = match observable {
            Observable::Undefined => only_one(group, &old, &new),
            _ => None,
        };
        let class = match observable {
            Observable::Unwritten => match forgetful(&left) {
                Some(Version::Old) => Class::UnwrittenDisappeared,
                _ => Class::UnwrittenAppeared,
            },
            _ => classify(&old, &new, undefined.as_ref().map(|(version, _)| *version)),
        };
        let unlike = unlike(self.observe(), self.harnesses(), &candidate.outcomes, [&old, &new]);
        let test = self.test(&candidate.assignment);
        let inconsistent = self.runners[1].subject.layout.broken(&test.input);
        Ok(Witness {
            inconsistent,
            same: candidate.same.clone(),
            builds: None,
            // The correct version judges only what users see.
            golden: match undefined {
                Some(_) => None,
                None => self.golden(&test, &old, &new)?,
            },
            test,
            assignment: candidate.assignment.clone(),
            native_tests: candidate.tests.clone(),
            class,
            observable,
            undefined_behaviour: undefined_behaviour(&old, &new, undefined.as_ref()),
            left,
            old,
            new,
            written,
            reached,
            undefined,
            unlike,
            why: None,
            responsible: Default::default(),
            blame: None,
            condition: None,
            found_by: finding.by,
            found_after: finding.effort,
            alike: group.findings.len() - 1,
        })
    }

    /// The differing state that a function left, if the native programs agree with the machine.
    fn left(&self, outcomes: &[Outcome; 2], behaviours: [&Behaviour; 2]) -> Vec<Differing> {
        let side = |index: usize| {
            let harness = self.runners[index].subject.harness.as_deref()?;
            let snapshot = outcomes[index].result.as_ref()?;
            let said = behaviours[index].native.result.as_ref()?;
            agree(&harness.text_of(snapshot), said)
                .then_some(Side { snapshot, harness: Some(harness) })
        };
        match (side(0), side(1)) {
            (Some(old), Some(new)) => describe(old, new, &self.observe().values()),
            _ => Vec::new(),
        }
    }

    fn harnesses(&self) -> [Option<&Harness>; 2] {
        self.runners.each_ref().map(|runner| runner.subject.harness.as_deref())
    }

    fn observe(&self) -> &Observe {
        &self.requests.request.options.observe
    }

    /// The behaviour of the correct version, if it accepts such an input and ends.
    fn golden(
        &self,
        test: &Test,
        old: &Behaviour,
        new: &Behaviour,
    ) -> Result<Option<(Behaviour, Judgement)>, Error> {
        let Some(golden) = &self.golden else { return Ok(None) };
        let Ok(assignment) = golden.subject.layout.encode(&test.input) else { return Ok(None) };
        let native =
            golden.run(&golden.subject.native_test(test, &assignment), Patience::Little)?;
        if native.status().is_none() {
            return Ok(None);
        }
        let behaviour = Behaviour::natively(native);
        let judgement = judge(self.observe(), old, new, &behaviour);
        Ok(Some((behaviour, judgement)))
    }

    /// Finds explanation, blame and condition for the most severe witnesses, as long as there is
    /// time.
    pub fn explain(
        &self,
        arena: &Arena<'_>,
        tracing: &Tracing<'_>,
        spent: Allowance<'_>,
        witnesses: &mut [Witness],
    ) {
        let patience = spent.left().unwrap_or(PATIENCE).clamp(LEAST_PATIENCE, MOST_EXPLAINING);
        let watch = Stopwatch::start();
        let left = || patience.saturating_sub(watch.elapsed());
        // The same search must give the same explanation, however fast it was.
        let is_timed = !self.requests.request.options.deterministic;
        let (pair, limits, observe) = (&arena.pair, arena.limits, &arena.observe);
        let most = witnesses.len().min(MOST_EXPLAINED);
        let explained = in_parallel(&witnesses[..most], AT_A_TIME, |witness| {
            let mut explained = Explained::default();
            if left().is_zero() {
                return explained;
            }
            let undefined = witness.undefined.as_ref();
            let undefined = undefined.map(|(version, operation)| (*version, operation.kind));
            // The explanation must be about the replayed behaviour.
            let is_like = witness.unlike.is_empty();
            let is_over = || is_timed && left().is_zero();
            let when = || {
                let (name, assignment) = (tracing.name, &witness.assignment);
                let when = || condition(pair, name, limits, assignment, undefined, &is_over);
                is_like.then(when).flatten()
            };
            let why_and_who = || {
                let observe_like = explained_by(observe, witness);
                let question = match undefined {
                    // If no observable differs, the chain ends at the operation.
                    Some((version, kind)) => is_like.then_some(Question::Undefined(version, kind)),
                    None => observe_like.as_ref().map(Question::Seen),
                };
                let events =
                    if is_timed { affordable_events(left(), MOST_EVENTS) } else { MOST_EVENTS };
                if let Some(question) = question {
                    let asked = (question, events);
                    self.why(&mut explained, tracing, pair, asked, &witness.assignment);
                }
                if !left().is_zero() {
                    // A witness is valid without its explanation.
                    let mut likely = explained.responsible.clone();
                    if let Some((version, operation)) = &witness.undefined {
                        likely[*version].push(operation.place.clone());
                    }
                    explained.blame = self.blame(observe, witness, &likely, left()).ok().flatten();
                }
            };
            (explained.condition, ()) = side_by_side(when, why_and_who);
            explained
        });
        for (witness, explained) in witnesses.iter_mut().zip(explained) {
            let Explained { why, responsible, condition, blame } = explained;
            witness.why = why;
            witness.responsible = responsible;
            witness.condition = condition;
            witness.blame = blame;
        }
    }

    /// Marks differences that disappear once NEW has the positions of OLD.
    pub fn tell_positions(&self, witnesses: &mut [Witness]) {
        let request = self.requests.request;
        if !request.options.observe.positions {
            return;
        }
        let mut held = request.new.clone();
        held.hold_positions_of(request.old);
        for witness in witnesses {
            // If that cannot be built or run, the class stays.
            let native = native(self.requests, &self.runners[1], &held, witness);
            let Ok(Some(native)) = native else { return };
            if held.held_positions().is_empty() {
                return;
            }
            if natives_differ(&request.options.observe, &witness.old.native, &native).is_none() {
                witness.class = Class::PositionChanged;
            }
        }
    }

    fn why(
        &self,
        explained: &mut Explained,
        tracing: &Tracing<'_>,
        pair: &Pair<'_>,
        question: (Question<'_>, u32),
        assignment: &[u64],
    ) {
        let place = |version, statement| self.place_of(version, statement);
        let Some((why, responsible)) = explain(tracing, pair, question, assignment, &place) else {
            return;
        };
        explained.why = Some(why);
        explained.responsible = Version::BOTH.map(|version| {
            let statements = responsible[version].iter();
            statements.filter_map(|&statement| place(version, statement)).collect()
        });
    }

    fn blame(
        &self,
        observe: &Observe,
        witness: &Witness,
        responsible: &[Vec<Place>; 2],
        patience: Duration,
    ) -> Result<Option<Blame>, Error> {
        let lines = |places: &[Place]| -> Vec<(String, u32)> {
            places.iter().filter_map(|place| Some((place.file.clone()?, place.line))).collect()
        };
        let likely = responsible.each_ref().map(|places| lines(places));
        Blamer::new(self.requests, patience)?.blame(
            self.requests,
            &self.runners[1],
            observe,
            witness,
            [&likely[0], &likely[1]],
        )
    }

    fn place_of(&self, version: Version, statement: StatementId) -> Option<Place> {
        self.runners[version].places.of_statement(statement)
    }
}

/// Parameters that are the same object in an input, if the versions are known to behave the same
/// once each has memory of its own.
fn needed(arena: &mut Arena<'_>, assignment: &[u64]) -> Vec<Alias> {
    let layout = arena.pair.layout();
    let same: Vec<Alias> = layout.same(assignment).into_iter().cloned().collect();
    if same.is_empty() {
        return same;
    }
    let differs = arena.probe(&layout.separated(assignment)).is_some();
    let is_known = arena.endings().into_iter().all(|ending| ending.is_known());
    if differs || !is_known { Vec::new() } else { same }
}

fn sorted(mut statements: Vec<StatementId>) -> Vec<StatementId> {
    statements.sort_unstable();
    statements.dedup();
    statements
}

/// The undefined operation that only one version executes.
fn only_one(group: &Group, old: &Behaviour, new: &Behaviour) -> Option<(Version, Undefined)> {
    let (version, kind) = group.key.undefined?;
    let behaviour = match version {
        Version::Old => old,
        Version::New => new,
    };
    let operation = behaviour.undefined.iter().find(|operation| operation.kind == kind)?;
    Some((version, operation.clone()))
}

/// Why the difference may be due to undefined behaviour.
fn undefined_behaviour(
    old: &Behaviour,
    new: &Behaviour,
    only: Option<&(Version, Undefined)>,
) -> Option<String> {
    let mut versions = [("OLD", old), ("NEW", new)];
    if let Some((Version::New, _)) = only {
        versions.reverse();
    }
    versions.into_iter().find_map(|(name, behaviour)| {
        let unwritten = behaviour.reads_unwritten.then_some("reads memory that was never written");
        let said = behaviour.sanitizer.as_deref().or(unwritten)?;
        Some(format!("{name}: {said}"))
    })
}
