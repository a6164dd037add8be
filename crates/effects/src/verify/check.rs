//! Checks the claims of partitions: draws inputs from each of them and runs them on the plain
//! machine and natively. A violated claim is a bug in Ripple.
//!
//! Makes no claim about an input whose behaviour is not determined: a fault that native programs
//! may survive, uninitialised memory, a run that hits a bound, or a program that behaves
//! differently each time.

use base::in_parallel;
use explore::CellFrom;
use explore::pair::Plain;
use explore::partitions::Explorer;
use explore::proved::{Partition, Verdict};
use inputs::snapshot::Comparer;
use inputs::{Input, Layout};
use source::SourceError;

use super::NAME;
use super::native::{Doubt, Natives, Replay, classes_by, is_same_division};
use crate::trial::Subject;

/// Inputs to run natively between two checks of the time.
const AT_ONCE: usize = 16;

/// Inputs to draw between two checks of the time: one of each kind.
const AT_A_TIME: usize = 2;

/// The most inputs of a partition, and of all of them, for sanitizers.
const MOST_JUDGED: usize = 3;
const MOST_JUDGED_OF_ALL: usize = 300;

/// The result of the check.
#[derive(Clone, Debug, Default)]
pub struct Check {
    /// Partitions from which inputs were drawn, and those for which there was no time.
    pub partitions: usize,
    pub left: usize,
    /// Inputs that were run on the machine and natively.
    pub inputs: usize,
    /// Inputs without a determined result.
    pub undetermined: usize,
    pub violations: Vec<Violation>,
    /// How many of the natively run inputs also ran with sanitizers.
    pub judged: usize,
    /// Inputs for which sanitizers report errors of some versions and not of others, although
    /// versions are claimed equal; one per partition.
    pub undefined: Vec<UndefinedOn>,
}

/// An input on which a version executes an undefined operation and another one does not.
#[derive(Clone, Debug)]
pub struct UndefinedOn {
    /// The condition of the partition, for people.
    pub condition: String,
    pub input: Input,
    /// By version, the first report of sanitizers.
    pub complaints: Vec<Option<String>>,
}

/// An input that violates the claim of its partition.
#[derive(Clone, Debug)]
pub struct Violation {
    /// The condition of the partition, for people.
    pub condition: String,
    pub input: Input,
    /// By version, those with the same number are claimed to behave the same.
    pub claimed: Vec<usize>,
    /// By version, those with the same number behave the same: on the machine, and natively.
    pub machine: Vec<usize>,
    pub native: Option<Vec<usize>>,
}

/// How to check.
pub(super) struct Checker<'a, 's> {
    pub subjects: &'s [Subject<'s>],
    /// By version, the sources of its cells.
    pub cells: &'a [Option<&'s [CellFrom]>],
    /// The common space.
    pub layout: &'a Layout,
    pub natives: &'a Natives<'s>,
    pub limits: exec::Limits,
    pub observe: &'a trace::Observe,
    /// Inputs of each partition.
    pub count: usize,
    pub jobs: usize,
    pub is_over: &'a (dyn Fn() -> bool + Sync),
}

/// An input to run natively.
struct Drawn {
    partition: usize,
    assignment: Box<[u64]>,
    claimed: Vec<usize>,
}

