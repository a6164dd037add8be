//! Explores all partitions of a pair and checks them against the machine.

use base::Version;
use explore::partitions::{Explorer, Partitions, Subject};
use explore::proved::{DiffersWhen, How, Partition, Portion, Verdict};
use inputs::Layout;
use smt::{Evaluator, Model};
use trace::Observe;

use super::pair::{NAME, Versions};

/// All partitions of a pair and the exploration that found them.
pub struct Explored<'v> {
    pub versions: &'v Versions,
    pub explorer: Explorer<'v>,
    pub partitions: Partitions,
}

pub fn explored<'v>(versions: &'v Versions, first: &[&str]) -> Explored<'v> {
    let mut explorer = explorer(versions, first);
    while !explorer.is_done() {
        explorer.step();
        assert!(explorer.found().list.len() < 20_000, "there are too many partitions");
    }
    let partitions = explorer.partitions();
    assert!(partitions.is_complete());
    Explored { versions, explorer, partitions }
}

/// An exploration at its beginning.
pub fn explorer<'v>(versions: &'v Versions, first: &[&str]) -> Explorer<'v> {
    explorer_from(versions, &[versions.input(first)])
}

/// The same, with several inputs to begin with.
pub fn explorer_from<'v>(versions: &'v Versions, inputs: &[Box<[u64]>]) -> Explorer<'v> {
    let arena = versions.arena(u64::MAX);
    let subjects = Version::BOTH.map(|version| {
        let side = arena.pair.side(version);
        Subject { program: side.concolic, layout: side.layout, caller: side.caller, cells: None }
    });
    let question = smt::Budget { conflicts: Some(50_000), ..smt::Budget::default() };
    let guidance = Some(&versions.guidance);
    let mut explorer =
        Explorer::new(&subjects, NAME, arena.limits, Observe::default(), question, guidance);
    explorer.start(inputs);
    explorer
}

impl Explored<'_> {
    /// Condition and verdict of all partitions, sorted.
    pub fn table(&self) -> Vec<String> {
        let (terms, words) = (self.explorer.terms(), self.explorer.words());
        let line = |partition: &Partition| match &partition.verdict {
            Verdict::Equal(_) => format!("{}: equal", partition.people(terms, words)),
            Verdict::Different => {
                let outputs: Vec<&str> =
                    partition.outputs.iter().map(|output| output.trim_end()).collect();
                format!("{}: {}", partition.people(terms, words), outputs.join(" | "))
            }
            Verdict::Unknown(unclear) => format!("{}: {unclear:?}", partition.people(terms, words)),
        };
        let mut lines: Vec<String> = self.partitions.list.iter().map(line).collect();
        lines.sort();
        lines
    }

    /// The partitions that an input is in.
    pub fn of(&self, input: &[u64]) -> Vec<&Partition> {
        let terms = self.explorer.terms();
        let model: Model = self.explorer.inputs().model(terms, input);
        let mut evaluator = Evaluator::new();
        let mut holds = |partition: &&Partition| {
            evaluator.restart();
            evaluator.holds(terms, &model, &partition.conditions)
        };
        self.partitions.list.iter().filter(|partition| holds(partition)).collect()
    }

    /// Runs every input of the space on both versions. What is wrong, in words.
    pub fn violations(&self) -> Vec<String> {
        let mut arena = self.versions.arena(u64::MAX);
        let mut wrong = Vec::new();
        for input in all_inputs(&self.versions.layout) {
            let differs = arena.probe(&input).is_some();
            let of = self.of(&input);
            if of.is_empty() {
                wrong.push(format!("{input:?} is in no partition"));
            }
            for partition in of {
                let is_right = match partition.verdict {
                    Verdict::Equal(_) => !differs,
                    Verdict::Different => differs,
                    Verdict::Unknown(_) => true,
                };
                if !is_right {
                    let (like, verdict) = (&partition.input, &partition.verdict);
                    wrong.push(format!("{input:?} is like {like:?}, which is {verdict:?}"));
                }
            }
            if wrong.len() > 5 {
                break;
            }
        }
        wrong
    }
}

impl Explored<'_> {
    /// Shares whose interval does not contain the true value. Intervals of 95 % are sometimes
    /// wrong; these are checked with twice their width.
    pub fn wrong_shares(&mut self) -> Vec<String> {
        let inputs: Vec<Vec<u64>> = all_inputs(&self.versions.layout).collect();
        let (mut equal, mut different) = (0, 0);
        for input in &inputs {
            let of = self.of(input);
            equal += usize::from(of.iter().any(|one| matches!(one.verdict, Verdict::Equal(_))));
            different += usize::from(of.iter().any(|one| one.verdict == Verdict::Different));
        }
        let uniform = self.explorer.shares().uniform;
        let checks = [("equal", equal, uniform.equal), ("different", different, uniform.different)];
        let is_wrong = |(_, count, portion): &&(&str, usize, Portion)| {
            let truth = *count as f64 / inputs.len() as f64;
            match portion.is_exact {
                true => truth != portion.share,
                false => {
                    let reach = 2.0 * (portion.high - portion.low);
                    !(portion.low - reach..=portion.high + reach).contains(&truth)
                }
            }
        };
        checks.iter().filter(is_wrong).map(|one| format!("{one:?} of {}", inputs.len())).collect()
    }

    /// Inputs on which a predicate disagrees with the machine.
    pub fn misdescribed(&mut self, when: &DiffersWhen) -> Vec<Vec<u64>> {
        let mut arena = self.versions.arena(u64::MAX);
        let mut wrong = Vec::new();
        for input in all_inputs(&self.versions.layout) {
            let is_described = self.explorer.satisfies(&input, &[when.predicate]);
            let differs = arena.probe(&input).is_some();
            let is_right = match when.how {
                How::Exactly => is_described == differs,
                How::AtLeast => !is_described || differs,
                How::Only => is_described || !differs,
            };
            if !is_right {
                wrong.push(input);
            }
        }
        wrong.truncate(5);
        wrong
    }
}

fn all_inputs(layout: &Layout) -> impl Iterator<Item = Vec<u64>> + '_ {
    let counts: Vec<u128> = layout.cells.values().map(|cell| cell.domain.count()).collect();
    let size: u128 = counts.iter().product();
    (0..size).map(move |number| {
        let mut left = number;
        let cells = layout.cells.values().zip(&counts);
        cells
            .map(|(cell, count)| {
                let value = cell.domain.nth(left % count);
                left /= count;
                value
            })
            .collect()
    })
}
