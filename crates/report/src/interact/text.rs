//! The interaction of parts as text: the verdict, the parts, each difference with the parts it
//! needs, then sequences, locations and configurations.

use std::fmt::Write;

use effects::compare::Verdict;
use effects::interact::{Difference, Interacted, Kind, Of};

use super::{
    kind_name, minimal_words, numbers, parts_words, place, sequence_words, shown_words, test_of,
    typed, verdict,
};
use crate::compare::{brief, text as compare_text};
use crate::counting::{counted, list};
use crate::paint::Look;
use crate::words;

/// The most sequences of each kind, locations and configurations to show.
const SHOWN: usize = 12;

/// The whole report; ends with a newline.
pub fn text(interacted: &Interacted, look: Look) -> String {
    let mut text = String::new();
    let (name, sentence) = verdict(interacted);
    let painted = match (interacted.compared.verdict, name) {
        (Verdict::Equal | Verdict::Accepted, _) => look.calm(name),
        (_, "undecided" | "inconclusive") => look.unsure(name),
        _ => look.alarm(name),
    };
    let _ = writeln!(text, "{painted}: {sentence}\n");
    write_parts(&mut text, interacted);
    for (index, difference) in interacted.differences.iter().enumerate() {
        write_difference(&mut text, interacted, difference, index, look);
    }
    write_matrix(&mut text, interacted);
    write_sequences(&mut text, interacted);
    write_locations(&mut text, interacted);
    write_configurations(&mut text, interacted);
    brief::write_limits(&mut text, &interacted.compared);
    brief::write_effort(&mut text, &interacted.compared);
    text
}

fn write_parts(text: &mut String, interacted: &Interacted) {
    if interacted.parts.is_empty() {
        text.push_str("no part of the change does anything here\n");
        return;
    }
    text.push_str("parts:\n");
    let places: Vec<String> = interacted.parts.iter().map(place).collect();
    let width = places.iter().map(|place| place.chars().count()).max().unwrap_or(0);
    for (part, place) in interacted.parts.iter().zip(&places) {
        let inside = match (part.functions.is_empty(), part.is_placed) {
            (false, _) => format!("in {}", part.functions.join(", ")),
            (true, true) => String::new(),
            (true, false) => "no code of its own".to_owned(),
        };
        let _ =
            writeln!(text, "{}", format!("  {}  {place:width$}  {inside}", part.number).trim_end());
    }
    if !interacted.apart.is_empty() {
        let others = counted(interacted.apart.len() as u64, "other hunk", "other hunks");
        let _ = writeln!(text, "  {others} without effect");
    }
    text.push('\n');
}

fn write_difference(
    text: &mut String,
    interacted: &Interacted,
    difference: &Difference,
    index: usize,
    look: Look,
) {
    let analysis = &difference.analysis;
    let of = interacted.differences.len();
    let head = look.strong(&format!("difference {} of {of}", index + 1));
    let what = match analysis.kind {
        Kind::Interaction => {
            let sets: Vec<String> =
                analysis.minimal.iter().map(|one| parts_words(&one.parts)).collect();
            format!("interaction of {}", sets.join(", or of "))
        }
        Kind::Masked => "a part alone shows it, others hide it".to_owned(),
        Kind::Single => "a single part shows it".to_owned(),
        Kind::Undecided => "the parts it needs are not known".to_owned(),
    };
    let _ = writeln!(text, "{head}: {what}");
    if let Some(test) = test_of(interacted, difference) {
        let _ = writeln!(text, "  {}", look.strong(&typed(interacted, test)));
    }
    if let Of::Witness(index) = difference.of
        && let Some(witness) = interacted.compared.witnesses.get(index)
    {
        let _ = writeln!(text, "  {}", words::class(witness.class));
        compare_text::write_sides(text, &interacted.compared, witness, look);
        compare_text::write_golden(text, &interacted.compared, witness);
    }
    for one in &analysis.minimal {
        let _ = writeln!(text, "  shown by: {}", minimal_words(one));
    }
    if analysis.kind != Kind::Masked && analysis.complete < interacted.parts.len() {
        let _ = match analysis.complete {
            0 => writeln!(text, "  not every part was tried alone"),
            1 => writeln!(text, "  every part was tried alone; other sets may show it, too"),
            size => {
                writeln!(
                    text,
                    "  every set of up to {size} parts was tried; larger ones may show it, too"
                )
            }
        };
    }
    let _ = writeln!(text, "  passes: {}", sequence_words(&difference.order));
    write_error(text, difference);
    text.push('\n');
}

