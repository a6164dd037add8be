//! Explores a case in several ways and checks everything that is known about the result.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::time::Duration;

use base::Random;
use exec::{Input, Instrumentation, Machine, Program, Stop, Unobserved};
use explore::{Budget, Exploration, Found, Frontier, Options, Progress, Search, Worker, explore};
use inputs::{Layout, Space, find_function};
use ripple_effects::{Libc, Loader};
use source::{Compiler, Invocation};
use trace::Harness;

use crate::case::{Case, Expected};
use crate::words;

/// The most paths of one case to run again.
const MOST_TRACED: usize = 400;
/// The most inputs of one case to draw, to check that their paths were found.
const MOST_DRAWN: u128 = 10_000;
/// Native runs of one case.
const MOST_NATIVE: usize = 6;

/// What is wrong with a case, if anything.
pub fn check(compiler: &Compiler, case: &Case) -> Result<(), String> {
    let (program, layout) = load(compiler, case)?;
    let subject = Subject { case, program: &program, layout: &layout };
    if std::env::var_os("RIPPLE_SHOW").is_some() {
        subject.show();
    }
    let mut known: Option<BTreeSet<u64>> = None;
    for (search, jobs) in [
        (Search::Generational, 1),
        (Search::Depth, 1),
        (Search::Generational, 2),
        (Search::Depth, 2),
    ] {
        let lead = format!("{search:?} search, {jobs} jobs: ");
        let explored = subject.explore(search, jobs, &[]);
        subject.check_expected(&explored).map_err(|wrong| lead.clone() + &wrong)?;
        let names: BTreeSet<u64> = explored.paths.iter().map(|found| found.path).collect();
        if known.get_or_insert_with(|| names.clone()) != &names {
            return Err(lead + "other paths than before");
        }
        if jobs == 1 {
            subject.check_paths(&explored.paths).map_err(|wrong| lead + &wrong)?;
        }
        if search == Search::Generational && jobs == 1 {
            subject.check_seeds(&explored)?;
            subject.check_sample(&explored)?;
            subject.check_native(compiler, &explored.paths)?;
        }
    }
    Ok(())
}

/// The program and its input space.
fn load(compiler: &Compiler, case: &Case) -> Result<(Program, Layout), String> {
    let loader = Loader { compiler, cflags: Vec::new(), libc: Libc::Open };
    let module =
        loader.load(std::slice::from_ref(&case.file)).map_err(|error| error.to_string())?.module;
    let (flags, entry) = (&case.flags, case.entry.as_deref().unwrap_or("main"));
    let overrides = flags.overrides().map_err(|error| error.to_string())?;
    let space = match &case.entry {
        None => flags.texts().and_then(|texts| {
            let globals = Space::globals(&module, &overrides.globals)?;
            Ok(Space { globals, ..texts })
        }),
        Some(name) => find_function(&module, name)
            .and_then(|function| Space::for_function(&module, function, &overrides)),
    };
    let space = space.map_err(|error| error.to_string())?;
    let program = Program::new(module, entry, Instrumentation::default());
    Ok((program.map_err(|error| error.to_string())?, space.layout()))
}

#[derive(Clone, Copy)]
struct Subject<'a> {
    case: &'a Case,
    program: &'a Program,
    layout: &'a Layout,
}

impl<'a> Subject<'a> {
    fn options(&self) -> Options {
        let budget = Budget {
            time: Some(Duration::from_secs(60)),
            runs: Some(100_000),
            ..Budget::default()
        };
        let mut options = Options { budget, ..Options::default() };
        if let Some(steps) = self.case.steps {
            options.limits.steps = steps;
        }
        options
    }

    fn explore(&self, search: Search, jobs: usize, seeds: &[Box<[u64]>]) -> Exploration {
        let options = Options { search, jobs, ..self.options() };
        explore(self.program, self.layout, seeds, &options, &Progress::new())
            .expect("no worker panics")
    }

