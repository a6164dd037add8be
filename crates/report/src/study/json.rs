//! A study as JSON. `docs/study.md` says what the members mean.

use effects::study::{Estimate, Row, Study};
use serde::Serialize;

use crate::pieces::written;

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.study/1";

/// The report as JSON; ends with a newline.
pub fn json(study: &Study) -> String {
    written(&Report {
        schema: SCHEMA,
        old: &study.old.name,
        new: &study.new.name,
        entry: study.entry.as_deref(),
        suites: study.suites,
        seed: study.seed,
        pool: study.pool,
        reaching: study.reaching,
        differing: study.differing,
        detectability: study.detectability().map(rounded),
        rows: study.rows.iter().map(Line::of).collect(),
        limits: study.limits.iter().map(crate::adequacy::limit).collect(),
    })
}

fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    old: &'a str,
    new: &'a str,
    entry: Option<&'a str>,
    suites: usize,
    seed: u64,
    pool: usize,
    reaching: usize,
    differing: usize,
    detectability: Option<f64>,
    rows: Vec<Line>,
    limits: Vec<String>,
}

#[derive(Serialize)]
struct Line {
    criterion: &'static str,
    distance: Option<u32>,
    requirements: usize,
    size: Interval,
    detection: Interval,
    ds_ratio: Interval,
}

impl Line {
    fn of(row: &Row) -> Line {
        Line {
            criterion: row.criterion.name(),
            distance: row.distance,
            requirements: row.requirements,
            size: Interval::of(&row.size),
            detection: Interval::of(&row.detection),
            ds_ratio: Interval::of(&row.ratio),
        }
    }
}

#[derive(Serialize)]
struct Interval {
    value: f64,
    low: f64,
    high: f64,
}

impl Interval {
    fn of(one: &Estimate) -> Interval {
        Interval { value: rounded(one.value), low: rounded(one.low), high: rounded(one.high) }
    }
}
