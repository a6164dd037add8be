//! Requirements as text: for each change its chains, what they require of the state, and the tests
//! that satisfy them.

use std::fmt::Write;

use effects::requirements::{
    ChainRequirement, ChangeRequirements, Condition, Requirements, StateRequirement, Stateless,
    Verdict,
};

use super::{chain_text, gap, limit, sentence};
use crate::adequacy::state;
use crate::conditions::readable_condition;
use crate::counting::{counted, shortened};
use crate::notes;
use crate::paint::Look;
use crate::places::position;
use crate::printable::{printable, source_line};

/// The most chains of a change, and of impossible ones.
const MOST_CHAINS: usize = 60;
const MOST_IMPOSSIBLE: usize = 20;
/// The most tests to name that were not followed.
const MOST_TESTS: usize = 5;
/// The most characters of a source line.
const MOST_TEXT: usize = 60;

/// The report; ends with a newline.
pub fn text(requirements: &Requirements, look: Look) -> String {
    let mut text = String::new();
    let head = match requirements.is_complete() {
        true => look.calm("requirements"),
        false => look.unsure("incomplete"),
    };
    let _ = writeln!(text, "{head}: {}", sentence(requirements));
    let _ = writeln!(text, "  OLD: {}", printable(requirements.old.name.as_bytes()));
    let _ = writeln!(text, "  NEW: {}", printable(requirements.new.name.as_bytes()));
    for change in &requirements.changes {
        write_change(&mut text, requirements, change, look);
    }
    write_notes(&mut text, requirements);
    text
}

fn write_change(
    text: &mut String,
    requirements: &Requirements,
    change: &ChangeRequirements,
    look: Look,
) {
    let deleted = if change.version == base::Version::Old { " (deleted)" } else { "" };
    let code = change.place.text.as_deref().map(source_line).unwrap_or_default();
    let code = shortened(code.trim(), MOST_TEXT);
    let title = format!("{}{deleted}", position(&change.place));
    let _ = writeln!(text, "\n{}  {}", look.strong(&title), look.faint(&code));
    if !requirements.tests.is_empty() {
        let tests = counted(change.reached.len() as u64, "test executes", "tests execute");
        let _ = writeln!(text, "  {tests} it");
    }
    if change.chains.is_empty() {
        let _ = writeln!(text, "  no chain of dependences reaches an output or has this length");
    }
    let impossible = |chain: &&ChainRequirement| chain.verdict() == Verdict::Unsatisfiable;
    let required: Vec<_> = change.chains.iter().filter(|chain| !impossible(chain)).collect();
    for chain in required.iter().take(MOST_CHAINS) {
        write_chain(text, requirements, change, chain, look);
    }
    if required.len() > MOST_CHAINS {
        let more = counted((required.len() - MOST_CHAINS) as u64, "more chain", "more chains");
        let _ = writeln!(text, "  and {more}; --format json lists all");
    }
    let all: Vec<_> = change.chains.iter().filter(impossible).collect();
    if all.is_empty() {
        return;
    }
    let _ = writeln!(text, "  not required, because no input can show an effect at the end:");
    for chain in all.iter().take(MOST_IMPOSSIBLE) {
        let covered = covered(requirements, chain);
        let line = chain_text(chain, change.place.line);
        let _ = writeln!(text, "  {:>3}  {line}{}", chain.number, look.faint(&covered));
    }
    if all.len() > MOST_IMPOSSIBLE {
        let more = counted((all.len() - MOST_IMPOSSIBLE) as u64, "more chain", "more chains");
        let _ = writeln!(text, "  and {more}");
    }
}

/// How many tests take a chain.
fn covered(requirements: &Requirements, chain: &ChainRequirement) -> String {
    if requirements.tests.is_empty() {
        return String::new();
    }
    format!("  {}", counted(chain.covered.len() as u64, "test takes it", "tests take it"))
}

fn write_chain(
    text: &mut String,
    requirements: &Requirements,
    change: &ChangeRequirements,
    chain: &ChainRequirement,
    look: Look,
) {
    let line = chain_text(chain, change.place.line);
    let mut tests = covered(requirements, chain);
    if !requirements.tests.is_empty() && chain.state.is_ok() {
        tests += &format!(", {} with an effect at its end", chain.satisfied().len());
        if !chain.unknown.is_empty() {
            tests += &format!(" ({} not known)", chain.unknown.len());
        }
    }
    let _ = writeln!(text, "  {:>3}  {}{}", chain.number, look.strong(&line), look.faint(&tests));
    match &chain.state {
        Ok(state) => write_state(text, change, state),
        Err(Stateless::ChangeItself) => {}
        Err(Stateless::NoClearPath) => {
            let _ = writeln!(text, "       every path to the change has another change on it");
        }
    }
}

fn write_state(text: &mut String, change: &ChangeRequirements, state: &StateRequirement) {
    let other = match change.version {
        base::Version::New => "OLD",
        base::Version::Old => "NEW",
    };
    let mut gaps: Vec<String> = Vec::new();
    let kinds = [
        (&state.values, "a live variable differs".to_owned()),
        (&state.path, format!("{other} does not come there")),
    ];
    for (condition, what) in kinds {
        write_condition(text, condition, &what);
        gaps.extend(condition.gaps.iter().map(gap));
    }
    gaps.sort();
    gaps.dedup();
    if !gaps.is_empty() {
        let _ = writeln!(text, "       incomplete: {}", gaps.join("; "));
    }
}

fn write_condition(text: &mut String, condition: &Condition, what: &str) {
    if condition.verdict != Verdict::Satisfiable {
        return;
    }
    let ways = condition.ways.iter().map(|way| printable(way.as_bytes()).to_string());
    let always = |way: String| if way == "true" { "always".to_owned() } else { way };
    let ways: Vec<String> = ways.map(|way| always(readable_condition(&way))).collect();
    if ways.is_empty() {
        let _ = writeln!(text, "       {what}: under a condition that is too long to read");
        return;
    }
    for (number, way) in ways.iter().enumerate() {
        match number {
            0 => {
                let _ = writeln!(text, "       {what}: {way}");
            }
            _ => {
                let _ = writeln!(text, "         or: {way}");
            }
        }
    }
}

fn write_notes(text: &mut String, requirements: &Requirements) {
    let mut notes = String::new();
    for one in &requirements.limits {
        let _ = writeln!(notes, "note: {}", limit(one));
    }
    let open = requirements.tests.iter().enumerate();
    let open = open.filter_map(|(number, test)| Some((number, state(test)?)));
    for (number, why) in open.take(MOST_TESTS) {
        let _ = writeln!(notes, "note: test {} {why}", number + 1);
    }
    notes::write_misfits(&mut notes, &requirements.misfits);
    if !notes.is_empty() {
        let _ = write!(text, "\n{notes}");
    }
}
