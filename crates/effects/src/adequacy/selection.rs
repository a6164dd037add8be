//! Which tests a change can affect, in which order to run them, and a small part of them that
//! covers as much.
//!
//! Every run in which two versions take different ways or compute different values passes a change
//! point of OLD first (`changes::points`). So a test whose run of OLD ends in a known way and passes
//! none is not affected. A test that could not be followed is selected, and all are where points do
//! not tell: if the initial value of a variable changed, or which function of the library a program
//! brings itself.

mod reduce;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use base::Version;
use changes::points::{ChangePoint, ChangePoints, successors};
use changes::versions::GlobalChange;
use exec::Stop;
use explore::pair::Plain;
use explore::{Progress, Side, Stopwatch};
use inputs::Test;
use ir::{Body, Module, StatementId};

use super::runs::Ran;
use super::{Limit, NAME, Request, TestState};
use crate::error::Error;
use crate::pairing::{Pairing, Ready, Targets, sources};
use crate::trial::{Misfit, Phase};
use crate::versions::Versions;

pub use reduce::Reduction;

/// What a selected test does with the change, the most telling first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// It shows a difference on the machine.
    Propagates,
    /// The state differs.
    Infects,
    /// It executes changed statements.
    Reaches,
    /// It passes a place where something was deleted or added, and executes none of it.
    Passes,
    /// It could not be followed, or points do not tell.
    Unknown,
}

/// A test that the change may affect.
#[derive(Clone, Debug)]
pub struct Selected {
    /// From 0.
    pub number: usize,
    pub test: Test,
    pub rank: Rank,
    /// How many chains it covers, and how many it propagates along.
    pub chains: usize,
    pub propagated: usize,
}

/// The result of a selection.
#[derive(Clone, Debug)]
pub struct Selection {
    pub old: String,
    pub new: String,
    /// In the order to run them.
    pub selected: Vec<Selected>,
    /// Numbers of tests that the change does not affect, from 0.
    pub unaffected: Vec<usize>,
    /// Selected tests that a reduction leaves out, because others cover as much.
    pub redundant: Vec<usize>,
    pub reduction: Option<Reduction>,
    /// Why all tests are selected, if points do not tell.
    pub everything: Option<Everything>,
    pub misfits: Vec<Misfit>,
    pub limits: Vec<Limit>,
    pub time: Duration,
}

/// Why change points do not tell which tests are affected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Everything {
    /// The initial value of a variable changed.
    Variable(String),
    /// A function is the program's own in one version and the library's in the other.
    Function(String),
}

/// Selects tests.
pub fn select(
    request: &Request<'_>,
    reduction: Option<Reduction>,
    progress: &Progress,
    tell: &(dyn Fn(Phase) + Sync),
) -> Result<Selection, Error> {
    tell(Phase::Building);
    let watch = Stopwatch::start();
    let Request { scope, old, new, .. } = request;
    let sources = sources(scope, [old, new], None);
    let pairing = Pairing::new(scope, [old, new], None, &sources);
    let versions = pairing.load()?;
    let mut selection = Selection {
        old: old.name.clone(),
        new: new.name.clone(),
        selected: Vec::new(),
        unaffected: Vec::new(),
        redundant: Vec::new(),
        reduction,
        everything: None,
        misfits: Vec::new(),
        limits: Vec::new(),
        time: Duration::ZERO,
    };
    if versions.alignment.is_empty() {
        selection.unaffected = (0..scope.tests.len()).collect();
        return Ok(selection);
    }
    let matching = versions.matching();
    let targets = Targets::of(&pairing);
    let ready = Ready::load(&targets, &versions, &matching)?;
    selection.everything = everything(&versions);
    tell(Phase::Searching("tests"));
    let affected = match selection.everything {
        Some(_) => scope.tests.iter().map(|_| true).collect(),
        None => affected(request, &versions, &ready, progress)?,
    };
    // What is known not to be affected need not run on both.
    let numbers: Vec<usize> = (0..scope.tests.len()).filter(|&number| affected[number]).collect();
    let tests: Vec<Test> = numbers.iter().map(|&number| scope.tests[number].clone()).collect();
    let some = Request {
        scope: crate::trial::Scope { tests: &tests, ..scope.clone() },
        ..request.clone()
    };
    let loader = crate::Loader { libc: crate::Libc::Quick, ..scope.loader.clone() };
    let hunks = versions.hunks(&loader, 0, &|| true)?;
    let ran = Ran::new(&some, &versions, &matching, &ready, &hunks, progress);
    let ranked = numbers.iter().zip(tests).zip(&ran.tests).enumerate();
    for (place, ((&number, test), run)) in ranked {
        let rank = match () {
            () if run.state != TestState::Followed => Rank::Unknown,
            () if run.differs => Rank::Propagates,
            () if !run.infected.is_empty() => Rank::Infects,
            () if !run.reached.is_empty() => Rank::Reaches,
            () if selection.everything.is_some() => Rank::Unknown,
            () => Rank::Passes,
        };
        let of = |propagated| ran.tree.of_test(place as u32, propagated).len();
        let (chains, propagated) = (of(false), of(true));
        selection.selected.push(Selected { number, test, rank, chains, propagated });
    }
    if let Some(reduction) = reduction {
        selection.redundant = reduce::redundant(&ran, &numbers, reduction);
    }
    let redundant: BTreeSet<usize> = selection.redundant.iter().copied().collect();
    selection.selected.retain(|one| !redundant.contains(&one.number));
    selection
        .selected
        .sort_by_key(|one| (one.rank, std::cmp::Reverse((one.propagated, one.chains)), one.number));
    selection.unaffected = (0..scope.tests.len()).filter(|&number| !affected[number]).collect();
    selection.limits = ran.limits(ran.tree.complete);
    selection.misfits = ran.misfits;
    selection.time = watch.elapsed();
    Ok(selection)
}

