//! Concolic runs of several versions over the same terms, and the observables of each.
//!
//! There is one table of terms, which the active version owns. All versions take an input of the
//! common space, each in its own cells.

use exec::concolic::Step;
use exec::observer::Operand;
use exec::{Limits, Stop};
use ir::StatementId;
use smt::{Budget, TermId, Terms};
use trace::Harness;
use trace::outcome::{Ending, File, Observe, files_of};

use super::shown::{Sameness, Stream, same_streams, streams};
use super::undefined::Undefined;
use super::{Subject, common_layout};
use crate::candidate::{Frontier, Search};
use crate::cells::own_assignment;
use crate::input_terms::InputTerms;
use crate::proved::Unclear;
use crate::result::Taker;
use crate::result::symbolic::{SymbolicSnapshot, fit};
use crate::worker::Worker;

/// A run that ends in a fault loses unwritten output only up to this size.
const SMALLEST_BUFFER: usize = 1024;

/// One run of one version.
#[derive(Clone, Debug)]
pub(super) struct Run<'p> {
    pub stop: Stop,
    /// The path condition, including repeated conditions.
    pub steps: Vec<Step>,
    pub repeats: Vec<Step>,
    /// Changed statements that were executed.
    pub reached: Vec<StatementId>,
    /// The observables, or why they are unknown.
    pub shown: Result<Shown<'p>, Unclear>,
    pub pins: usize,
}

/// The observables of a run, over the input.
#[derive(Clone, Debug)]
pub(super) struct Shown<'p> {
    pub ending: Ending,
    /// The exit status, if it depends on the input.
    pub status: Option<TermId>,
    pub stdout: Stream,
    pub stderr: Stream,
    pub files: Vec<File>,
    /// The state that a function left, and its native caller.
    pub result: Option<(SymbolicSnapshot, &'p inputs::Harness)>,
    /// When it is undefined, by kind, if that counts.
    pub undefined: Undefined,
}

impl Run<'_> {
    /// Whether two runs have the same observables on this input.
    pub fn shows_the_same(&self, other: &Run<'_>, observe: &Observe) -> bool {
        let (Ok(one), Ok(two)) = (&self.shown, &other.shown) else { return false };
        let texts = |a: &Stream, b: &Stream| !observe.texts_differ(&a.bytes, &b.bytes);
        one.ending == two.ending
            && texts(&one.stdout, &two.stdout)
            && texts(&one.stderr, &two.stderr)
            && one.result.is_none()
            && two.result.is_none()
            && same_files(&one.files, &two.files, observe) == Sameness::ALWAYS
    }
}

impl Shown<'_> {
    /// When two runs have the same observables; covers all that count. An error if something cannot
    /// be compared and nothing else differs.
    pub fn same(
        &self,
        terms: &mut Terms,
        other: &Shown<'_>,
        observe: &Observe,
    ) -> Result<Vec<Sameness>, Unclear> {
        let mut all = Vec::new();
        if observe.exit {
            all.push(self.same_ending(terms, other));
        }
        let pairs = [
            (observe.stdout, &self.stdout, &other.stdout),
            (observe.stderr, &self.stderr, &other.stderr),
        ];
        for (counts, one, two) in pairs {
            if counts {
                all.push(same_texts(terms, one, two, observe));
            }
        }
        if observe.files {
            all.push(same_files(&self.files, &other.files, observe));
        }
        match (&self.result, &other.result) {
            (None, None) => {}
            (Some((one, caller)), Some((two, other))) => {
                match one.same(caller, two, other, &observe.values(), terms) {
                    Ok(condition) => all.push(Sameness { condition, exact: true }),
                    Err(reason) if !all.contains(&Sameness::NEVER) => {
                        return Err(Unclear::Memory(reason));
                    }
                    Err(_) => {}
                }
            }
            _ => all.push(Sameness::NEVER),
        }
        if observe.ub {
            all.push(self.undefined.same(terms, &other.undefined));
        }
        Ok(all)
    }

    fn same_ending(&self, terms: &mut Terms, other: &Shown<'_>) -> Sameness {
        let (Ending::Status(one), Ending::Status(two)) = (self.ending, other.ending) else {
            return Sameness::of(self.ending == other.ending);
        };
        if self.status.is_none() && other.status.is_none() {
            return Sameness::of(one == two);
        }
        let mut term = |status: Option<TermId>, known: i32| {
            status.unwrap_or_else(|| terms.constant(8, known as u64 & 0xff))
        };
        let (one, two) = (term(self.status, one), term(other.status, two));
        Sameness { condition: terms.eq(one, two), exact: true }
    }

    /// For people: the end, if it is not a plain success, and the output.
    pub fn text(&self, terms: &Terms) -> String {
        let mut parts: Vec<String> = self.undefined.text(terms).collect();
        let (stdout, stderr) = (self.stdout.text(terms), self.stderr.text(terms));
        if !stdout.is_empty() {
            parts.push(stdout);
        }
        if !stderr.is_empty() {
            parts.push(format!("stderr: {stderr}"));
        }
        for (name, content) in &self.files {
            let state = if content.is_some() { "written" } else { "removed" };
            parts.push(format!("{} {state}", String::from_utf8_lossy(name)));
        }
        if let Some((result, caller)) = &self.result {
            parts.push(result.text(caller, terms));
        }
        match (self.ending, self.status) {
            (_, Some(status)) => {
                parts.push(format!("status {{{}}}", smt::people::term(terms, status)));
            }
            (Ending::Status(0), None) => {}
            (Ending::Status(status), None) => parts.push(format!("status {status}")),
            (Ending::Fault(signal), None) => parts.push(format!("fault (signal {signal})")),
            (Ending::Endless | Ending::Unfinished | Ending::Unknown, None) => {}
        }
        parts.join(" · ")
    }
}

