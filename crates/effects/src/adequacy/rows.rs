//! Chains and changed statements as plain data: with places, and names of variables.

use std::collections::BTreeMap;

use base::Version;
use exec::Program;
use ir::{Op, Storage};
use trace::chains::{ChainId, How, Link, Point, is_result};

use super::ChangedLine;
use super::requirements::{Frontier, Requirements};
use super::runs::Ran;
use crate::pairing::Ready;
use crate::trial::{Place, Places};

/// How a decision went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    True,
    False,
    Case(i64),
    Default,
}

/// What an effect gets from one statement to the next by.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Through {
    Decision(Outcome),
    Call,
    /// A variable, or memory with this name; empty if it has none.
    Variable(String),
    /// The result of a function.
    Result(String),
    Value,
}

/// A dependence, for people.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Step {
    pub from: Place,
    pub to: Place,
    pub through: Through,
}

/// A chain in the tree of a changed line.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeRow {
    /// Its length, which is its depth in the tree.
    pub length: u32,
    /// Its last dependence; `None` for a changed statement alone.
    pub step: Option<Step>,
    /// How many tests cover it, propagate along it, and show a difference among those that cover
    /// it. Nobody covers the frontier.
    pub covered: usize,
    pub propagated: usize,
    pub shown: usize,
}

/// A changed line: file, number, and the version that it is in.
type LineKey = (Option<String>, u32, Version);

pub(super) struct Rows<'a> {
    places: [Places<'a>; 2],
    ran: &'a Ran,
}

impl<'a> Rows<'a> {
    pub fn new(ready: &'a Ready<'_>, ran: &'a Ran) -> Rows<'a> {
        Rows { places: [ready.old.places(), ready.new.places()], ran }
    }

    pub fn place(&self, point: Point) -> Option<Place> {
        self.places[point.version].of_statement(point.statement)
    }

    /// The changed lines, in the order of their files.
    pub fn lines(&self, requirements: &Requirements<'_>) -> Vec<ChangedLine> {
        let mut lines: BTreeMap<LineKey, (Place, Vec<Point>)> = BTreeMap::new();
        for &point in &requirements.points {
            let Some(place) = self.place(point) else { continue };
            let key = (place.file.clone(), place.line, point.version);
            lines.entry(key).or_insert_with(|| (place, Vec::new())).1.push(point);
        }
        let lines = lines.into_iter().enumerate();
        lines
            .map(|(index, ((_, _, version), (place, points)))| ChangedLine {
                number: index + 1,
                version,
                place,
                counts: self.ran.counts(&points),
                confirmed: self.ran.confirmed(&points),
                tree: points.iter().flat_map(|&point| self.tree(point, requirements)).collect(),
            })
            .collect()
    }

    /// The tree below a changed statement.
    fn tree(&self, point: Point, requirements: &Requirements<'_>) -> Vec<TreeRow> {
        let tree = &self.ran.tree;
        let Some(root) = tree.root(point) else { return Vec::new() };
        let mut rows = Vec::new();
        let mut waiting = vec![root];
        while let Some(chain) = waiting.pop() {
            let node = &tree.chains[chain];
            rows.push(TreeRow {
                length: node.length,
                step: node.link.and_then(|link| self.step(&link)),
                covered: node.covered.len(),
                propagated: node.propagated.len(),
                shown: self.ran.shown(&node.covered),
            });
            for open in requirements.frontier.get(&chain).into_iter().flatten() {
                rows.push(TreeRow {
                    length: open.length,
                    step: self.open_step(open),
                    covered: 0,
                    propagated: 0,
                    shown: 0,
                });
            }
            let children = tree.children(chain).map(|(_, child)| child);
            let is_known = |child: &ChainId| tree.chains[*child].length <= requirements.distance;
            let children: Vec<ChainId> = children.filter(is_known).collect();
            waiting.extend(children.into_iter().rev());
        }
        rows
    }

    pub fn steps(&self, chain: ChainId) -> Vec<Step> {
        self.ran.tree.links(chain).iter().filter_map(|link| self.step(link)).collect()
    }

    pub fn step(&self, link: &Link) -> Option<Step> {
        let through = match link.how {
            How::Memory => {
                let name = self.ran.tree.names.get(link);
                Through::Variable(name.cloned().unwrap_or_default())
            }
            _ => self.through(link),
        };
        Some(Step { from: self.place(link.from)?, to: self.place(link.to)?, through })
    }

    pub fn open_step(&self, open: &Frontier) -> Option<Step> {
        let (from, to) = (self.place(open.link.from)?, self.place(open.link.to)?);
        let through = match open.link.how {
            How::Memory => Through::Variable(open.name.clone()),
            _ => self.through(&open.link),
        };
        Some(Step { from, to, through })
    }

    fn through(&self, link: &Link) -> Through {
        through(self.places.each_ref().map(|places| places.program), link)
    }
}

/// What a dependence goes through; memory has no name.
pub(crate) fn through(programs: [&Program; 2], link: &Link) -> Through {
    let version = link.from.version;
    let program = programs[version];
    let functions = &program.module.functions;
    match link.how {
        How::Control(code) => Through::Decision(outcome(program, link.from, code)),
        How::Call => Through::Call,
        How::Slot(function, slot) if is_result(program, function, slot) => {
            Through::Result(functions[function].display_name().to_owned())
        }
        How::Slot(function, slot) => {
            let name = functions.get(function).and_then(|data| data.body()).and_then(|body| {
                let storage = Storage::Slot(slot);
                let mut variables = body.variables.iter();
                let found = variables.find(|variable| variable.storage == storage);
                found.map(|variable| variable.name.clone())
            });
            name.map_or(Through::Value, Through::Variable)
        }
        How::Result(function) => {
            let function = functions.get(function);
            Through::Result(function.map_or("", |f| f.display_name()).to_owned())
        }
        How::Memory => Through::Variable(String::new()),
        How::Value => Through::Value,
    }
}

/// What a number means at the decision of a statement.
fn outcome(program: &Program, at: Point, outcome: u64) -> Outcome {
    let module = &program.module;
    let data = &module.statements[at.statement];
    let body = module.functions[data.function].body();
    let last = body.and_then(|body| {
        let inst = *body.blocks[data.block].insts.last()?;
        Some(&body.insts[inst].op)
    });
    match (last, outcome) {
        (Some(Op::Switch { .. } | Op::IndirectJump { .. }), How::DEFAULT) => Outcome::Default,
        (Some(Op::Switch { .. } | Op::IndirectJump { .. }), case) => {
            Outcome::Case(case as i32 as i64)
        }
        (_, 0) => Outcome::False,
        _ => Outcome::True,
    }
}
