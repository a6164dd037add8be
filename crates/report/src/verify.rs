//! The result of a verification, in all formats.

mod html;
mod json;
mod text;

pub use html::html;
pub use json::{SCHEMA, json};
pub use text::text;

use effects::compare::Class;
use effects::proved::Described;
use effects::verify::{Doubt, Outcome, Replay, UndefinedOn, Verification};
use effects::versions::Reach;
use explore::proved::Verdict;
use inputs::Input;

use crate::partitions::Proof;
use crate::shell;

/// The status of a partition, with the result of its replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    /// Proved different, and confirmed.
    Different,
    /// Different on the machine, but not natively.
    Unconfirmed,
    /// Proved different, and not replayed.
    NotReplayed,
    Unknown,
    Equal,
}

impl Standing {
    fn of(one: &Described, replay: &Replay) -> Standing {
        match (&one.verdict, replay) {
            (Verdict::Equal(_), _) => Standing::Equal,
            (Verdict::Unknown(_), _) => Standing::Unknown,
            (Verdict::Different, Replay::Confirmed(_)) => Standing::Different,
            (Verdict::Different, Replay::NotRun) => Standing::NotReplayed,
            (Verdict::Different, Replay::Unconfirmed(..)) => Standing::Unconfirmed,
        }
    }

    /// In one word, for other programs.
    fn name(self) -> &'static str {
        match self {
            Standing::Different => "different",
            Standing::Unconfirmed => "unconfirmed",
            Standing::NotReplayed => "not_replayed",
            Standing::Unknown => "unknown",
            Standing::Equal => "equal",
        }
    }
}

/// Versions with another sanitizer report than the one before: what happened, and the number of the
/// later one.
fn undefined_steps(one: &UndefinedOn) -> impl Iterator<Item = (Class, usize)> {
    let steps = one.complaints.windows(2).enumerate();
    steps.filter_map(|(from, step)| match (&step[0], &step[1]) {
        (None, Some(_)) => Some((Class::UndefinedAppeared, from + 1)),
        (Some(_), None) => Some((Class::UndefinedDisappeared, from + 1)),
        _ => None,
    })
}

/// Partitions with the results of their replays.
fn standings(verification: &Verification) -> impl Iterator<Item = (Standing, &Described, &Replay)> {
    let all = verification.partitions().iter().zip(&verification.replays);
    all.map(|(one, replay)| (Standing::of(one, replay), one, replay))
}

fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Unchanged | Outcome::Equal => "equal",
        Outcome::Different => "different",
        Outcome::Inconclusive => "inconclusive",
    }
}

/// How far runs got towards the change: the farthest of all steps.
fn reach(verification: &Verification) -> Reach {
    let all = verification.hunks.iter().map(|step| step.reach);
    all.max_by_key(|&reach| reach as u8).unwrap_or_default()
}

/// What is proved, unless native programs refute some of it or no input is valid.
fn proof(verification: &Verification) -> Option<Proof<'_>> {
    let is_refuted = |replay: &Replay| matches!(replay, Replay::Unconfirmed(..));
    let found = verification.found.as_ref().filter(|_| verification.invalid_inputs.is_none())?;
    (!verification.replays.iter().any(is_refuted)).then(|| Proof::from(found))
}

/// Which versions agree: `v0 = v2 ≠ v1`.
fn agreement(classes: &[usize]) -> String {
    let groups: Vec<String> = groups(classes)
        .into_iter()
        .map(|group| {
            let names: Vec<String> = group.iter().map(|version| format!("v{version}")).collect();
            names.join(" = ")
        })
        .collect();
    groups.join(" ≠ ")
}

/// Versions that agree, in the order of the first of them.
fn groups(classes: &[usize]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(usize, Vec<usize>)> = Vec::new();
    for (version, &class) in classes.iter().enumerate() {
        match groups.iter_mut().find(|(known, _)| *known == class) {
            Some((_, group)) => group.push(version),
            None => groups.push((class, vec![version])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// `v0`, `v1`, …
fn version_names(verification: &Verification) -> Vec<String> {
    (0..verification.versions.len()).map(|at| format!("v{at}")).collect()
}

/// An input as typed: a command line, or a call of the function.
fn typed(verification: &Verification, input: &Input) -> String {
    let files = verification.versions.last().map_or(&[][..], |version| &version.files);
    shell::typed(verification.entry.as_deref(), files, input)
}

/// Why the native programs do not confirm a difference.
fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::Otherwise(classes) => format!("natively, {}", agreement(classes)),
        Doubt::Undetermined => "two native runs differ".to_owned(),
        Doubt::Endless => "a native program does not terminate in time".to_owned(),
    }
}

/// The same in one word, for programs.
fn doubt_name(doubt: &Doubt) -> &'static str {
    match doubt {
        Doubt::Otherwise(_) => "otherwise",
        Doubt::Undetermined => "undetermined",
        Doubt::Endless => "endless",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_that_agree_stand_together() {
        assert_eq!(agreement(&[0, 0]), "v0 = v1");
        assert_eq!(agreement(&[0, 1, 0]), "v0 = v2 ≠ v1");
        assert_eq!(agreement(&[2, 0, 1]), "v0 ≠ v1 ≠ v2");
    }
}