    /// Prints all paths with their inputs and steps.
    fn show(&self) {
        let explored = self.explore(Search::Generational, 1, &[]);
        let mut worker = self.worker();
        for found in &explored.paths {
            let input = self.layout.decode(&found.assignment);
            let (stop, path) = worker.trace(&found.assignment);
            println!("{path:016x} {stop:?}\n  {input:?}");
            for step in &worker.machine.observer.path {
                let position = self.program.position(step.site);
                let terms = &worker.machine.observer.terms;
                let condition = smt::people::term(terms, step.condition);
                println!(
                    "  {}:{} {} {:?} {condition}",
                    position.function, position.line, step.outcome, step.origin
                );
            }
        }
    }

    fn worker(&self) -> Worker<'a> {
        let options = self.options();
        let harness = Harness::new(self.program, self.layout, &options.name);
        let frontier = Frontier::new(options.search);
        let budget = smt::Budget::default();
        Worker::new(harness, self.layout, options.limits, frontier, budget)
    }

    fn check_expected(&self, explored: &Exploration) -> Result<(), String> {
        let own = self.case.file.to_string_lossy();
        let mut faults: Vec<String> = explored
            .faults
            .iter()
            .map(|found| words::fault(self.program, &own, &found.fault))
            .collect();
        let mut gaps: Vec<String> =
            explored.gaps.iter().map(|gap| words::gap(self.program, &own, gap)).collect();
        faults.sort();
        gaps.sort();
        gaps.dedup();
        let found = Expected { paths: explored.paths.len(), faults, gaps };
        match found == self.case.expected {
            true => Ok(()),
            false => Err(format!("found {found:?}\n    instead of {:?}", self.case.expected)),
        }
    }

    /// Every input takes its path, and the conditions of the path hold for it.
    fn check_paths(&self, paths: &[Found]) -> Result<(), String> {
        let inputs: BTreeSet<&[u64]> = paths.iter().map(|found| &*found.assignment).collect();
        if inputs.len() != paths.len() {
            return Err("one input stands for two paths".to_owned());
        }
        let mut worker = self.worker();
        let mut plain = Plain::new(*self);
        let mut evaluator = smt::Evaluator::new();
        for found in sample(paths, MOST_TRACED) {
            let (stop, path) = worker.trace(&found.assignment);
            let input = self.layout.decode(&found.assignment);
            if path != found.path || stop != found.stop {
                return Err(format!("{input:?} takes another path when it is run again"));
            }
            let shown = worker.machine.state.process.vfs.stdout().to_vec();
            if plain.run(&found.assignment) != (stop, shown) {
                return Err(format!("{input:?} behaves differently without terms"));
            }
            let observer = &worker.machine.observer;
            let model = worker.terms.model(&observer.terms, &found.assignment);
            for step in &observer.path {
                evaluator.restart();
                if !evaluator.holds(&observer.terms, &model, &[step.condition]) {
                    return Err(format!("{input:?} does not satisfy {step:?}"));
                }
            }
        }
        Ok(())
    }

    /// Seeds do not change the set of paths.
    fn check_seeds(&self, explored: &Exploration) -> Result<(), String> {
        let seeds: Vec<Box<[u64]>> =
            sample(&explored.paths, 5).map(|found| found.assignment.clone()).collect();
        for jobs in [1, 2] {
            let again = self.explore(Search::Generational, jobs, &seeds);
            let names = |explored: &Exploration| -> BTreeSet<u64> {
                explored.paths.iter().map(|found| found.path).collect()
            };
            if names(&again) != names(explored) {
                let (now, before) = (again.paths.len(), explored.paths.len());
                return Err(format!("from {} seeds: {now} paths, not {before}", seeds.len()));
            }
        }
        Ok(())
    }

    /// The path of any input is among those that a complete exploration found. Tries all inputs if
    /// they are few.
    fn check_sample(&self, explored: &Exploration) -> Result<(), String> {
        if !explored.is_complete() {
            return Ok(());
        }
        let names: BTreeSet<u64> = explored.paths.iter().map(|found| found.path).collect();
        let domains: Vec<&inputs::Domain> =
            self.layout.cells.values().map(|cell| &cell.domain).collect();
        let all = domains.iter().fold(1u128, |all, domain| all.saturating_mul(domain.count()));
        let mut worker = self.worker();
        let mut random = Random::new(1);
        for number in 0..all.min(MOST_DRAWN) {
            let mut rest = number;
            let assignment: Vec<u64> = domains
                .iter()
                .map(|domain| {
                    let count = domain.count();
                    let position = rest % count;
                    rest /= count;
                    if all <= MOST_DRAWN {
                        domain.nth(position)
                    } else {
                        domain.nth(u128::from(random.next()) % count)
                    }
                })
                .collect();
            let (_, path) = worker.trace(&assignment);
            if !names.contains(&path) {
                let input = self.layout.decode(&assignment);
                return Err(format!("the path of {input:?} was not found"));
            }
        }
        Ok(())
    }

    /// The native program behaves like the machine.
    fn check_native(&self, compiler: &Compiler, paths: &[Found]) -> Result<(), String> {
        if self.case.entry.is_some() || !self.case.flags.globals.is_empty() {
            return Ok(());
        }
        let ended = |found: &&Found| {
            let is_fault = matches!(found.stop, Stop::Fault(_));
            found.stop.status().is_some() && (self.case.runs_natively || !is_fault)
        };
        let paths: Vec<&Found> = paths.iter().filter(ended).collect();
        let files = [self.case.file.clone()];
        let native = compiler.build_native(&files, &[], false).map_err(|e| e.to_string())?;
        let mut plain = Plain::new(*self);
        for found in sample(&paths, MOST_NATIVE) {
            let input = self.layout.decode(&found.assignment);
            let limits = source::Limits::default();
            let run = source::run_native(&native, &invocation(&input), &limits);
            let run = run.map_err(|error| error.to_string())?;
            let (stop, stdout) = plain.run(&found.assignment);
            // Buffered output is lost when a program is stopped.
            let is_same = matches!(stop, Stop::Fault(_)) || run.stdout == stdout;
            if run.end.status() != stop.status() || !is_same {
                let shown = String::from_utf8_lossy(&stdout);
                let native = String::from_utf8_lossy(&run.stdout);
                return Err(format!(
                    "{input:?}: {stop:?} {shown:?} here, {:?} {native:?} natively",
                    run.end
                ));
            }
        }
        Ok(())
    }
}

/// Runs on the bare machine.
struct Plain<'a> {
    harness: Harness<'a>,
    machine: Machine<'a, Unobserved>,
}

impl<'a> Plain<'a> {
    fn new(subject: Subject<'a>) -> Plain<'a> {
        let options = subject.options();
        let harness = Harness::new(subject.program, subject.layout, &options.name);
        let idle = Input::default();
        let machine = Machine::idle(subject.program, &idle, options.limits, Unobserved);
        Plain { harness, machine }
    }

    fn run(&mut self, assignment: &[u64]) -> (Stop, Vec<u8>) {
        let stop = match self.harness.start(&mut self.machine, assignment) {
            Ok(()) => self.machine.run(),
            Err(stop) => stop,
        };
        (stop, self.machine.state.process.vfs.stdout().to_vec())
    }
}

/// At most this many elements, evenly spaced.
fn sample<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    all.iter().step_by(all.len().div_ceil(most).max(1))
}

/// An input for a native run.
fn invocation(input: &inputs::Input) -> Invocation {
    Invocation {
        args: input.args.iter().map(|arg| OsString::from_vec(arg.clone())).collect(),
        stdin: input.stdin.clone(),
        files: input.files.clone(),
        ..Invocation::default()
    }
}
