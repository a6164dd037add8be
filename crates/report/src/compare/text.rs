//! A comparison as text: the verdict with its basis, then each difference in the style of a
//! compiler error, then the effort.

use std::fmt::Write;

use effects::compare::{Behaviour, Compared, Guarantee, Verdict, Witness};
use effects::trial::Place;
use effects::versions::{HunkStatus, NotAChange};

use super::brief;
use super::differences::{differences, end, show};
use super::findings::undefined;
use super::{script_name, typed, why};
use crate::columns::side_by_side;
use crate::conditions::readable_condition;
use crate::counting::{counted, grouped};
use crate::hunks::{self, Counted};
use crate::paint::{Look, Paint};
use crate::places::{FaultAt, position};
use crate::printable::{printable, source_line};
use crate::{notes, undeclared, words};

/// The indentation of everything about a witness.
const INDENT: usize = 2;
/// The most changed statements of a version to show.
const SHOWN_STATEMENTS: usize = 6;

/// The whole report; ends with a newline. Scripts are in this directory, if there is one.
pub fn text(compared: &Compared, scripts: Option<&str>, look: Look) -> String {
    let mut text = String::new();
    let hunks = compared.hunks();
    hunks::write_unreachable(&mut text, compared.reach, compared.entry.as_deref());
    write_verdict(&mut text, compared, look);
    text.push('\n');
    for (index, witness) in compared.witnesses.iter().enumerate() {
        write_witness(&mut text, compared, witness, index, look);
        for lapsed in compared.lapsed.iter().filter(|lapsed| lapsed.witness == index) {
            let words = printable(words::lapsed(lapsed).as_bytes());
            let _ = writeln!(text, "  {}: this {words}", look.unsure("note"));
        }
        if let Some(directory) = scripts {
            let script = format!("{directory}/{}", script_name(index));
            let _ = writeln!(text, "  reproduce: sh {}", crate::shell::word(script.as_bytes()));
        }
        text.push('\n');
    }
    brief::write_accepted(&mut text, compared);
    brief::write_changes(&mut text, compared);
    write_not_changes(&mut text, compared);
    let entry = compared.entry.as_deref();
    hunks::write_table(&mut text, "hunks", &hunks, Counted::Runs, entry);
    notes::write_positions(&mut text, &compared.positions);
    brief::write_space(&mut text, compared);
    brief::write_unconfirmed(&mut text, compared);
    brief::write_slower(&mut text, compared);
    brief::write_hidden(&mut text, compared);
    brief::write_limits(&mut text, compared);
    brief::write_proof(&mut text, compared);
    if compared.verdict == Verdict::Equal {
        notes::write_premises(&mut text, &compared.premises());
    }
    brief::write_effort(&mut text, compared);
    brief::write_advice(&mut text, compared);
    text
}

fn write_verdict(text: &mut String, compared: &Compared, look: Look) {
    let name = words::verdict_name(compared.verdict);
    let painted = match compared.verdict {
        Verdict::Different => look.alarm(name),
        Verdict::Equal | Verdict::Accepted => look.calm(name),
        Verdict::Inconclusive => look.unsure(name),
    };
    let _ = writeln!(text, "{painted}: {}", verdict_sentence(compared));
}

