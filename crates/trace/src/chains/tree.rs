//! The chains that tests cover, as a tree that shares their beginnings.
//!
//! Its roots are changed statements. Each further node is the dependence that extends the chain of
//! its parent by one. A node knows the tests that cover its chain, and those that propagate along
//! all of it. The rounds of a loop repeat dependences, so occurrences that end the same chain are
//! extended together. The length of chains, their number and the work per run are bounded: where one
//! of the bounds is met, the tree drops its longest chains, so that it has all chains of all runs up
//! to some length, and no others.

use std::collections::{BTreeMap, BTreeSet};

use base::entity::{PrimaryMap, SecondaryMap, entity_impl};
use rustc_hash::FxHashMap;

use super::dependences::{Dependences, Edge};
use super::{How, Link, Point};
use crate::events::EventId;

/// A chain.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChainId(u32);
entity_impl!(ChainId, "chain");

/// Bounds of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainLimits {
    /// The most dependences of a chain.
    pub distance: u32,
    /// The most chains.
    pub chains: usize,
    /// The most dependences to look at in one run.
    pub steps: u64,
}

impl Default for ChainLimits {
    fn default() -> ChainLimits {
        ChainLimits { distance: 10, chains: 20_000, steps: 1 << 18 }
    }
}

#[derive(Clone, Debug)]
pub struct ChainNode {
    pub parent: Option<ChainId>,
    /// The last dependence of the chain; `None` for a changed statement alone.
    pub link: Option<Link>,
    /// The statement at its end.
    pub end: Point,
    pub length: u32,
    /// The tests that cover the chain, and those that propagate along it, ascending.
    pub covered: Vec<u32>,
    pub propagated: Vec<u32>,
    /// Whether a test would propagate along it, if another part of the change had not made the
    /// state different before.
    pub is_confounded: bool,
    children: BTreeMap<Link, ChainId>,
}

#[derive(Clone, Debug)]
pub struct ChainTree {
    pub limits: ChainLimits,
    pub chains: PrimaryMap<ChainId, ChainNode>,
    roots: BTreeMap<Point, ChainId>,
    /// Names of what dependences go through, for those whose names only runs show.
    pub names: BTreeMap<Link, String>,
    /// The tree has all chains of the runs up to this length, and no longer ones.
    pub complete: u32,
}

/// Where in a run chains end: an occurrence, and the first event of it that one ends with.
#[derive(Clone, Copy, Debug)]
struct Reached {
    occurrence: u32,
    covered: EventId,
    /// The same for those that everything propagated along.
    propagated: Option<Ahead>,
    /// Whether something would be propagated if the change had no other parts.
    is_confounded: bool,
}

/// Where a difference got to.
#[derive(Clone, Copy, Debug)]
struct Ahead {
    event: EventId,
    /// The first event of the changed statement that it began with; the last of several. Other
    /// parts of the change count up to there.
    since: EventId,
    part: u32,
}

impl ChainTree {
    pub fn new(limits: ChainLimits) -> ChainTree {
        ChainTree {
            limits,
            chains: PrimaryMap::new(),
            roots: BTreeMap::new(),
            names: BTreeMap::new(),
            complete: limits.distance,
        }
    }

