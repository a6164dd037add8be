//! Runs tests on both versions and collects the chains that they cover.
//!
//! Plain runs come first: only tests that execute a changed statement are traced.

use std::collections::BTreeSet;

use base::Version;
use base::entity::SecondaryMap;
use exec::{Program, Stop};
use explore::pair::Arena;
use explore::{Pair, Progress, Stopped};
use inputs::Test;
use trace::chains::{ChainTree, Common, Link, Parts, Point, dependences};
use trace::{Alignment, Matching, Observe, Run, Tracer, why};

use super::{Counts, HunkCounts, Limit, NAME, Options, Request, TestResult, TestState};
use crate::error::Error;
use crate::marked::{Marked, Tracing};
use crate::pairing::Ready;
use crate::trial::{Misfit, Patience, Runner, natives_differ};
use crate::versions::{HunkMeaning, Versions};

/// The most events of a run to trace.
const MOST_EVENTS: u32 = 1 << 20;
/// The most tests to replay natively for each changed statement.
const MOST_REPLAYS: usize = 3;

/// A test that ran.
pub(crate) struct TestRun {
    pub state: TestState,
    /// Changed statements that it executed, in both versions.
    pub reached: BTreeSet<Point>,
    /// Those at which the state differs.
    pub infected: BTreeSet<Point>,
    pub differs: bool,
    pub confirmed: Option<bool>,
    pub assignment: Box<[u64]>,
    /// How both runs stopped, and whether they are proved never to end.
    stops: Option<[(Stop, bool); 2]>,
}

pub(crate) struct Ran {
    /// By test, from 0.
    pub tests: Vec<TestRun>,
    pub misfits: Vec<Misfit>,
    pub tree: ChainTree,
    /// The dependences on changed statements that tests take, also if chains have no length.
    pub direct: BTreeSet<Link>,
    pub stopped: Option<Stopped>,
    is_traced: bool,
}

impl Ran {
    pub fn new(
        request: &Request<'_>,
        versions: &Versions,
        matching: &Matching,
        ready: &Ready<'_>,
        hunks: &[HunkMeaning],
        progress: &Progress,
    ) -> Ran {
        let Request { scope, options, .. } = request;
        let pair = ready.pair(matching);
        let Options { budget, limits, observe, chains, .. } = options;
        let mut arena = Arena::new(pair, observe.clone(), *limits, NAME, budget.clone(), progress);
        arena.by = "tests";
        let tracing = Tracing::new(versions, NAME, *limits);
        let marked = tracing.marked(&pair);
        let mut ran = Ran {
            tests: Vec::new(),
            misfits: ready.new.misfits.clone(),
            tree: ChainTree::new(*chains),
            direct: BTreeSet::new(),
            stopped: None,
            is_traced: marked.is_some(),
        };
        let parts = parts(hunks);
        let mut following =
            marked.map(|marked| Following::new(marked, &pair, &tracing, parts.as_ref()));
        for (number, test) in (0..).zip(scope.tests) {
            ran.stopped = arena.exhausted();
            if ran.stopped.is_some() {
                let rest = scope.tests.iter().skip(ran.tests.len());
                ran.tests.extend(rest.map(|_| TestRun::not_run(TestState::NotRun)));
                break;
            }
            let run = match ready.new.layout.encode(&test.input) {
                Err(_) => TestRun::not_run(TestState::Misfit),
                Ok(_) if !test.setting.is_usual() => TestRun::not_run(TestState::Unusual),
                Ok(assignment) => {
                    let mut run = plain(&mut arena, matching, assignment.into());
                    if let Some(following) = following.as_mut().filter(|_| !run.reached.is_empty())
                    {
                        following.follow(number, &mut run, &mut ran);
                    }
                    run
                }
            };
            ran.tests.push(run);
        }
        ran
    }

    /// Replays tests natively until each changed statement has one that shows a difference, or
    /// there is no reason to expect one.
    pub fn confirm(
        &mut self,
        ready: &Ready<'_>,
        options: &Options,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let runners = [Runner::new(&ready.old), Runner::new(&ready.new)];
        let points: BTreeSet<Point> =
            self.tests.iter().flat_map(|test| &test.reached).copied().collect();
        for point in points {
            let is_of = |test: &TestRun| test.differs && test.reached.contains(&point);
            let mut tried = 0;
            for number in 0..self.tests.len() {
                let test = &self.tests[number];
                if !is_of(test) || tried >= MOST_REPLAYS {
                    continue;
                }
                if is_over() {
                    return Ok(());
                }
                tried += 1;
                if test.confirmed.is_none() {
                    let confirmed = replay(&runners, test, options)?;
                    self.tests[number].confirmed = Some(confirmed);
                }
                if self.tests[number].confirmed == Some(true) {
                    break;
                }
            }
        }
        Ok(())
    }

