//! A study as a table.

use std::fmt::Write;

use effects::study::{Estimate, Study};

use super::{name, sentence};
use crate::notes;
use crate::paint::Look;
use crate::printable::printable;

/// The report; ends with a newline.
pub fn text(study: &Study, look: Look) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}", look.strong("study"), sentence(study));
    let _ = writeln!(text, "  OLD: {}", printable(study.old.name.as_bytes()));
    let _ = writeln!(text, "  NEW: {}", printable(study.new.name.as_bytes()));
    if !study.rows.is_empty() {
        let head =
            "criterion   requirements    suite size          detection rate              ds-ratio";
        let _ = writeln!(text, "\n{}", look.strong(head));
    }
    for row in &study.rows {
        let (size, rate, ratio) = (plain(&row.size), percent(&row.detection), share(&row.ratio));
        let _ = writeln!(
            text,
            "{:<10} {:>13}    {size:<18}  {rate:<26}  {ratio}",
            name(row),
            row.requirements
        );
    }
    let mut notes = String::new();
    for one in &study.limits {
        let _ = writeln!(notes, "note: {}", crate::adequacy::limit(one));
    }
    notes::write_misfits(&mut notes, &study.misfits);
    if !study.rows.is_empty() {
        let _ = writeln!(
            text,
            "\n{} suites for each criterion, seed {}; intervals of 95 %",
            study.suites, study.seed
        );
    }
    text + &notes
}

fn plain(one: &Estimate) -> String {
    format!("{:.1} ({:.1}–{:.1})", one.value, one.low, one.high)
}

fn percent(one: &Estimate) -> String {
    format!("{:.1} % ({:.1}–{:.1})", 100.0 * one.value, 100.0 * one.low, 100.0 * one.high)
}

fn share(one: &Estimate) -> String {
    format!("{:.3} ({:.3}–{:.3})", one.value, one.low, one.high)
}
