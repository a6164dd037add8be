//! Differences as findings: a rule, a line of NEW to show each at, and one sentence.

use std::collections::BTreeSet;

use effects::compare::{Class, Compared, Identity, Judgement, Link, Witness};
use source::HunkKind;

use super::differences::{differences, end};
use super::returned::returned_numbers;
use super::typed;
use crate::counting::shortened;
use crate::finding::{Base, Finding, Location, Rule, Severity};
use crate::places::{FaultAt, position};
use crate::printable::printable;
use crate::words;

/// The most characters of a command line, of an output and of a value in a sentence.
const SHOWN_COMMAND: usize = 160;
const SHOWN_TEXT: usize = 60;
const SHOWN_VALUE: usize = 48;
/// How much of a line before its first difference to keep.
const CONTEXT: usize = 12;
/// The most other changed lines to name.
const MOST_RELATED: usize = 10;

static RULES: [&Rule; 10] = [
    &Rule {
        id: "fault-appeared",
        title: "A fault appeared",
        help: "On some input the new version fails (a signal, or an error that a sanitizer \
               reports) and the old one does not. The input was replayed on native programs.",
        severity: Severity::Error,
    },
    &Rule {
        id: "does-not-end",
        title: "The program no longer terminates",
        help: "On some input the old version terminates and the new one does not, within the \
               limits of time and output.",
        severity: Severity::Error,
    },
    &Rule {
        id: "output-changed",
        title: "The output changed",
        help: "On some input the versions write or return different values, or exit with \
               different statuses. If that is intended, record it with `ripple accept`.",
        severity: Severity::Warning,
    },
    &Rule {
        id: "ends",
        title: "The program terminates where it did not",
        help: "On some input the new version terminates and the old one does not.",
        severity: Severity::Note,
    },
    &Rule {
        id: "fault-disappeared",
        title: "A fault disappeared",
        help: "On some input the old version fails and the new one does not.",
        severity: Severity::Note,
    },
    &Rule {
        id: "undefined-behaviour-appeared",
        title: "Undefined behaviour appeared",
        help: "On some input the new version executes an operation with undefined behaviour and \
               the old one does not. Without optimisation, both behave the same. A sanitizer build \
               confirms it.",
        severity: Severity::Warning,
    },
    &Rule {
        id: "undefined-behaviour-disappeared",
        title: "Undefined behaviour disappeared",
        help: "On some input the old version executes an operation with undefined behaviour and \
               the new one does not. A sanitizer build confirms it.",
        severity: Severity::Note,
    },
    &Rule {
        id: "unwritten-appeared",
        title: "A member is left unwritten",
        help: "There is an input on which the new version never writes a member of memory that it \
               returns, or leaves behind, and the old one does. The native program gives another \
               value when other bytes were in memory before.",
        severity: Severity::Warning,
    },
    &Rule {
        id: "unwritten-disappeared",
        title: "A member is written that was not",
        help: "There is an input on which the old version never writes a member of memory that it \
               returns, or leaves behind, and the new one does.",
        severity: Severity::Note,
    },
    &Rule {
        id: "position-changed",
        title: "A position changed",
        help: "On some input the versions show different line numbers or other source positions, \
               and nothing else differs.",
        severity: Severity::Note,
    },
];

/// All rules, whether or not there is a finding.
pub(super) fn rules() -> &'static [&'static Rule] {
    &RULES
}

/// The witnesses, then the accepted differences.
pub(super) fn findings(compared: &Compared, base: &Base) -> Vec<Finding> {
    let open = compared.witnesses.iter().map(|witness| finding(compared, witness, base, None));
    let accepted = compared
        .accepted
        .iter()
        .map(|one| finding(compared, &one.witness, base, Some(one.acceptance.reason.clone())));
    open.chain(accepted).collect()
}

pub(super) fn severity(witness: &Witness) -> Severity {
    match witness.golden {
        _ if !witness.is_consistent() => Severity::Note,
        Some((_, Judgement::Regression)) => Severity::Error,
        Some((_, Judgement::Progression)) => Severity::Note,
        Some((_, Judgement::DifferentialError)) | None => rule(witness.class).severity,
    }
}

fn rule(class: Class) -> &'static Rule {
    match class {
        Class::FaultAppeared => RULES[0],
        Class::DoesNotEnd => RULES[1],
        Class::OutputChanged => RULES[2],
        Class::Ends => RULES[3],
        Class::FaultDisappeared => RULES[4],
        Class::UndefinedAppeared => RULES[5],
        Class::UndefinedDisappeared => RULES[6],
        Class::UnwrittenAppeared => RULES[7],
        Class::UnwrittenDisappeared => RULES[8],
        Class::PositionChanged => RULES[9],
    }
}

fn finding(
    compared: &Compared,
    witness: &Witness,
    base: &Base,
    accepted: Option<String>,
) -> Finding {
    let (location, is_change) = shown_at(compared, witness, base);
    Finding {
        rule: rule(witness.class),
        severity: severity(witness),
        message: sentence(compared, witness),
        related: related(compared, witness, base, location.as_ref()),
        location,
        is_change,
        flow: flow(compared, witness, base),
        fingerprint: Identity::of(witness).id(),
        accepted,
    }
}

