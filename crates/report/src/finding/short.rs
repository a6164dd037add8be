//! Findings one per line, in the format of compilers that editors read: `file:line:column:
//! severity: message`.

use std::fmt::Write;
use std::os::unix::ffi::OsStrExt;

use super::Finding;
use crate::printable::{harmless, printable};

/// A line for each finding that is not accepted.
pub(crate) fn short(findings: &[Finding]) -> String {
    let mut text = String::new();
    for finding in findings.iter().filter(|finding| finding.accepted.is_none()) {
        let at = match &finding.location {
            Some(location) => {
                let path = printable(location.path.as_os_str().as_bytes());
                format!("{path}:{}:{}", location.line, location.column.unwrap_or(1))
            }
            None => "ripple".to_owned(),
        };
        let severity = finding.severity.name();
        let message = harmless(&finding.message);
        let _ = writeln!(text, "{at}: {severity}: {message} [{}]", finding.rule.id);
    }
    text
}
