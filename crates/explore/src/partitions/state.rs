//! The state of an exploration as plain text, to save and resume it.
//!
//! One line for each examined region: the origin of the region, the input, the number of conditions
//! of its partition, a number that names the paths, and given inputs by the condition that they do
//! not satisfy; and one for each region in which the solver found no input. Conditions themselves
//! are not written: resuming runs the inputs again, which takes a small part of the solver's time,
//! and so detects if the versions do not match the state.

use std::fmt::Write;

use smt::Reason;

use super::given::ByCondition;
use crate::saved::{Form, StateError, print_input, read_input};

/// An exploration that is saved by itself.
pub(super) const FORM: Form =
    Form { mark: "ripple partitions 2", of: "an exploration of partitions" };

/// The origin of a region: the line of its parent among all steps, and the negated condition of
/// that step's partition. The whole space has no origin.
pub(super) type Origin = Option<(usize, usize)>;

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entry {
    /// An input of a region was run.
    Step(LoggedStep),
    /// A region contains no input.
    Gone(Origin),
    /// The solver does not know whether a region contains one.
    Lost(Origin, Reason),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LoggedStep {
    pub origin: Origin,
    pub input: Box<[u64]>,
    pub conditions: usize,
    pub paths: u64,
    /// Given inputs.
    pub given: ByCondition,
}

/// Adds an entry.
pub(super) fn print(text: &mut String, entry: &Entry) {
    let _ = match entry {
        Entry::Gone(origin) => writeln!(text, "gone {}", origin_text(origin)),
        Entry::Lost(origin, reason) => {
            writeln!(text, "lost {} {}", origin_text(origin), reason_text(*reason))
        }
        Entry::Step(step) => {
            let LoggedStep { origin, input, conditions, paths, given } = step;
            let given = given.iter().map(|(number, one)| format!(" {number}={}", print_input(one)));
            let given: String = given.collect();
            let (origin, input) = (origin_text(origin), print_input(input));
            writeln!(text, "step {origin} {input} {conditions} {paths:x}{given}")
        }
    };
}

/// The entries in the lines of a state with this many cells, each with its number.
pub(super) fn parse(
    lines: &[(usize, &str)],
    cells: usize,
) -> Result<Vec<(usize, Entry)>, StateError> {
    let entry = |&(line, text): &(usize, &str)| {
        Ok((line, entry(text, cells).ok_or(StateError::Damaged { line })?))
    };
    lines.iter().map(entry).collect()
}

fn entry(line: &str, cells: usize) -> Option<Entry> {
    let mut words = line.split(' ');
    let kind = words.next()?;
    let origin = origin(words.next()?)?;
    match kind {
        "gone" => Some(Entry::Gone(origin)),
        "lost" => Some(Entry::Lost(origin, reason(words.next()?)?)),
        "step" => {
            let input = read_input(words.next()?, cells)?;
            let conditions = words.next()?.parse().ok()?;
            let paths = u64::from_str_radix(words.next()?, 16).ok()?;
            let given = words.map(|word| given(word, cells)).collect::<Option<_>>()?;
            Some(Entry::Step(LoggedStep { origin, input, conditions, paths, given }))
        }
        _ => None,
    }
}

fn given(word: &str, cells: usize) -> Option<(usize, Box<[u64]>)> {
    let (number, text) = word.split_once('=')?;
    Some((number.parse().ok()?, read_input(text, cells)?))
}

fn origin_text(origin: &Origin) -> String {
    origin.map_or("all".to_owned(), |(step, number)| format!("{step}:{number}"))
}

fn origin(word: &str) -> Option<Origin> {
    if word == "all" {
        return Some(None);
    }
    let (step, number) = word.split_once(':')?;
    Some(Some((step.parse().ok()?, number.parse().ok()?)))
}

const REASONS: [(Reason, &str); 8] = [
    (Reason::Conflicts, "conflicts"),
    (Reason::Time, "time"),
    (Reason::Stopped, "stopped"),
    (Reason::Memory, "memory"),
    (Reason::Refinements, "refinements"),
    (Reason::External, "external"),
    (Reason::Disagreement, "disagreement"),
    (Reason::Backend, "backend"),
];

fn reason_text(reason: Reason) -> &'static str {
    REASONS.iter().find(|(known, _)| *known == reason).map_or("backend", |(_, text)| text)
}

fn reason(text: &str) -> Option<Reason> {
    REASONS.iter().find(|(_, known)| *known == text).map(|(reason, _)| *reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let step = LoggedStep {
            origin: Some((3, 1)),
            input: [7, u64::MAX].into(),
            conditions: 9,
            paths: 0xfeed,
            given: [(2, [0, 1].into()), (5, [3, 0].into())].into(),
        };
        let entries =
            [Entry::Step(step), Entry::Gone(Some((0, 5))), Entry::Lost(None, Reason::Refinements)];
        let mut text = String::new();
        entries.iter().for_each(|entry| print(&mut text, entry));
        let lines: Vec<(usize, &str)> = (5..).zip(text.lines()).collect();
        let read: Vec<(usize, Entry)> = (5..).zip(entries).collect();
        assert_eq!(parse(&lines, 2), Ok(read));
    }

    #[test]
    fn a_damaged_line_is_named() {
        let damaged = [(5, "gone all"), (6, "step all 1,2 x")];
        assert_eq!(parse(&damaged, 2), Err(StateError::Damaged { line: 6 }));
        assert_eq!(parse(&[(7, "step all 1 2 f")], 2), Err(StateError::Damaged { line: 7 }));
    }
}
