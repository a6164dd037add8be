//! Compares what an exploration finds with the outputs of all inputs.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use exec::{Input, Limits, Machine, Program, Stop, Unobserved};
use explore::{Budget, Options, Progress, explore};
use inputs::{Flags, Layout};
use trace::Harness;

use crate::generator;

/// Budget of one query.
const MOST_CONFLICTS: u32 = 5_000;

/// The output of a run: standard output, and the exit status if it has one.
type Shown = (Vec<u8>, Option<i32>);

/// What an exploration found, and what it missed.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    pub paths: usize,
    pub inputs: usize,
    /// Number of different outputs over all inputs.
    pub shown: usize,
    /// Inputs whose outputs the exploration missed, one for each output.
    pub missing: Vec<Vec<u64>>,
    /// Outputs that it claimed and no input gives.
    pub invented: usize,
    /// Why the exploration may have missed something, in its own words.
    pub gaps: Vec<String>,
}

impl Comparison {
    /// Whether everything was found.
    pub fn is_exact(&self) -> bool {
        self.missing.is_empty() && self.invented == 0 && self.gaps.is_empty()
    }

    /// Whether it missed something without giving a reason, or claimed an output that does not
    /// exist.
    pub fn is_wrong(&self) -> bool {
        self.invented > 0 || (self.gaps.is_empty() && !self.missing.is_empty())
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Comparison { paths, inputs, shown, missing, invented, gaps } = self;
        write!(f, "{paths} paths, {shown} outputs of {inputs} inputs")?;
        if !missing.is_empty() {
            write!(f, "; {} outputs are missing, such as of {:?}", missing.len(), missing[0])?;
        }
        if *invented > 0 {
            write!(f, "; {invented} outputs are none")?;
        }
        if !gaps.is_empty() {
            write!(f, "; not complete: {}", gaps.join(", "))?;
        }
        Ok(())
    }
}

/// The input space of a generated program: two bytes.
pub fn layout(seed: u64) -> Layout {
    let mut flags = Flags::default();
    if generator::reads_stdin(seed) {
        flags.stdin = Some(b"bytes:=2".to_vec())
    } else {
        flags.args = vec![b"str:=2".to_vec()]
    }
    flags.texts().expect("the atoms are well-formed").layout()
}

/// Explores a program and runs it with all inputs of a small space.
pub fn compare(program: &Program, layout: &Layout) -> Comparison {
    let mut options = Options::default();
    options.limits.steps = 1_000_000;
    let time = Some(Duration::from_secs(60));
    options.budget =
        Budget { time, runs: Some(200_000), conflicts: Some(MOST_CONFLICTS), ..Budget::default() };
    let explored = explore(program, layout, &[], &options, &Progress::new());
    let explored = explored.expect("no worker panics");
    let mut runs = Runs::new(program, layout, options.limits);
    let mut found: BTreeSet<Shown> = BTreeSet::new();
    for path in &explored.paths {
        found.insert(runs.show(&path.assignment));
    }
    let mut comparison = Comparison {
        paths: explored.paths.len(),
        gaps: explored.gaps.iter().map(|gap| format!("{gap:?}")).collect(),
        ..Comparison::default()
    };
    let mut all: BTreeSet<Shown> = BTreeSet::new();
    for assignment in assignments(layout) {
        let shown = runs.show(&assignment);
        comparison.inputs += 1;
        if !found.contains(&shown) && !all.contains(&shown) {
            comparison.missing.push(assignment);
        }
        all.insert(shown);
    }
    comparison.shown = all.len();
    comparison.invented = found.difference(&all).count();
    comparison
}

/// All assignments of a small space.
fn assignments(layout: &Layout) -> impl Iterator<Item = Vec<u64>> {
    let domains: Vec<&inputs::Domain> = layout.cells.values().map(|cell| &cell.domain).collect();
    let all: u128 = domains.iter().map(|domain| domain.count()).product();
    (0..all).map(move |number| {
        let mut rest = number;
        let value = |domain: &&inputs::Domain| {
            let position = rest % domain.count();
            rest /= domain.count();
            domain.nth(position)
        };
        domains.iter().map(value).collect()
    })
}

/// Plain runs, one after the other.
struct Runs<'p> {
    harness: Harness<'p>,
    machine: Machine<'p, Unobserved>,
}

impl<'p> Runs<'p> {
    fn new(program: &'p Program, layout: &'p Layout, limits: Limits) -> Runs<'p> {
        let harness = Harness::new(program, layout, b"program");
        let machine = Machine::idle(program, &Input::default(), limits, Unobserved);
        Runs { harness, machine }
    }

    fn show(&mut self, assignment: &[u64]) -> Shown {
        let stop: Stop = match self.harness.start(&mut self.machine, assignment) {
            Ok(()) => self.machine.run(),
            Err(stop) => stop,
        };
        (self.machine.state.process.vfs.stdout().to_vec(), stop.status())
    }
}
