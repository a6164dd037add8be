//! The change sequence graph over parts, which sequences of parts it allows, and which of them
//! inputs exercised.
//!
//! From the graph of changed lines (algorithm 5 of Böhme, 2014), whose lines are condensed to parts.
//! A sequence is the order of the first passes: a loop that passes the same parts again adds
//! nothing. So there are finitely many sequences, and every run exercises just one of them. The
//! graph shows what control flow allows; nothing says that every sequence of it has an input.

use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use changes::interactions::{InteractionGraph, InteractionVertex};
use graphs::Drawing;
use graphs::drawing::Style;
use inputs::Test;

use super::parts::{Part, Parts};
use crate::versions::{Place, Versions};

/// The most sequences to count and to list.
const MOST_SEQUENCES: usize = 2_000;
/// The most steps of counting them.
const MOST_STEPS: usize = 200_000;

/// An unchanged line that depends on several parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub place: Place,
    /// Indices of parts.
    pub parts: Vec<usize>,
}

/// A sequence of parts, by their indices, with an input that exercises it.
#[derive(Clone, Debug)]
pub struct Exercised {
    pub sequence: Vec<usize>,
    pub test: Test,
    /// How many of the inputs that were followed exercise it, and how many of them show a
    /// difference.
    pub inputs: usize,
    pub different: usize,
}

/// The sequences of a change.
#[derive(Clone, Debug, Default)]
pub struct Sequences {
    /// Parts that may come first.
    pub first: BTreeSet<usize>,
    /// Parts that may be passed one directly after the other.
    pub steps: BTreeSet<(usize, usize)>,
    /// Parts that may come last.
    pub last: BTreeSet<usize>,
    /// Whether a run may pass no part at all.
    pub may_skip_all: bool,
    /// Lines of NEW where parts may interact.
    pub locations: Vec<Location>,
    /// In the order of length and parts.
    pub exercised: Vec<Exercised>,
    /// Sequences that the graph allows and no input was seen to exercise.
    pub left: Vec<Vec<usize>>,
    /// Whether there are more sequences than were counted.
    pub is_cut: bool,
    /// How many inputs were followed, of how many.
    pub followed: (usize, usize),
}

impl Sequences {
    /// The sequences that the graph of a change allows, before any run.
    pub(super) fn new(versions: &Versions, parts: &Parts, graph: &InteractionGraph) -> Sequences {
        let of = Condensed::new(parts, graph);
        let mut found =
            Sequences { locations: of.locations(versions, graph), ..Sequences::default() };
        for (index, vertex) in graph.vertices.iter().enumerate() {
            let own = match vertex {
                InteractionVertex::Entry => None,
                _ if of.parts[index].is_empty() => continue,
                _ => Some(&of.parts[index]),
            };
            let (next, ends) = of.behind(graph, index);
            match own {
                None => {
                    found.may_skip_all = ends;
                    found.first = next;
                }
                Some(own) => {
                    for &part in own {
                        let others = next.iter().filter(|&&to| to != part);
                        found.steps.extend(others.map(|&to| (part, to)));
                        // Several parts on one line may come in any order.
                        let beside = own.iter().filter(|&&to| to != part);
                        found.steps.extend(beside.map(|&to| (part, to)));
                        if ends {
                            found.last.insert(part);
                        }
                    }
                }
            }
        }
        found
    }

    /// Adds what inputs exercised: their sequences, and whether they showed a difference.
    pub(super) fn exercise(&mut self, runs: Vec<(Vec<usize>, Test, bool)>) {
        let mut by_sequence: BTreeMap<(usize, Vec<usize>), Exercised> = BTreeMap::new();
        for (sequence, test, differs) in runs {
            let key = (sequence.len(), sequence.clone());
            let known = by_sequence.entry(key).or_insert_with(|| Exercised {
                sequence,
                test: test.clone(),
                inputs: 0,
                different: 0,
            });
            // One with a difference says more.
            if differs && known.different == 0 {
                known.test = test;
            }
            known.inputs += 1;
            known.different += usize::from(differs);
        }
        self.exercised = by_sequence.into_values().collect();
        let (all, is_cut) = self.allowed();
        let is_exercised =
            |one: &Vec<usize>| self.exercised.iter().any(|exercised| exercised.sequence == *one);
        self.left = all.into_iter().filter(|one| !is_exercised(one)).collect();
        self.is_cut = is_cut;
    }

    /// All sequences of the graph, shorter ones first, and whether there are more.
    fn allowed(&self) -> (Vec<Vec<usize>>, bool) {
        let mut all = Vec::new();
        if self.may_skip_all {
            all.push(Vec::new());
        }
        let mut level: Vec<Vec<usize>> = self.first.iter().map(|&part| vec![part]).collect();
        let mut steps = 0;
        while !level.is_empty() {
            let mut longer = Vec::new();
            for sequence in level {
                let (next, ends) = self.after(&sequence);
                steps += next.len() + 1;
                if steps > MOST_STEPS || all.len() >= MOST_SEQUENCES {
                    return (all, true);
                }
                longer.extend(next.into_iter().map(|part| [&sequence[..], &[part]].concat()));
                if ends {
                    all.push(sequence);
                }
            }
            level = longer;
        }
        (all, false)
    }

