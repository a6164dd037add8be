//! How well suites detect a change, in all formats.

mod csv;
mod json;
mod svg;
mod text;

pub use csv::csv;
pub use json::{SCHEMA, json};
pub use svg::svg;
pub use text::text;

use effects::study::{Row, Study};

/// `CHAIN:3`.
fn name(row: &Row) -> String {
    match row.distance {
        Some(distance) => format!("{}:{distance}", row.criterion.name()),
        None => row.criterion.name().to_owned(),
    }
}

/// The result in a sentence.
fn sentence(study: &Study) -> String {
    if study.pool == 0 {
        return "there is no test; name a pool with --tests".to_owned();
    }
    let detectability = study.detectability();
    let share = detectability.map_or("-".to_owned(), |share| format!("{:.1} %", 100.0 * share));
    format!(
        "of {} tests, {} execute the change and {} show a difference: detectability {share}",
        study.pool, study.reaching, study.differing
    )
}