/// The verdict in a sentence, with its basis.
pub(crate) fn verdict_sentence(compared: &Compared) -> String {
    let [old, new] = [&compared.old, &compared.new].map(|side| printable(side.name.as_bytes()));
    let subject = match &compared.entry {
        Some(entry) => format!("{0} of {old} and {0} of {new}", printable(entry.as_bytes())),
        None => format!("{old} and {new}"),
    };
    if let Some(fault) = compared.invalid_inputs() {
        let at = FaultAt(fault);
        let place = at.blamed().map(|place| format!(" at {}", position(place)));
        let runs = compared.effort.total.runs;
        return format!(
            "the inputs are not valid: {subject} end in a fault before they reach the change ({}{}), \
             on {} run",
            at.message(),
            place.unwrap_or_default(),
            match runs {
                1 => "the only input".to_owned(),
                _ => format!("all {} inputs", grouped(runs)),
            }
        );
    }
    let hunks = &compared.hunks_apart;
    let reservations = match compared.verdict {
        Verdict::Different => String::new(),
        _ => hunks::reservations(hunks, compared.reach),
    };
    let apart = undeclared::apart(!compared.positions.is_empty());
    let proviso = undeclared::proviso(compared.origin, &compared.chosen) + apart;
    let space = undeclared::space(compared.origin);
    let sentence = match compared.guarantee {
        Guarantee::NoChange if hunks.iter().any(HunkStatus::is_left_out) => {
            format!("{apart}nothing changed in this build that affects how {subject} behave")
        }
        Guarantee::NoChange => {
            format!(
                "{apart}nothing changed that affects how {subject} behave, so no input tells them \
                 apart"
            )
        }
        Guarantee::AllInputs { inputs: 1 } => {
            format!("{proviso}{subject} behave the same on the only input{space}")
        }
        Guarantee::AllInputs { inputs } => format!(
            "{proviso}{subject} behave the same on all {}{space}",
            counted(inputs, "input", "inputs")
        ),
        Guarantee::Proved => {
            let partitions = compared.proof.as_ref().map_or(0, |proof| proof.counts.equal as u64);
            let partitions = counted(partitions, "partition", "partitions");
            format!(
                "{proviso}{subject} behave the same on every input{space}, proved by {partitions}"
            )
        }
        // The number of consistent inputs among them is unknown.
        Guarantee::Sampled { .. } if is_all_odd(compared) => {
            format!("no difference found between {subject} on consistent input")
        }
        Guarantee::Sampled { inputs: 0 } => format!("no input of {subject} could be run"),
        Guarantee::Sampled { inputs } => {
            // A run that did not end may differ.
            let undecided = compared.effort.total.undecided.min(inputs);
            let tried = |count: u64| counted(count, "input", "inputs");
            match (inputs - undecided, undecided) {
                (same, 0) => {
                    format!(
                        "no difference found between {subject} in {} (not a proof)",
                        tried(same)
                    )
                }
                (0, all) => format!("no verdict on {subject} from {}", tried(all)),
                (same, left) => format!(
                    "no difference found between {subject} in {} (not a proof), and no verdict from \
                     {} more",
                    tried(same),
                    grouped(left)
                ),
            }
        }
        Guarantee::Replayed => {
            let accepted = compared.accepted.len();
            let open = compared.consistent().count();
            let found = open + accepted;
            let count = counted(found as u64, "way", "ways");
            let accepted = match (accepted, open) {
                (0, _) => String::new(),
                (1, 0) => ", which is accepted".to_owned(),
                (_, 0) => ", all of which are accepted".to_owned(),
                (1, _) => ", 1 of which is accepted".to_owned(),
                (count, _) => format!(", {count} of which are accepted"),
            };
            let all = || {
                let accepted = compared.accepted.iter().map(|accepted| &accepted.witness);
                compared.consistent().chain(accepted)
            };
            let needs_same = open > 0 && compared.consistent().all(|one| !one.same.is_empty());
            let only = if needs_same { ", only where parameters are the same object" } else { "" };
            match all().filter(|witness| witness.undefined.is_some()).count() {
                0 => format!(
                    "{subject} differ in {count}{accepted}{only}, replayed on both native programs"
                ),
                silent if silent == found => format!(
                    "{subject} behave the same on the inputs tried, but differ in undefined \
                     behaviour in {count}{accepted}{only}, confirmed by sanitizer builds"
                ),
                silent => format!(
                    "{subject} differ in {count}{accepted}{only}, replayed on both native \
                     programs; {} only by undefined behaviour, confirmed by sanitizer builds",
                    counted(silent as u64, "of them", "of them")
                ),
            }
        }
    };
    sentence + &odd_words(compared) + &reservations
}

