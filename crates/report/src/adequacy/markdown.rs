//! The adequacy of tests as Markdown for a pull request. Empty if nothing changed.

use std::fmt::Write;

use effects::adequacy::{Adequacy, Criterion, Verdict};

use super::text::{coverage_name, meaning};
use super::{limit, place, sentence, steps, verdict_name};
use crate::counting::counted;
use crate::places::position;
use crate::printable::harmless;

/// The most rows of tables and lists: a comment has a maximum size.
const MOST_ROWS: usize = 30;

pub fn markdown(adequacy: &Adequacy) -> String {
    let mut text = String::new();
    if adequacy.verdict == Verdict::NothingToTest {
        return text;
    }
    let name = verdict_name(adequacy.verdict);
    let _ = writeln!(text, "**Ripple: tests are {name}.** {}.\n", code_free(&sentence(adequacy)));
    text.push_str("| changed line | reach | infect | propagate | show |\n|---|--:|--:|--:|--:|\n");
    for line in adequacy.lines.iter().take(MOST_ROWS) {
        let counts = &line.counts;
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} |",
            code_free(&place(line)),
            counts.reach,
            counts.infect,
            counts.propagate,
            counts.show
        );
    }
    if adequacy.lines.len() > MOST_ROWS {
        let more = (adequacy.lines.len() - MOST_ROWS) as u64;
        let _ = writeln!(text, "\n{}.", counted(more, "more changed line", "more changed lines"));
    }
    text.push_str("\n| coverage | | |\n|---|--:|---|\n");
    for coverage in Criterion::ALL.iter().filter_map(|&one| adequacy.coverage(one)) {
        let of = format!("{} of {}", coverage.satisfied, coverage.total);
        let (name, meaning) = (coverage_name(coverage), meaning(coverage.criterion));
        let _ = writeln!(text, "| {name} | {of} | {meaning} |");
    }
    if !adequacy.missing.is_empty() {
        let all = adequacy.missing.len() as u64;
        let all = counted(all, "missing requirement", "missing requirements");
        let _ = write!(text, "\n<details><summary>{all}</summary>\n\n");
        for one in adequacy.missing.iter().take(MOST_ROWS) {
            let words = format!("{}: {}", position(&one.change), steps::missing(one));
            let _ = writeln!(text, "- `{}`", code_free(&words));
        }
        text.push_str("\n</details>\n");
    }
    for one in &adequacy.limits {
        let _ = writeln!(text, "\nNote: {}.", limit(one));
    }
    text
}

/// Text that ends neither code nor a cell of a table.
fn code_free(text: &str) -> String {
    harmless(text).replace('`', "'").replace('|', "¦")
}