    pub fn counts(&self, points: &[Point]) -> Counts {
        let mut counts = Counts::default();
        for test in &self.tests {
            let reaches = points.iter().any(|point| test.reached.contains(point));
            let infects = points.iter().any(|point| test.infected.contains(point));
            counts.reach += usize::from(reaches);
            counts.infect += usize::from(infects);
            counts.propagate += usize::from(infects && test.differs);
            counts.show += usize::from(reaches && test.differs);
        }
        counts
    }

    /// Whether a test shows a difference on the machine.
    pub fn has_difference(&self) -> bool {
        self.tests.iter().any(|test| test.differs)
    }

    /// How many of some tests show a difference on the machine.
    pub fn shown(&self, tests: &[u32]) -> usize {
        tests.iter().filter(|&&test| self.tests[test as usize].differs).count()
    }

    /// The first test that reaches one of these statements and shows a difference natively.
    pub fn confirmed(&self, points: &[Point]) -> Option<usize> {
        self.tests.iter().position(|test| {
            test.confirmed == Some(true) && points.iter().any(|point| test.reached.contains(point))
        })
    }

    pub fn hunks(&self, hunks: Vec<HunkMeaning>) -> Vec<HunkCounts> {
        let counts = |meaning: HunkMeaning| {
            let of = |version: Version| {
                let statements = meaning.statements[version].iter();
                statements.map(move |&statement| Point { version, statement })
            };
            let points: Vec<Point> = of(Version::Old).chain(of(Version::New)).collect();
            HunkCounts { counts: self.counts(&points), meaning }
        };
        hunks.into_iter().map(counts).collect()
    }

    pub fn results(&self, tests: &[Test]) -> Vec<TestResult> {
        let result = |(run, test): (&TestRun, &Test)| TestResult {
            name: test.name.clone(),
            state: run.state.clone(),
            reaches: !run.reached.is_empty(),
            infects: !run.infected.is_empty(),
            differs: run.differs,
            confirmed: run.confirmed,
        };
        self.tests.iter().zip(tests).map(result).collect()
    }

    /// `complete`: the length of chains up to which all is known.
    pub fn limits(&self, complete: u32) -> Vec<Limit> {
        let mut limits = Vec::new();
        let is_open =
            |test: &&TestRun| !matches!(test.state, TestState::Followed | TestState::NotRun);
        let open = self.tests.iter().filter(is_open).count();
        if open > 0 {
            limits.push(Limit::Tests(open));
        }
        limits.extend(self.stopped.map(Limit::Stopped));
        if !self.is_traced {
            limits.push(Limit::NotTraced);
        }
        if complete < self.tree.limits.distance {
            limits.push(Limit::Chains { complete });
        }
        let unconfirmed = self.tests.iter().filter(|test| test.confirmed == Some(false)).count();
        if unconfirmed > 0 && !self.tests.iter().any(|test| test.confirmed == Some(true)) {
            limits.push(Limit::Unconfirmed(unconfirmed));
        }
        limits
    }
}

impl TestRun {
    fn not_run(state: TestState) -> TestRun {
        TestRun {
            state,
            reached: BTreeSet::new(),
            infected: BTreeSet::new(),
            differs: false,
            confirmed: None,
            assignment: Box::default(),
            stops: None,
        }
    }
}

fn plain(arena: &mut Arena<'_>, matching: &Matching, assignment: Box<[u64]>) -> TestRun {
    let tried = arena.try_input(&assignment);
    let mut run = TestRun::not_run(TestState::Followed);
    run.differs = tried.differs.is_some_and(|observable| !observable.is_silent());
    let endings = arena.endings();
    let outcomes = arena.outcomes();
    for version in Version::BOTH {
        for &statement in arena.reached(version) {
            let there = match version {
                Version::Old => matching.counterpart(Version::Old, statement),
                Version::New => None,
            };
            let own = Point { version, statement };
            let new = |statement| Point { version: Version::New, statement };
            run.reached.insert(there.map_or(own, new));
        }
        if !endings[version].is_known() && run.state == TestState::Followed {
            run.state = TestState::Unknown(version, outcomes[version].stop.clone());
        }
    }
    run.stops = Some(outcomes.map(|outcome| (outcome.stop, outcome.never_ends)));
    run.assignment = assignment;
    run
}

