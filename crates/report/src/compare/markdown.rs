//! A comparison as Markdown for a pull request: the verdict in a paragraph, a table, and folded
//! details. Empty if nothing that affects behaviour changed.
//!
//! Output of programs occurs only in code, where nothing is markup, a mention or a link. The text
//! stays below the maximum size of a comment.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;

use effects::compare::{Compared, Guarantee, Witness};
use effects::versions::{HunkStatus, Standing};

use super::brief::{hidden_lines, slower_words};
use super::differences::{Difference, differences, end};
use super::findings::{first_difference, sentence, severity, shown_at, step_words, undefined};
use super::returned::{Number, returned_numbers};
use super::{text, typed, why};
use crate::conditions::readable_condition;
use crate::counting::{counted, shortened};
use crate::finding::{Base, Severity};
use crate::hunks::{self, Counted};
use crate::partitions;
use crate::places::FaultAt;
use crate::printable::{harmless, printable};
use crate::words;

/// A comment has at most 65,536 characters; this leaves room for a few words around it.
const MOST_BYTES: usize = 60_000;
/// The most rows of the table, lines of an output, characters of a line, steps of a chain.
const MOST_ROWS: usize = 30;
const SHOWN_LINES: usize = 20;
const SHOWN_LINE: usize = 160;
const SHOWN_COMMAND: usize = 120;
const SHOWN_STEPS: usize = 12;

/// The report; empty if there is nothing to say, otherwise ends with a newline.
pub fn markdown(compared: &Compared, base: &Base) -> String {
    let hunks = compared.hunks();
    let is_skipped = |one: &HunkStatus| matches!(one.standing, Standing::NotCompiled(_));
    if compared.guarantee == Guarantee::NoChange && !hunks.iter().any(is_skipped) {
        return String::new();
    }
    let mut text = String::new();
    write_unreachable(&mut text, compared);
    write_verdict(&mut text, compared);
    write_proof(&mut text, compared);
    write_table(&mut text, compared, base);
    write_details(&mut text, compared);
    write_accepted(&mut text, compared);
    write_hunks(&mut text, compared, &hunks);
    write_notes(&mut text, compared);
    text
}

fn write_unreachable(text: &mut String, compared: &Compared) {
    let mut line = String::new();
    hunks::write_unreachable(&mut line, compared.reach, compared.entry.as_deref());
    if !line.is_empty() {
        let _ = writeln!(text, "**{}.**\n", escaped(line.trim_end()));
    }
}

/// The status of every hunk, as far as it fits.
fn write_hunks(text: &mut String, compared: &Compared, hunks: &[HunkStatus]) {
    let all = counted(hunks.len() as u64, "hunk", "hunks");
    let _ = write!(text, "\n<details><summary>{all}</summary>\n\n");
    text.push_str("| | lines | status |\n|---|---|---|\n");
    let rows = hunks::rows(hunks, Counted::Runs, compared.entry.as_deref());
    for (number, place, status) in rows.iter().take(MOST_ROWS) {
        let _ = writeln!(text, "| {number} | {} | {} |", code(place, true), escaped(status));
    }
    if rows.len() > MOST_ROWS {
        let more = (rows.len() - MOST_ROWS) as u64;
        let _ =
            writeln!(text, "\n{} in the report.", counted(more, "more hunk is", "more hunks are"));
    }
    text.push_str("\n</details>\n");
}

fn write_verdict(text: &mut String, compared: &Compared) {
    let name = words::verdict_name(compared.verdict);
    let sentence = escaped(&text::verdict_sentence(compared));
    let _ = writeln!(text, "**Ripple: {name}.** {sentence}.");
}

/// What is proved about the whole input space.
fn write_proof(text: &mut String, compared: &Compared) {
    if let Some(proved) = compared.proof.as_ref().filter(|proved| proved.shares.uniform.samples > 0)
    {
        let line = escaped(&partitions::line(&proved.into()));
        let _ = writeln!(text, "\nPartitions: {line}.");
    }
}

fn write_table(text: &mut String, compared: &Compared, base: &Base) {
    if compared.witnesses.is_empty() {
        return;
    }
    text.push_str("\n| | input | before | after | changed line |\n|---|---|---|---|---|\n");
    for witness in compared.witnesses.iter().take(MOST_ROWS) {
        let (old, new) = cells(compared, witness);
        let at = match shown_at(compared, witness, base).0 {
            Some(at) => {
                let path = printable(at.path.as_os_str().as_bytes());
                code(&format!("{path}:{}", at.line), true)
            }
            None => String::new(),
        };
        let input = code(&shortened(&typed(compared, &witness.test), SHOWN_COMMAND), true);
        let sign = sign(severity(witness));
        let odd = if witness.is_consistent() { "" } else { ", only for inconsistent input" };
        let class = format!("{}{odd}", words::class(witness.class));
        let _ = writeln!(text, "| {sign} {class} | {input} | {old} | {new} | {at} |");
    }
    if compared.witnesses.len() > MOST_ROWS {
        let more = compared.witnesses.len() - MOST_ROWS;
        let more = counted(more as u64, "more difference is", "more differences are");
        let _ = writeln!(text, "\n{more} in the report.");
    }
}