    /// The changed statements that were executed, with their chains of no dependence.
    pub fn roots(&self) -> impl Iterator<Item = (Point, ChainId)> + '_ {
        self.roots.iter().map(|(&point, &chain)| (point, chain))
    }

    pub fn root(&self, point: Point) -> Option<ChainId> {
        self.roots.get(&point).copied()
    }

    /// The chains that extend one by a dependence.
    pub fn children(&self, chain: ChainId) -> impl Iterator<Item = (Link, ChainId)> + '_ {
        self.chains[chain].children.iter().map(|(&link, &child)| (link, child))
    }

    /// The chain of these dependences from a changed statement.
    pub fn find(&self, start: Point, links: &[Link]) -> Option<ChainId> {
        links
            .iter()
            .try_fold(self.root(start)?, |at, link| self.chains[at].children.get(link).copied())
    }

    /// The dependences of a chain, the first one first.
    pub fn links(&self, chain: ChainId) -> Vec<Link> {
        let mut links: Vec<Link> = Vec::new();
        let mut at = &self.chains[chain];
        loop {
            links.extend(at.link);
            match at.parent {
                Some(parent) => at = &self.chains[parent],
                None => break,
            }
        }
        links.reverse();
        links
    }

    /// The changed statement that a chain begins at.
    pub fn start(&self, chain: ChainId) -> Point {
        self.links(chain).first().map_or(self.chains[chain].end, |link| link.from)
    }

    /// Adds the chains of a run. Tests are added in ascending order. `name` tells the name of the
    /// memory that an event writes.
    pub fn add(&mut self, test: u32, run: &Dependences, name: &mut dyn FnMut(EventId) -> String) {
        // What a first try added is known to the next.
        while let Some(length) = self.add_within_bounds(test, run, name) {
            self.shorten(length);
        }
    }

    /// The same; returns a shorter length for the tree if a bound is met.
    fn add_within_bounds(
        &mut self,
        test: u32,
        run: &Dependences,
        name: &mut dyn FnMut(EventId) -> String,
    ) -> Option<u32> {
        let mut level = self.begin(test, run);
        let mut steps = 0;
        for length in 1..=self.complete {
            let mut next: Vec<(ChainId, Vec<Reached>)> = Vec::new();
            for (chain, ends) in level {
                let extended = extensions(run, &ends, &mut steps);
                if steps > self.limits.steps {
                    return Some(length - 1);
                }
                for (link, (event, ends)) in extended {
                    let Some(child) = self.child(chain, link, length) else {
                        let longest = self.chains.values().map(|node| node.length).max();
                        return Some(longest.unwrap_or(0).max(length) - 1);
                    };
                    if let How::Memory = link.how {
                        self.names.entry(link).or_insert_with(|| name(event));
                    }
                    self.note(child, test, ends.iter().any(|end| end.propagated.is_some()));
                    self.chains[child].is_confounded |= ends.iter().any(|end| end.is_confounded);
                    next.push((child, ends));
                }
            }
            level = next;
            if level.is_empty() {
                break;
            }
        }
        None
    }

    /// Drops all chains that are longer.
    fn shorten(&mut self, length: u32) {
        self.complete = length;
        let mut numbers: SecondaryMap<ChainId, Option<ChainId>> = SecondaryMap::new();
        let mut kept: PrimaryMap<ChainId, ChainNode> = PrimaryMap::new();
        for (id, node) in std::mem::take(&mut self.chains) {
            if node.length <= length {
                numbers[id] = Some(kept.push(node));
            }
        }
        for node in kept.values_mut() {
            node.parent = node.parent.and_then(|parent| numbers[parent]);
            node.children.retain(|_, child| numbers[*child].is_some());
            node.children.values_mut().for_each(|child| {
                if let Some(number) = numbers[*child] {
                    *child = number;
                }
            });
        }
        self.roots.values_mut().for_each(|root| {
            if let Some(number) = numbers[*root] {
                *root = number;
            }
        });
        self.chains = kept;
    }

    fn begin(&mut self, test: u32, run: &Dependences) -> Vec<(ChainId, Vec<Reached>)> {
        let mut starts: BTreeMap<Point, ([bool; 2], Vec<Reached>)> = BTreeMap::new();
        let all = run.occurrences.iter().enumerate().filter(|(_, one)| one.is_changed);
        for (number, occurrence) in all {
            let ([infected, confounded], ends) = starts.entry(occurrence.point).or_default();
            let is_confounded = occurrence.is_confounded;
            *infected |= occurrence.is_infected && !is_confounded;
            *confounded |= occurrence.is_infected && is_confounded;
            let start =
                Ahead { event: EventId::START, since: occurrence.first, part: occurrence.part };
            ends.push(Reached {
                occurrence: number as u32,
                covered: EventId::START,
                propagated: (!is_confounded).then_some(start),
                is_confounded,
            });
        }
        let mut level = Vec::new();
        for (point, ([infected, confounded], ends)) in starts {
            let root = match self.roots.get(&point) {
                Some(&root) => root,
                None => {
                    let root = self.push(None, None, point, 0);
                    self.roots.insert(point, root);
                    root
                }
            };
            self.note(root, test, infected);
            self.chains[root].is_confounded |= confounded;
            level.push((root, ends));
        }
        level
    }

    fn push(
        &mut self,
        parent: Option<ChainId>,
        link: Option<Link>,
        end: Point,
        length: u32,
    ) -> ChainId {
        self.chains.push(ChainNode {
            parent,
            link,
            end,
            length,
            covered: Vec::new(),
            propagated: Vec::new(),
            is_confounded: false,
            children: BTreeMap::new(),
        })
    }

    /// The chain with one more dependence; `None` if there are too many.
    fn child(&mut self, chain: ChainId, link: Link, length: u32) -> Option<ChainId> {
        if let Some(&known) = self.chains[chain].children.get(&link) {
            return Some(known);
        }
        if self.chains.len() >= self.limits.chains {
            return None;
        }
        let child = self.push(Some(chain), Some(link), link.to, length);
        self.chains[chain].children.insert(link, child);
        Some(child)
    }

    fn note(&mut self, chain: ChainId, test: u32, propagates: bool) {
        let node = &mut self.chains[chain];
        if node.covered.last() != Some(&test) {
            node.covered.push(test);
        }
        if propagates && node.propagated.last() != Some(&test) {
            node.propagated.push(test);
        }
    }

    /// The chains of a test: covered, or propagated along.
    pub fn of_test(&self, test: u32, propagated: bool) -> BTreeSet<ChainId> {
        let holds = |node: &ChainNode| {
            let tests = if propagated { &node.propagated } else { &node.covered };
            tests.binary_search(&test).is_ok()
        };
        self.chains.iter().filter(|(_, node)| holds(node)).map(|(id, _)| id).collect()
    }
}

