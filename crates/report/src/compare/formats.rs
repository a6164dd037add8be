//! A comparison for editors, pull requests and code scanning: findings, written by `finding`.

use effects::compare::Compared;

use super::findings::{findings, rules};
use crate::finding::{Base, github, sarif as log, short as lines};
use crate::words;

/// `file:line:column: severity: message`, one per line; empty if there is no difference.
pub fn short(compared: &Compared, base: &Base) -> String {
    lines::short(&findings(compared, base))
}

/// SARIF 2.1.0.
pub fn sarif(compared: &Compared, base: &Base) -> String {
    let notes: Vec<String> = compared.limits.iter().map(words::limit).collect();
    log::sarif("compare", rules(), &findings(compared, base), &notes)
}

/// Commands that make GitHub show the worst differences at the lines that cause them.
pub fn annotations(compared: &Compared, base: &Base) -> String {
    github::annotations(&findings(compared, base))
}
