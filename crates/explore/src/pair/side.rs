//! One version of a pair and its machine.

use std::sync::Arc;

use exec::stop::Bound;
use exec::{Limits, Machine, Program, Stop};
use inputs::{Layout, Snapshot};
use ir::{FuncId, StatementId};
use trace::Harness;
use trace::outcome::{Ending, Outcome, Seen, files_of};

use super::ways::{Numbering, Ways};
use crate::cells::{CellFrom, own_assignment};
use crate::result::Taker;

/// One version.
#[derive(Clone, Copy, Debug)]
pub struct Side<'p> {
    /// For plain runs; changed statements are marked.
    pub program: &'p Program,
    /// For concolic runs: the C library is open to terms.
    pub concolic: &'p Program,
    pub layout: &'p Layout,
    /// The native caller of the function, unless it is `main`.
    pub caller: Option<&'p inputs::Harness>,
    /// The sources of the layout's cells; one to one from the common space if `None`.
    pub cells: Option<&'p [CellFrom]>,
}

impl Side<'_> {
    /// An input of the common space as an input of this version.
    pub fn assignment_into(&self, common: &[u64], own: &mut Vec<u64>) {
        own_assignment(self.layout, self.cells, common, own);
    }
}

/// Runs inputs on one version; hides whether results of functions are observed.
pub(super) trait Runner: Send {
    /// Runs an input for at most this many steps.
    fn run(&mut self, common: &[u64], steps: u64);
    /// Continues the last run, if it reached its bound of steps, until it has taken this many.
    fn go_on(&mut self, steps: u64);
    /// The function that the last run stopped in.
    fn stopped_in(&self) -> Option<FuncId>;
    /// Tries to prove that the last run, which reached a bound, never ends, in at most this many
    /// steps; returns how many it took. The observables of the run are lost.
    fn prove_endless(&mut self, steps: u64) -> u64;
    fn stop(&self) -> &Stop;
    fn seen(&self) -> Seen<'_>;
    fn outcome(&self) -> Outcome;
    fn touched(&self) -> &[u32];
    fn count(&self, way: u32) -> u8;
    /// Whether both versions have a branch.
    fn is_shared(&self, way: u32) -> bool;
    fn reached(&self) -> &[StatementId];
    fn steps(&self) -> u64;
    fn reads_unwritten(&self) -> bool;
}

/// `counts_leaks` says whether unreachable blocks are counted.
pub(super) fn runner<'p>(
    side: Side<'p>,
    name: &[u8],
    limits: Limits,
    numbering: Arc<Numbering>,
    counts_leaks: bool,
) -> Box<dyn Runner + 'p> {
    match side.caller {
        Some(_) => Box::new(Watched::<true>::new(side, name, limits, numbering, counts_leaks)),
        None => Box::new(Watched::<false>::new(side, name, limits, numbering, counts_leaks)),
    }
}

struct Watched<'p, const RESULTS: bool> {
    side: Side<'p>,
    harness: Harness<'p>,
    machine: Machine<'p, Ways<RESULTS>>,
    numbering: Arc<Numbering>,
    own: Vec<u64>,
    stop: Stop,
    /// Takes snapshots of the state that a function left.
    taker: Option<Taker>,
    counts_leaks: bool,
    left: Snapshot,
    /// Whether the function returned in the last run.
    returned: bool,
    /// Steps of the last run, and whether it is proved that it never ends.
    steps: u64,
    never_ends: bool,
}

impl<'p, const RESULTS: bool> Watched<'p, RESULTS> {
    fn new(
        side: Side<'p>,
        name: &[u8],
        limits: Limits,
        numbering: Arc<Numbering>,
        counts_leaks: bool,
    ) -> Self {
        let observer = Ways::new(side.program, Arc::clone(&numbering));
        Watched {
            side,
            harness: Harness::new(side.program, side.layout, name),
            machine: Machine::idle(side.program, &exec::Input::default(), limits, observer),
            numbering,
            own: Vec::new(),
            stop: Stop::Exit(0),
            taker: side.caller.map(|caller| Taker::new(caller, side.program)),
            counts_leaks,
            left: Snapshot::default(),
            returned: false,
            steps: 0,
            never_ends: false,
        }
    }

