//! The interaction of parts as Markdown for a pull request: the verdict, a table of differences and
//! the parts they need, and the sequences that inputs exercised, folded.
//!
//! What comes from programs and files stands in code, where nothing is markup.

use std::fmt::Write;

use effects::interact::Interacted;

use super::{
    kind_name, minimal_words, parts_words, place, sequence_words, shown_words, test_of, typed,
    verdict,
};
use crate::compare::{code, escaped};
use crate::counting::counted;

/// The most rows of a table.
const MOST_ROWS: usize = 30;

/// The report; ends with a newline.
pub fn markdown(interacted: &Interacted) -> String {
    let mut text = String::new();
    let (name, sentence) = verdict(interacted);
    let _ = writeln!(text, "**Ripple: {name}.** {}.", escaped(&sentence));
    write_differences(&mut text, interacted);
    write_parts(&mut text, interacted);
    write_sequences(&mut text, interacted);
    text
}

fn write_differences(text: &mut String, interacted: &Interacted) {
    if interacted.differences.is_empty() {
        return;
    }
    text.push_str("\n| | input | kind | shown by | passes |\n|---|---|---|---|---|\n");
    for (index, difference) in interacted.differences.iter().take(MOST_ROWS).enumerate() {
        let input = test_of(interacted, difference).map(|test| typed(interacted, test));
        let shown: Vec<String> = difference.analysis.minimal.iter().map(minimal_words).collect();
        let error = match &difference.error {
            Some(error) if error.is_interaction() => {
                format!("; critical: {}", sequence_words(&error.sequence))
            }
            _ => String::new(),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {}{error} |",
            index + 1,
            code(&input.unwrap_or_default(), true),
            kind_name(difference.analysis.kind),
            shown.join("; "),
            sequence_words(&difference.order),
        );
    }
}

/// The parts, and what they show of each difference.
fn write_parts(text: &mut String, interacted: &Interacted) {
    if interacted.parts.is_empty() {
        return;
    }
    let shown = interacted.differences.len().min(MOST_ROWS);
    let count = counted(interacted.parts.len() as u64, "part", "parts");
    let _ = write!(text, "\n<details><summary>{count} of the change</summary>\n\n| | lines |");
    for index in 1..=shown {
        let _ = write!(text, " alone: {index} | without: {index} |");
    }
    let _ = writeln!(text, "\n|---|---|{}", "---|---|".repeat(shown));
    for (index, part) in interacted.parts.iter().take(MOST_ROWS).enumerate() {
        let _ = write!(text, "| {} | {} |", part.number, code(&place(part), true));
        for difference in interacted.differences.iter().take(shown) {
            let analysis = &difference.analysis;
            let cell = |all: &[effects::interact::Shown]| {
                all.get(index).map_or("unknown", |&shown| shown_words(shown))
            };
            let _ = write!(text, " {} | {} |", cell(&analysis.alone), cell(&analysis.without));
        }
        text.push('\n');
    }
    text.push_str("\n</details>\n");
}

fn write_sequences(text: &mut String, interacted: &Interacted) {
    let sequences = &interacted.sequences;
    if sequences.exercised.is_empty() {
        return;
    }
    let count = counted(sequences.exercised.len() as u64, "sequence", "sequences");
    let _ = write!(
        text,
        "\n<details><summary>{count} of parts exercised</summary>\n\n| parts | input |\n|---|---|\n"
    );
    for one in sequences.exercised.iter().take(MOST_ROWS) {
        let input = code(&typed(interacted, &one.test), true);
        let _ = writeln!(text, "| {} | {input} |", sequence_words(&one.sequence));
    }
    for location in sequences.locations.iter().take(MOST_ROWS) {
        let at = format!("{}:{}", location.place.file, location.place.line);
        let _ = writeln!(
            text,
            "\n{} may interact at {}.",
            parts_words(&location.parts),
            code(&at, false)
        );
    }
    text.push_str("\n</details>\n");
}