/// A change interaction error, with its evidence.
fn write_error(text: &mut String, difference: &Difference) {
    let Some(error) = &difference.error else { return };
    let failing = counted(error.failing as u64, "failing input", "failing inputs");
    if !error.is_interaction() {
        let _ = writeln!(text, "  error: no sequence of parts is critical for {failing}");
        return;
    }
    let _ = writeln!(
        text,
        "  change interaction error: {} is critical",
        sequence_words(&error.sequence)
    );
    let skipping = match (error.skipping, error.skipping_otherwise) {
        (0, _) => "no input that skips a part of it was seen".to_owned(),
        (count, 0) => {
            let inputs = counted(count as u64, "input that skips", "inputs that skip");
            format!("{inputs} a part of it: none fails")
        }
        (count, other) => {
            let inputs = counted(count as u64, "input that skips", "inputs that skip");
            format!("{inputs} a part of it: none fails in this way, {other} in another")
        }
    };
    let exercising = counted(error.exercising as u64, "input", "inputs");
    let _ = writeln!(
        text,
        "    {exercising} with the whole sequence: {} of them fail; {skipping} (evidence, not a proof)",
        error.failing
    );
}

/// What each part shows of each difference, alone and left out.
fn write_matrix(text: &mut String, interacted: &Interacted) {
    if interacted.differences.is_empty() || interacted.parts.len() < 2 {
        return;
    }
    text.push_str("parts × differences (alone | NEW without it):\n");
    let cell = |difference: &Difference, part: usize| {
        let shown = |all: &[effects::interact::Shown]| {
            all.get(part).map_or("unknown", |&shown| shown_words(shown))
        };
        format!("{} | {}", shown(&difference.analysis.alone), shown(&difference.analysis.without))
    };
    let columns: Vec<Vec<String>> = interacted
        .differences
        .iter()
        .enumerate()
        .map(|(index, difference)| {
            let head = format!("{} ({})", index + 1, kind_name(difference.analysis.kind));
            let cells = (0..interacted.parts.len()).map(|part| cell(difference, part));
            std::iter::once(head).chain(cells).collect()
        })
        .collect();
    let widths: Vec<usize> = columns
        .iter()
        .map(|column| column.iter().map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    let parts = std::iter::once(String::new());
    let parts = parts.chain(interacted.parts.iter().map(|part| part.number.to_string()));
    for (row, part) in parts.enumerate() {
        let mut line = format!("  {part:>3}");
        for (column, &width) in columns.iter().zip(&widths) {
            let _ = write!(line, "  {:width$}", column[row]);
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text.push('\n');
}

fn write_sequences(text: &mut String, interacted: &Interacted) {
    let sequences = &interacted.sequences;
    if interacted.parts.is_empty() || sequences.exercised.is_empty() {
        return;
    }
    let exercised = counted(sequences.exercised.len() as u64, "sequence", "sequences");
    let left = match (sequences.is_cut, sequences.left.len()) {
        (true, _) => "; the graph allows too many others to list".to_owned(),
        (false, 0) => ", all that the graph allows".to_owned(),
        (false, left) => format!("; the graph allows {left} more"),
    };
    let (followed, known) = sequences.followed;
    let _ = writeln!(
        text,
        "{exercised} of parts exercised by {followed} of {known} kept inputs{left}:"
    );
    for one in sequences.exercised.iter().take(SHOWN) {
        let inputs = counted(one.inputs as u64, "input", "inputs");
        let differ = match one.different {
            0 => String::new(),
            different => format!(", {different} with a difference"),
        };
        let shown = sequence_words(&one.sequence);
        let _ = writeln!(text, "  {shown}: {} ({inputs}{differ})", typed(interacted, &one.test));
    }
    if sequences.exercised.len() > SHOWN {
        let more = (sequences.exercised.len() - SHOWN) as u64;
        let _ = writeln!(text, "  {}", counted(more, "more sequence", "more sequences"));
    }
    let left: Vec<String> =
        sequences.left.iter().take(SHOWN).map(|one| sequence_words(one)).collect();
    if !left.is_empty() && !sequences.is_cut {
        let more = match sequences.left.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!("; {more} more"),
        };
        let _ = writeln!(text, "  not exercised: {}{more}", left.join("; "));
    }
}

fn write_locations(text: &mut String, interacted: &Interacted) {
    let locations = &interacted.sequences.locations;
    if locations.is_empty() {
        return;
    }
    text.push_str("parts may interact at:\n");
    for location in locations.iter().take(SHOWN) {
        let at = format!("{}:{}", location.place.file, location.place.line);
        let _ = writeln!(
            text,
            "  {}  {}",
            crate::printable::printable(at.as_bytes()),
            parts_words(&location.parts)
        );
    }
    if locations.len() > SHOWN {
        let more = (locations.len() - SHOWN) as u64;
        let _ = writeln!(text, "  {}", counted(more, "more line", "more lines"));
    }
}

fn write_configurations(text: &mut String, interacted: &Interacted) {
    if interacted.built == 0 {
        return;
    }
    let built = counted(interacted.built as u64, "configuration", "configurations");
    let cut = if interacted.is_cut { "; the bound or the budget ended the search" } else { "" };
    let _ = writeln!(text, "configurations: {built} built{cut}");
    if !interacted.broken.is_empty() {
        let shown: Vec<String> = interacted
            .broken
            .iter()
            .take(SHOWN)
            .map(|parts| format!("{{{}}}", list(numbers(parts))))
            .collect();
        let more = match interacted.broken.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(text, "  do not build, with only these parts: {}{more}", shown.join(" "));
    }
}