/// The dependences that leave some ends of one chain, with an event that carries each, and where
/// they lead.
fn extensions(
    run: &Dependences,
    ends: &[Reached],
    steps: &mut u64,
) -> BTreeMap<Link, (EventId, Vec<Reached>)> {
    let mut found: BTreeMap<Link, (EventId, FxHashMap<u32, Reached>)> = BTreeMap::new();
    for end in ends {
        let edges = &run.occurrences[end.occurrence as usize].edges;
        let first = edges.partition_point(|edge| edge.source < end.covered);
        for edge in &edges[first..] {
            *steps += 1;
            let (_, ends) =
                found.entry(edge.link).or_insert_with(|| (edge.source, FxHashMap::default()));
            let next = extended(end, edge);
            ends.entry(edge.to).and_modify(|known| known.join(next)).or_insert(next);
        }
    }
    let sorted = |ends: FxHashMap<u32, Reached>| {
        let mut ends: Vec<Reached> = ends.into_values().collect();
        ends.sort_unstable_by_key(|end| end.occurrence);
        ends
    };
    found.into_iter().map(|(link, (event, ends))| (link, (event, sorted(ends)))).collect()
}

/// Where a chain ends that a dependence extends.
fn extended(end: &Reached, edge: &Edge) -> Reached {
    let is_behind = |ahead: &Ahead| edge.source >= ahead.event;
    let behind = end.propagated.filter(is_behind).filter(|_| edge.differs);
    let is_other = |ahead: &Ahead| edge.origins.has_other(ahead.part, ahead.since);
    let propagated = behind.filter(|ahead| !is_other(ahead));
    Reached {
        occurrence: edge.to,
        covered: edge.target,
        propagated: propagated.map(|ahead| Ahead { event: edge.target, ..ahead }),
        is_confounded: behind.is_some_and(|ahead| is_other(&ahead))
            || (end.is_confounded && edge.differs),
    }
}

impl Reached {
    /// Two ways to the same occurrence.
    fn join(&mut self, other: Reached) {
        self.covered = self.covered.min(other.covered);
        self.is_confounded |= other.is_confounded;
        self.propagated = match (self.propagated, other.propagated) {
            (Some(one), Some(other)) => Some(Ahead {
                event: one.event.min(other.event),
                since: one.since.max(other.since),
                part: one.part,
            }),
            (one, other) => one.or(other),
        };
    }
}
