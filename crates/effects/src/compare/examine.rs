//! What is made of differences that were found: groups, each with a small input that is
//! replayed natively.

use std::time::Duration;

use exec::stop::Site;
use explore::pair::{Arena, Finding, Outcome};
use explore::{Observe, Pair, Stopwatch, Version};
use inputs::Test;
use ir::StatementId;

use super::classify::{classify, judge};
use super::confirm::{Behaviour, Replayed, Replayer, confirm};
use super::explain::{Explanation, explain};
use super::group::{Group, group, reduce};
use super::marked::Tracing;
use super::sides::Requests;
use super::when::condition;
use super::who::{Blame, Blamer};
use super::{CompareError, Judgement, Unconfirmed, Witness};
use crate::both::side_by_side;
use crate::conformance::in_parallel;
use crate::explore::Place;
use crate::explore::place::Places;
use crate::explore::subject::Subject;

/// Groups that are replayed, and witnesses that are explained, side by side.
const AT_A_TIME: usize = 2;
/// Inputs of one group that are replayed at most until one is confirmed.
const MOST_REPLAYS: usize = 3;
/// Time that making inputs small may take although the budget is spent.
const LEAST_PATIENCE: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(2);
/// Witnesses that are explained, and the time that may take.
const MOST_EXPLAINED: usize = 8;
const MOST_EXPLAINING: Duration = Duration::from_secs(10);

pub(super) struct Examiner<'a> {
    requests: &'a Requests<'a>,
    replayers: [Replayer<'a>; 2],
    golden: Option<Replayer<'a>>,
}

/// An input on which the machine's runs differ, ready to be replayed.
struct Candidate {
    assignment: Box<[u64]>,
    /// It, as a test of each version.
    tests: [Test; 2],
    outcomes: [Outcome; 2],
}

/// Why, who and when.
#[derive(Default)]
struct Explained {
    why: Option<Explanation>,
    responsible: [Vec<Place>; 2],
    condition: Option<String>,
    blame: Option<Blame>,
}

/// What came of the differences.
#[derive(Default)]
pub(super) struct Examined {
    pub witnesses: Vec<Witness>,
    pub unconfirmed: Vec<Unconfirmed>,
}

