//! How complex changes are, in all formats.

mod csv;
mod html;
mod json;
mod text;

pub use csv::csv;
pub use html::html;
pub use json::{error_json, json};
pub use text::{error_text, text};

use chrono::DateTime;
use complexity::Complexity;
use source::{Commit, Skipped};

/// A change and how complex it is.
pub struct Measured {
    /// `None` if two versions of files were compared.
    pub commit: Option<Commit>,
    pub complexity: Complexity,
    pub skipped: Vec<Skipped>,
}

/// An error, by the commit that fixed it.
pub struct ErrorReport {
    pub fix: Measured,
    pub introduced: Option<Measured>,
    /// In days.
    pub life_span: Option<f64>,
}

/// Enough of a commit's id to distinguish it from others.
pub fn short(id: &str) -> &str {
    id.get(..10).unwrap_or(id)
}

/// Seconds since 1970 as a date, in UTC; in git's notation if they are beyond any calendar.
fn date(seconds: i64) -> String {
    match DateTime::from_timestamp(seconds, 0) {
        Some(time) => time.date_naive().to_string(),
        None => format!("@{seconds}"),
    }
}

#[cfg(test)]
mod tests {
    use super::date;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(951_782_400), "2000-02-29");
        assert_eq!(date(1_700_000_000), "2023-11-14");
        assert_eq!(date(-1), "1969-12-31");
        assert_eq!(date(i64::MAX), "@9223372036854775807");
    }
}
