//! Whether partitions are what they claim to be: inputs are drawn from each of them and run on
//! the bare machine and natively. What breaks a claim is a fault of ours.
//!
//! Nothing is said about an input whose behaviour is not determined: a fault that native programs
//! may survive, memory that was never written, a run that hits a bound, or a program that does
//! something else each time.

use explore::CellFrom;
use explore::pair::{Plain, Side};
use explore::partitions::{Explorer, Verdict};
use inputs::{Input, Layout};
use source::SourceError;

use super::NAME;
use super::native::{Doubt, Natives, Replay, classes_by, is_same_division};
use crate::conformance::in_parallel;
use crate::explore::subject::Subject;

/// Inputs that are run natively before the time is looked at.
const AT_ONCE: usize = 16;

/// Inputs that are drawn before the time is looked at: one of each sort.
const AT_A_TIME: usize = 2;

/// What came of checking.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// Partitions from which inputs were drawn, and those for which there was no time.
    pub partitions: usize,
    pub left: usize,
    /// Inputs that were run on the machine and natively.
    pub inputs: usize,
    /// Inputs of which nothing can be said.
    pub undetermined: usize,
    pub violations: Vec<Violation>,
}

/// An input that breaks the claim of its partition.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The condition of the partition, for people.
    pub condition: String,
    pub input: Input,
    /// By version, those with the same number are to show the same.
    pub claimed: Vec<usize>,
    /// By version, those with the same number show the same: on the machine, and natively.
    pub machine: Vec<usize>,
    pub native: Option<Vec<usize>>,
}

/// How to check.
pub(super) struct Checker<'a, 's> {
    pub subjects: &'s [Subject<'s>],
    /// By version, where its cells come from.
    pub cells: &'a [Option<&'s [CellFrom]>],
    /// The common space.
    pub layout: &'a Layout,
    pub natives: &'a Natives<'s>,
    pub limits: exec::Limits,
    pub observe: &'a explore::Observe,
    /// Inputs of each partition.
    pub count: usize,
    pub jobs: usize,
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

/// An input that is to be run natively.
struct Drawn {
    partition: usize,
    assignment: Box<[u64]>,
    claimed: Vec<usize>,
}

impl Checker<'_, '_> {
    pub fn check(&self, explorer: &mut Explorer<'_>) -> Result<Check, SourceError> {
        let mut check = Check::default();
        let machine = |(subject, cells)| Plain::new(side(subject, cells), NAME, self.limits);
        let versions = self.subjects.iter().zip(self.cells.iter().copied());
        let mut machines: Vec<Plain<'_>> = versions.map(machine).collect();
        let all = explorer.found().list.iter();
        let claims: Vec<Option<Vec<usize>>> = all
            .map(|one| match one.verdict {
                Verdict::Equal(_) | Verdict::Different => Some(one.classes.clone()),
                Verdict::Unknown(_) => None,
            })
            .collect();
        let mut waiting: Vec<Drawn> = Vec::new();
        for (partition, claimed) in claims.into_iter().enumerate() {
            let Some(claimed) = claimed else { continue };
            if (self.is_over)() {
                check.left += 1;
                continue;
            }
            check.partitions += 1;
            for assignment in self.drawn_from(explorer, partition) {
                let drawn = Drawn { partition, assignment, claimed: claimed.clone() };
                match self.on_machine(&mut machines, &drawn) {
                    None => check.undetermined += 1,
                    Some(classes) if !is_same_division(&classes, &claimed) => {
                        let violation = self.violation(explorer, &drawn, classes, None);
                        check.violations.push(violation);
                    }
                    Some(_) => waiting.push(drawn),
                }
            }
            if waiting.len() >= AT_ONCE {
                self.natively(explorer, &std::mem::take(&mut waiting), &mut check)?;
            }
        }
        self.natively(explorer, &waiting, &mut check)?;
        Ok(check)
    }

    /// Inputs of a partition, each once; fewer if the time is over.
    fn drawn_from(&self, explorer: &mut Explorer<'_>, partition: usize) -> Vec<Box<[u64]>> {
        let mut all: Vec<Box<[u64]>> = Vec::new();
        let mut rounds = (0..self.count as u64).step_by(AT_A_TIME);
        while let Some(round) = rounds.next().filter(|_| !(self.is_over)()) {
            let seed = (partition as u64 + 1).wrapping_mul(1 << 20).wrapping_add(round);
            for drawn in explorer.samples(partition, AT_A_TIME, seed) {
                if all.len() < self.count && !all.contains(&drawn) {
                    all.push(drawn);
                }
            }
        }
        all
    }

    /// Which versions show the same on the machine; nothing if that is not determined.
    fn on_machine(&self, machines: &mut [Plain<'_>], drawn: &Drawn) -> Option<Vec<usize>> {
        machines.iter_mut().for_each(|machine| machine.run(&drawn.assignment));
        if !machines.iter().all(Plain::is_determined) {
            return None;
        }
        let differ = |one: usize, other: usize| {
            let (one, other): (&Plain<'_>, &Plain<'_>) = (&machines[one], &machines[other]);
            self.observe.difference(&one.seen(), &other.seen()).is_some()
        };
        Some(classes_by(machines.len(), differ))
    }

    fn natively(
        &self,
        explorer: &Explorer<'_>,
        drawn: &[Drawn],
        check: &mut Check,
    ) -> Result<(), SourceError> {
        let replays = in_parallel(drawn, self.jobs, |drawn| match (self.is_over)() {
            true => Ok(Replay::NotRun),
            false => self.natives.replay(&drawn.assignment, &drawn.claimed),
        });
        for (drawn, replay) in drawn.iter().zip(replays) {
            match replay? {
                Replay::Confirmed(_) => check.inputs += 1,
                Replay::Unconfirmed(Doubt::Otherwise(native), _) => {
                    let machine = drawn.claimed.clone();
                    let violation = self.violation(explorer, drawn, machine, Some(native));
                    check.violations.push(violation);
                }
                Replay::Unconfirmed(Doubt::Undetermined | Doubt::Endless, _) => {
                    check.undetermined += 1;
                }
                // There was no time for it.
                Replay::NotRun => {}
            }
        }
        Ok(())
    }

    fn violation(
        &self,
        explorer: &Explorer<'_>,
        drawn: &Drawn,
        machine: Vec<usize>,
        native: Option<Vec<usize>>,
    ) -> Violation {
        Violation {
            condition: explorer.found().list[drawn.partition].people(explorer.terms()),
            input: self.layout.decode(&drawn.assignment),
            claimed: drawn.claimed.clone(),
            machine,
            native,
        }
    }
}

/// A version for plain runs.
fn side<'p>(subject: &'p Subject<'p>, cells: Option<&'p [CellFrom]>) -> Side<'p> {
    Side {
        program: &subject.program,
        concolic: &subject.program,
        layout: &subject.layout,
        caller: subject.harness.as_ref(),
        cells,
    }
}