/// The line of NEW to show a difference at, and whether it is a changed one. Code scanning rejects
/// results without a place, so there is one as long as there is a file.
pub(super) fn shown_at(
    compared: &Compared,
    witness: &Witness,
    base: &Base,
) -> (Option<Location>, bool) {
    let new = |place| base.place(&compared.new, place);
    let chain = witness.why.iter().flat_map(|why| &why.chain).filter(|link| link.changed);
    let first = chain
        .filter_map(|link| link.new.as_ref())
        .chain(&witness.responsible[1])
        .chain(&witness.reached[1])
        .find_map(new);
    if let Some(location) = first.or_else(|| hunk_line(compared, witness, base)) {
        return (Some(location), true);
    }
    // Code was only removed; its function mostly still exists.
    let changed = compared.changes.functions.iter();
    let mut placed = changed.filter_map(|function| Some((function, function.place.as_ref()?)));
    let is_reached = |name: &str| witness.reached[0].iter().any(|place| place.function == name);
    let function = placed.find(|(function, _)| is_reached(&function.name));
    let location = function.map(|(function, place)| Location {
        path: base.file(&compared.new, place.file.as_ref()),
        line: place.line.max(1),
        column: None,
        text: None,
        function: function.name.clone(),
    });
    let fault = witness.new.fault.as_ref().and_then(|fault| FaultAt(fault).blamed().cloned());
    let somewhere = || {
        compared.new.files.first().map(|file| Location {
            path: base.file(&compared.new, file),
            line: 1,
            column: None,
            text: None,
            function: String::new(),
        })
    };
    let location = location.or_else(|| fault.as_ref().and_then(new)).or_else(somewhere);
    (location, false)
}

/// The first line of the hunk to blame, if it has lines in NEW.
fn hunk_line(compared: &Compared, witness: &Witness, base: &Base) -> Option<Location> {
    let hunks = witness.blame.iter().flat_map(|blame| &blame.hunks);
    let hunk = hunks.into_iter().find(|hunk| hunk.kind != HunkKind::FileRemoved)?;
    let function = witness.reached.iter().flatten().next();
    Some(Location {
        path: base.file(&compared.new, &hunk.new_file),
        line: hunk.new.first.max(1),
        column: None,
        text: None,
        function: function.map(|place| place.function.clone()).unwrap_or_default(),
    })
}

/// What happens, in one sentence.
pub(super) fn sentence(compared: &Compared, witness: &Witness) -> String {
    let command = shortened(&typed(compared, &witness.test), SHOWN_COMMAND);
    let is_function = compared.entry.is_some();
    let [old, new] = [&witness.old, &witness.new].map(|side| end(side, is_function));
    let what = match (witness.class, returned_numbers(compared, witness)) {
        (Class::FaultAppeared, _) => {
            format!("{command} {}, and {old} before", fails(witness, true))
        }
        (Class::FaultDisappeared, _) => {
            format!("{command} {new}, and {} before", fails(witness, false))
        }
        (Class::UndefinedAppeared | Class::UndefinedDisappeared, _) => {
            format!("{command} executes {}", undefined(witness))
        }
        (Class::UnwrittenAppeared | Class::UnwrittenDisappeared, _) => match witness.left.first() {
            Some(first) => format!(
                "{} of {command} is {}, and was {} before",
                first.place, first.new, first.old
            ),
            None => format!("{command} leaves a member unwritten in one version"),
        },
        (Class::DoesNotEnd | Class::Ends, _) => format!("{command} {new}, and {old} before"),
        (Class::OutputChanged | Class::PositionChanged, _) if old != new => {
            format!("{command} {new}, and {old} before")
        }
        (Class::OutputChanged | Class::PositionChanged, Some([old, new])) => {
            format!("{command} returns {new}, and {old} before")
        }
        (Class::OutputChanged | Class::PositionChanged, None) => {
            match differences(compared, &witness.old, &witness.new).first() {
                None => format!("{command} behaves differently"),
                Some(first) => {
                    let (old, new) = first_difference(first.old, first.new);
                    format!("{} of {command} is {new}, and was {old} before", first.name)
                }
            }
        }
    };
    let undefined = match &witness.undefined_behaviour {
        Some(_) if witness.class == Class::OutputChanged => " (may be due to undefined behaviour)",
        _ => "",
    };
    let odd = if witness.is_consistent() { "" } else { " (only for inconsistent input)" };
    let same = if witness.same.is_empty() {
        String::new()
    } else {
        format!(" ({})", words::needs_same(&witness.same))
    };
    format!("{}: {what}{undefined}{odd}{same}", words::class(witness.class))
}

/// The operation that is undefined in one version only, with its place.
pub(super) fn undefined(witness: &Witness) -> String {
    let Some((version, operation)) = &witness.undefined else {
        return "an undefined operation".to_owned();
    };
    let version = words::version(*version);
    let place = printable(position(&operation.place).as_bytes());
    format!("an undefined operation in {version} only ({}, at {place})", operation.kind.name())
}

