//! Dependences and missing requirements in words.

use effects::adequacy::{Edit, Fate, Missing, Outcome, Requirement, Step, Through};

use inputs::{Test, write_test};

use super::tests;
use crate::printable::printable;

/// What a dependence passes.
pub(crate) fn through(through: &Through) -> String {
    match through {
        Through::Decision(Outcome::True) => "true".to_owned(),
        Through::Decision(Outcome::False) => "false".to_owned(),
        Through::Decision(Outcome::Case(case)) => format!("case {case}"),
        Through::Decision(Outcome::Default) => "default".to_owned(),
        Through::Call => "call".to_owned(),
        Through::Variable(name) if name.is_empty() => "memory".to_owned(),
        Through::Variable(name) => printable(name.as_bytes()),
        Through::Result(function) => format!("{}()", printable(function.as_bytes())),
        Through::Value => "value".to_owned(),
    }
}

/// The kind of a dependence, for programs.
pub(crate) fn kind(through: &Through) -> &'static str {
    match through {
        Through::Decision(_) => "control",
        Through::Call => "call",
        Through::Variable(_) => "variable",
        Through::Result(_) => "result",
        Through::Value => "value",
    }
}

/// The lines of a chain: `7 -[true]-> 11 -[y]-> 17`.
pub(crate) fn chain(steps: &[Step]) -> String {
    let mut text = String::new();
    if let Some(first) = steps.first() {
        text += &first.from.line.to_string();
    }
    for step in steps {
        text += &format!(" -[{}]-> {}", through(&step.through), step.to.line);
    }
    text
}

/// What a missing requirement asks for, in a sentence without its change.
pub(super) fn missing(requirement: &Requirement) -> String {
    let lines = match requirement.steps.split_last() {
        Some((last, [])) => last_step(last),
        Some((last, before)) => format!("{} after {}", last_step(last), chain(before)),
        None => String::new(),
    };
    match requirement.missing {
        Missing::Execution => "no test executes it".to_owned(),
        Missing::Infection => format!(
            "{} it, but the state is always the same as in the other version",
            executes(requirement.near)
        ),
        Missing::Dependence => format!("no test takes {lines}"),
        Missing::Difference => {
            format!("no test takes {lines} with a different value ({})", with_the_same(requirement))
        }
        Missing::Confounded if requirement.steps.is_empty() => format!(
            "{} it, but another part of the change makes the state different before",
            executes(requirement.near)
        ),
        Missing::Confounded => format!(
            "no test takes {lines} with a value that this part of the change alone makes different"
        ),
    }
}

fn with_the_same(requirement: &Requirement) -> String {
    match requirement.near {
        1 => "1 test takes it with the same one".to_owned(),
        many => format!("{} take it with the same one", tests(many)),
    }
}

fn executes(count: usize) -> String {
    if count == 1 { "1 test executes".to_owned() } else { format!("{} execute", tests(count)) }
}

fn last_step(step: &Step) -> String {
    let (from, to) = (step.from.line, step.to.line);
    match &step.through {
        Through::Decision(_) | Through::Call => {
            format!("line {from} to line {to} ({})", through(&step.through))
        }
        Through::Value => format!("a value from line {from} to line {to}"),
        Through::Variable(name) if name.is_empty() => {
            format!("memory from line {from} to line {to}")
        }
        other => format!("`{}` from line {from} to line {to}", through(other)),
    }
}

/// The kind of a missing requirement, for programs.
pub(super) fn missing_name(missing: Missing) -> &'static str {
    match missing {
        Missing::Execution => "execution",
        Missing::Infection => "infection",
        Missing::Dependence => "dependence",
        Missing::Difference => "difference",
        Missing::Confounded => "confounded",
    }
}

/// An edit of a changed statement.
pub(super) fn edit(edit: &Edit) -> String {
    let named = |name: &str| format!("`{}`", printable(name.as_bytes()));
    match edit {
        Edit::Operator { from, to } => format!("`{to}` instead of `{from}`"),
        Edit::Constant { from, to } => format!("{to} instead of {from}"),
        Edit::Negated => "the condition negated".to_owned(),
        Edit::NotWritten(Some(name)) => format!("{} not assigned", named(name)),
        Edit::NotWritten(None) => "memory not written".to_owned(),
        Edit::NotCalled(Some(name)) => format!("{} not called", named(name)),
        Edit::NotCalled(None) => "a function not called".to_owned(),
    }
}

/// What became of a mutant, for programs.
pub(super) fn fate_name(fate: &Fate) -> &'static str {
    match fate {
        Fate::Killed { .. } => "killed",
        Fate::Survived { .. } => "survived",
        Fate::Equivalent => "equivalent",
        Fate::Unreached => "unreached",
        Fate::Undecided | Fate::Unnoticed { .. } => "undecided",
    }
}

/// Why a mutant is not killed, for people.
pub(super) fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Killed { test } => format!("killed by test {}", test + 1),
        Fate::Survived { tests: count, input } => {
            let test = Test { input: (**input).clone(), ..Test::default() };
            format!("survives {}, not {}", tests(*count), printable(write_test(&test).as_bytes()))
        }
        Fate::Equivalent => "has no effect on any input".to_owned(),
        Fate::Unreached => "no test reaches it".to_owned(),
        Fate::Undecided => "undecided: a run does not end within its bounds".to_owned(),
        Fate::Unnoticed { tests: count } => {
            format!("undecided: survives {}, and no input that it fails is known", tests(*count))
        }
    }
}
