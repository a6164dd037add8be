//! Why there is a difference, as text: from the change, statement by statement, to the output, and
//! the hunks to blame.

use std::fmt::Write;

use effects::compare::{Explanation, Link, Value, Via, Witness};

use crate::counting::{first, shortened};
use crate::hunks::place_of_hunk;
use crate::paint::Look;
use crate::places::position;
use crate::printable::source_line;
use crate::words;

/// The most steps of a chain to show: of its beginning, and of its end.
const SHOWN_FIRST: usize = 6;
const SHOWN_LAST: usize = 4;
/// The most characters of a value to show.
const SHOWN_VALUE: usize = 48;

pub(super) fn write(text: &mut String, witness: &Witness, look: Look) {
    if let Some(why) = &witness.why {
        write_chain(text, why, look);
    }
    if let Some(words) = words::unlike(witness) {
        let _ = writeln!(text, "  {}: {words}", look.unsure("note"));
    }
    write_blame(text, witness);
}

fn write_chain(text: &mut String, why: &Explanation, look: Look) {
    if why.chain.is_empty() {
        return;
    }
    let all = why.chain.len();
    let _ = writeln!(text, "  why (OLD | NEW; * is changed):");
    if !why.complete {
        let _ = writeln!(text, "    {}", look.faint("the path from the change to here is unknown"));
    }
    let mut via = None;
    for (index, link) in why.chain.iter().enumerate() {
        let is_left_out = index >= SHOWN_FIRST && index + SHOWN_LAST < all;
        if is_left_out && index == SHOWN_FIRST {
            let left = all - SHOWN_FIRST - SHOWN_LAST;
            let _ = writeln!(text, "    {}", look.faint(&format!("… {left} more steps")));
        }
        if !is_left_out {
            write_link(text, link, via, look);
        }
        via = link.via;
    }
    if why.truncated {
        let _ = writeln!(text, "    {}", look.faint("the runs were too long to trace in full"));
    }
}

fn write_link(text: &mut String, link: &Link, via: Option<Via>, look: Look) {
    let arrow = match via {
        None => "",
        Some(Via::Data) => "-> flows into ",
        Some(Via::Control) => "-> controls ",
    };
    let place = link.new.as_ref().or(link.old.as_ref());
    let at = place.map(|place| format!("{}: ", position(place))).unwrap_or_default();
    let repeats = match link.repeats {
        0 | 1 => String::new(),
        times => format!(" ({times} times)"),
    };
    let what = match &link.old_what {
        Some(old) => format!("{} | {}", words::step(old), words::step(&link.what)),
        None => words::step(&link.what),
    };
    let values = match (&link.old_value, &link.new_value) {
        (None, None) => String::new(),
        (old, new) => {
            format!(
                ": {} | {}",
                look.of_old(&shown(old.as_ref())),
                look.of_new(&shown(new.as_ref()))
            )
        }
    };
    let only = match link.only {
        Some(version) => format!(" (in {} only)", words::version(version)),
        None => String::new(),
    };
    let sign = if link.changed { "*" } else { " " };
    let _ = writeln!(text, "  {sign} {arrow}{at}{}{values}{only}{repeats}", look.strong(&what));
    if let Some(line) = place.and_then(|place| place.text.as_deref()) {
        let line = source_line(line);
        let _ = writeln!(text, "        {}", look.faint(line.trim_start()));
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or("nothing".to_owned(), |value| {
        shortened(&crate::values::readable(value), SHOWN_VALUE)
    })
}

/// The most hunks to name.
const MOST_BLAMED: usize = 8;

fn write_blame(text: &mut String, witness: &Witness) {
    if let Some((places, how)) = blame(witness) {
        let _ = writeln!(text, "  to blame: {} ({how})", first(places, MOST_BLAMED));
    }
}

/// The places of the hunks without which there is no difference, and how that is known.
pub(super) fn blame(witness: &Witness) -> Option<(Vec<String>, &'static str)> {
    let blame = witness.blame.as_ref()?;
    // If nothing was tried and there are several hunks, the cause is unknown.
    if blame.hunks.is_empty() || blame.builds == 0 && !blame.is_minimal {
        return None;
    }
    let how = match (blame.builds, blame.is_minimal) {
        (0, _) => "the only hunk",
        (_, true) => "applying these lines to OLD is enough, and none can be left out",
        (_, false) => "applying these lines to OLD is enough",
    };
    Some((blame.hunks.iter().map(place_of_hunk).collect(), how))
}