/// Whether the search for the verdict itself found only inconsistent inputs.
fn is_all_odd(compared: &Compared) -> bool {
    compared.witnesses.iter().any(|witness| witness.builds.is_none())
}

/// Differences that do not decide the verdict.
fn odd_words(compared: &Compared) -> String {
    match compared.only_inconsistent() as u64 {
        0 => String::new(),
        count => format!(
            "; {} inconsistent input (not counted)",
            counted(count, "difference needs", "differences need")
        ),
    }
}

fn write_witness(
    text: &mut String,
    compared: &Compared,
    witness: &Witness,
    index: usize,
    look: Look,
) {
    let of = compared.witnesses.len();
    let class = look.strong(words::class(witness.class));
    let odd = if witness.is_consistent() { "" } else { " (only for inconsistent input)" };
    let _ = writeln!(text, "{} {} of {of}{odd}: {class}", look.strong("difference"), index + 1);
    let _ = writeln!(text, "  {}", look.strong(&typed(compared, &witness.test)));
    write_sides(text, compared, witness, look);
    for (name, behaviour) in [("OLD", &witness.old), ("NEW", &witness.new)] {
        write_fault(text, name, behaviour, look);
    }
    write_golden(text, compared, witness);
    write_reached(text, witness, look);
    why::write(text, witness, look);
    if let Some(condition) = &witness.condition {
        let _ = writeln!(text, "  when: {}", readable_condition(condition));
    }
    if !witness.inconsistent.is_empty() {
        let head = look.unsure("only for inconsistent input");
        let said = words::inconsistent(&witness.inconsistent);
        let _ = writeln!(text, "  {head}: {}", printable(said.as_bytes()));
    }
    if !witness.same.is_empty() {
        let said = words::needs_same(&witness.same);
        let _ = writeln!(text, "  {}", look.unsure(&printable(said.as_bytes())));
    }
    write_undefined(text, witness, look);
    let _ = writeln!(text, "  found {}", brief::found(witness));
}

/// The operation that is undefined in one version only, or a sanitizer's report about a difference
/// that such operations may cause.
fn write_undefined(text: &mut String, witness: &Witness, look: Look) {
    let said = witness.undefined_behaviour.as_deref().map(|said| printable(said.as_bytes()));
    match (&witness.undefined, said) {
        (Some(_), said) => {
            let _ = writeln!(text, "  executes {}", look.unsure(&undefined(witness)));
            if let Some(said) = said {
                let _ = writeln!(text, "  a sanitizer build reports: {said}");
            }
        }
        (None, Some(said)) => {
            let _ =
                writeln!(text, "  {}: {said}", look.unsure("may be due to undefined behaviour"));
        }
        (None, None) => {}
    }
}

/// What differs, OLD on the left.
pub(crate) fn write_sides(text: &mut String, compared: &Compared, witness: &Witness, look: Look) {
    let pad = " ".repeat(INDENT);
    let is_function = compared.entry.is_some();
    let [old, new] = [&witness.old, &witness.new].map(|behaviour| end(behaviour, is_function));
    let ends = if old == new {
        (format!("OLD: {old}\n"), format!("NEW: {new}\n"))
    } else {
        (format!("OLD {old}\n"), format!("NEW {new}\n"))
    };
    for line in heads(&ends.0, &ends.1, look) {
        let _ = writeln!(text, "{pad}{line}");
    }
    for difference in differences(compared, &witness.old, &witness.new) {
        for line in show(&difference, INDENT, look) {
            let _ = writeln!(text, "{pad}{line}");
        }
    }
}

/// The heads of the columns; they always differ, so nothing is marked.
fn heads(old: &str, new: &str, look: Look) -> Vec<String> {
    let lines = side_by_side(old.as_bytes(), new.as_bytes(), INDENT, look);
    lines.into_iter().filter(|line| !line.trim_matches([' ', '^']).is_empty()).collect()
}

