//! A comparison in a few lines: what changed, what was tried, what it cost, what is not known.

use std::fmt::Write;

use base::Version;
use effects::compare::{Compared, Limit, Slower, Strategy, Verdict};
use effects::premises::Premise;
use effects::trial::Misfit;
use effects::versions::NamedFunction;
use explore::pair::PairEffort;
use inputs::{Alias, Assumption, Origin};
use source::HeldPosition;

use super::typed;
use crate::partitions;
use crate::places::position;
use crate::printable::printable;
use crate::words;

/// How many names are shown, and how many tests that are left out.
const SHOWN: usize = 8;
const SHOWN_ASSUMPTIONS: usize = 8;
const SHOWN_MISFITS: usize = 3;
/// Inputs that are shown on which a version is much slower.
const SHOWN_SLOWER: usize = 3;

/// `1,234,567`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(crate) fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// What changed, in one line.
pub(super) fn write_changes(text: &mut String, compared: &Compared) {
    let changes = &compared.changes;
    if changes.is_empty() {
        return;
    }
    let statements: usize = changes.functions.iter().map(|f| f.statements.len()).sum();
    let mut parts = Vec::new();
    if !changes.functions.is_empty() {
        let functions = changes.functions.iter().map(|function| function.name.as_str());
        let statements = counted(statements as u64, "changed statement", "changed statements");
        parts.push(format!("{statements} in {}", listed(functions.collect())));
    }
    let names = |functions: &[NamedFunction]| -> Vec<String> {
        functions.iter().map(|function| function.name.clone()).collect()
    };
    let globals = changes.globals.iter().map(|global| global.name.clone()).collect();
    let lists = [
        ("added function", "added functions", names(&changes.added)),
        ("removed function", "removed functions", names(&changes.removed)),
        ("changed global variable", "changed global variables", globals),
    ];
    for (one, many, names) in lists.iter().filter(|(_, _, names)| !names.is_empty()) {
        let what = if names.len() == 1 { one } else { many };
        let names = listed(names.iter().map(String::as_str).collect());
        parts.push(format!("{what} {names}"));
    }
    let _ = writeln!(text, "changes: {}", parts.join("; "));
}

/// Where positions moved, which does not count.
pub(crate) fn write_positions(text: &mut String, positions: &[HeldPosition]) {
    if positions.is_empty() {
        return;
    }
    let mut names: Vec<&str> = positions.iter().map(|position| position.name).collect();
    names.sort_unstable();
    names.dedup();
    let mut places: Vec<String> =
        positions.iter().map(|HeldPosition { file, line, .. }| format!("{file}:{line}")).collect();
    places.dedup();
    let places = listed(places.iter().map(String::as_str).collect());
    let _ = writeln!(
        text,
        "note: a position changed ({} at {places}), which does not count; --observe positions \
         compares it",
        names.join(", ")
    );
}

pub(crate) fn listed(names: Vec<&str>) -> String {
    let mut shown: Vec<String> =
        names.iter().take(SHOWN).map(|name| printable(name.as_bytes())).collect();
    if names.len() > SHOWN {
        shown.push(format!("{} more", names.len() - SHOWN));
    }
    shown.join(", ")
}

/// The input space, unless the user declared it just so, and tests outside of it.
pub(super) fn write_space(text: &mut String, compared: &Compared) {
    if compared.origin != Origin::Unspecified || compared.effort.total.runs > 0 {
        write_origin(text, compared.origin);
    }
    let space = &compared.space;
    for (version, only) in Version::BOTH.into_iter().zip(&space.only) {
        if !only.is_empty() {
            let names = listed(only.iter().map(String::as_str).collect());
            let version = words::version(version);
            let _ = writeln!(text, "note: only {version} has {names}, which got a fixed value");
        }
    }
    if !space.narrowed.is_empty() {
        let names = listed(space.narrowed.iter().map(String::as_str).collect());
        let _ = writeln!(text, "note: only values that both versions allow were tried for {names}");
    }
    write_assumptions(text, &space.assumptions);
    write_aliases(text, &space.aliases);
    write_misfits(text, &compared.misfits);
}

/// What is taken for granted about the parameters of a function.
pub(crate) fn write_assumptions(text: &mut String, assumptions: &[Assumption]) {
    if assumptions.is_empty() {
        return;
    }
    let _ = writeln!(text, "note: only consistent parameters count (--assume none tries all):");
    for assumption in assumptions.iter().take(SHOWN_ASSUMPTIONS) {
        let _ = writeln!(text, "  {}", printable(assumption.to_string().as_bytes()));
    }
    if assumptions.len() > SHOWN_ASSUMPTIONS {
        let _ = writeln!(text, "  {} more", assumptions.len() - SHOWN_ASSUMPTIONS);
    }
}

