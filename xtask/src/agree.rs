//! `cargo xtask agree [--count N] [--seed N] [--quick]`: generated queries to Ripple's solver and
//! to z3 and cvc5.
//!
//! Every query is answered by the whole chain, by the SAT solver alone, by our own reader of the
//! printed text, and by each other solver that is installed. Models are checked by evaluation,
//! theirs as well as ours. A solver that gives up on a query agrees with everyone. With `--quick`
//! the others take turns and give up sooner.

mod questions;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use base::Random;
use smt::smtlib::{ExternalAnswer, print_question, read_answer};
use smt::{Answer, Budget, Evaluator, SatSolver, SmtLibError, Solver, TermId, Terms};

use self::questions::{Theory, question};
use crate::solvers::Process;
use crate::words::Words;

/// The timeout of other solvers per query.
const MILLISECONDS: u32 = 2000;
const QUICK_MILLISECONDS: u32 = 150;
/// Our bound.
const CONFLICTS: u32 = 20_000;

/// The answers, over all queries.
#[derive(Default)]
struct Tally {
    sat: u64,
    unsat: u64,
    unknown: u64,
    /// Conclusive answers of others.
    compared: u64,
    /// Total time of our own answers.
    ours: Duration,
}

pub fn run(options: &[String]) -> anyhow::Result<ExitCode> {
    let (mut count, mut seed, mut quick) = (300, 1, false);
    let mut words = Words::new(options);
    while let Some(option) = words.option() {
        match option {
            "--count" => count = words.number()?,
            "--seed" => seed = words.number()?,
            "--quick" => quick = true,
            _ => bail!("there is no option `{option}`; there are --count N, --seed N, --quick"),
        }
    }
    let mut others: Vec<Process> = Vec::new();
    let limit = Some(if quick { QUICK_MILLISECONDS } else { MILLISECONDS });
    for (name, process) in [("z3", Process::z3(limit)), ("cvc5", Process::cvc5(limit))] {
        match process {
            Some(process) => others.push(process),
            None => println!("{name} is not installed: nothing is compared with it"),
        }
    }
    let mut agreed = true;
    for theory in Theory::ALL {
        agreed &= run_theory(theory, count, seed, &mut others, quick)?;
    }
    Ok(if agreed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn run_theory(
    theory: Theory,
    count: u64,
    seed: u64,
    others: &mut [Process],
    in_turn: bool,
) -> anyhow::Result<bool> {
    let start = Instant::now();
    let mut random = Random::new(seed ^ (theory as u64) << 32);
    let mut tally = Tally::default();
    let mut disagreements = 0;
    let installed = others.len();
    for number in 0..count as usize {
        let others = if in_turn && installed > 0 {
            std::slice::from_mut(&mut others[number % installed])
        } else {
            &mut *others
        };
        let mut terms = Terms::new();
        let conditions = question(&mut terms, &mut random, theory);
        let text = print_question(&terms, &conditions);
        for complaint in compare(&mut terms, &conditions, &text, others, &mut tally)? {
            disagreements += 1;
            println!("{complaint}:\n{text}");
        }
    }
    println!(
        "{}: {count} questions, {} sat, {} unsat, {} unknown; {} answers of others, {} disagree ({:.1} s, {:.1} s ours)",
        theory.logic(),
        tally.sat,
        tally.unsat,
        tally.unknown,
        tally.compared,
        disagreements,
        start.elapsed().as_secs_f64(),
        tally.ours.as_secs_f64(),
    );
    Ok(disagreements == 0)
}

/// What is wrong with the answers to one query.
fn compare(
    terms: &mut Terms,
    conditions: &[TermId],
    text: &str,
    others: &mut [Process],
    tally: &mut Tally,
) -> anyhow::Result<Vec<String>> {
    let mut complaints = Vec::new();
    let budget = || Budget { conflicts: Some(CONFLICTS), ..Budget::default() };
    let mut verdicts: Vec<(&str, bool)> = Vec::new();
    let start = Instant::now();
    let alone = SatSolver::new().check(terms, conditions, &budget());
    let chained = smt::standard().check(terms, conditions, &budget());
    for (name, answer) in [("the SAT solver", &alone), ("the chain", &chained)] {
        match answer {
            Answer::Sat(model) => {
                if !Evaluator::new().holds(terms, model, conditions) {
                    complaints.push(format!("{name} gives a wrong model {model:?}"));
                }
                verdicts.push((name, true));
            }
            Answer::Unsat(_) => verdicts.push((name, false)),
            Answer::Unknown(smt::Reason::Backend) => complaints.push(format!("{name} fails")),
            Answer::Unknown(_) => {}
        }
    }
    let mut first = None;
    let read = smt::smtlib::run(text, &mut smt::standard(), &budget, &mut |line| {
        first.get_or_insert_with(|| line.to_owned());
    });
    match read {
        // The query ends with a request for values, whatever the answer is.
        Ok(()) | Err(SmtLibError::NoModel { .. }) => {}
        Err(error) => complaints.push(format!("what we print cannot be read: {error}")),
    }
    match first.as_deref() {
        Some("sat") => verdicts.push(("the reader", true)),
        Some("unsat") => verdicts.push(("the reader", false)),
        _ => {}
    }
    tally.ours += start.elapsed();
    match verdicts.first() {
        Some((_, true)) => tally.sat += 1,
        Some((_, false)) => tally.unsat += 1,
        None => tally.unknown += 1,
    }
    for other in others {
        let said = other.answer(text)?;
        // Without a model, get-value is an error, which is expected and means nothing.
        let answer = read_answer(terms, &said)
            .with_context(|| format!("{} says `{said}` to\n{text}", other.name))?;
        match answer {
            ExternalAnswer::Sat(model) => {
                tally.compared += 1;
                verdicts.push((other.name, true));
                if !Evaluator::new().holds(terms, &model, conditions) {
                    complaints.push(format!("the model of {} does not hold here", other.name));
                }
            }
            ExternalAnswer::Unsat => {
                tally.compared += 1;
                verdicts.push((other.name, false));
            }
            ExternalAnswer::Unknown => {}
        }
    }
    if let Some((name, verdict)) = verdicts.first()
        && let Some((other, _)) = verdicts.iter().find(|(_, said)| said != verdict)
    {
        let word = |sat: bool| if sat { "sat" } else { "unsat" };
        complaints.push(format!("{name}: {}, {other}: {}", word(*verdict), word(!verdict)));
    }
    Ok(complaints)
}
