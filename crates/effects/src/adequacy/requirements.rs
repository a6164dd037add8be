//! What the programs' dependences require beyond what tests cover: the frontier.
//!
//! A requirement of the frontier is a chain whose beginning some test covers, and whose last
//! dependence is one of the program that no test takes there. Dependences of a program are
//! compared with those of runs by their statements and by whether a decision or a value is passed:
//! the same memory has many names.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use base::Version;
use graphs::{Dependents, Outcome, Reason};
use ir::StatementId;
use trace::Matching;
use trace::chains::{ChainId, How, Link, Point};

use super::runs::Ran;
use crate::versions::Versions;

/// The most chains of the frontier.
const MOST_CHAINS: usize = 50_000;

/// A chain that no test covers, although one covers all but its last dependence.
#[derive(Clone, Debug)]
pub(super) struct Frontier {
    pub parent: ChainId,
    pub link: Link,
    pub length: u32,
    /// The variable that the last dependence goes through.
    pub name: String,
}

pub(super) struct Requirements<'a> {
    pub ran: &'a Ran,
    /// All changed statements, whether a test executes them or not.
    pub points: Vec<Point>,
    /// By the chain that they extend.
    pub frontier: BTreeMap<ChainId, Vec<Frontier>>,
    /// The length of chains up to which all is known, which may be less than what was asked.
    pub distance: u32,
    /// The direct dependences on changed statements.
    pub direct: Vec<Link>,
}

/// A dependence of the program.
pub(crate) type Static = (Point, How, String);

impl<'a> Requirements<'a> {
    pub fn new(versions: &Versions, matching: &Matching, ran: &'a Ran) -> Requirements<'a> {
        let points = changed_points(versions, matching);
        let statics = Statics::new(versions, matching);
        let mut direct = BTreeSet::new();
        for &from in &points {
            let links = statics.of(from).into_iter().map(|(to, how, _)| Link { from, to, how });
            direct.extend(links);
        }
        let mut frontier: BTreeMap<ChainId, Vec<Frontier>> = BTreeMap::new();
        let (mut count, mut distance) = (0, ran.tree.complete);
        let mut shortest_first: Vec<_> = ran.tree.chains.iter().collect();
        shortest_first.sort_by_key(|(_, node)| node.length);
        for (chain, node) in shortest_first {
            if node.length >= distance {
                break;
            }
            if count > MOST_CHAINS {
                distance = node.length;
                break;
            }
            let taken: Vec<Link> = ran.tree.children(chain).map(|(link, _)| link).collect();
            for (to, how, name) in statics.of(node.end) {
                if taken.iter().any(|link| link.to == to && is_alike(link.how, how)) {
                    continue;
                }
                let link = Link { from: node.end, to, how };
                let open = Frontier { parent: chain, link, length: node.length + 1, name };
                frontier.entry(chain).or_default().push(open);
                count += 1;
            }
        }
        frontier.values_mut().for_each(|all| all.retain(|open| open.length <= distance));
        Requirements { ran, points, frontier, distance, direct: direct.into_iter().collect() }
    }

    /// Whether a test takes a direct dependence on a changed statement.
    pub fn is_taken(&self, link: &Link) -> bool {
        let mut taken = self.ran.direct.iter().filter(|taken| taken.from == link.from);
        taken.any(|taken| taken.to == link.to && is_alike(taken.how, link.how))
    }
}

/// Whether a dependence of a run is one of the program.
pub(crate) fn is_alike(taken: How, required: How) -> bool {
    match (taken, required) {
        (How::Control(one), How::Control(other)) => one == other,
        (How::Call, required) => required.is_control(),
        (taken, How::Call) => taken.is_control(),
        (taken, required) => !taken.is_control() && !required.is_control(),
    }
}

/// All changed statements: those of NEW, and those of OLD that NEW lacks.
pub(crate) fn changed_points(versions: &Versions, matching: &Matching) -> Vec<Point> {
    let acts = |version: Version, statement: StatementId| {
        let module = &versions.side(version).module;
        let data = &module.statements[statement];
        let Some(body) = module.functions[data.function].body() else { return false };
        let mut insts = body.blocks[data.block].insts.iter();
        insts.any(|&inst| {
            let inst = &body.insts[inst];
            let is_idle = matches!(inst.op, ir::Op::Jump { .. } | ir::Op::ReadSlot { .. })
                || is_kept(body, inst);
            inst.statement == statement && !is_idle
        })
    };
    let of = |version: Version| {
        let changes = matching.changes(version);
        let alone = move |statement: &StatementId| {
            version == Version::New || matching.counterpart(version, *statement).is_none()
        };
        let real = changes.filter(alone).filter(move |&statement| acts(version, statement));
        real.map(move |statement| Point { version, statement })
    };
    of(Version::Old).chain(of(Version::New)).collect()
}

/// Whether a variable is assigned its own value, for which nothing is executed.
fn is_kept(body: &ir::Body, inst: &ir::Inst) -> bool {
    let ir::Op::WriteSlot { slot, value: ir::Operand::Value(value) } = inst.op else {
        return false;
    };
    body.insts.values().any(|one| {
        one.result == Some(value)
            && one.statement == inst.statement
            && matches!(one.op, ir::Op::ReadSlot { slot: from } if from == slot)
    })
}

/// The dependences of both programs, found when they are asked for.
pub(crate) struct Statics<'a> {
    versions: &'a Versions,
    matching: &'a Matching,
    known: RefCell<BTreeMap<Point, Vec<Static>>>,
}

