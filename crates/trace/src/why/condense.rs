//! Makes a chain short enough to read.
//!
//! Leaves out steps that say nothing that their neighbours do not say: steps inside the C library,
//! unnamed values, the entry of an argument into its parameter's variable, and decisions of one
//! version on its own path. Shows rounds of a loop once, with their number, and once more at the
//! end.

use base::Version;
use ir::StatementId;

use super::{Instance, Step, Via, What};
use crate::alignment::Run;
use crate::matching::Matching;

/// The longest round of a loop that is recognised.
const LONGEST_ROUND: usize = 8;

pub(super) fn condense(
    steps: Vec<Step>,
    old: Run<'_>,
    new: Run<'_>,
    matching: &Matching,
) -> Vec<Step> {
    let mut steps = steps;
    // The effects of a changed statement show that it calls something else.
    while let [first, second, ..] = &steps[..]
        && matches!(first.what, What::Call(_))
        && (first.old_value.is_none() && first.new_value.is_none())
        && second.changed
        && statements(first).iter().any(|st| st.is_some() && statements(second).contains(st))
    {
        steps.remove(0);
    }
    let count = steps.len();
    let mut kept: Vec<Step> = Vec::new();
    for (index, step) in steps.into_iter().enumerate() {
        let is_first_or_last = index == 0 || index + 1 == count;
        let is_own = is_own(&step, old, new, matching);
        let repeats_argument = kept.last().is_some_and(|last| enters(last, &step));
        let says_nothing = match step.what {
            What::Value => true,
            What::Result(_) | What::Argument { .. } => {
                step.old_value.is_none() && step.new_value.is_none()
            }
            // After a decision in one version only, its calls show what happened.
            What::Condition => {
                let by_control = kept.last().is_some_and(|last| last.via == Some(Via::Control));
                step.only.is_some() && step.via == Some(Via::Control) && by_control
            }
            _ => false,
        };
        if !is_first_or_last && (!is_own || says_nothing || repeats_argument) {
            if let Some(last) = kept.last_mut() {
                // A skipped step still depends by control, if it did.
                if step.via == Some(Via::Control) {
                    last.via = step.via;
                }
                last.changed |= step.changed && repeats_argument;
            }
            continue;
        }
        kept.push(step);
    }
    rounds(kept)
}

/// Whether a step is one of the program itself.
fn is_own(step: &Step, old: Run<'_>, new: Run<'_>, matching: &Matching) -> bool {
    let own = |version: Version, run: Run<'_>, instance: Option<Instance>| {
        let statement = &run.program.module.statements[instance?.statement];
        Some(matching.is_own(version, statement.function))
    };
    let of_old = own(Version::Old, old, step.old);
    let of_new = own(Version::New, new, step.new);
    match (of_old, of_new) {
        (None, None) => true,
        (one, other) => one == Some(true) || other == Some(true),
    }
}

/// Whether a step only moves an argument into the variable of its parameter, or a result out
/// of its function.
fn enters(before: &Step, step: &Step) -> bool {
    let is_same = match (&before.what, &step.what) {
        (What::Argument { name, .. }, What::Variable(variable)) => name == variable,
        (What::Result(function), What::Result(other)) => function == other,
        _ => false,
    };
    is_same && before.old_value == step.old_value && before.new_value == step.new_value
}

/// Whether two steps are the same in different rounds.
fn alike(a: &Step, b: &Step) -> bool {
    let what = match (&a.what, &b.what) {
        // Elements of an array count as the same.
        (What::Variable(a), What::Variable(b)) => base_name(a) == base_name(b),
        (What::Memory(a), What::Memory(b)) => base_name(a) == base_name(b),
        (a, b) => a == b,
    };
    what && a.via == b.via && statements(a) == statements(b)
}

fn statements(step: &Step) -> [Option<StatementId>; 2] {
    [step.old, step.new].map(|instance| instance.map(|instance| instance.statement))
}

fn base_name(name: &str) -> &str {
    name.split(['[', ' ']).next().unwrap_or(name)
}

fn rounds(steps: Vec<Step>) -> Vec<Step> {
    let mut told: Vec<Step> = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        let found = (1..=LONGEST_ROUND)
            .map(|length| (length, count_rounds(&steps[at..], length)))
            .find(|&(_, count)| count >= 3);
        match found {
            Some((length, count)) => {
                for step in &steps[at..at + length] {
                    told.push(Step { repeats: count as u32 - 1, ..step.clone() });
                }
                let last = at + length * (count - 1);
                told.extend_from_slice(&steps[last..last + length]);
                at = last + length;
            }
            None => {
                told.push(steps[at].clone());
                at += 1;
            }
        }
    }
    told
}

/// How often the first steps repeat, including the first time.
fn count_rounds(steps: &[Step], length: usize) -> usize {
    if steps.len() < length {
        return 0;
    }
    let (first, rest) = steps.split_at(length);
    let same = |round: &&[Step]| {
        round.len() == length && round.iter().zip(first).all(|(a, b)| alike(a, b))
    };
    1 + rest.chunks(length).take_while(same).count()
}
