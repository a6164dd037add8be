//! The state of an exploration as plain text, to be saved and taken up later.
//!
//! One line for each region that was looked at: where the region comes from, the input, how many
//! conditions its partition has, a number that names the paths, and given inputs by the condition
//! that they do not satisfy; and one for each region in which the solver found no input. Conditions themselves are not written: whoever takes the state up runs
//! the inputs again, which takes a small part of the time that the solver took, and so notices if
//! the versions are not those that the state belongs to. Lines are only ever added; a last line
//! without an end is as if it were not there.

use std::fmt::Write;

use inputs::Layout;
use smt::Reason;
use thiserror::Error;

use super::given::ByCondition;

const HEAD: &str = "ripple partitions 2";

/// What is wrong with a saved state.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StateError {
    #[error("it is not the state of an exploration of partitions")]
    NoState,
    #[error("line {line} is damaged")]
    Damaged { line: usize },
    #[error("it belongs to another input space")]
    OtherSpace,
    /// Something else that the exploration rests on is not what it was.
    #[error("it was saved with another {what}")]
    Other { what: String },
    #[error("line {line} does not agree with the versions at hand")]
    OtherVersions { line: usize },
}

/// What an exploration rests on besides the input space, such as the programs: what it is called,
/// and a text that is another one if it changes.
pub type Identity = Vec<(String, String)>;

/// A region by where it comes from: the line of its parent among all steps, and the condition of
/// that step's partition that was negated. The whole space has no origin.
pub(super) type Origin = Option<(usize, usize)>;

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Entry {
    /// An input of a region was run.
    Step(LoggedStep),
    /// There is no input in a region.
    Gone(Origin),
    /// The solver does not know whether there is one.
    Lost(Origin, Reason),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct LoggedStep {
    pub origin: Origin,
    pub input: Box<[u64]>,
    pub conditions: usize,
    pub paths: u64,
    /// Inputs that were given.
    pub given: ByCondition,
}

/// The head of a state.
pub(super) fn head(layout: &Layout, identity: &Identity) -> String {
    let mut text = format!("{HEAD}\n");
    identity.iter().for_each(|one| text.push_str(&identity_line(one)));
    for cell in layout.cells.values() {
        let ranges: Vec<String> =
            cell.domain.ranges().iter().map(|(low, high)| format!("{low}..{high}")).collect();
        let name: String = cell.name.chars().flat_map(char::escape_default).collect();
        let _ = writeln!(text, "cell {} {} {name}", cell.bits, ranges.join(","));
    }
    text
}

fn identity_line((what, value): &(String, String)) -> String {
    let value: String = value.chars().flat_map(char::escape_default).collect();
    format!("of {what}: {value}\n")
}

/// Adds what happened.
pub(super) fn print(text: &mut String, entry: &Entry) {
    let _ = match entry {
        Entry::Gone(origin) => writeln!(text, "gone {}", origin_text(origin)),
        Entry::Lost(origin, reason) => {
            writeln!(text, "lost {} {}", origin_text(origin), reason_text(*reason))
        }
        Entry::Step(step) => {
            let LoggedStep { origin, input, conditions, paths, given } = step;
            let given = given.iter().map(|(number, one)| format!(" {number}={}", input_text(one)));
            let given: String = given.collect();
            let (origin, input) = (origin_text(origin), input_text(input));
            writeln!(text, "step {origin} {input} {conditions} {paths:x}{given}")
        }
    };
}

/// Reads a state of this input space; gives the line of the first entry, too.
pub(super) fn parse(
    text: &str,
    layout: &Layout,
    identity: &Identity,
) -> Result<(usize, Vec<Entry>), StateError> {
    let Some(mut rest) = text.strip_prefix(HEAD).and_then(|rest| rest.strip_prefix('\n')) else {
        return Err(StateError::NoState);
    };
    for one in identity {
        let other = StateError::Other { what: one.0.clone() };
        rest = rest.strip_prefix(&identity_line(one)).ok_or(other)?;
    }
    let head = head(layout, identity);
    let Some(rest) = text.strip_prefix(&head) else { return Err(StateError::OtherSpace) };
    let first = head.lines().count() + 1;
    let mut entries = Vec::new();
    for (number, line) in rest.split_inclusive('\n').enumerate() {
        let Some(line) = line.strip_suffix('\n') else { break };
        let cells = layout.cells.len();
        let damaged = StateError::Damaged { line: first + number };
        entries.push(entry(line, cells).ok_or(damaged)?);
    }
    Ok((first, entries))
}

fn entry(line: &str, cells: usize) -> Option<Entry> {
    let mut words = line.split(' ');
    let kind = words.next()?;
    let origin = origin(words.next()?)?;
    match kind {
        "gone" => Some(Entry::Gone(origin)),
        "lost" => Some(Entry::Lost(origin, reason(words.next()?)?)),
        "step" => {
            let input = input(words.next()?, cells)?;
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
    Some((number.parse().ok()?, input(text, cells)?))
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

fn input_text(input: &[u64]) -> String {
    input.iter().map(|value| format!("{value:x}")).collect::<Vec<_>>().join(",")
}

fn input(text: &str, cells: usize) -> Option<Box<[u64]>> {
    let values = text.split(',').filter(|value| !value.is_empty());
    let values: Option<Box<[u64]>> =
        values.map(|value| u64::from_str_radix(value, 16).ok()).collect();
    values.filter(|values| values.len() == cells)
}

const REASONS: [(Reason, &str); 7] = [
    (Reason::Conflicts, "conflicts"),
    (Reason::Time, "time"),
    (Reason::Stopped, "stopped"),
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
    use inputs::Flags;

    fn identity() -> Identity {
        vec![("version v0".to_owned(), "1\n2".to_owned())]
    }

    fn layout() -> Layout {
        let args = ["int:-5..5", "int"].map(|arg| arg.as_bytes().to_vec()).into();
        let flags = Flags { args, ..Flags::default() };
        flags.program_space(&[]).expect("a space").0.layout()
    }

    #[test]
    fn what_is_written_can_be_read() {
        let layout = layout();
        let step = LoggedStep {
            origin: Some((3, 1)),
            input: [7, u64::MAX].into(),
            conditions: 9,
            paths: 0xfeed,
            given: [(2, [0, 1].into()), (5, [3, 0].into())].into(),
        };
        let entries =
            [Entry::Step(step), Entry::Gone(Some((0, 5))), Entry::Lost(None, Reason::Refinements)];
        let identity = identity();
        let mut text = head(&layout, &identity);
        entries.iter().for_each(|entry| print(&mut text, entry));
        assert_eq!(parse(&text, &layout, &identity), Ok((5, entries.to_vec())));
        // A line that was being written is not there.
        let cut = &text[..text.len() - 3];
        assert_eq!(parse(cut, &layout, &identity), Ok((5, entries[..2].to_vec())));
    }

    #[test]
    fn other_texts_are_refused() {
        let layout = layout();
        let (identity, head) = (identity(), head(&layout, &identity()));
        let error = |text: &str| parse(text, &layout, &identity).err();
        assert_eq!(error("hello\n"), Some(StateError::NoState));
        assert_eq!(error(&head.replace("-5..5", "-5..6")), Some(StateError::OtherSpace));
        let what = "version v0".to_owned();
        assert_eq!(error(&head.replace("1\\n2", "1")), Some(StateError::Other { what }));
        let damaged = head + "step all 1,2 x\n";
        assert_eq!(error(&damaged), Some(StateError::Damaged { line: 5 }));
    }
}