/// Why points do not tell, if they do not.
fn everything(versions: &Versions) -> Option<Everything> {
    for change in &versions.alignment.globals {
        match change {
            // What uses it is changed, too, or nothing does.
            GlobalChange::Added { .. } => {}
            GlobalChange::Removed { name, .. } | GlobalChange::Modified { name, .. } => {
                return Some(Everything::Variable(name.clone()));
            }
        }
    }
    for version in Version::BOTH {
        let (side, other) = (versions.side(version), versions.side(version.other()));
        for &function in versions.alignment.only_in(version) {
            let name = &side.module.functions[function].name;
            let mut others = other.module.functions.iter();
            if others.any(|(id, data)| data.name == *name && !other.is_own(id)) {
                return Some(Everything::Function(name.clone()));
            }
        }
    }
    None
}

/// For each test, whether the change may affect it.
fn affected(
    request: &Request<'_>,
    versions: &Versions,
    ready: &Ready<'_>,
    progress: &Progress,
) -> Result<Vec<bool>, Error> {
    let Request { scope, options, .. } = request;
    let (old, new) = (&versions.old.module, &versions.new.module);
    let points = ChangePoints::new(&versions.alignment, old, new, Version::Old);
    let watched: BTreeSet<StatementId> =
        points.all.iter().flat_map(|&point| passing(old, point)).collect();
    let program = ready.old.instrumented()?.mark_only(watched);
    let side = Side { program: &program, ..ready.old_side() };
    let mut plain = Plain::new(side, NAME, options.limits, false);
    let watch = Stopwatch::start();
    let mut known: BTreeMap<Vec<u64>, bool> = BTreeMap::new();
    let judge = |test: &Test| {
        let is_over = options.budget.time.is_some_and(|time| watch.elapsed() >= time);
        if is_over || progress.is_stopped() || !test.setting.is_usual() {
            return true;
        }
        let Ok(assignment) = ready.new.layout.encode(&test.input) else { return true };
        *known.entry(assignment).or_insert_with_key(|assignment| {
            plain.run(assignment);
            let has_ended =
                matches!(plain.stop(), Stop::Exit(_) | Stop::Signal(_) | Stop::Fault(_));
            !has_ended || !plain.reached().is_empty()
        })
    };
    Ok(scope.tests.iter().map(judge).collect())
}

/// Statements, one of which is executed whenever a run passes a point.
fn passing(module: &Module, point: ChangePoint) -> Vec<StatementId> {
    let first = |function: ir::FuncId, block: ir::BlockId| {
        let body = module.functions[function].body()?;
        let inst = *body.blocks[block].insts.first()?;
        Some(body.insts[inst].statement)
    };
    match point {
        ChangePoint::Statement(statement) | ChangePoint::Behind(statement) => vec![statement],
        ChangePoint::Way { function, block, successor } => {
            let way = only_way(module, function, block, successor);
            first(function, way.unwrap_or(block)).into_iter().collect()
        }
        ChangePoint::Entry(function) => first(function, Body::ENTRY).into_iter().collect(),
    }
}

/// The block that a way leads to, if no other one does.
fn only_way(
    module: &Module,
    function: ir::FuncId,
    block: ir::BlockId,
    successor: u32,
) -> Option<ir::BlockId> {
    let body = module.functions[function].body()?;
    let to = *successors(body, block).get(successor as usize)?;
    let ways = body.blocks.keys().flat_map(|block| successors(body, block));
    let ways = ways.filter(|&way| way == to).count();
    (ways == 1 && to != Body::ENTRY).then_some(to)
}
