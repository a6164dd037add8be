//! `cargo xtask bench solver`: how fast flips of path conditions are answered, beside z3.
//!
//! 1000 flips over generated paths of 30 conjuncts, each comparing one or two of 12 variables of
//! 32 bits. z3, if installed, gets the same flips in one process that keeps the path asserted.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use anyhow::Context;
use smt::{Answer, Budget, Evaluator, Model, Path, SatSolver, Solver, Sort, TermId, Terms};

const FLIPS: usize = 1000;
const CONJUNCTS: usize = 30;
const VARIABLES: u64 = 12;
/// What the median must stay below.
const BAR: Duration = Duration::from_micros(300);

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// A path with the terms it is made of and the input that takes it.
struct Subject {
    terms: Terms,
    path: Path,
    model: Model,
}

pub fn run() -> anyhow::Result<ExitCode> {
    let mut counts = [0; 2];
    let chain = measure("ripple", |subject| flip_all(subject, &mut counts))?;
    let [flips, by_sat] = counts;
    println!("  {:.1} % without the SAT solver", 100.0 - 100.0 * by_sat as f64 / flips as f64);
    let sat = measure("ripple, SAT solver alone", flip_all_by_sat)?;
    let mut passed = chain < BAR;
    match Z3::start() {
        Some(mut z3) => {
            let other = measure("z3", |subject| z3.flip_all(subject))?;
            let ratio = other.as_secs_f64() / chain.as_secs_f64();
            let alone = other.as_secs_f64() / sat.as_secs_f64();
            println!(
                "medians: z3 takes {ratio:.1} times as long, {alone:.1} times the SAT solver alone"
            );
            passed &= chain < other;
        }
        None => println!("z3 is not installed: nothing to compare with"),
    }
    println!("bar: median below {} µs: {}", BAR.as_micros(), if passed { "met" } else { "missed" });
    Ok(if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Times of all flips of all paths; gives the median.
fn measure(
    name: &str,
    mut flip: impl FnMut(&mut Subject) -> anyhow::Result<Vec<(Duration, bool)>>,
) -> anyhow::Result<Duration> {
    let mut random = Random(42);
    let mut flips: Vec<(Duration, bool)> = Vec::new();
    while flips.len() < FLIPS {
        flips.extend(flip(&mut subject(&mut random))?);
    }
    flips.truncate(FLIPS);
    let satisfiable = flips.iter().filter(|(_, sat)| *sat).count();
    let mut times: Vec<Duration> = flips.iter().map(|(time, _)| *time).collect();
    times.sort_unstable();
    let total: Duration = times.iter().sum();
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    println!(
        "{name}: median {:.1} µs, 90 % below {:.1} µs, mean {:.1} µs, {satisfiable} of {FLIPS} sat",
        micros(times[FLIPS / 2]),
        micros(times[FLIPS * 9 / 10]),
        micros(total / FLIPS as u32),
    );
    Ok(times[FLIPS / 2])
}

fn subject(random: &mut Random) -> Subject {
    let mut terms = Terms::new();
    let variables: Vec<TermId> =
        (0..VARIABLES).map(|i| terms.variable(&format!("v{i}"), Sort::Bits(32))).collect();
    let mut model = Model::new();
    for variable in terms.variables() {
        model.set(variable, random.below(1000));
    }
    let mut path = Path::new();
    for _ in 0..CONJUNCTS {
        let condition = conjunct(&mut terms, random, &variables);
        // The path is the one that the input takes.
        let holds = Evaluator::new().holds(&terms, &model, &[condition]);
        let condition = if holds { condition } else { terms.not(condition) };
        path.push(&mut terms, condition);
    }
    Subject { terms, path, model }
}

fn conjunct(terms: &mut Terms, random: &mut Random, variables: &[TermId]) -> TermId {
    let x = variables[random.below(VARIABLES) as usize];
    let y = variables[random.below(VARIABLES) as usize];
    let c = terms.constant(32, random.below(1000));
    let (a, b) = match random.below(4) {
        0 => (x, c),
        1 => (x, y),
        2 => (terms.add(x, y), c),
        _ => (terms.sub(x, y), c),
    };
    match random.below(3) {
        0 => terms.slt(a, b),
        1 => terms.ult(a, b),
        _ => terms.eq(a, b),
    }
}

/// Flips each condition of a path, and counts flips and those that the SAT solver answered.
fn flip_all(
    subject: &mut Subject,
    counts: &mut [u64; 2],
) -> anyhow::Result<Vec<(Duration, bool)>> {
    let Subject { terms, path, model } = subject;
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

/// The same, every flip a question of its own to one instance of the SAT solver.
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

/// A z3 that reads commands from a pipe.
struct Z3 {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Z3 {
    fn start() -> Option<Z3> {
        let mut child = Command::new("z3")
            .arg("-in")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Z3 { child, input, output })
    }

    fn flip_all(&mut self, subject: &mut Subject) -> anyhow::Result<Vec<(Duration, bool)>> {
        let Subject { terms, path, .. } = subject;
        let definitions = smt::smtlib::print_definitions(terms, path.conditions());
        self.input.write_all(format!("(reset)\n{definitions}").as_bytes())?;
        let mut flips = Vec::new();
        for condition in path.conditions() {
            let condition = smt::smtlib::condition_text(terms, *condition);
            let question = format!("(push 1)(assert (not {condition}))(check-sat)(pop 1)\n");
            let start = Instant::now();
            self.input.write_all(question.as_bytes())?;
            self.input.flush()?;
            let mut answer = String::new();
            self.output.read_line(&mut answer).context("z3 does not answer")?;
            flips.push((start.elapsed(), answer.trim() == "sat"));
            self.input.write_all(format!("(assert {condition})\n").as_bytes())?;
        }
        Ok(flips)
    }
}

impl Drop for Z3 {
    fn drop(&mut self) {
        // It is of no use without its pipe, and leaving it would be untidy; both may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