fn same_texts(terms: &mut Terms, one: &Stream, two: &Stream, observe: &Observe) -> Sameness {
    if one.is_plain() && two.is_plain() {
        return Sameness::of(!observe.texts_differ(&one.bytes, &two.bytes));
    }
    let same = same_streams(terms, one, two);
    // Different texts may count as the same.
    let is_strict = observe.ignore.is_empty() && observe.tolerance == 0;
    Sameness { exact: same.exact && is_strict, ..same }
}

fn same_files(one: &[File], two: &[File], observe: &Observe) -> Sameness {
    let same = |((name, old), (other, new)): (&File, &File)| {
        name == other
            && match (old, new) {
                (Some(old), Some(new)) => !observe.texts_differ(old, new),
                (old, new) => old.is_none() && new.is_none(),
            }
    };
    Sameness::of(one.len() == two.len() && one.iter().zip(two).all(same))
}

/// All versions, and the terms that they share.
pub(super) struct Runs<'p> {
    workers: Vec<Worker<'p>>,
    subjects: Vec<Subject<'p>>,
    /// By version, the taker of snapshots of the state that a function leaves.
    takers: Vec<Option<Taker>>,
    counts_leaks: bool,
    /// The term of each cell of the common space.
    common: InputTerms,
    /// Which version owns the terms.
    holder: usize,
    own: Vec<u64>,
}

impl<'p> Runs<'p> {
    pub fn new(subjects: &[Subject<'p>], name: &[u8], limits: Limits, counts_leaks: bool) -> Self {
        let mut terms = Terms::new();
        let common = InputTerms::new(&mut terms, common_layout(subjects));
        let mut workers = Vec::new();
        for subject in subjects {
            let inputs = match subject.cells {
                None => common.clone(),
                Some(cells) => common.of_version(&mut terms, subject.layout, cells),
            };
            let harness = Harness::new(subject.program, subject.layout, name);
            let frontier = Frontier::new(Search::default());
            let mut worker =
                Worker::with_terms(harness, inputs, limits, frontier, Budget::default(), terms);
            terms = std::mem::take(&mut worker.machine.observer.terms);
            worker.machine.observer.repeats = Some(Vec::new());
            workers.push(worker);
        }
        workers[0].machine.observer.terms = terms;
        let taker = |subject: &Subject<'p>| {
            subject.caller.map(|caller| Taker::new(caller, subject.program))
        };
        Runs {
            workers,
            takers: subjects.iter().map(taker).collect(),
            counts_leaks,
            subjects: subjects.to_vec(),
            common,
            holder: 0,
            own: Vec::new(),
        }
    }

    /// Makes runs record when they are undefined.
    pub fn watch_undefined(&mut self) {
        for worker in &mut self.workers {
            worker.machine.observer.watch_undefined();
        }
    }

    /// Sets the budget of a run.
    pub fn set_budget(&mut self, budget: &Budget) {
        self.workers.iter_mut().for_each(|worker| worker.budget = budget.clone());
    }

    /// Whether a version's last run ended because the budget was exhausted.
    pub fn is_cut(&self) -> bool {
        self.workers.iter().any(|worker| worker.is_cut)
    }

    pub fn count(&self) -> usize {
        self.workers.len()
    }

    pub fn terms(&mut self) -> &mut Terms {
        &mut self.workers[self.holder].machine.observer.terms
    }

    pub fn terms_ref(&self) -> &Terms {
        &self.workers[self.holder].machine.observer.terms
    }

    /// The term of each cell of the input, and what holds for every input.
    pub fn input_terms(&self) -> &InputTerms {
        &self.common
    }

    pub fn total(&self) -> u64 {
        self.workers.iter().map(|worker| worker.runs).sum()
    }