impl<'a> Statics<'a> {
    pub fn new(versions: &'a Versions, matching: &'a Matching) -> Statics<'a> {
        Statics { versions, matching, known: RefCell::default() }
    }

    pub fn of(&self, point: Point) -> Vec<Static> {
        if let Some(known) = self.known.borrow().get(&point) {
            return known.clone();
        }
        let found = self.find(point);
        self.known.borrow_mut().insert(point, found.clone());
        found
    }

    fn find(&self, Point { version, statement }: Point) -> Vec<Static> {
        let side = self.versions.side(version);
        let graphs = side.graphs();
        let is_own = |function| side.is_own(function);
        let is_changed = self.matching.is_changed(version, statement);
        let found = Dependents::new(&graphs, &is_own).of(statement, is_changed);
        let mut statics: BTreeMap<(Point, Option<u64>), (How, String)> = BTreeMap::new();
        for (to, reason) in found {
            let there = match version {
                Version::Old => self.matching.counterpart(Version::Old, to),
                Version::New => None,
            };
            let to = match there {
                Some(statement) => Point { version: Version::New, statement },
                None => Point { version, statement: to },
            };
            let (how, class) = match reason {
                Reason::Control(outcome) => match code(&side.module, statement, outcome) {
                    Some(code) => (How::Control(code), Some(code)),
                    None => continue,
                },
                Reason::Slot(function, slot) => (How::Slot(function, slot), None),
                Reason::Region(_) => (How::Memory, None),
                Reason::Value => (How::Value, None),
            };
            let name = reason.variable(graphs.analyses());
            let known = statics.entry((to, class)).or_insert_with(|| (how, name.clone()));
            if known.1.is_empty() {
                *known = (how, name);
            }
        }
        statics.into_iter().map(|((to, _), (how, name))| (to, how, name)).collect()
    }
}

/// The outcome of a decision of a statement as runs number it; `None` for what calls do. Of cases that
/// lead to the same place, runs tell the first.
fn code(module: &ir::Module, statement: StatementId, outcome: Outcome) -> Option<u64> {
    let data = &module.statements[statement];
    let body = module.functions[data.function].body()?;
    let last = body.blocks[data.block].insts.last().map(|&inst| &body.insts[inst].op);
    let first_case = |case: Option<u128>| {
        let Some(ir::Op::Switch { cases, default, .. }) = last else { return case };
        let to = match case {
            Some(case) => cases.iter().find(|(value, _)| *value == case)?.1,
            None => *default,
        };
        let like = cases.iter().filter(|(_, target)| *target == to).map(|(value, _)| *value);
        like.min().or(case)
    };
    Some(match outcome {
        Outcome::True => 1,
        Outcome::False => 0,
        Outcome::Case(case) => first_case(Some(case))? as u64,
        Outcome::Default => first_case(None).map_or(How::DEFAULT, |case| case as u64),
        Outcome::Target(target) => u64::from(target),
        _ => return None,
    })
}