/// Whether the native programs differ. A program that behaves differently each time shows nothing.
fn replay(runners: &[Runner<'_>; 2], test: &TestRun, options: &Options) -> Result<bool, Error> {
    let Some(stops) = &test.stops else { return Ok(false) };
    let layout = &runners[1].subject.layout;
    let input = Test { input: layout.decode(&test.assignment), ..Test::default() };
    let run = |version: Version| {
        let runner = &runners[version];
        let native = runner.subject.native_test(&input, &test.assignment);
        runner.run(&native, Patience::with(&stops[version].0))
    };
    let natives = [run(Version::Old)?, run(Version::New)?];
    let ends = natives.each_ref().map(|native| native.status().is_some());
    let only_one_ends =
        ends[0] != ends[1] && Version::BOTH.iter().all(|&one| ends[one] || stops[one].1);
    if !(only_one_ends && options.observe.exit)
        && natives_differ(&options.observe, &natives[0], &natives[1]).is_none()
    {
        return Ok(false);
    }
    for version in Version::BOTH.into_iter().filter(|&version| ends[version]) {
        if natives_differ(&Observe::default(), &natives[version], &run(version)?).is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The hunk that each changed statement belongs to, from 1, if there are several; 0 for those of no
/// hunk.
fn parts(hunks: &[HunkMeaning]) -> Option<Parts> {
    let has_statements = |hunk: &&HunkMeaning| hunk.statements.iter().any(|all| !all.is_empty());
    let active: Vec<&HunkMeaning> = hunks.iter().filter(has_statements).collect();
    if active.len() < 2 {
        return None;
    }
    let mut parts: Parts = [SecondaryMap::new(), SecondaryMap::new()];
    for (number, hunk) in (1..).zip(active) {
        for (part, statements) in parts.iter_mut().zip(&hunk.statements) {
            statements.iter().for_each(|&statement| part[statement] = number);
        }
    }
    Some(parts)
}

/// Traces runs of both versions.
struct Following<'a> {
    pair: &'a Pair<'a>,
    programs: [&'a Program; 2],
    tracers: [Tracer<'a>; 2],
    own: [Vec<u64>; 2],
    parts: Option<&'a Parts>,
}

impl<'a> Following<'a> {
    fn new(
        marked: &'a Marked,
        pair: &'a Pair<'a>,
        tracing: &Tracing<'_>,
        parts: Option<&'a Parts>,
    ) -> Following<'a> {
        let tracer = |version: Version| {
            let (program, ends) = (&marked.programs[version], &marked.postdominators[version]);
            let limits = tracing.limits(MOST_EVENTS);
            Tracer::new(program, pair.side(version).layout, tracing.name, ends, limits)
        };
        Following {
            pair,
            programs: marked.programs.each_ref(),
            tracers: Version::BOTH.map(tracer),
            own: Default::default(),
            parts,
        }
    }

    fn follow(&mut self, number: u32, run: &mut TestRun, ran: &mut Ran) {
        let Following { pair, programs, tracers, own, parts } = self;
        let matching = pair.matching;
        for version in Version::BOTH {
            pair.side(version).assignment_into(&run.assignment, &mut own[version]);
        }
        let traces = [tracers[0].trace(&own[0]), tracers[1].trace(&own[1])];
        if traces.iter().any(|trace| trace.truncated) && run.state == TestState::Followed {
            run.state = TestState::Cut;
        }
        let side = |version: Version| Run { program: programs[version], trace: &traces[version] };
        let runs = Version::BOTH.map(side);
        let alignment = Alignment::new(runs[0], runs[1], matching);
        let common = Common { programs: *programs, matching, parts: *parts };
        for version in Version::BOTH {
            let found = dependences(common, version, runs, &alignment);
            let infected = found.occurrences.iter().filter(|one| one.is_changed && one.is_infected);
            run.infected.extend(infected.map(|one| one.point));
            let mut name = |event| why::memory(runs, matching, version, event);
            ran.tree.add(number, &found, &mut name);
            let starts = found.occurrences.iter().filter(|one| one.is_changed);
            ran.direct.extend(starts.flat_map(|one| &one.edges).map(|edge| edge.link));
        }
    }
}