    fn at(&mut self, index: usize) -> &mut Worker<'p> {
        if self.holder != index {
            let terms = std::mem::take(&mut self.workers[self.holder].machine.observer.terms);
            self.workers[index].machine.observer.terms = terms;
            self.holder = index;
        }
        &mut self.workers[index]
    }

    /// Runs an input on one version, some of whose statements are changed.
    pub fn run(&mut self, index: usize, input: &[u64], changed: &[StatementId]) -> Run<'p> {
        let subject = self.subjects[index];
        let mut own = std::mem::take(&mut self.own);
        own_assignment(subject.layout, subject.cells, input, &mut own);
        let (mut taker, counts_leaks) = (self.takers[index].take(), self.counts_leaks);
        let worker = self.at(index);
        let (stop, _) = worker.trace(&own);
        let shown = shown(worker, &subject, taker.as_mut(), counts_leaks, &stop);
        let observer = &mut worker.machine.observer;
        let changed = changed.iter().copied();
        let reached = changed.filter(|&statement| observer.has_executed(statement)).collect();
        let run = Run {
            stop,
            steps: std::mem::take(&mut observer.path),
            repeats: observer.repeats.as_mut().map(std::mem::take).unwrap_or_default(),
            reached,
            shown,
            pins: observer.pins.len(),
        };
        self.own = own;
        self.takers[index] = taker;
        run
    }
}

/// The observables of a worker's last run.
fn shown<'p>(
    worker: &mut Worker<'_>,
    subject: &Subject<'p>,
    taker: Option<&mut Taker>,
    counts_leaks: bool,
    stop: &Stop,
) -> Result<Shown<'p>, Unclear> {
    match stop {
        Stop::Exhausted(bound) => return Err(Unclear::Exhausted(*bound)),
        Stop::Unsupported(what) => return Err(Unclear::Unsupported(what.clone())),
        // A native program may survive it, and then its behaviour depends on addresses.
        Stop::Fault(fault) if !fault.kind.is_certain() => return Err(Unclear::Undetermined),
        Stop::Exit(_) | Stop::Signal(_) | Stop::Fault(_) => {}
    }
    if worker.machine.observer.contradiction.is_some() {
        return Err(Unclear::Contradiction);
    }
    let state = &worker.machine.state;
    if state.memory.undefined_reads + state.undefined_slots > 0 {
        return Err(Unclear::Undetermined);
    }
    let events = std::mem::take(&mut worker.machine.observer.events);
    let files = &worker.machine.state.process.files;
    let terms = &mut worker.machine.observer.terms;
    let (stdout, stderr, depends) = streams(terms, &events, |address| files.standard(address));
    let vfs = &worker.machine.state.process.vfs;
    let is_fault = matches!(stop, Stop::Fault(_) | Stop::Signal(_));
    let stdout = settled(stdout, vfs.stdout(), is_fault)?;
    let stderr = settled(stderr, vfs.stderr(), is_fault)?;
    if depends {
        return Err(Unclear::Files);
    }
    let files = files_of(vfs);
    let has_returned = matches!(stop, Stop::Exit(_)) && worker.machine.observer.returned;
    let result = subject.caller.zip(taker).filter(|_| has_returned).map(|(caller, taker)| {
        let (placed, machine) = (&worker.harness, &mut worker.machine);
        (SymbolicSnapshot::take(taker, caller, placed, machine, counts_leaks), caller)
    });
    let (ending, status) = match result {
        // The harness ends with 0 if the function returns.
        Some(_) => (Ending::Status(0), None),
        None => (Ending::of(stop), status(worker, stop)?),
    };
    let undefined = Undefined::of(&mut worker.machine.observer);
    Ok(Shown { ending, status, stdout, stderr, files, result, undefined })
}

/// The final contents of a stream: events may omit something, and buffered output is lost when a
/// run ends in a fault.
fn settled(stream: Stream, arrived: &[u8], is_fault: bool) -> Result<Stream, Unclear> {
    if stream.bytes == arrived {
        return Ok(stream);
    }
    if stream.is_plain() {
        return Ok(Stream::plain(arrived));
    }
    let is_lost = is_fault && arrived.is_empty() && stream.bytes.len() < SMALLEST_BUFFER;
    if is_lost { Ok(Stream::default()) } else { Err(Unclear::Output) }
}

fn status(worker: &mut Worker<'_>, stop: &Stop) -> Result<Option<TermId>, Unclear> {
    let Stop::Exit(status) = stop else { return Ok(None) };
    let Some(&Operand { bits, shadow }) = worker.machine.observer.result.first() else {
        return Ok(None);
    };
    let Some(term) = TermId::from_raw(shadow) else { return Ok(None) };
    if bits & 0xff != *status as u64 & 0xff {
        return Err(Unclear::Output);
    }
    let terms = &mut worker.machine.observer.terms;
    Ok(Some(fit(terms, term, 8)))
}
