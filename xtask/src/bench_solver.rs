//! `cargo xtask bench solver`: how fast flips of path conditions are answered, compared with z3.
//!
//! 1000 flips per set over generated paths: 30 conjuncts on one, on two, or on one or two of 12
//! variables of 32 bits; comparisons of an insertion sort of six variables; character classes of
//! eight bytes. z3, if installed, gets the same flips in one process that keeps the path asserted.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use base::Random;
use smt::{Answer, Budget, Evaluator, Model, Path, SatSolver, Solver, Sort, TermId, Terms};

use crate::solvers::Process;

const FLIPS: usize = 1000;
const CONJUNCTS: usize = 30;

/// A set of queries: its name, the maker of its paths, and the bar for the median.
struct Set {
    name: &'static str,
    make: fn(&mut Random) -> Subject,
    bar: Duration,
}

const SETS: &[Set] = &[
    Set { name: "one variable", make: one_variable, bar: Duration::from_micros(300) },
    Set { name: "two variables", make: two_variables, bar: Duration::from_micros(300) },
    Set { name: "one or two variables", make: either, bar: Duration::from_micros(300) },
    Set { name: "insertion sort", make: insertion_sort, bar: Duration::from_micros(500) },
    Set { name: "bytes", make: bytes, bar: Duration::from_micros(5) },
];

/// A path with its terms and the input that takes it.
struct Subject {
    terms: Terms,
    variables: Vec<TermId>,
    path: Path,
    model: Model,
}