/// Parameters that may be the same object.
pub(crate) fn write_aliases(text: &mut String, aliases: &[Alias]) {
    if aliases.is_empty() {
        return;
    }
    let _ = writeln!(text, "note: parameters may be the same object (--alias):");
    for alias in aliases.iter().take(SHOWN_ASSUMPTIONS) {
        let pair = format!("`{}` and `{}`", alias.of, alias.pointer);
        let _ = writeln!(text, "  {}", printable(pair.as_bytes()));
    }
    if aliases.len() > SHOWN_ASSUMPTIONS {
        let _ = writeln!(text, "  {} more pairs", aliases.len() - SHOWN_ASSUMPTIONS);
    }
}

/// Where the input space comes from, unless the user declared it.
pub(crate) fn write_origin(text: &mut String, origin: Origin) {
    let note = match origin {
        Origin::Declared | Origin::Types => return,
        Origin::InferredFromTests => "what varies was taken from the tests; see --arg",
        Origin::Unspecified => {
            "nothing says what varies, so two arguments of up to 4 bytes and up to 8 bytes of \
             standard input do; see --arg, --stdin and --tests"
        }
    };
    let _ = writeln!(text, "note: {note}");
}

/// Tests outside of the input space.
pub(crate) fn write_misfits(text: &mut String, misfits: &[Misfit]) {
    for misfit in misfits.iter().take(SHOWN_MISFITS) {
        let name = misfit.name.as_ref().map(|name| format!(" ({})", printable(name.as_bytes())));
        let _ = writeln!(
            text,
            "note: test {}{} is left out, because it is not in the declared space: {}",
            misfit.number,
            name.unwrap_or_default(),
            misfit.mismatch
        );
    }
    if misfits.len() > SHOWN_MISFITS {
        let more = misfits.len() - SHOWN_MISFITS;
        let more = counted(more as u64, "more test is", "more tests are");
        let _ = writeln!(text, "note: {more} left out");
    }
}

/// Differences that people accepted.
pub(super) fn write_accepted(text: &mut String, compared: &Compared) {
    for one in &compared.accepted {
        let class = words::class(one.witness.class);
        let reason = printable(one.acceptance.reason.as_bytes());
        let until = match &one.acceptance.expires {
            Some(day) => format!(" until {}", printable(day.as_bytes())),
            None => String::new(),
        };
        let typed = typed(compared, &one.witness.test);
        let _ = writeln!(text, "accepted{until}: {class}: {typed} ({reason})");
    }
}

/// Differences that only the machine shows.
pub(super) fn write_unconfirmed(text: &mut String, compared: &Compared) {
    let Some(example) = compared.unconfirmed.first() else { return };
    let count = counted(compared.unconfirmed.len() as u64, "difference", "differences");
    let _ = writeln!(
        text,
        "unconfirmed: {count} that the native programs did not confirm, and that {} not counted;",
        if compared.unconfirmed.len() == 1 { "is" } else { "are" },
    );
    let typed = typed(compared, &example.test);
    let what = words::observable(example.observable);
    let _ = writeln!(text, "  for example in {what} of: {typed}");
}

/// Inputs on which a version is much slower than the other, which is no difference.
pub(super) fn write_slower(text: &mut String, compared: &Compared) {
    for one in compared.slower.iter().take(SHOWN_SLOWER) {
        let typed = typed(compared, &one.test);
        let _ = writeln!(text, "much slower: {}: {typed}", slower_words(one));
    }
    if compared.slower.len() > SHOWN_SLOWER {
        let more = (compared.slower.len() - SHOWN_SLOWER) as u64;
        let _ = writeln!(text, "much slower: {}", counted(more, "more input", "more inputs"));
    }
}

/// How much slower a version is on an input, and what is known of its end.
pub(super) fn slower_words(one: &Slower) -> String {
    let ended = one.version.other();
    format!(
        "{} is not finished within {}, {} ends after {}; {}",
        words::version(one.version),
        counted(one.steps[one.version], "step", "steps"),
        words::version(ended),
        grouped(one.steps[ended]),
        words::natively(one.natively)
    )
}

