//! Puts the parts together: for each change its chains, its starts, what each chain requires, in the
//! words of the source.

use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use explore::Stopped;
use explore::partial::{Open, Partial};
use graphs::SegmentId;
use ir::StatementId;
use rustc_hash::{FxHashMap, FxHashSet};
use smt::people::Glossary;
use smt::{TermId, Terms};
use trace::chains::{Common, How, Point};

use super::chains::Chains;
use super::conditions::{Asked, Asking, Required};
use super::starts::{Finder, Start, Starts};
use super::states::States;
use super::walks::{Machines, Scenery, Walk, Walking, statement_of};
use super::{
    ChainRequirement, ChangeRequirements, Condition, Gap, Infection, Options, Requirements,
    StateRequirement, Stateless, Verdict,
};
use crate::adequacy::requirements::Statics;
use crate::adequacy::rows::through;
use crate::adequacy::{Step, Through};
use crate::marked::Marked;
use crate::pairing::Ready;
use crate::trial::Places;
use crate::versions::Versions;

/// A start that was walked: what its tests are judged by.
pub(super) struct Walked<'a> {
    pub start: Start,
    pub partials: [Option<Partial<'a>>; 2],
    /// When a path is one of those followed.
    pub followed: TermId,
    /// By required chain, in the order of the result.
    pub required: Vec<Required>,
}

/// A change, with what its tests are judged by.
pub(super) struct Judged<'a> {
    pub point: Point,
    pub there: Option<StatementId>,
    pub chains: Chains,
    /// The required chains, in the order of the result.
    pub required: Vec<usize>,
    pub walked: Vec<Walked<'a>>,
}

pub(super) struct Judging<'a> {
    versions: &'a Versions,
    pub common: Common<'a>,
    pub options: &'a Options,
    pub points: &'a [Point],
    pub stopped: &'a dyn Fn() -> Option<Stopped>,
    pub machines: Machines<'a>,
    pub marked: &'a Marked,
    scenery: Scenery<'a>,
    states: States<'a>,
    places: [Places<'a>; 2],
    pub judged: Vec<Judged<'a>>,
}

