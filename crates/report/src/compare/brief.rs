//! A comparison in a few lines: what changed, what was tried, what it cost, what is unknown.

use std::fmt::Write;

use base::Version;
use effects::compare::{Compared, Limit, Slower, Strategy, Verdict, Witness};
use effects::versions::NamedFunction;
use explore::pair::PairEffort;
use inputs::Origin;

use super::typed;
use crate::counting::{counted, grouped, listed};
use crate::places::position;
use crate::printable::printable;
use crate::words;
use crate::{hunks, notes, partitions};

/// The most inputs to show on which a version is much slower.
const SHOWN_SLOWER: usize = 3;

/// What changed, in one line.
pub(super) fn write_changes(text: &mut String, compared: &Compared) {
    let changes = &compared.changes;
    if changes.is_empty() {
        return;
    }
    let statements: usize = changes.functions.iter().map(|f| f.statements.len()).sum();
    let mut parts = Vec::new();
    if !changes.functions.is_empty() {
        let functions: Vec<&str> = changes.functions.iter().map(|f| f.name.as_str()).collect();
        let statements = counted(statements as u64, "changed statement", "changed statements");
        parts.push(format!("{statements} in {}", listed(&functions)));
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
        parts.push(format!("{what} {}", listed(names)));
    }
    let _ = writeln!(text, "changes: {}", parts.join("; "));
}

/// The origin of the input space, how it was derived, and tests outside of it.
pub(super) fn write_space(text: &mut String, compared: &Compared) {
    if compared.origin != Origin::Unspecified || compared.effort.total.runs > 0 {
        notes::write_origin(text, compared.origin, &compared.chosen);
    }
    let names = Version::BOTH.map(|version| words::version(version).to_owned());
    notes::write_space(text, &compared.space, &names);
    notes::write_misfits(text, &compared.misfits);
}

/// Accepted differences.
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
    let _ =
        writeln!(text, "unconfirmed: {count} not confirmed by the native programs (not counted)");
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

/// Hunks that make a difference alone, which others hide.
pub(super) fn write_hidden(text: &mut String, compared: &Compared) {
    for one in hidden_lines(compared) {
        let _ = writeln!(text, "{one}");
    }
}

pub(super) fn hidden_lines(compared: &Compared) -> impl Iterator<Item = String> {
    compared.hidden.iter().map(|one| {
        let (number, typed) = (hunks::number(one.hunk), typed(compared, &one.test));
        format!("hidden: hunk {number} alone makes a difference, which other hunks hide: {typed}")
    })
}

/// How much slower a version is on an input, and what is known about its end.
pub(super) fn slower_words(one: &Slower) -> String {
    let ended = one.version.other();
    format!(
        "{} does not finish within {}, {} ends after {}; {}",
        words::version(one.version),
        counted(one.steps[one.version], "step", "steps"),
        words::version(ended),
        grouped(one.steps[ended]),
        words::natively(one.natively)
    )
}

/// Why something may have been missed.
pub(crate) fn write_limits(text: &mut String, compared: &Compared) {
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

/// The effort by strategy.
pub(crate) fn write_effort(text: &mut String, compared: &Compared) {
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

/// The proved shares of the input space.
pub(super) fn write_proof(text: &mut String, compared: &Compared) {
    if let Some(proved) = &compared.proof {
        partitions::write(text, &proved.into());
    }
}

/// Runs and solver calls.
pub(super) fn spent(effort: &PairEffort) -> String {
    let mut text = counted(effort.runs, "run", "runs");
    if effort.concolic > 0 {
        let _ = write!(text, ", {} concolic", grouped(effort.concolic));
    }
    if effort.questions > 0 {
        let queries = counted(effort.questions, "solver query", "solver queries");
        let _ = write!(text, ", {queries} ({} by SAT)", grouped(effort.solver_calls));
    }
    text
}

/// How a witness was found, and how many other inputs show the same.
pub(super) fn found(witness: &Witness) -> String {
    let by = match witness.found_by {
        "tests" => "among the initial inputs".to_owned(),
        "all inputs" => "by trying all inputs".to_owned(),
        "saved state" => "among the inputs of the saved state".to_owned(),
        strategy => format!("by {strategy}"),
    };
    let alike = match witness.alike as u64 {
        0 => String::new(),
        count => {
            let others = ("other input behaves the same", "other inputs behave the same");
            format!("; {}", counted(count, others.0, others.1))
        }
    };
    format!("{by} after {}{alike}", spent(&witness.found_after))
}

/// What to try next, if nothing was found.
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
        advice.push("compare a function that avoids what is not supported (--entry)");
    }
    match compared.origin {
        Origin::Declared => {}
        Origin::Types => advice.push("declare the sizes of buffers (--param)"),
        _ => advice.push("declare the inputs (--arg, --stdin, --file)"),
    }
    if compared.effort.milestones.reached.is_none() {
        advice
            .push("add tests that execute the change (--tests), or compare the changed function alone (--entry)");
    } else if compared.effort.milestones.propagated.is_none() {
        advice.push("add tests that execute code near the change (--tests)");
    }
    if compared.limits.iter().any(|limit| matches!(limit, Limit::Stopped(_))) {
        advice.push("raise the budget (--budget, --max-runs)");
    }
    if compared.strategy != Strategy::Portfolio {
        advice.push("use all strategies (--strategy portfolio)");
    }
    for advice in advice {
        let _ = writeln!(text, "help: {advice}");
    }
}