impl<'a> Examiner<'a> {
    pub fn new(
        requests: &'a Requests<'a>,
        [old, new]: [&'a Subject<'a>; 2],
        golden: Option<&'a Subject<'a>>,
    ) -> Examiner<'a> {
        let replayer = |index: usize, subject: &'a Subject<'a>| {
            let files = requests.explore(index).files;
            let places = Places::new(&subject.program, requests.compiler(index), files);
            Replayer::new(subject, places)
        };
        let replayers = [replayer(0, old), replayer(1, new)];
        let golden = golden.map(|golden| replayer(2, golden));
        Examiner { requests, replayers, golden }
    }

    pub fn place(&self, version: Version, site: Site) -> Place {
        self.replayers[version as usize].places.of(site)
    }

    /// Groups differences and replays one of each group.
    pub fn examine(
        &self,
        arena: &mut Arena<'_>,
        examined: &mut Examined,
    ) -> Result<(), CompareError> {
        let findings = std::mem::take(&mut arena.findings);
        let most = self.requests.request().options.most_witnesses;
        let watch = Stopwatch::start();
        for groups in group(arena, findings).chunks(AT_A_TIME) {
            // Without a witness there is a reason to wait a little longer for one.
            let patience = match examined.witnesses.is_empty() {
                true => PATIENCE,
                false => LEAST_PATIENCE,
            };
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

    /// Replays others of a group whose smallest input is not confirmed.
    fn examine_others(
        &self,
        arena: &mut Arena<'_>,
        group: &Group,
        smallest: Candidate,
        unconfirmed: Replayed,
        examined: &mut Examined,
    ) -> Result<(), CompareError> {
        let watch = Stopwatch::start();
        for (number, finding) in group.findings.iter().take(MOST_REPLAYS).enumerate() {
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

    /// A finding made small, as long as there is time.
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
        arena.probe(&assignment);
        let outcomes = arena.outcomes();
        let mut own = Vec::new();
        let tests = Version::BOTH.map(|version| {
            arena.pair.side(version).assignment_into(&assignment, &mut own);
            let replayer = &self.replayers[version as usize];
            let input = replayer.subject.layout.decode(&own);
            replayer.subject.native_test(&Test { name: None, input }, &own)
        });
        Candidate { assignment, tests, outcomes }
    }

    fn replay(
        &self,
        observe: &Observe,
        group: &Group,
        candidate: &Candidate,
    ) -> Result<Replayed, CompareError> {
        let [old, new] = &self.replayers;
        let Candidate { tests, outcomes, .. } = candidate;
        Ok(confirm([old, new], observe, tests, outcomes, group.key.observable)?)
    }

    /// An input of the common space as a test.
    fn test(&self, assignment: &[u64]) -> Test {
        let input = self.replayers[1].subject.layout.decode(assignment);
        Test { name: None, input }
    }

    fn witness(
        &self,
        group: &Group,
        finding: &Finding,
        candidate: &Candidate,
        replayed: Replayed,
    ) -> Result<Witness, CompareError> {
        let Replayed { behaviours: [old, new], confirmed } = replayed;
        let reached = Version::BOTH.map(|version| {
            let statements = &group.key.reached[version as usize];
            statements.iter().filter_map(|&id| self.place_of(version, id)).collect()
        });
        let class = classify(&old, &new);
        let test = self.test(&candidate.assignment);
        let inconsistent = self.replayers[1].subject.layout.broken(&test.input);
        Ok(Witness {
            inconsistent,
            golden: self.golden(&test, &old, &new)?,
            test,
            assignment: candidate.assignment.clone(),
            native_tests: candidate.tests.clone(),
            class,
            observable: confirmed.unwrap_or(group.key.observable),
            undefined_behaviour: undefined_behaviour(&old, &new),
            old,
            new,
            reached,
            why: None,
            responsible: Default::default(),
            blame: None,
            condition: None,
            found_by: finding.by,
            found_after: finding.effort,
            alike: group.findings.len() - 1,
        })
    }

    /// What the right version does, if it takes such an input and comes to an end.
    fn golden(
        &self,
        test: &Test,
        old: &Behaviour,
        new: &Behaviour,
    ) -> Result<Option<(Behaviour, Judgement)>, CompareError> {
        let Some(golden) = &self.golden else { return Ok(None) };
        let Ok(assignment) = golden.subject.layout.encode(&test.input) else { return Ok(None) };
        let native = golden.run(&golden.subject.native_test(test, &assignment), PATIENCE)?;
        if native.status().is_none() {
            return Ok(None);
        }
        let behaviour = Behaviour { native, fault: None, sanitizer: None, reads_unwritten: false };
        let observe = &self.requests.request().options.observe;
        let judgement = judge(observe, old, new, &behaviour);
        Ok(Some((behaviour, judgement)))
    }

    /// Finds out why, who and when for the most severe witnesses, as long as there is time.
    pub fn explain(
        &self,
        arena: &Arena<'_>,
        tracing: &Tracing<'_>,
        since: Stopwatch,
        witnesses: &mut [Witness],
    ) {
        let request = self.requests.request();
        let left = request.options.budget.time.map(|time| time.saturating_sub(since.elapsed()));
        let patience = left.unwrap_or(PATIENCE).clamp(LEAST_PATIENCE, MOST_EXPLAINING);
        let watch = Stopwatch::start();
        let left = || patience.saturating_sub(watch.elapsed());
        let (pair, limits, observe) = (&arena.pair, arena.limits, &arena.observe);
        let most = witnesses.len().min(MOST_EXPLAINED);
        let explained = in_parallel(&witnesses[..most], AT_A_TIME, |witness| {
            let mut explained = Explained::default();
            if left().is_zero() {
                return explained;
            }
            let when = || condition(pair, tracing.name, limits, &witness.assignment);
            let why_and_who = || {
                self.why(&mut explained, tracing, pair, observe, &witness.assignment);
                if !left().is_zero() {
                    // A witness stands without its explanation.
                    let responsible = &explained.responsible;
                    explained.blame = self.blame(observe, witness, responsible, left()).ok();
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

    fn why(
        &self,
        explained: &mut Explained,
        tracing: &Tracing<'_>,
        pair: &Pair<'_>,
        observe: &Observe,
        assignment: &[u64],
    ) {
        let place = |version, statement| self.place_of(version, statement);
        let Some((why, responsible)) = explain(tracing, pair, observe, assignment, &place) else {
            return;
        };
        explained.why = Some(why);
        explained.responsible = Version::BOTH.map(|version| {
            let statements = responsible[version as usize].iter();
            statements.filter_map(|&statement| place(version, statement)).collect()
        });
    }

    fn blame(
        &self,
        observe: &Observe,
        witness: &Witness,
        responsible: &[Vec<Place>; 2],
        patience: Duration,
    ) -> Result<Blame, CompareError> {
        let lines = |places: &[Place]| -> Vec<(String, u32)> {
            places.iter().filter_map(|place| Some((place.file.clone()?, place.line))).collect()
        };
        let likely = responsible.each_ref().map(|places| lines(places));
        Blamer::new(self.requests, patience)?.blame(
            self.requests,
            &self.replayers[1],
            observe,
            witness,
            [&likely[0], &likely[1]],
        )
    }

    fn place_of(&self, version: Version, statement: StatementId) -> Option<Place> {
        let replayer = &self.replayers[version as usize];
        let module = &replayer.subject.program.module;
        let function = module.statements.get(statement)?.function;
        let mut insts = module.functions[function].body()?.insts.iter();
        let (inst, _) = insts.find(|(_, inst)| inst.statement == statement)?;
        Some(replayer.places.of(Site { function, inst }))
    }
}

/// Why the difference may rest on undefined behaviour.
fn undefined_behaviour(old: &Behaviour, new: &Behaviour) -> Option<String> {
    [("OLD", old), ("NEW", new)].into_iter().find_map(|(name, behaviour)| {
        let unwritten = behaviour.reads_unwritten.then_some("reads memory that was never written");
        let said = behaviour.sanitizer.as_deref().or(unwritten)?;
        Some(format!("{name}: {said}"))
    })
}