/// Why something may have been missed.
pub(super) fn write_limits(text: &mut String, compared: &Compared) {
    let mut said: Vec<(String, Vec<Version>)> = Vec::new();
    for limit in &compared.limits {
        let version = limit.version();
        let at = limit.place().map(|place| format!(" at {}", position(place)));
        let words = printable(words::limit(limit).as_bytes()) + &at.unwrap_or_default();
        match said.iter_mut().find(|(known, _)| *known == words) {
            Some((_, versions)) => versions.extend(version),
            None => said.push((words, version.into_iter().collect())),
        }
    }
    for (words, versions) in said {
        let who = match &versions[..] {
            [] => String::new(),
            [version] => format!("{}: ", words::version(*version)),
            _ => "OLD and NEW: ".to_owned(),
        };
        let _ = writeln!(text, "limit: {who}{words}");
    }
}

/// What was spent on what.
pub(super) fn write_effort(text: &mut String, compared: &Compared) {
    let effort = &compared.effort;
    let seconds = effort.time.as_secs_f64();
    if effort.total.runs == 0 {
        let _ = writeln!(text, "effort: nothing was run, {seconds:.2} s");
        return;
    }
    let _ = writeln!(text, "effort: {} in {seconds:.2} s", spent(&effort.total));
    if compared.strategy == Strategy::Portfolio && effort.strategies.len() > 1 {
        let shares = effort.strategies.iter().filter(|(_, spent, _)| spent.work() > 0);
        let shares: Vec<String> =
            shares.map(|(name, effort, _)| format!("{name} {}", spent(effort))).collect();
        if !shares.is_empty() {
            let _ = writeln!(text, "  {}", shares.join("; "));
        }
    }
    let milestones = &effort.milestones;
    let stations = [
        ("reached", milestones.reached),
        ("infected", milestones.infected),
        ("propagated", milestones.propagated),
    ];
    let stations: Vec<String> = stations
        .iter()
        .map(|(what, when)| match when {
            Some(effort) => format!("{what} after {}", counted(effort.runs, "run", "runs")),
            None => format!("never {what}"),
        })
        .collect();
    let _ = writeln!(text, "  the change was {}", stations.join(", "));
}

/// How much of the input space is proved to be what.
pub(super) fn write_proof(text: &mut String, compared: &Compared) {
    if let Some(proved) = &compared.proof {
        partitions::write(text, &proved.into());
    }
}

/// What a verdict that claims something of inputs that were not run natively takes for granted.
pub(crate) fn write_premises(text: &mut String, premises: &[Premise]) {
    let said: Vec<&str> = premises.iter().map(|&premise| words::premise(premise)).collect();
    let _ = writeln!(text, "taken for granted: {}", said.join("; "));
}

/// Runs and solver calls.
pub(super) fn spent(effort: &PairEffort) -> String {
    let mut text = counted(effort.runs, "run", "runs");
    if effort.concolic > 0 {
        let _ = write!(text, ", {} concolic", grouped(effort.concolic));
    }
    if effort.questions > 0 {
        let _ = write!(text, ", {}", counted(effort.questions, "question", "questions"));
        let _ = write!(text, " to the solver ({} by SAT)", grouped(effort.solver_calls));
    }
    text
}

/// What may bring more, where nothing was found.
pub(super) fn write_advice(text: &mut String, compared: &Compared) {
    if compared.verdict != Verdict::Inconclusive {
        return;
    }
    if compared.invalid_inputs().is_some() {
        let _ = writeln!(text, "help: {}", words::valid_inputs_help(compared.entry.is_some()));
        return;
    }
    let mut advice = Vec::new();
    let is_unsupported = |limit: &Limit| matches!(limit, Limit::Unsupported { .. });
    if compared.limits.iter().any(is_unsupported) {
        advice.push("compare a function that does without what is not supported (--entry)");
    }
    match compared.origin {
        Origin::Declared => {}
        Origin::Types => advice.push("say how large memory is (--param)"),
        _ => advice.push("say what varies (--arg, --stdin, --file)"),
    }
    if compared.effort.milestones.reached.is_none() {
        advice
            .push("give tests that execute what changed (--tests), or compare it alone (--entry)");
    } else if compared.effort.milestones.propagated.is_none() {
        advice.push("give tests that are close to the change (--tests)");
    }
    if compared.limits.iter().any(|limit| matches!(limit, Limit::Stopped(_))) {
        advice.push("give it more time (--budget, --max-runs)");
    }
    if compared.strategy != Strategy::Portfolio {
        advice.push("let all strategies take turns (--strategy portfolio)");
    }
    for advice in advice {
        let _ = writeln!(text, "help: {advice}");
    }
}
