//! Checks slices: everything that a changed value reaches must be in its forward slice.
//!
//! Runs a program unchanged, and again with the value of one assignment changed at each execution
//! ([`trace::perturbation`]). A statement outside the forward slice of the assignment must record
//! the same values in both runs. If the changed run does not end by itself (a fault, a bound), the
//! part that it recorded must be the same.

use base::Random;
use exec::{Input, Instrumentation, Limits, Program, Stop};
use graphs::sdg::Kind;
use graphs::{Direction, ProgramGraphs, Slice};
use ir::{Module, StatementId};
use trace::perturbation::{Change, Instruction, Log, run};

/// The result of checking one program.
#[derive(Debug, Default)]
pub struct Report {
    /// Changed runs that were compared.
    pub compared: usize,
    /// Statements outside of slices whose values were compared.
    pub outside: usize,
    /// Statements inside of slices whose values did change.
    pub affected: usize,
    pub violations: Vec<String>,
}

/// Bounds of one run; programs that need more are not compared.
const LIMITS: Limits = Limits { steps: 4_000_000, memory: 1 << 28, output: 2 << 20, depth: 10_000 };

/// Changes values of a program, one after the other, and compares. `None` if the unchanged program
/// does not end within the limits.
pub fn check(module: &Module, input: &Input, trials: usize, seed: u64) -> Option<Report> {
    let graphs = ProgramGraphs::new(module);
    let program = Program::new(module.clone(), "main", Instrumentation::default()).ok()?;
    let usual = run(&program, input, LIMITS, None).ok().filter(has_ended)?;
    let candidates: Vec<Instruction> = usual.assignments.iter().copied().collect();
    let mut report = Report::default();
    let mut random = Random::new(seed);
    for _ in 0..trials.min(candidates.len()) {
        let change = Change { at: random.pick(&candidates), bits: 1 << random.below(4) };
        if let Ok(changed) = run(&program, input, LIMITS, Some(change)) {
            compare(&graphs, change, &usual, &changed, &mut report);
        }
    }
    Some(report)
}

fn has_ended(log: &Log) -> bool {
    matches!(log.stop, Stop::Exit(_))
}

fn compare(
    graphs: &ProgramGraphs<'_>,
    change: Change,
    usual: &Log,
    changed: &Log,
    report: &mut Report,
) {
    let (function, inst) = change.at;
    let vertices = graphs.sdg.vertices_of(function);
    let start: Vec<_> =
        vertices.filter(|&vertex| graphs.sdg.vertices[vertex].kind == Kind::Inst(inst)).collect();
    if start.is_empty() {
        return;
    }
    let slice = Slice::new(&graphs.sdg, &start, Direction::Forward);
    report.compared += 1;
    for statement in graphs.module.statements.keys() {
        let [before, after] = [usual, changed].map(|log| &log.values[statement]);
        if before.is_empty() && after.is_empty() {
            continue;
        }
        let same = if has_ended(changed) { before == after } else { before.starts_with(after) };
        if slice.contains_statement(&graphs.sdg, statement) {
            report.affected += usize::from(!same);
            continue;
        }
        report.outside += 1;
        if !same {
            report.violations.push(describe(graphs.module, change.at, statement));
        }
    }
}

fn describe(module: &Module, (function, inst): Instruction, statement: StatementId) -> String {
    let body = module.functions[function].body().expect("a candidate has code");
    let from = body.insts[inst].statement;
    let place = |statement: StatementId| {
        let data = &module.statements[statement];
        let name = module.functions[data.function].display_name();
        format!("{statement} ({name}, line {})", data.span.line)
    };
    format!("{inst:?} of {} reaches {}", place(from), place(statement))
}