impl<'s> Checker<'_, 's> {
    pub fn check(&self, explorer: &mut Explorer<'_>) -> Result<Check, SourceError> {
        let claims = claims(explorer);
        self.hold(explorer, claims)
    }

    /// Checks claims about partitions against runs.
    fn hold(
        &self,
        explorer: &mut Explorer<'_>,
        claims: Vec<Option<Vec<usize>>>,
    ) -> Result<Check, SourceError> {
        let mut check = Check::default();
        let leaks = self.observe.leaks;
        let machine = |(subject, cells): (&'s Subject<'s>, Option<&'s [CellFrom]>)| {
            Plain::new(subject.side(cells), NAME, self.limits, leaks)
        };
        let versions = self.subjects.iter().zip(self.cells.iter().copied());
        let mut machines: Vec<Plain<'_>> = versions.map(machine).collect();
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

    /// Which versions behave the same on the machine; `None` if that is not determined.
    fn on_machine(&self, machines: &mut [Plain<'_>], drawn: &Drawn) -> Option<Vec<usize>> {
        machines.iter_mut().for_each(|machine| machine.run(&drawn.assignment));
        if !machines.iter().all(Plain::is_determined) {
            return None;
        }
        let differ = |one: usize, other: usize| {
            let (one, other): (&Plain<'_>, &Plain<'_>) = (&machines[one], &machines[other]);
            let mut comparer = Comparer::default();
            let contrast = self.observe.contrast(&one.seen(), &other.seen(), &mut comparer);
            contrast.differs().is_some()
        };
        Some(classes_by(machines.len(), differ))
    }

    fn natively(
        &self,
        explorer: &Explorer<'_>,
        drawn: &[Drawn],
        check: &mut Check,
    ) -> Result<(), SourceError> {
        let replays = in_parallel(drawn, self.jobs, |drawn| {
            if (self.is_over)() {
                Ok(Replay::NotRun)
            } else {
                self.natives.replay(&drawn.assignment, &drawn.claimed)
            }
        });
        let mut confirmed: Vec<&Drawn> = Vec::new();
        for (drawn, replay) in drawn.iter().zip(replays) {
            match replay? {
                Replay::Confirmed(_) => {
                    check.inputs += 1;
                    confirmed.push(drawn);
                }
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
        self.judge(explorer, &confirmed, check)
    }

    /// Runs sanitizers on some inputs of partitions that are claimed to be equal.
    fn judge(
        &self,
        explorer: &Explorer<'_>,
        confirmed: &[&Drawn],
        check: &mut Check,
    ) -> Result<(), SourceError> {
        let is_equal = |drawn: &Drawn| drawn.claimed.iter().all(|&class| class == drawn.claimed[0]);
        let mut chosen: Vec<&Drawn> = Vec::new();
        for &drawn in confirmed.iter().filter(|drawn| is_equal(drawn)) {
            let same = chosen.iter().filter(|one| one.partition == drawn.partition).count();
            if same < MOST_JUDGED && check.judged + chosen.len() < MOST_JUDGED_OF_ALL {
                chosen.push(drawn);
            }
        }
        let judged = in_parallel(&chosen, self.jobs, |drawn| {
            if (self.is_over)() { Ok(None) } else { self.natives.complaints(&drawn.assignment) }
        });
        let mut told = None;
        for (drawn, complaints) in chosen.into_iter().zip(judged) {
            let Some(complaints) = complaints? else { continue };
            check.judged += 1;
            let is_divided =
                complaints.iter().any(Option::is_some) && complaints.iter().any(Option::is_none);
            // One input of a partition represents the others.
            if is_divided && told != Some(drawn.partition) {
                told = Some(drawn.partition);
                check.undefined.push(UndefinedOn {
                    condition: told_condition(explorer, drawn.partition),
                    input: self.layout.decode(&drawn.assignment),
                    complaints,
                });
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
            condition: told_condition(explorer, drawn.partition),
            input: self.layout.decode(&drawn.assignment),
            claimed: drawn.claimed.clone(),
            machine,
            native,
        }
    }
}

/// By partition, which versions are claimed to behave the same.
fn claims(explorer: &Explorer<'_>) -> Vec<Option<Vec<usize>>> {
    let claim = |one: &Partition| match one.verdict {
        Verdict::Equal(_) | Verdict::Different => Some(one.classes.clone()),
        Verdict::Unknown(_) => None,
    };
    explorer.found().list.iter().map(claim).collect()
}

/// The condition of a partition, for people.
fn told_condition(explorer: &Explorer<'_>, partition: usize) -> String {
    explorer.found().list[partition].people(explorer.terms(), explorer.words())
}

#[cfg(test)]
mod tests {
    use std::{env, fs};

    use explore::Progress;
    use explore::partitions::explore_all;
    use inputs::Flags;
    use source::{Cache, Clang, Compiler, Search, Selection, check_out};

    use super::super::subjects::{Subjects, sources};
    use super::super::verification::native_subjects;
    use super::super::{Options, Request, explorer};
    use super::*;
    use crate::program::{Libc, Loader};
    use crate::trial::Scope;

    const PROGRAM: &str = "#include <stdlib.h>\nint main(int argc, char **argv) {\n  \
                           int n = atoi(argv[1]);\n  return n > 3 ? MORE : 0;\n}\n";

    /// Verifies two versions that differ on numbers above 3, and checks the claims after they were
    /// tampered with.
    fn checked(
        directory: &std::path::Path,
        with: impl FnOnce(&Checker<'_, '_>, &mut Explorer<'_>),
    ) -> Option<()> {
        let cache = Cache::at(directory.join("cache"));
        let path_var = env::var_os("PATH").unwrap_or_default();
        let search = Search { explicit: None, from_env: None, path_var: &path_var };
        let clang = Clang::find(search, &cache).ok()?;
        let compiler = Compiler::at(clang, cache, directory.to_owned());
        let selection = Selection { directory, paths: &[], cflags: &[], cache: &compiler.cache };
        let version = |more: &str| {
            let path = directory.join(format!("more-{more}.c"));
            fs::write(&path, PROGRAM.replace("MORE", more)).expect("it can be written");
            check_out(path.as_os_str(), &selection).expect("it is there")
        };
        let versions = [version("1"), version("2")];
        let flags = Flags { args: vec![b"int:0..9".to_vec()], ..Flags::default() };
        let request = Request {
            scope: Scope {
                loader: Loader { compiler: &compiler, cflags: Vec::new(), libc: Libc::Open },
                entry: None,
                flags: &flags,
                tests: &[],
            },
            versions: &versions,
            options: Options::default(),
        };
        let sources = sources(&request);
        let targets = sources.targets(&request.scope);
        let subjects = Subjects::load(&request, &sources).expect("they build");
        let programs = native_subjects(&subjects, &targets).expect("they build");
        let Options { limits, observe, budget, .. } = &request.options;
        let natives = Natives::new(&programs, vec![None; 2], observe);
        let explored = subjects.subjects();
        let mut explorer =
            explorer(&request, &subjects, &explored, None).expect("nothing is resumed");
        explore_all(&mut explorer, budget.clone(), &Progress::new());
        let checker = Checker {
            subjects: &programs,
            cells: &[None; 2],
            layout: subjects.layout(),
            natives: &natives,
            limits: *limits,
            observe,
            count: 3,
            jobs: 1,
            is_over: &|| false,
        };
        with(&checker, &mut explorer);
        Some(())
    }

    fn exchanged(claim: &[usize]) -> Vec<usize> {
        if claim[0] == claim[1] { vec![0, 1] } else { vec![0, 0] }
    }

    #[test]
    fn a_wrong_claim_is_a_violation_with_its_input() {
        let directory = tempfile::tempdir().expect("a directory");
        checked(directory.path(), |checker, explorer| {
            let right = checker.check(explorer).expect("programs run");
            assert!(right.violations.is_empty() && right.inputs >= 2, "{right:?}");
            // On the machine.
            let claims = claims(explorer);
            let wrong = claims.iter().map(|claim| claim.as_deref().map(exchanged)).collect();
            let check = checker.hold(explorer, wrong).expect("programs run");
            assert_eq!((check.inputs, check.violations.len()), (0, right.inputs));
            for violation in &check.violations {
                let number = String::from_utf8_lossy(&violation.input.args[0]).parse::<i32>();
                let is_more = number.expect("it is a number") > 3;
                assert_eq!(violation.claimed, if is_more { [0, 0] } else { [0, 1] });
                assert!(is_same_division(&violation.machine, &exchanged(&violation.claimed)));
                assert_eq!(violation.native, None);
                assert!(violation.condition.contains("arg1"), "{}", violation.condition);
            }
            // Natively, in case the machine was wrong as well.
            let claimed = exchanged(claims[0].as_deref().expect("it is proved"));
            let assignment = explorer.found().list[0].input.clone();
            let drawn = Drawn { partition: 0, assignment, claimed: claimed.clone() };
            let mut check = Check::default();
            checker.natively(explorer, &[drawn], &mut check).expect("programs run");
            let [violation] = &check.violations[..] else { panic!("{check:?}") };
            let native = violation.native.as_deref().expect("it was run");
            assert!(is_same_division(native, &exchanged(&claimed)));
        });
    }
}
