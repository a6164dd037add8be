//! The change as people know it: the subjects of commits, the flags of the compiler, and the
//! unified diff.

use effects::compare::Compared;
use effects::compare::illustration::Illustration;
use maud::{Markup, html};

use super::visible;
use crate::counting::counted;
use crate::printable::printable;

/// The most lines of a diff that is unfolded.
const OPEN: usize = 40;
/// The most bytes of a subject, and of flags.
const MOST_OF_SUBJECT: usize = 300;
const MOST_OF_FLAGS: usize = 600;

/// Rows of a table of facts.
pub fn facts(compared: &Compared) -> Markup {
    let change = compared.illustration.as_ref().map(|one| &one.change);
    let subjects = change.map(|change| change.subjects.each_ref());
    let flags = compared.builds.each_ref().map(|build| shlex_joined(&build.cflags));
    html! {
        @if let Some(subjects) = subjects {
            @for (name, subject) in ["Subject of OLD", "Subject of NEW"].into_iter().zip(subjects) {
                @if let Some(subject) = subject {
                    div { dt { (name) } dd { (visible::text(subject.as_bytes(), MOST_OF_SUBJECT)) } }
                }
            }
        }
        @if flags[0] == flags[1] {
            (flag_row("Compiler flags", &flags[1]))
        } @else {
            (flag_row("Compiler flags of OLD", &flags[0]))
            (flag_row("Compiler flags of NEW", &flags[1]))
        }
    }
}

fn flag_row(name: &str, flags: &str) -> Markup {
    html! {
        @if !flags.is_empty() {
            div { dt { (name) } dd { code { (visible::text(flags.as_bytes(), MOST_OF_FLAGS)) } } }
        }
    }
}

fn shlex_joined(flags: &[String]) -> String {
    let quoted = flags.iter().map(|flag| crate::shell::word(flag.as_bytes()));
    printable(quoted.collect::<Vec<_>>().join(" ").as_bytes())
}

/// The diff, if it is known.
pub fn diff(illustration: &Illustration) -> Markup {
    let change = &illustration.change;
    let lines: Vec<&str> = change.diff.lines().collect();
    html! {
        @if !lines.is_empty() {
            details.diff open[lines.len() <= OPEN] {
                summary { h2.minor { "Diff" } }
                div.scroll tabindex="0" role="region" aria-label="Unified diff" {
                    pre {
                        @for line in &lines {
                            span class=(class(line)) { (visible::runs(line.as_bytes())) "\n" }
                        }
                    }
                }
                @if change.left_out > 0 {
                    p.note {
                        (counted(change.left_out as u64, "more line is", "more lines are"))
                        " left out."
                    }
                }
            }
        }
    }
}

fn class(line: &str) -> &'static str {
    match line.as_bytes().first() {
        _ if line.starts_with("--- ") || line.starts_with("+++ ") => "file",
        Some(b'@') => "at",
        Some(b'-') => "gone",
        Some(b'+') => "come",
        _ => "same",
    }
}
