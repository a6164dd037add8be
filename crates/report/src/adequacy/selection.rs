//! A selection of tests: for people, as names, as lines of a file of tests, and as JSON.

use std::fmt::Write;

use effects::adequacy::selection::{Everything, Rank, Selected, Selection};
use inputs::write_test;
use serde::Serialize;

use super::{limit, tests};
use crate::notes;
use crate::paint::Look;
use crate::pieces::written;
use crate::printable::printable;

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.select/1";

/// The most tests to list.
const MOST_TESTS: usize = 60;

/// The selection for people; ends with a newline.
pub fn text(selection: &Selection, look: Look) -> String {
    let mut text = String::new();
    let selected = tests(selection.selected.len());
    let left = tests(selection.unaffected.len());
    let _ =
        writeln!(text, "{}", look.strong(&format!("run {selected}; {left} cannot be affected")));
    if !selection.redundant.is_empty() {
        let redundant = tests(selection.redundant.len());
        let _ = writeln!(text, "  others cover as much as {redundant} that may be affected");
    }
    if let Some(why) = &selection.everything {
        let _ = writeln!(text, "  all tests may be affected: {}", everything(why));
    }
    for one in selection.selected.iter().take(MOST_TESTS) {
        let covers = match one.chains {
            0 => String::new(),
            chains => format!("  ({chains} chains, {} with a different state)", one.propagated),
        };
        let shown = printable(name(one).as_bytes());
        let row = format!("  {:<12} {shown}{}", rank(one.rank), look.faint(&covers));
        let _ = writeln!(text, "{}", row.trim_end());
    }
    if selection.selected.len() > MOST_TESTS {
        let more = tests(selection.selected.len() - MOST_TESTS);
        let _ = writeln!(text, "  and {more} more; --format names lists all");
    }
    for one in &selection.limits {
        let _ = writeln!(text, "note: {}", limit(one));
    }
    notes::write_misfits(&mut text, &selection.misfits);
    text
}

/// The names of selected tests, or their numbers, a line each.
pub fn names(selection: &Selection) -> String {
    selection.selected.iter().map(|one| printable(name(one).as_bytes()) + "\n").collect()
}

/// Selected tests as lines of a file of tests.
pub fn lines(selection: &Selection) -> String {
    selection.selected.iter().map(|one| write_test(&one.test) + "\n").collect()
}

/// The selection as JSON; ends with a newline. `docs/adequacy.md` says what the members mean.
pub fn json(selection: &Selection) -> String {
    written(&Report {
        schema: SCHEMA,
        old: &selection.old,
        new: &selection.new,
        selected: selection.selected.iter().map(One::of).collect(),
        unaffected: selection.unaffected.iter().map(|number| number + 1).collect(),
        redundant: selection.redundant.iter().map(|number| number + 1).collect(),
        everything: selection.everything.as_ref().map(everything),
        limits: selection.limits.iter().map(limit).collect(),
    })
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    old: &'a str,
    new: &'a str,
    selected: Vec<One<'a>>,
    unaffected: Vec<usize>,
    redundant: Vec<usize>,
    everything: Option<String>,
    limits: Vec<String>,
}

#[derive(Serialize)]
struct One<'a> {
    /// From 1.
    test: usize,
    name: Option<&'a str>,
    rank: &'static str,
    chains: usize,
    propagated: usize,
}

impl<'a> One<'a> {
    fn of(one: &'a Selected) -> One<'a> {
        let (name, rank) = (one.test.name.as_deref(), rank(one.rank));
        let &Selected { number, chains, propagated, .. } = one;
        One { test: number + 1, name, rank, chains, propagated }
    }
}

fn name(one: &Selected) -> String {
    one.test.name.clone().unwrap_or_else(|| (one.number + 1).to_string())
}

fn rank(rank: Rank) -> &'static str {
    match rank {
        Rank::Propagates => "propagates",
        Rank::Infects => "infects",
        Rank::Reaches => "reaches",
        Rank::Passes => "passes",
        Rank::Unknown => "unknown",
    }
}

fn everything(why: &Everything) -> String {
    match why {
        Everything::Variable(name) => {
            format!("the initial value of `{}` changed", printable(name.as_bytes()))
        }
        Everything::Function(name) => {
            format!("one version brings its own `{}`", printable(name.as_bytes()))
        }
    }
}