    /// The parts that may be passed for the first time after a sequence, and whether a run may end.
    fn after(&self, sequence: &[usize]) -> (BTreeSet<usize>, bool) {
        let (mut next, mut ends) = (BTreeSet::new(), false);
        let mut reached: BTreeSet<usize> = sequence.last().copied().into_iter().collect();
        let mut waiting: Vec<usize> = reached.iter().copied().collect();
        while let Some(at) = waiting.pop() {
            ends |= self.last.contains(&at);
            for &(_, to) in self.steps.range((at, 0)..=(at, usize::MAX)) {
                if !sequence.contains(&to) {
                    next.insert(to);
                } else if reached.insert(to) {
                    waiting.push(to);
                }
            }
        }
        (next, ends)
    }

    /// The graph as a picture. Parts that only exercised sequences pass are drawn like others; steps
    /// that an input made are solid.
    pub fn drawing(&self, parts: &[Part], critical: &[Vec<usize>]) -> Drawing {
        let mut drawing = Drawing::new("sequences of parts");
        let entry = drawing.add_box("entry", "");
        let boxes: Vec<usize> = parts
            .iter()
            .map(|part| {
                let label =
                    match self.exercised.iter().any(|e| e.sequence.contains(&(part.number - 1))) {
                        _ if !part.is_placed => "no code of its own",
                        true => "exercised",
                        false => "not exercised",
                    };
                drawing.add_box(format!("part {}", part.number), label)
            })
            .collect();
        let exit = drawing.add_box("exit", "");
        let is_made = |from: Option<usize>, to: usize| {
            self.exercised.iter().any(|exercised| match from {
                None => exercised.sequence.first() == Some(&to),
                Some(from) => exercised.sequence.windows(2).any(|pair| pair == [from, to]),
            })
        };
        let is_critical = |from: usize, to: usize| {
            critical.iter().any(|one| one.windows(2).any(|pair| pair == [from, to]))
        };
        let style = |is_made: bool| if is_made { Style::Solid } else { Style::Dashed };
        for &part in &self.first {
            drawing.add_line(entry, boxes[part], "", style(is_made(None, part)));
        }
        for &(from, to) in &self.steps {
            let label = if is_critical(from, to) { "critical" } else { "" };
            drawing.add_line(boxes[from], boxes[to], label, style(is_made(Some(from), to)));
        }
        for &part in &self.last {
            let ends = self.exercised.iter().any(|e| e.sequence.last() == Some(&part));
            drawing.add_line(boxes[part], exit, "", style(ends));
        }
        for location in &self.locations {
            let at = drawing.add_box(
                format!("{}:{}", location.place.file, location.place.line),
                "parts may interact",
            );
            for &part in &location.parts {
                drawing.add_line(boxes[part], at, "affects", Style::Dashed);
            }
        }
        drawing
    }
}

/// The parts of each vertex of a graph of changed lines.
struct Condensed {
    parts: Vec<BTreeSet<usize>>,
}

impl Condensed {
    fn new(parts: &Parts, graph: &InteractionGraph) -> Condensed {
        let of = |version: Version, statements: &[ir::StatementId]| -> BTreeSet<usize> {
            let known = statements.iter().filter_map(|one| parts.of_statement[version].get(one));
            known.flatten().copied().collect()
        };
        let of_vertex = |vertex: &InteractionVertex| match vertex {
            InteractionVertex::Changed(statements) => {
                let mut own = of(Version::New, statements);
                // Something may be missing beside, by another part.
                let passed = statements.iter().filter_map(|one| parts.passed.statements.get(one));
                if own.is_empty() {
                    own.extend(passed.flatten().copied());
                }
                own
            }
            InteractionVertex::Missing(statements) => of(Version::Old, statements),
            InteractionVertex::Signature(function) => {
                parts.passed.entries.get(function).cloned().unwrap_or_default()
            }
            InteractionVertex::Entry
            | InteractionVertex::Exit
            | InteractionVertex::Location(_)
            | InteractionVertex::Output(_) => BTreeSet::new(),
        };
        Condensed { parts: graph.vertices.iter().map(of_vertex).collect() }
    }

    /// The parts that may come next after a vertex, past lines that belong to none, and whether the
    /// end may.
    fn behind(&self, graph: &InteractionGraph, vertex: usize) -> (BTreeSet<usize>, bool) {
        let (mut next, mut ends) = (BTreeSet::new(), false);
        let mut seen = BTreeSet::new();
        let mut waiting = vec![vertex];
        while let Some(at) = waiting.pop() {
            let from = graph.order.partition_point(|&(from, _)| from < at);
            for &(_, to) in graph.order[from..].iter().take_while(|&&(from, _)| from == at) {
                if !self.parts[to].is_empty() {
                    next.extend(&self.parts[to]);
                } else if graph.vertices[to] == InteractionVertex::Exit {
                    ends = true;
                } else if seen.insert(to) {
                    waiting.push(to);
                }
            }
        }
        (next, ends)
    }

    /// The lines that depend on several parts.
    fn locations(&self, versions: &Versions, graph: &InteractionGraph) -> Vec<Location> {
        let mut found = Vec::new();
        for (index, vertex) in graph.vertices.iter().enumerate() {
            let InteractionVertex::Location(statements) = vertex else { continue };
            let influences = graph.influence.iter().filter(|&&(_, to)| to == index);
            let parts: BTreeSet<usize> =
                influences.flat_map(|&(from, _)| self.parts[from].iter().copied()).collect();
            let place = statements.iter().find_map(|&statement| versions.new.place(statement));
            if let (Some(place), true) = (place, parts.len() > 1) {
                found.push(Location { place, parts: parts.into_iter().collect() });
            }
        }
        found.sort_by(|one, other| (&one.place, &one.parts).cmp(&(&other.place, &other.parts)));
        found.dedup();
        found
    }
}
