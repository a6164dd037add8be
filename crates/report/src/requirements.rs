//! What tests of a change would have to do, in all formats.

mod json;
mod text;

pub use json::{SCHEMA, json};
pub use text::text;

use effects::requirements::{ChainRequirement, Gap, Infection, Limit, Requirements, Verdict};
use explore::partial::{Blur, Why};

use crate::counting::counted;
use crate::words;

/// How many chains can be satisfied, cannot, and are not known.
struct Sums {
    possible: usize,
    impossible: usize,
    incomplete: usize,
}

impl Sums {
    fn of(requirements: &Requirements) -> Sums {
        let count = |verdict: Verdict| {
            requirements.chains().filter(|chain| chain.verdict() == verdict).count()
        };
        Sums {
            possible: count(Verdict::Satisfiable),
            impossible: count(Verdict::Unsatisfiable),
            incomplete: count(Verdict::Incomplete),
        }
    }
}

/// The result in a sentence.
fn sentence(requirements: &Requirements) -> String {
    if requirements.changes.is_empty() && requirements.limits.is_empty() {
        return "nothing changed that affects how the program behaves".to_owned();
    }
    let changes = requirements.changes.len() as u64;
    let changes = counted(changes, "changed statement", "changed statements");
    let Sums { possible, impossible, incomplete } = Sums::of(requirements);
    let mut text = format!(
        "{} from {changes}: {possible} can be satisfied, {impossible} cannot",
        counted((possible + impossible + incomplete) as u64, "chain", "chains")
    );
    if incomplete > 0 {
        text += &format!(", {incomplete} incomplete");
    }
    if !requirements.tests.is_empty() {
        let satisfied = requirements.chains().filter(|chain| !chain.satisfied().is_empty());
        let tests = counted(requirements.tests.len() as u64, "test", "tests");
        text += &format!("; {tests} satisfy {}", satisfied.count());
    }
    text
}

fn verdict_name(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Satisfiable => "satisfiable",
        Verdict::Unsatisfiable => "unsatisfiable",
        Verdict::Incomplete => "incomplete",
    }
}

fn infection_name(infection: Infection) -> &'static str {
    match infection {
        Infection::Tracked => "tracked",
        Infection::ClearPath => "clear_path",
    }
}

/// Why something is not known, for programs.
fn gap_name(gap: &Gap) -> &'static str {
    match gap {
        Gap::Path(why) => match why {
            Why::Decisions => "path_limit",
            Why::Rounds => "loop_bound",
            Why::Paths => "paths",
            Why::Time => "time",
            Why::Bound => "bound",
            Why::Unsupported(_) => "unsupported",
            Why::Calls(_) => "call",
            Why::Value => "value",
            Why::Pointer => "pointer",
            Why::Solver => "solver",
            Why::Diverged => "diverged",
        },
        Gap::Blur(Blur::Expression) => "expression",
        Gap::Blur(Blur::Large) => "large",
        Gap::NoPlace => "no_place",
        Gap::Contexts => "contexts",
        Gap::Variable(_) => "variable",
        Gap::Alias => "alias",
        Gap::Objects => "objects",
        Gap::Pairs => "pairs",
        Gap::Solver => "solver",
        Gap::Trace => "trace",
        Gap::Inside => "inside",
        Gap::Start => "start",
        Gap::Time => "time",
    }
}

/// Why something is not known.
fn gap(gap: &Gap) -> String {
    let text = match gap {
        Gap::Path(why) => return path_gap(why),
        Gap::Blur(Blur::Expression) => {
            "the change or a call of its function is in the middle of an expression"
        }
        Gap::Blur(Blur::Large) => "a variable is too large to be unknown",
        Gap::NoPlace => {
            "the other version has no place that corresponds to the entry of the change"
        }
        Gap::Contexts => "the function of the change is called in further ways",
        Gap::Variable(name) => {
            let name = crate::printable::printable(name.as_bytes());
            return format!("only one version has the variable `{name}`, which is live there");
        }
        Gap::Alias => "unknown pointers that are followed could point to the same object",
        Gap::Objects => "paths make objects, which are not compared",
        Gap::Pairs => "there are too many states to compare",
        Gap::Solver => "the solver does not know",
        Gap::Inside => "a chain ends within a statement that began before the change",
        Gap::Trace => "a path is too long to find its dependences",
        Gap::Start => "the state at the entry of the change could not be put in place",
        Gap::Time => "the budget ended",
    };
    text.to_owned()
}

fn path_gap(why: &Why) -> String {
    let text = match why {
        Why::Decisions => "paths with more decisions than --path-limit",
        Why::Rounds => "paths that go round a loop more often than --loop-bound",
        Why::Paths => "there are too many paths",
        Why::Time => "the budget ended",
        Why::Bound => "a path reaches a bound of runs",
        Why::Unsupported(what) => return format!("a path does what Ripple does not model: {what}"),
        Why::Calls(name) => {
            return format!("a path calls `{name}`, whose result is not known at the change");
        }
        Why::Value => "a path depends on a value in a way that conditions do not express",
        Why::Pointer => "a path uses a pointer that may lead anywhere",
        Why::Solver => "the solver does not know whether a path exists",
        Why::Diverged => "a path was another one than predicted",
    };
    text.to_owned()
}

fn limit(limit: &Limit) -> String {
    match *limit {
        Limit::Stopped(stopped) => {
            format!("{}; the rest was not looked at", words::stopped(stopped))
        }
        Limit::Tests(count) => {
            let tests = counted(count as u64, "test", "tests");
            format!("{tests} could not be followed to the end")
        }
        Limit::Chains { complete } => {
            format!("there are too many chains; the list is complete up to length {complete}")
        }
        Limit::NotTraced => "runs of these versions cannot be traced".to_owned(),
    }
}

fn limit_name(limit: &Limit) -> &'static str {
    match limit {
        Limit::Stopped(_) => "stopped",
        Limit::Tests(_) => "tests",
        Limit::Chains { .. } => "chains",
        Limit::NotTraced => "not_traced",
    }
}

/// The lines of a chain; of a changed statement alone, its line.
fn chain_text(chain: &ChainRequirement, line: u32) -> String {
    if chain.steps.is_empty() {
        return line.to_string();
    }
    crate::adequacy::steps::chain(&chain.steps)
}