fn sign(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "❌",
        Severity::Warning => "⚠️",
        Severity::Note => "ℹ️",
    }
}

/// The behaviour of each version, in a cell of the table.
fn cells(compared: &Compared, witness: &Witness) -> (String, String) {
    let is_function = compared.entry.is_some();
    let [old, new] = [&witness.old, &witness.new].map(|side| end(side, is_function));
    if let Some([old, new]) = returned_numbers(compared, witness).filter(|_| old == new) {
        let shown = |number: Number| code(&format!("return {number}"), true);
        return (shown(old), shown(new));
    }
    let found = differences(compared, &witness.old, &witness.new);
    match found.first() {
        Some(first) if old == new => {
            let (old, new) = first_difference(first.old, first.new);
            let shown = |text: String| {
                let inner = text.strip_prefix('“').and_then(|rest| rest.strip_suffix('”'));
                inner.map_or(text.clone(), |inner| code(inner, true))
            };
            (shown(old), shown(new))
        }
        _ => (escaped(&old), escaped(&new)),
    }
}

/// Everything about each difference, as far as it fits.
fn write_details(text: &mut String, compared: &Compared) {
    for (index, witness) in compared.witnesses.iter().enumerate() {
        let details = details(compared, witness, index);
        if text.len() + details.len() > MOST_BYTES {
            let left = (compared.witnesses.len() - index) as u64;
            let left = counted(left, "difference", "differences");
            let _ = writeln!(text, "\nDetails of {left} are in the report.");
            return;
        }
        text.push_str(&details);
    }
}

fn details(compared: &Compared, witness: &Witness, index: usize) -> String {
    let mut text = String::new();
    let summary = html(&shortened(&sentence(compared, witness), 2 * SHOWN_COMMAND));
    let _ = writeln!(text, "\n<details><summary>{}. {summary}</summary>\n", index + 1);
    let language = if compared.entry.is_some() { "c" } else { "sh" };
    let input = printable_line(&typed(compared, &witness.test));
    let _ = writeln!(text, "{}", fence(language, &[input]));
    for difference in differences(compared, &witness.old, &witness.new) {
        let _ = writeln!(text, "{}:\n", escaped(&difference.name));
        let _ = writeln!(text, "{}", fence("diff", &diff(&difference)));
    }
    for (name, behaviour) in [("before", &witness.old), ("after", &witness.new)] {
        if let Some(fault) = &behaviour.fault {
            let at = FaultAt(fault);
            let mut lines = format!("{}\n", at.message());
            at.write(&mut lines, "");
            let _ = writeln!(text, "Fault {name}:\n");
            let _ = writeln!(
                text,
                "{}",
                fence("text", &lines.lines().map(str::to_owned).collect::<Vec<_>>())
            );
        }
    }
    if let Some((_, judgement)) = &witness.golden {
        let _ = writeln!(text, "{}.\n", escaped(words::judgement(*judgement)));
    }
    if let Some(condition) = &witness.condition {
        let condition = harmless(&readable_condition(condition));
        let _ = writeln!(text, "When {}\n", code(&condition, false));
    }
    write_why(&mut text, witness);
    if let Some(words) = words::unlike(witness) {
        let _ = writeln!(text, "Note: {}.\n", escaped(&words));
    }
    if let Some((places, _)) = why::blame(witness) {
        let places: Vec<String> = places.iter().map(|place| code(place, false)).collect();
        let _ = writeln!(text, "To blame: {}\n", places.join(", "));
    }
    if witness.undefined.is_some() {
        let _ = writeln!(text, "Executes {}.\n", escaped(&undefined(witness)));
    }
    if !witness.inconsistent.is_empty() {
        let said = shortened(&words::inconsistent(&witness.inconsistent), SHOWN_LINE);
        let _ = writeln!(text, "Only for inconsistent input: {}\n", escaped(&said));
    }
    if !witness.same.is_empty() {
        let said = shortened(&words::needs_same(&witness.same), SHOWN_LINE);
        let _ = writeln!(text, "It {}.\n", escaped(&said));
    }
    if let Some(said) = &witness.undefined_behaviour {
        let said = shortened(&harmless(said), SHOWN_LINE);
        let head = match witness.undefined {
            Some(_) => "A sanitizer build reports",
            None => "May be due to undefined behaviour",
        };
        let _ = writeln!(text, "{head}: {}\n", code(&said, false));
    }
    for lapsed in compared.lapsed.iter().filter(|lapsed| lapsed.witness == index) {
        let _ = writeln!(text, "{}\n", escaped(&words::lapsed(lapsed)));
    }
    text.push_str("</details>\n");
    text
}

fn write_why(text: &mut String, witness: &Witness) {
    let Some(why) = witness.why.as_ref().filter(|why| !why.chain.is_empty()) else { return };
    let mut lines = Vec::new();
    for link in why.chain.iter().take(SHOWN_STEPS) {
        let place = link.new.as_ref().or(link.old.as_ref());
        let at = place.map(crate::places::position).unwrap_or_default();
        lines.push(printable_line(&format!("{at}: {}", step_words(link))));
    }
    if why.chain.len() > SHOWN_STEPS {
        lines.push(format!("… {} more steps", why.chain.len() - SHOWN_STEPS));
    }
    let _ = writeln!(text, "Why:\n\n{}", fence("text", &lines));
}

