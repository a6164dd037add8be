//! Findings as annotations of a pull request: the commands that GitHub reads from the output of
//! a step. GitHub shows few of them, so only the worst are written, and only on changed lines.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;

use super::{Finding, Severity};
use crate::printable::{harmless, printable};

/// GitHub shows ten warnings and ten errors of a step.
const MOST: usize = 10;

/// The commands, one per line, the worst first.
pub(crate) fn annotations(findings: &[Finding]) -> String {
    let mut text = String::new();
    let is_wanted = |finding: &&Finding| finding.is_change && finding.accepted.is_none();
    let mut wanted: Vec<&Finding> = findings.iter().filter(is_wanted).collect();
    wanted.sort_by_key(|finding| finding.severity);
    for finding in wanted.into_iter().take(MOST) {
        let Some(location) = &finding.location else { continue };
        // Files elsewhere are not in the pull request.
        if location.path.is_absolute() {
            continue;
        }
        let command = match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let file = property(&printable(location.path.as_os_str().as_bytes()));
        let column = location.column.map(|column| format!(",col={column}")).unwrap_or_default();
        let title = property(finding.rule.title);
        let message = value(&harmless(&finding.message));
        let _ = writeln!(
            text,
            "::{command} file={file},line={}{column},title={title}::{message}",
            location.line
        );
    }
    text
}

fn value(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    value(text).replace(':', "%3A").replace(',', "%2C")
}

/// Text for people in which GitHub finds no commands, whatever the programs wrote.
pub fn without_commands(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let start = line.len() - line.trim_start().len();
        let (space, rest) = line.split_at(start);
        safe.push_str(space);
        if rest.starts_with("::") {
            safe.push('\\');
        }
        safe.push_str(&rest.replace("##[", "#\\#["));
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_output_of_a_program_is_a_command() {
        let text = "  ::error::x\nok ::warning::y\n a ##[group]z\n";
        assert_eq!(without_commands(text), "  \\::error::x\nok ::warning::y\n a #\\#[group]z\n");
    }

    #[test]
    fn properties_cannot_be_left() {
        assert_eq!(property("a,b:c\n%"), "a%2Cb%3Ac%0A%25");
    }
}