fn write_fault(text: &mut String, name: &str, behaviour: &Behaviour, look: Look) {
    let Some(fault) = &behaviour.fault else { return };
    let at = FaultAt(fault);
    let _ = writeln!(text, "  {}: {}", look.alarm(&format!("fault in {name}")), at.message());
    at.write(text, "  ");
    if let Some(said) = &behaviour.sanitizer {
        let said = printable(said.as_bytes());
        let width = at.width();
        let _ = writeln!(text, "  {:width$} = a sanitizer build reports {said}", "");
    }
}

pub(crate) fn write_golden(text: &mut String, compared: &Compared, witness: &Witness) {
    let Some((behaviour, judgement)) = &witness.golden else { return };
    let _ = writeln!(text, "  {}", words::judgement(*judgement));
    let end = end(behaviour, compared.entry.is_some());
    let shown = match &behaviour.native.result {
        Some(result) => result.as_bytes(),
        None => &behaviour.native.stdout,
    };
    let first = shown.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let more = if shown.len() > first.len() + 1 { " …" } else { "" };
    let said =
        if shown.is_empty() { "nothing".to_owned() } else { format!("{}{more}", printable(first)) };
    let _ = writeln!(text, "    the golden version {end}; output: {said}");
}

/// The changed statements that the witness executes.
fn write_reached(text: &mut String, witness: &Witness, look: Look) {
    let [old, new] = &witness.reached;
    if old.is_empty() && new.is_empty() {
        return;
    }
    let _ = writeln!(text, "  changed statements executed:");
    let (mut old, mut new) = (lines_of(old), lines_of(new));
    // Statements with the same text in both versions are shown once.
    let mut same = Vec::new();
    old.retain(|(_, line)| match new.iter().position(|(_, other)| other == line) {
        Some(found) => {
            same.push(new.remove(found));
            false
        }
        None => true,
    });
    let of_new: Paint = Look::of_new;
    for (sign, places, paint) in
        [('-', old, Look::of_old as Paint), ('+', new, of_new), ('~', same, of_new)]
    {
        for (place, line) in places.iter().take(SHOWN_STATEMENTS) {
            let shown = format!("{sign} {}: {}", position(place), line);
            let _ = writeln!(text, "    {}", paint(look, shown.trim_end()));
        }
        if places.len() > SHOWN_STATEMENTS {
            let _ = writeln!(text, "    {sign} {} more", places.len() - SHOWN_STATEMENTS);
        }
    }
}

/// Each line once, with its text.
fn lines_of(places: &[Place]) -> Vec<(&Place, String)> {
    let mut lines: Vec<(&Place, String)> = Vec::new();
    for place in places {
        let is_known =
            |(known, _): &(&Place, String)| known.file == place.file && known.line == place.line;
        if !lines.iter().any(is_known) {
            let line = place.text.as_deref().map(source_line).unwrap_or_default();
            lines.push((place, line.trim_start().to_owned()));
        }
    }
    lines
}

/// What only looks like a change, if there is no other.
fn write_not_changes(text: &mut String, compared: &Compared) {
    let changes = &compared.changes;
    if !changes.is_empty() || changes.not_changes.is_empty() {
        return;
    }
    for (what, names) in unchanged_functions(compared) {
        let _ = writeln!(text, "only {what} differs in {}", names.join(", "));
    }
}

/// Functions with the same behaviour although their text differs, by the kind of difference.
pub(super) fn unchanged_functions(compared: &Compared) -> Vec<(&'static str, Vec<String>)> {
    let is_inactive = |function: &&NotAChange| !function.inactive.is_empty();
    let names = |wanted: bool| -> Vec<String> {
        let all = compared.changes.not_changes.iter();
        let some = all.filter(|function| is_inactive(function) == wanted);
        some.map(|function| printable(function.name.as_bytes())).collect()
    };
    let both = [("the text", names(false)), ("code that is not compiled", names(true))];
    both.into_iter().filter(|(_, names)| !names.is_empty()).collect()
}