    fn start(&mut self, steps: u64) -> Stop {
        self.machine.observer.start();
        match self.harness.start(&mut self.machine, &self.own) {
            Ok(()) => self.run_to(steps),
            Err(stop) => stop,
        }
    }

    fn run_to(&mut self, steps: u64) -> Stop {
        let bound = std::mem::replace(&mut self.machine.state.limits.steps, steps);
        let stop = self.machine.run();
        self.machine.state.limits.steps = bound;
        stop
    }

    fn note(&mut self, stop: Stop) {
        self.stop = stop;
        (self.steps, self.never_ends) = (self.machine.state.steps, false);
        if RESULTS {
            self.take();
        }
    }

    /// Takes a snapshot of the state that the function left, if it returned.
    fn take(&mut self) {
        // Code of the program may still fail after the function has returned.
        let registers =
            self.machine.observer.returned.as_ref().filter(|_| matches!(self.stop, Stop::Exit(_)));
        self.returned = registers.is_some();
        if let (Some(registers), Some(taker), Some(caller)) =
            (registers, &mut self.taker, self.side.caller)
        {
            let (machine, left) = (&self.machine, &mut self.left);
            taker.take(caller, &self.harness, machine, registers, self.counts_leaks, left);
        }
    }
}

impl<const RESULTS: bool> Runner for Watched<'_, RESULTS> {
    fn run(&mut self, common: &[u64], steps: u64) {
        self.side.assignment_into(common, &mut self.own);
        let stop = self.start(steps);
        self.note(stop);
    }

    fn go_on(&mut self, steps: u64) {
        if self.stop == Stop::Exhausted(Bound::Steps) {
            let stop = self.run_to(steps);
            self.note(stop);
        }
    }

    fn stopped_in(&self) -> Option<FuncId> {
        self.machine.state.function()
    }

    fn prove_endless(&mut self, steps: u64) -> u64 {
        let (before, most) = match self.stop {
            Stop::Exhausted(Bound::Steps) => (self.steps, steps),
            // Such a run cannot be resumed. Its proof starts in the middle, where it can.
            Stop::Exhausted(Bound::Output) => {
                let stop = self.start(self.steps / 2);
                if stop != Stop::Exhausted(Bound::Steps) {
                    return self.machine.state.steps;
                }
                (0, steps.min(self.steps / 2))
            }
            _ => return 0,
        };
        self.never_ends = self.machine.never_ends(most).is_some();
        self.machine.state.steps.saturating_sub(before)
    }

    fn stop(&self) -> &Stop {
        &self.stop
    }

    fn seen(&self) -> Seen<'_> {
        let vfs = &self.machine.state.process.vfs;
        Seen {
            // The harness ends with 0 if the function returns.
            ending: if self.returned {
                Ending::Status(0)
            } else if self.never_ends {
                Ending::Endless
            } else {
                Ending::of(&self.stop)
            },
            stdout: vfs.stdout(),
            stderr: vfs.stderr(),
            files: vfs,
            result: self.returned.then_some(inputs::snapshot::Side {
                snapshot: &self.left,
                harness: self.side.caller,
            }),
            undefined: &self.machine.state.undefined,
        }
    }

    fn outcome(&self) -> Outcome {
        let vfs = &self.machine.state.process.vfs;
        Outcome {
            stop: self.stop.clone(),
            stdout: vfs.stdout().to_vec(),
            stderr: vfs.stderr().to_vec(),
            files: files_of(vfs),
            result: self.returned.then(|| self.left.clone()),
            reads_unwritten: self.reads_unwritten(),
            undefined: self.machine.state.undefined.clone(),
            never_ends: self.never_ends,
            steps: self.steps,
        }
    }

    fn touched(&self) -> &[u32] {
        &self.machine.observer.touched
    }

    fn count(&self, way: u32) -> u8 {
        self.machine.observer.count(way)
    }

    fn is_shared(&self, way: u32) -> bool {
        self.numbering.is_shared(way)
    }

    fn reached(&self) -> &[StatementId] {
        &self.machine.observer.reached
    }

    fn steps(&self) -> u64 {
        self.steps
    }

    fn reads_unwritten(&self) -> bool {
        let state = &self.machine.state;
        state.memory.undefined_reads + state.undefined_slots > 0
    }
}