impl<'a> Judging<'a> {
    pub fn new(
        (versions, ready, marked): (&'a Versions, &'a Ready<'_>, &'a Marked),
        common: Common<'a>,
        options: &'a Options,
        points: &'a [Point],
        stopped: &'a dyn Fn() -> Option<Stopped>,
    ) -> Judging<'a> {
        let programs = common.programs;
        let ends = marked.postdominators.each_ref();
        Judging {
            versions,
            common,
            options,
            points,
            stopped,
            machines: Machines::new(programs, ends, options.limits),
            marked,
            scenery: Scenery::new(versions, common, programs, points),
            states: States::new(programs, common),
            places: [ready.old.places(), ready.new.places()],
            judged: Vec::new(),
        }
    }

    /// Finds the requirements of all changes.
    pub fn judge(
        &mut self,
        statics: &Statics<'_>,
        outputs: &BTreeSet<Point>,
        result: &mut Requirements,
    ) {
        let bounds = (self.options.distance, self.options.chains);
        for &point in self.points {
            let Some(place) = self.places[point.version].of_statement(point.statement) else {
                continue;
            };
            let chains = Chains::new(statics, point, outputs, bounds);
            let required: Vec<usize> = chains.required().collect();
            let is_clear = self.is_clear(point);
            let finder = Finder {
                versions: self.versions,
                matching: self.common.matching,
                programs: self.common.programs,
            };
            let starts = finder.starts(point);
            let mut change = ChangeRequirements {
                version: point.version,
                place,
                is_clear,
                chains: Vec::new(),
                complete: chains.complete,
                paths: 0,
                reached: Vec::new(),
            };
            let is_skipped = self.options.infection == Infection::ClearPath && !is_clear;
            let there = starts.there;
            let walked = match is_skipped || (self.stopped)().is_some() {
                true => Vec::new(),
                false => self.walk(point, &chains, &required, &starts, &mut change, result),
            };
            for (index, &chain) in required.iter().enumerate() {
                let state = match () {
                    () if chains.all[chain].length == 0 => Err(Stateless::ChangeItself),
                    () if is_skipped => Err(Stateless::NoClearPath),
                    () => Ok(self.state(&starts, &walked, index)),
                };
                change.chains.push(ChainRequirement {
                    number: result.chains().count() + change.chains.len() + 1,
                    steps: self.steps(&chains, chain),
                    state,
                    covered: Vec::new(),
                    unknown: Vec::new(),
                });
            }
            result.changes.push(change);
            self.judged.push(Judged { point, there, chains, required, walked });
        }
    }

    /// Walks all starts of a change, and asks what each chain requires.
    fn walk(
        &mut self,
        point: Point,
        chains: &Chains,
        required: &[usize],
        starts: &Starts,
        change: &mut ChangeRequirements,
        result: &mut Requirements,
    ) -> Vec<Walked<'a>> {
        let common = self.common;
        let ends: BTreeSet<Point> = required.iter().map(|&one| chains.all[one].end).collect();
        let watched = Version::BOTH.map(|version| {
            let all = ends.iter().filter_map(|&end| statement_of(common, version, end));
            let all: BTreeSet<StatementId> = all.collect();
            all.into_iter().collect::<Vec<_>>()
        });
        let focus = self.scenery.focus(watched.clone(), self.options.merges);
        let reaching = Version::BOTH.map(|version| {
            let of = |&end: &StatementId| (end, self.scenery.reaching(version, &[end]));
            watched[version].iter().map(of).collect::<BTreeMap<_, _>>()
        });
        let stopped = self.stopped;
        let is_over = || stopped().is_some();
        let mut all = Vec::new();
        for start in &starts.all {
            let walking = Walking {
                states: &self.states,
                common,
                focus: &focus,
                limits: self.options.paths,
                is_over: &is_over,
            };
            let walk = walking.walk(&mut self.machines, (point.version, start), chains);
            let followed = [Some(&walk.here), walk.there.as_ref()].into_iter().flatten();
            for one in followed {
                change.paths += one.paths.paths.len();
                result.runs += one.paths.runs;
            }
            all.push(self.ask(walk, start, (chains, required), &reaching));
        }
        all
    }

    fn ask(
        &mut self,
        walk: Walk<'a>,
        start: &Start,
        (chains, required): (&Chains, &[usize]),
        reaching: &[BTreeMap<StatementId, FxHashSet<StatementId>>; 2],
    ) -> Walked<'a> {
        let version = walk.version;
        let glossary = self.glossary(&walk);
        let programs = self.common.programs;
        let common = self.common;
        let stopped = self.stopped;
        let is_over = || stopped().is_some();
        let conflicts = self.options.paths.conflicts;
        let (terms, solver) = self.machines.terms();
        let followed = followed(terms, &walk);
        let mut asking = Asking::new(&walk, &glossary, (terms, solver), conflicts, &is_over);
        let may_reach = |version: Version, end: Option<StatementId>, open: &Open| {
            let known = end.and_then(|end| reaching[version].get(&end));
            let (Some(known), Some(site)) = (known, open.site) else { return end.is_some() };
            let body = programs[version].module.functions[site.function].body();
            let inst = body.and_then(|body| body.insts.get(site.inst));
            inst.is_none_or(|inst| known.contains(&inst.statement))
        };
        let mut answers = Vec::new();
        for &chain in required {
            let end = chains.all[chain].end;
            let here = statement_of(common, version, end);
            let there = statement_of(common, version.other(), end);
            let reach_here = |open: &Open| may_reach(version, here, open);
            let reach_there = |open: &Open| may_reach(version.other(), there, open);
            let taken = walk.taken.get(&chain);
            answers.push(asking.ask(taken, [here, there], [&reach_here, &reach_there]));
        }
        let partials = walk.partials;
        Walked { start: start.clone(), partials, followed, required: answers }
    }

    /// What the unknowns of a start are called.
    fn glossary(&self, walk: &Walk<'_>) -> Glossary {
        let mut glossary = Glossary::new();
        // The words of the version of the change count.
        for version in [walk.version.other(), walk.version] {
            let Some(partial) = &walk.partials[version] else { continue };
            for unknown in &partial.unknowns {
                let part = (unknown.root, unknown.offset, 8 * unknown.bytes);
                let words = (unknown.variable, &mut glossary);
                self.states.names.explain(version, &partial.frames, part, words);
            }
        }
        glossary
    }

    /// What a chain requires from all starts.
    fn state(&self, starts: &Starts, walked: &[Walked<'_>], index: usize) -> StateRequirement {
        let of = |which: &dyn Fn(&Required) -> Asked| {
            let all: Vec<Asked> = walked.iter().map(|one| which(&one.required[index])).collect();
            let mut gaps: BTreeSet<Gap> = all.iter().flat_map(|one| one.gaps.clone()).collect();
            if starts.has_more {
                gaps.insert(Gap::Contexts);
            }
            if walked.len() < starts.all.len() {
                gaps.insert(Gap::Time);
            }
            let mut ways: Vec<String> = Vec::new();
            for way in all.iter().flat_map(|one| &one.text) {
                if !ways.contains(way) {
                    ways.push(way.clone());
                }
            }
            let can = all.iter().any(|one| one.verdict == Verdict::Satisfiable);
            let cannot = all.iter().all(|one| one.verdict == Verdict::Unsatisfiable);
            let verdict = match () {
                () if can => Verdict::Satisfiable,
                () if cannot && gaps.is_empty() => Verdict::Unsatisfiable,
                () => Verdict::Incomplete,
            };
            Condition { verdict, ways, gaps, satisfied: Vec::new() }
        };
        StateRequirement {
            values: of(&|required| required.values.clone()),
            path: of(&|required| required.path.clone()),
        }
    }

    fn steps(&self, chains: &Chains, chain: usize) -> Vec<Step> {
        let place = |point: Point| self.places[point.version].of_statement(point.statement);
        let step = |(link, name): &(trace::chains::Link, String)| {
            let through = match link.how {
                How::Memory => Through::Variable(name.clone()),
                _ => through(self.common.programs, link),
            };
            Some(Step { from: place(link.from)?, to: place(link.to)?, through })
        };
        chains.links(chain).into_iter().filter_map(step).collect()
    }

    /// Whether a path from the entry of the program comes to a change before all others.
    fn is_clear(&self, point: Point) -> bool {
        let Point { version, statement } = point;
        let module = &self.versions.side(version).module;
        let icfg = self.scenery.icfg(version);
        let mut others: FxHashMap<SegmentId, Vec<StatementId>> = FxHashMap::default();
        for other in self.points.iter().filter(|one| one.version == version && **one != point) {
            for segment in changes::points::segments_of(module, icfg, other.statement) {
                others.entry(segment).or_default().push(other.statement);
            }
        }
        let targets = changes::points::segments_of(module, icfg, statement);
        let entry = self.common.programs[version].entry;
        let Some(first) = icfg.first_of(entry, ir::Body::ENTRY) else { return true };
        let mut seen = BTreeSet::new();
        let mut open = vec![graphs::icfg::Position::Inner(first)];
        while let Some(position) = open.pop() {
            if !seen.insert(position) {
                continue;
            }
            use graphs::icfg::Position::{Inner, Outer};
            if let Inner(segment) | Outer(segment) = position {
                if targets.contains(&segment) {
                    // Statements are numbered in the order of their block.
                    let before = others.get(&segment);
                    if before.is_none_or(|all| all.iter().all(|&other| other > statement)) {
                        return true;
                    }
                }
                if others.contains_key(&segment) {
                    continue;
                }
            }
            open.extend(icfg.ways(position));
        }
        false
    }
}

/// When a run takes one of the paths that were followed.
fn followed(terms: &mut Terms, walk: &Walk<'_>) -> TermId {
    let mut all = Vec::new();
    for path in &walk.here.paths.paths {
        let conditions = path.conditions.iter().chain(&path.assumed);
        let conditions: Vec<TermId> = conditions.map(|one| one.1).collect();
        all.push(terms.all(&conditions));
    }
    terms.any(&all)
}