/// The lines of a difference in diff format.
fn diff(difference: &Difference<'_>) -> Vec<String> {
    let mut lines = Vec::new();
    let [old, new] = [difference.old, difference.new].map(Option::unwrap_or_default);
    let same = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    let start = old[..same].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let before = old[..start].iter().filter(|byte| **byte == b'\n').count();
    if before > 0 {
        lines.push(format!("@@ line {} @@", before + 1));
    }
    for (sign, text) in [('-', old), ('+', new)] {
        let mut rest = text[start..].split(|byte| *byte == b'\n').peekable();
        let mut shown = 0;
        while let Some(line) = rest.next() {
            let is_end = line.is_empty() && rest.peek().is_none();
            if shown == SHOWN_LINES && !is_end {
                lines.push(format!("{sign} …"));
                break;
            }
            if !is_end {
                lines.push(format!("{sign}{}", printable(&line[..line.len().min(SHOWN_LINE)])));
            }
            shown += 1;
        }
    }
    lines
}

fn write_accepted(text: &mut String, compared: &Compared) {
    if compared.accepted.is_empty() {
        return;
    }
    let count = counted(compared.accepted.len() as u64, "difference", "differences");
    let _ = writeln!(text, "\n<details><summary>{count} accepted</summary>\n");
    for one in compared.accepted.iter().take(MOST_ROWS) {
        let what = escaped(&shortened(&sentence(compared, &one.witness), 2 * SHOWN_COMMAND));
        let reason = escaped(&shortened(&one.acceptance.reason, 2 * SHOWN_COMMAND));
        let _ = writeln!(text, "- {what}: *{reason}*");
    }
    text.push_str("\n</details>\n");
}

fn write_notes(text: &mut String, compared: &Compared) {
    let mut notes: Vec<String> = compared.limits.iter().map(words::limit).collect();
    notes.dedup();
    if !compared.unconfirmed.is_empty() {
        let count = counted(compared.unconfirmed.len() as u64, "difference", "differences");
        notes.push(format!("{count} not confirmed by the native programs (not counted)"));
    }
    for one in &compared.slower {
        let input = shortened(&typed(compared, &one.test), SHOWN_COMMAND);
        notes.push(format!("much slower: {}: {input}", slower_words(one)));
    }
    notes.extend(hidden_lines(compared).map(|line| shortened(&line, SHOWN_COMMAND)));
    for (index, note) in notes.iter().enumerate() {
        let begin = if index == 0 { "\n" } else { "" };
        let _ = writeln!(text, "{begin}- {}", escaped(note));
    }
}

fn printable_line(text: &str) -> String {
    shortened(&harmless(text), 4 * SHOWN_LINE)
}

/// A block of code; no line in it can end it.
fn fence(language: &str, lines: &[String]) -> String {
    let longest = lines.iter().map(|line| longest_run(line)).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", lines.join("\n"))
}

/// A piece of code; in a table a bar would end the cell.
pub(crate) fn code(text: &str, is_cell: bool) -> String {
    let quote = "`".repeat(longest_run(text) + 1);
    let space =
        if text.starts_with('`') || text.ends_with('`') || text.is_empty() { " " } else { "" };
    let text = if is_cell { text.replace('|', "\\|") } else { text.to_owned() };
    format!("{quote}{space}{text}{space}{quote}")
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// Words in which nothing is markup, a mention or a link.
pub(crate) fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for character in harmless(text).chars() {
        match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '#' | '|' | '~' | '!' => {
                safe.extend(['\\', character]);
            }
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            // A zero-width space prevents mentions and links.
            '@' => safe.push_str("@\u{200b}"),
            ':' => safe.push_str(":\u{200b}"),
            _ => safe.push(character),
        }
    }
    safe.replace(":\u{200b} ", ": ")
}

/// The same inside HTML, in which Markdown means nothing.
fn html(text: &str) -> String {
    let text = harmless(text);
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('@', "@\u{200b}").replace("://", ":\u{200b}//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_a_block_of_code() {
        let lines = ["```".to_owned(), "````html <b>".to_owned()];
        assert_eq!(fence("text", &lines), "`````text\n```\n````html <b>\n`````\n");
        assert_eq!(code("a`b|c", true), "``a`b\\|c``");
        assert_eq!(code("`", false), "`` ` ``");
    }

    #[test]
    fn words_are_no_markup() {
        let hostile = "<img src=x> @user [a](http://b) #1 \u{1b}[0m\0";
        let safe = escaped(hostile);
        for bad in ["<", "@user", "a](", "http://", " #1", "\u{1b}", "\0"] {
            assert!(!safe.contains(bad), "{bad:?} is in {safe:?}");
        }
        assert_eq!(escaped("a: b"), "a: b");
    }
}
