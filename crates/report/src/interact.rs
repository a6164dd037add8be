//! How the parts of a change act together, in all formats.

mod json;
mod markdown;
mod text;

pub use json::{SCHEMA, json};
pub use markdown::markdown;
pub use text::text;

use effects::compare::Verdict;
use effects::interact::{Difference, Interacted, Kind, Minimal, Of, Shown};
use inputs::Test;

use crate::compare::text::verdict_sentence;
use crate::counting::{counted, list};
use crate::hunks;
use crate::shell;
use crate::words::verdict_name;

/// The verdict about the parts, or about the versions where there is no difference: one word, and a
/// sentence.
fn verdict(interacted: &Interacted) -> (&'static str, String) {
    let compared = &interacted.compared;
    let count = |kind: Kind| {
        let of = interacted.differences.iter();
        of.filter(|difference| difference.analysis.kind == kind).count() as u64
    };
    let all = interacted.differences.len() as u64;
    if all == 0 || compared.verdict == Verdict::Inconclusive {
        return (verdict_name(compared.verdict), verdict_sentence(compared));
    }
    let of = |number: u64| format!("{number} of {}", counted(all, "difference", "differences"));
    let needs = |number: u64| if number == 1 { "needs" } else { "need" };
    match [Kind::Interaction, Kind::Masked, Kind::Undecided].map(count) {
        [0, 0, 0] if all == 1 => {
            ("single", "a part of the change alone shows the difference".to_owned())
        }
        [0, 0, 0] => {
            ("single", "for each difference, a part of the change alone shows it".to_owned())
        }
        [0, 0, open] => {
            ("undecided", format!("which parts {} {} is not known", of(open), needs(open)))
        }
        [0, hidden, _] => {
            ("masked", format!("{}: a part alone shows it, and other parts hide it", of(hidden)))
        }
        [several, ..] => (
            "interaction",
            format!("{} {} several parts of the change together", of(several), needs(several)),
        ),
    }
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Interaction => "interaction",
        Kind::Masked => "masked",
        Kind::Single => "single",
        Kind::Undecided => "undecided",
    }
}

fn shown_name(shown: Shown) -> &'static str {
    match shown {
        Shown::Difference => "difference",
        Shown::Nothing => "nothing",
        Shown::Other => "other",
        Shown::DoesNotBuild => "does_not_build",
        Shown::Unknown => "unknown",
    }
}

fn shown_words(shown: Shown) -> &'static str {
    match shown {
        Shown::Difference => "shows it",
        Shown::Nothing => "as OLD",
        Shown::Other => "something else",
        Shown::DoesNotBuild => "does not build",
        Shown::Unknown => "unknown",
    }
}

/// Parts by their numbers.
fn numbers(parts: &[usize]) -> Vec<usize> {
    parts.iter().map(|part| part + 1).collect()
}

fn parts_words(parts: &[usize]) -> String {
    match parts {
        [one] => format!("part {}", one + 1),
        _ => format!("parts {}", list(numbers(parts))),
    }
}

fn sequence_words(sequence: &[usize]) -> String {
    match sequence {
        [] => "no part".to_owned(),
        _ => {
            let steps: Vec<String> = numbers(sequence).iter().map(usize::to_string).collect();
            steps.join(" → ")
        }
    }
}

/// The input of a difference.
fn test_of<'a>(interacted: &'a Interacted, difference: &Difference) -> Option<&'a Test> {
    let compared = &interacted.compared;
    match difference.of {
        Of::Witness(index) => compared.witnesses.get(index).map(|witness| &witness.test),
        Of::Hidden(part) => {
            let hunk = interacted.parts.get(part)?.hunk.id;
            let hidden = compared.hidden.iter().find(|hidden| hidden.hunk == hunk);
            hidden.map(|hidden| &hidden.test)
        }
    }
}

fn typed(interacted: &Interacted, test: &Test) -> String {
    let compared = &interacted.compared;
    shell::typed(compared.entry.as_deref(), &compared.new.files, &test.input)
}

/// What a minimal set says in words.
fn minimal_words(one: &Minimal) -> String {
    let mut words = parts_words(&one.parts);
    match (one.of, one.parts.len()) {
        (Some(of), 2..) => {
            words += &format!(" (part {} with what it needs to build)", of + 1);
        }
        _ if !one.is_proved => words += " (perhaps fewer suffice)",
        _ => {}
    }
    if !one.masks.is_empty() {
        let masks: Vec<String> = one.masks.iter().map(|parts| parts_words(parts)).collect();
        words += &format!(", but not together with {}", masks.join(" or with "));
    }
    words
}

/// Where a part is.
fn place(part: &effects::interact::Part) -> String {
    hunks::place_of_hunk(&part.hunk)
}