pub fn run() -> anyhow::Result<ExitCode> {
    let mut z3 = Process::z3(None);
    if z3.is_none() {
        println!("z3 is not installed: nothing to compare with");
    }
    let mut passed = true;
    for set in SETS {
        passed &= run_set(set, z3.as_mut())?;
    }
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_set(set: &Set, z3: Option<&mut Process>) -> anyhow::Result<bool> {
    println!("{}", set.name);
    let mut counts = [0; 2];
    let ours = measure(set, "ripple", |subject| flip_all(subject, &mut counts))?;
    let sat = measure(set, "SAT solver alone", flip_all_by_sat)?;
    let mut passed = ours < set.bar;
    if let Some(z3) = z3 {
        let other = measure(set, "z3", |subject| flip_all_by_z3(subject, z3))?;
        let ratio = |ours: Duration| other.as_secs_f64() / ours.as_secs_f64();
        println!(
            "  z3 takes {:.1} times as long as ripple, {:.1} times as long as its SAT solver alone",
            ratio(ours),
            ratio(sat)
        );
        passed &= ours < other;
    }
    let [flips, by_sat] = counts;
    println!(
        "  {:.1} % without the SAT solver; median below {} µs: {}",
        100.0 - 100.0 * by_sat as f64 / flips as f64,
        set.bar.as_micros(),
        if passed { "met" } else { "missed" }
    );
    Ok(passed)
}

/// Times of all flips of all paths; returns the median.
fn measure(
    set: &Set,
    name: &str,
    mut flip: impl FnMut(&mut Subject) -> anyhow::Result<Vec<(Duration, bool)>>,
) -> anyhow::Result<Duration> {
    let mut random = Random::new(42);
    let mut flips: Vec<(Duration, bool)> = Vec::new();
    while flips.len() < FLIPS {
        flips.extend(flip(&mut (set.make)(&mut random))?);
    }
    flips.truncate(FLIPS);
    let satisfiable = flips.iter().filter(|(_, sat)| *sat).count();
    let mut times: Vec<Duration> = flips.iter().map(|(time, _)| *time).collect();
    times.sort_unstable();
    let total: Duration = times.iter().sum();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    println!(
        "  {name}: median {:.1} µs, 90 % below {:.1} µs, mean {:.1} µs, {satisfiable} of {FLIPS} sat",
        micros(times[FLIPS / 2]),
        micros(times[FLIPS * 9 / 10]),
        micros(total / FLIPS as u32),
    );
    Ok(times[FLIPS / 2])
}

impl Subject {
    /// Variables with random values below the limit, and no conditions.
    fn new(random: &mut Random, variables: usize, width: u32, limit: u64) -> Subject {
        let mut terms = Terms::new();
        let named = (0..variables).map(|i| terms.variable(&format!("v{i}"), Sort::Bits(width)));
        let variables = named.collect();
        let mut model = Model::new();
        for variable in terms.variables() {
            model.set(variable, random.number(limit));
        }
        Subject { terms, variables, path: Path::new(), model }
    }

    fn variable(&self, random: &mut Random) -> TermId {
        self.variables[random.number(self.variables.len() as u64) as usize]
    }

    /// Pushes the condition or its negation: the path is the one that the input takes.
    fn decide(&mut self, condition: TermId) -> bool {
        let holds = Evaluator::new().holds(&self.terms, &self.model, &[condition]);
        let taken = if holds { condition } else { self.terms.not(condition) };
        if !self.terms.is_constant(taken) {
            self.path.push(&mut self.terms, taken);
        }
        holds
    }

    fn conjunct(&mut self, random: &mut Random, variables: u64) {
        let (x, y) = (self.variable(random), self.variable(random));
        let terms = &mut self.terms;
        let c = terms.constant(32, random.number(1000));
        let small = terms.constant(32, 2 + random.number(30));
        let (a, b) = match (variables, random.number(6)) {
            (1, 0) => (terms.mul(x, small), c),
            (1, 1) => (terms.and(x, small), c),
            (1, 2) => (terms.srem(x, small), c),
            (1, _) => (x, c),
            (_, 0 | 1) => (x, y),
            (_, 2 | 3) => (terms.add(x, y), c),
            _ => (terms.sub(x, y), c),
        };
        let condition = match random.number(3) {
            0 => terms.slt(a, b),
            1 => terms.ult(a, b),
            _ => terms.eq(a, b),
        };
        self.decide(condition);
    }
}

fn conjuncts(random: &mut Random, variables: fn(&mut Random) -> u64) -> Subject {
    let mut subject = Subject::new(random, 12, 32, 1000);
    for _ in 0..CONJUNCTS {
        let variables = variables(random);
        subject.conjunct(random, variables);
    }
    subject
}

fn one_variable(random: &mut Random) -> Subject {
    conjuncts(random, |_| 1)
}

fn two_variables(random: &mut Random) -> Subject {
    conjuncts(random, |_| 2)
}

fn either(random: &mut Random) -> Subject {
    conjuncts(random, |random| 1 + random.number(2))
}

fn insertion_sort(random: &mut Random) -> Subject {
    let mut subject = Subject::new(random, 6, 32, 1000);
    let mut sorted: Vec<TermId> = Vec::new();
    for next in subject.variables.clone() {
        let mut at = sorted.len();
        while at > 0 {
            let moves = subject.terms.slt(next, sorted[at - 1]);
            if !subject.decide(moves) {
                break;
            }
            at -= 1;
        }
        sorted.insert(at, next);
    }
    subject
}

/// Compares each byte with the bounds of some character classes.
fn bytes(random: &mut Random) -> Subject {
    let mut subject = Subject::new(random, 8, 8, 128);
    for _ in 0..CONJUNCTS {
        let byte = subject.variable(random);
        let terms = &mut subject.terms;
        let wide = terms.sext(byte, 32);
        let limits = b"\t\n !#+-/09:;<=>@AFZ[_afz{|}~";
        let limit = limits[random.number(limits.len() as u64) as usize];
        let limit = terms.constant(32, u64::from(limit));
        let condition = match random.number(3) {
            0 => terms.eq(wide, limit),
            1 => terms.slt(wide, limit),
            _ => terms.slt(limit, wide),
        };
        subject.decide(condition);
    }
    subject
}

/// Flips each condition of a path, and counts flips and those that the SAT solver answered.
fn flip_all(subject: &mut Subject, counts: &mut [u64; 2]) -> anyhow::Result<Vec<(Duration, bool)>> {
    let Subject { terms, path, model, .. } = subject;
    let mut solver = smt::standard();
    let conditions = path.conditions().to_vec();
    path.truncate(0);
    let mut flips = Vec::new();
    for condition in conditions {
        let start = Instant::now();
        let flipped = terms.not(condition);
        let answer = path.ask(&mut solver, terms, &[flipped], model, &Budget::default());
        path.push(terms, condition);
        flips.push((start.elapsed(), is_sat(&answer)?));
    }
    let counted = path.counts();
    counts[0] += counted.asks;
    counts[1] += counted.by_sat;
    Ok(flips)
}

/// The same, with every flip as a query of its own to one instance of the SAT solver.
fn flip_all_by_sat(subject: &mut Subject) -> anyhow::Result<Vec<(Duration, bool)>> {
    let Subject { terms, path, .. } = subject;
    let mut solver = SatSolver::new();
    let mut flips = Vec::new();
    for position in 0..path.len() {
        let start = Instant::now();
        let mut question = path.conditions()[..=position].to_vec();
        question[position] = terms.not(question[position]);
        let answer = solver.check(terms, &question, &Budget::default());
        flips.push((start.elapsed(), is_sat(&answer)?));
    }
    Ok(flips)
}

fn is_sat(answer: &Answer) -> anyhow::Result<bool> {
    match answer {
        Answer::Sat(_) => Ok(true),
        Answer::Unsat(_) => Ok(false),
        Answer::Unknown(reason) => anyhow::bail!("a flip is unknown: {reason}"),
    }
}

/// The same, by a z3 that keeps the path asserted.
fn flip_all_by_z3(
    subject: &mut Subject,
    z3: &mut Process,
) -> anyhow::Result<Vec<(Duration, bool)>> {
    let Subject { terms, path, .. } = subject;
    z3.restart(&smt::smtlib::print_definitions(terms, path.conditions()))?;
    let mut flips = Vec::new();
    for condition in path.conditions() {
        let condition = smt::smtlib::condition_text(terms, *condition);
        let question = format!("(push 1)(assert (not {condition}))(check-sat)(pop 1)\n");
        let start = Instant::now();
        z3.tell(&question)?;
        let answer = z3.line()?;
        flips.push((start.elapsed(), answer.trim() == "sat"));
        z3.tell(&format!("(assert {condition})\n"))?;
    }
    Ok(flips)
}