/// How a version fails: its fault, if known.
fn fails(witness: &Witness, is_new: bool) -> String {
    let behaviour = if is_new { &witness.new } else { &witness.old };
    match &behaviour.fault {
        None => end(behaviour, false),
        Some(fault) => {
            let at = FaultAt(fault);
            let place = at.blamed().map(|place| format!(" at {}", position(place)));
            format!("fails ({}{})", at.message(), place.unwrap_or_default())
        }
    }
}

/// The first differing line, of OLD and of NEW.
pub(super) fn first_difference(old: Option<&[u8]>, new: Option<&[u8]>) -> (String, String) {
    let (Some(old), Some(new)) = (old, new) else {
        let shown = |text: Option<&[u8]>| match text {
            None => "not there".to_owned(),
            Some(text) => quoted(text, 0),
        };
        return (shown(old), shown(new));
    };
    let same = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let start = old[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line = |text: &[u8]| {
        let rest = text.get(start..).unwrap_or_default();
        let line = rest.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if rest.is_empty() { "nothing".to_owned() } else { quoted(line, same - start) }
    };
    (line(old), line(new))
}

/// A quoted line; of a long one, the part around the first difference.
fn quoted(line: &[u8], differs_at: usize) -> String {
    let is_long = line.len() > SHOWN_TEXT;
    let from = if is_long { differs_at.saturating_sub(CONTEXT).min(line.len()) } else { 0 };
    let to = line.len().min(from + SHOWN_TEXT);
    let (before, after) = (if from > 0 { "…" } else { "" }, if to < line.len() { "…" } else { "" });
    format!("“{before}{}{after}”", printable(&line[from..to]))
}

/// Other changed lines that are executed, and where a fault is.
fn related(
    compared: &Compared,
    witness: &Witness,
    base: &Base,
    shown: Option<&Location>,
) -> Vec<(Location, String)> {
    let mut related = Vec::new();
    for (fault, checkout, version) in
        [(&witness.new.fault, &compared.new, "NEW"), (&witness.old.fault, &compared.old, "OLD")]
    {
        let Some(fault) = fault else { continue };
        let at = FaultAt(fault);
        if let Some(location) = at.blamed().and_then(|place| base.place(checkout, place)) {
            related.push((location, format!("fault in {version}: {}", at.message())));
        }
    }
    let mut seen = BTreeSet::new();
    seen.extend(shown.map(|location| (location.path.clone(), location.line)));
    for place in &witness.reached[1] {
        let Some(location) = base.place(&compared.new, place) else { continue };
        if related.len() < MOST_RELATED && seen.insert((location.path.clone(), location.line)) {
            related.push((location, "changed, and executed".to_owned()));
        }
    }
    related
}

/// The path from the change to the output.
fn flow(compared: &Compared, witness: &Witness, base: &Base) -> Vec<(Location, String)> {
    let links = witness.why.iter().flat_map(|why| &why.chain);
    let step = |link: &Link| {
        let location = match (&link.new, &link.old) {
            (Some(place), _) => base.place(&compared.new, place)?,
            (None, Some(place)) => base.place(&compared.old, place)?,
            (None, None) => return None,
        };
        Some((location, step_words(link)))
    };
    links.filter_map(step).collect()
}

/// A step of the chain in words: its subject and its values.
pub(super) fn step_words(link: &Link) -> String {
    let shown = |value: &Option<effects::compare::Value>| match value {
        Some(value) => shortened(&crate::values::readable(value), SHOWN_VALUE),
        None => "nothing".to_owned(),
    };
    let values = match (&link.old_value, &link.new_value) {
        (None, None) => String::new(),
        (old, new) => format!(" is {}, and was {}", shown(new), shown(old)),
    };
    let only = match link.only {
        Some(version) => format!(" (in {} only)", words::version(version)),
        None => String::new(),
    };
    let changed = if link.changed { "changed: " } else { "" };
    format!("{changed}{}{values}{only}", words::step(&link.what))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_differs_is_shown() {
        let pair =
            |old: &str, new: &str| first_difference(Some(old.as_bytes()), Some(new.as_bytes()));
        assert_eq!(pair("a\nb\nc\n", "a\nx\nc\n"), ("“b”".to_owned(), "“x”".to_owned()));
        assert_eq!(pair("a\n", "a\nb\n"), ("nothing".to_owned(), "“b”".to_owned()));
        assert_eq!(pair("a", "a\n").0, "“a”");
        assert_eq!(first_difference(None, Some(b"")).0, "not there");
    }

    #[test]
    fn of_a_long_line_only_what_is_around_the_difference_is_shown() {
        let (old, new) = ("x".repeat(1 << 20), "x".repeat(1 << 19) + "\u{1b}[31m" + "y");
        let (old, new) = first_difference(Some(old.as_bytes()), Some(new.as_bytes()));
        assert_eq!(new, format!("“…{}\\x1b[31my”", "x".repeat(CONTEXT)));
        assert!(old.chars().count() < 2 * SHOWN_TEXT);
    }
}
