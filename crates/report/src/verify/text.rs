//! A verification as text: the verdict with its basis, the most interesting
//! partitions, as many as fit on a screen, and what is proved in numbers.

use std::fmt::Write;

use effects::proved::Described;
use effects::verify::{Check, Outcome, Replay, Step, UndefinedOn, Verification, Violation};
use effects::versions::{HunkStatus, Place};
use explore::proved::{Verdict, Why};

use super::{
    Standing, agreement, doubt, groups, outcome_name, proof, reach, standings, typed,
    undefined_steps, version_names,
};
use crate::conditions::readable_condition;
use crate::counting::{counted, first, grouped, shortened};
use crate::hunks::{self, Counted};
use crate::paint::Look;
use crate::partitions::{bar, differs_when, meter, percent as share_of};
use crate::places::FaultAt;
use crate::places::position;
use crate::printable::{harmless, printable};
use crate::{notes, undeclared, words};

/// The most lines for partitions.
const SCREENFUL: usize = 36;
/// The most characters of a version's output, and places, to show.
const SHOWN_OUTPUT: usize = 70;
const SHOWN_PLACES: usize = 4;
/// The most violations to show.
const SHOWN_VIOLATIONS: usize = 5;

/// The whole report; ends with a newline. All partitions are in the report in this directory, if
/// there is one.
pub fn text(verification: &Verification, directory: Option<&str>, look: Look) -> String {
    let mut text = String::new();
    let entry = verification.entry.as_deref();
    hunks::write_unreachable(&mut text, reach(verification), entry);
    write_verdict(&mut text, verification, look);
    for (number, version) in verification.versions.iter().enumerate() {
        let _ = writeln!(text, "  v{number}: {}", printable(version.name.as_bytes()));
    }
    text.push('\n');
    if verification.found.is_some() {
        write_partitions(&mut text, verification, directory, look);
        write_counts(&mut text, verification);
    }
    if let Some(steps) = &verification.steps {
        write_steps(&mut text, steps);
    }
    if let Some(check) = &verification.check {
        write_check(&mut text, verification, check, look);
    }
    write_hunks(&mut text, verification);
    write_notes(&mut text, verification);
    if matches!(verification.outcome, Outcome::Equal | Outcome::Unchanged) {
        notes::write_premises(&mut text, &verification.premises());
    }
    write_effort(&mut text, verification);
    write_advice(&mut text, verification, directory.is_some());
    text
}

fn write_verdict(text: &mut String, verification: &Verification, look: Look) {
    let name = outcome_name(verification.outcome);
    let painted = match verification.outcome {
        Outcome::Different => look.alarm(name),
        Outcome::Equal | Outcome::Unchanged => look.calm(name),
        Outcome::Inconclusive => look.unsure(name),
    };
    let _ = writeln!(text, "{painted}: {}", sentence(verification));
}

/// The verdict in a sentence, with its basis.
pub(super) fn sentence(verification: &Verification) -> String {
    let names = version_names(verification);
    let (last, first) = names.split_last().map_or(("", &[][..]), |(last, first)| (last, first));
    let all = format!("{} and {last}", first.join(", "));
    let subject = match &verification.entry {
        Some(entry) => format!("{} of {all}", printable(entry.as_bytes())),
        None => all,
    };
    let moved = verification.versions.iter().any(|version| !version.held_positions().is_empty());
    let apart = undeclared::apart(moved);
    let tally = verification.tally();
    let partitions = |count: usize| counted(count as u64, "partition", "partitions");
    let known = tally.equal + tally.different + tally.not_replayed;
    if let Some(fault) = &verification.invalid_inputs {
        let at = FaultAt(fault);
        let place = at.blamed().map(|place| format!(" at {}", position(place)));
        return format!(
            "the inputs are not valid: {subject} end in a fault before they reach the change ({}{}), \
             in every partition",
            at.message(),
            place.unwrap_or_default()
        );
    }
    let hunks: Vec<HunkStatus> =
        verification.hunks.iter().flat_map(|step| step.hunks.iter().cloned()).collect();
    let reservations = match verification.outcome {
        Outcome::Different => String::new(),
        _ => hunks::reservations(&hunks, reach(verification)),
    };
    let sentence = match verification.outcome {
        Outcome::Unchanged if hunks.iter().any(HunkStatus::is_left_out) => {
            format!("{apart}nothing changed in this build that affects how {subject} behave")
        }
        Outcome::Unchanged => {
            format!(
                "{apart}nothing changed that affects how {subject} behave, so no input tells them apart"
            )
        }
        Outcome::Equal => {
            let found = verification.found.as_ref();
            let proviso = found.map(|found| undeclared::proviso(found.origin, &found.chosen));
            let space = found.map_or("", |found| undeclared::space(found.origin));
            format!(
                "{}{apart}{subject} behave the same on every input{space}, proved by {}",
                proviso.unwrap_or_default(),
                partitions(tally.equal)
            )
        }
        Outcome::Different => format!(
            "{subject} differ in {} of {}, {} replayed on all native programs",
            grouped((tally.different + tally.not_replayed) as u64),
            partitions(known),
            match tally.not_replayed {
                0 => "each".to_owned(),
                _ => format!("{} of them", grouped(tally.different as u64)),
            }
        ),
        Outcome::Inconclusive if known == 0 => format!("nothing is proved about {subject}"),
        Outcome::Inconclusive => format!(
            "{subject} are proved to behave the same in {}; the rest of the space is open",
            partitions(tally.equal)
        ),
    };
    sentence + &reservations
}

/// The status of every hunk, from each version to the next.
fn write_hunks(text: &mut String, verification: &Verification) {
    let entry = verification.entry.as_deref();
    for step in &verification.hunks {
        let title = match verification.hunks.len() {
            1 => "hunks".to_owned(),
            _ => format!("hunks from v{} to v{}", step.from, step.from + 1),
        };
        hunks::write_table(text, &title, &step.hunks, Counted::Partitions, entry);
    }
}

/// The most interesting ones, as many as fit on a screen.
fn write_partitions(
    text: &mut String,
    verification: &Verification,
    directory: Option<&str>,
    look: Look,
) {
    let mut all: Vec<(Standing, &Described, &Replay)> = standings(verification).collect();
    all.sort_by_key(|(standing, _, _)| *standing);
    let (mut lines, mut shown) = (0, 0);
    for &(standing, one, replay) in &all {
        let mut piece = String::new();
        write_partition(&mut piece, verification, (standing, one, replay), look);
        lines += piece.lines().count();
        if lines > SCREENFUL && shown > 0 {
            break;
        }
        text.push_str(&piece);
        shown += 1;
    }
    if shown < all.len() {
        let more = grouped((all.len() - shown) as u64);
        let place = match directory {
            Some(directory) => format!(" in {}/verify.json", harmless(directory)),
            None => String::new(),
        };
        let _ = writeln!(text, "  … and {more} more{place}");
    }
    if verification.omitted() > 0 {
        let omitted = grouped(verification.omitted() as u64);
        let _ = writeln!(text, "  … and {omitted} more that are only counted");
    }
    if !all.is_empty() {
        text.push('\n');
    }
}

fn write_partition(
    text: &mut String,
    verification: &Verification,
    (standing, one, replay): (Standing, &Described, &Replay),
    look: Look,
) {
    let head = match standing {
        Standing::Different => look.alarm(&agreement(&one.classes)),
        Standing::Equal => look.calm(&agreement(&one.classes)),
        Standing::Unconfirmed => look.unsure("unconfirmed"),
        Standing::NotReplayed => {
            let claim = format!("{}, not replayed", agreement(&one.classes));
            look.unsure(&claim)
        }
        Standing::Unknown => look.unsure("unknown"),
    };
    let condition = if one.condition.is_empty() {
        "always".to_owned()
    } else {
        format!("when {}", harmless(&readable_condition(&one.condition)))
    };
    let _ = writeln!(text, "  {head} {condition}");
    let _ = writeln!(text, "    {}", typed(verification, &one.input));
    match (&one.verdict, replay) {
        (Verdict::Equal(why), _) => {
            let _ = writeln!(text, "    {}", reason(*why, one));
        }
        (Verdict::Unknown(unclear), _) => {
            let said = words::unclear(unclear);
            let _ = writeln!(text, "    {}", printable(said.as_bytes()));
        }
        (Verdict::Different, Replay::Unconfirmed(why, _)) => {
            let claim = agreement(&one.classes);
            let _ = writeln!(text, "    on the machine, {claim}; {}", doubt(why));
        }
        (Verdict::Different, _) => {
            write_outputs(text, one);
            let changes = places(&one.changes);
            if !changes.is_empty() {
                let _ = writeln!(text, "    changed statements executed: {changes}");
            }
        }
    }
}

/// The output of each group of versions.
fn write_outputs(text: &mut String, one: &Described) {
    for group in groups(&one.classes) {
        let names: Vec<String> = group.iter().map(|version| format!("v{version}")).collect();
        let output = group.first().and_then(|&first| one.outputs.get(first));
        let output = output.map(|output| output.trim_end_matches('\n')).unwrap_or_default();
        let shown = if output.is_empty() {
            "nothing".to_owned()
        } else {
            shortened(&printable(output.as_bytes()), SHOWN_OUTPUT)
        };
        let verb = if group.len() == 1 { "shows" } else { "show" };
        let _ = writeln!(text, "    {} {verb} {shown}", names.join(", "));
    }
}

/// Why versions behave the same.
pub(super) fn reason(why: Why, one: &Described) -> String {
    let stops = places(&one.stops);
    match why {
        Why::NotReached => "no change is executed".to_owned(),
        Why::NotPropagated if stops.is_empty() => "the change has no observable effect".to_owned(),
        Why::NotPropagated => format!("the effect of the change ends at {stops}"),
    }
}

/// Places of all versions, each once.
fn places(all: &[Vec<Place>]) -> String {
    let mut names: Vec<String> = Vec::new();
    for place in all.iter().flatten() {
        let name = format!("{}:{}", printable(place.file.as_bytes()), place.line);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    first(names, SHOWN_PLACES)
}

fn write_counts(text: &mut String, verification: &Verification) {
    let Some(found) = &verification.found else { return };
    let tally = verification.tally();
    let parts = [
        (tally.different, "different"),
        (tally.not_replayed, "different and not replayed"),
        (tally.equal, "equal"),
        (tally.unconfirmed, "unconfirmed"),
        (tally.unknown, "unknown"),
    ];
    let parts: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{} {what}", grouped(*count as u64)))
        .collect();
    let parts = if parts.is_empty() { "none".to_owned() } else { parts.join(", ") };
    let rest = match tally.left {
        0 => "they cover the whole input space".to_owned(),
        left => format!("{} left", counted(left as u64, "region", "regions")),
    };
    let paths = counted(found.path_pairs as u64, "path combination", "path combinations");
    let _ = writeln!(text, "partitions: {parts}; {rest} ({paths})");
    let Some(proof) = proof(verification) else { return };
    let uniform = &proof.shares.uniform;
    let all = if uniform.is_all { "all " } else { "" };
    let samples = format!("{all}{}", grouped(uniform.samples as u64));
    let _ = writeln!(text, "inputs: {} {} (of {samples})", bar(uniform), meter(uniform));
    if let Some(tests) = &proof.shares.tests {
        let count = counted(tests.samples as u64, "given test", "given tests");
        let _ = writeln!(text, "  of {count}: {}", meter(tests));
    }
    if let Some(when) = proof.differs_when {
        let _ = writeln!(text, "{}", differs_when(when));
    }
}

/// How each version progresses towards the last one.
fn write_steps(text: &mut String, steps: &[Step]) {
    let _ = writeln!(text, "towards v{}:", steps.len());
    for step in steps {
        let (from, to) = (step.from, step.from + 1);
        let different = step.different();
        let share = |count: usize| format!("{} %", percent(count, different));
        let of = grouped((different + step.equal) as u64);
        let line = match different {
            0 => format!("no difference in {of}"),
            _ => format!(
                "{} of {of} differ: progression {}, regression {}, intermediate {}",
                grouped(different as u64),
                share(step.progression),
                share(step.regression),
                share(step.intermediate)
            ),
        };
        let _ = writeln!(text, "  v{from} → v{to}: {line}");
        if let Some(shares) = step.shares.as_ref().filter(|_| different > 0) {
            let _ = writeln!(
                text,
                "    of all inputs: progression {}, regression {}, intermediate {}",
                share_of(&shares.progression),
                share_of(&shares.regression),
                share_of(&shares.intermediate)
            );
        }
    }
}

/// Rounded to the nearest.
fn percent(part: usize, whole: usize) -> usize {
    (200 * part + whole).checked_div(2 * whole).unwrap_or(0)
}

fn write_check(text: &mut String, verification: &Verification, check: &Check, look: Look) {
    let inputs = counted(check.inputs as u64, "input", "inputs");
    let partitions = counted(check.partitions as u64, "partition", "partitions");
    let _ = write!(text, "checked: {inputs} of {partitions}, on the machine and natively");
    if check.undetermined > 0 {
        let _ = write!(text, "; {} more are undetermined", grouped(check.undetermined as u64));
    }
    if check.left > 0 {
        let left = counted(check.left as u64, "partition", "partitions");
        let _ = write!(text, "; no time for {left}");
    }
    if check.judged > 0 {
        let _ = write!(text, "; {} checked by sanitizers", grouped(check.judged as u64));
    }
    text.push('\n');
    for violation in check.violations.iter().take(SHOWN_VIOLATIONS) {
        write_violation(text, verification, violation, look);
    }
    for one in check.undefined.iter().take(SHOWN_VIOLATIONS) {
        write_undefined(text, verification, one, look);
    }
}

/// An input on which versions behave the same but are not all defined.
fn write_undefined(text: &mut String, verification: &Verification, one: &UndefinedOn, look: Look) {
    let typed = typed(verification, &one.input);
    for (class, to) in undefined_steps(one) {
        let head = look.unsure(words::class(class));
        let condition = readable_condition(&harmless(&one.condition));
        let _ = writeln!(text, "  {head} from v{} to v{to}: {typed}", to - 1);
        let _ = writeln!(text, "    in the partition: {condition}");
        let said = [to - 1, to].into_iter().find_map(|at| Some((at, one.complaints[at].as_ref()?)));
        if let Some((at, said)) = said {
            let said = printable(said.as_bytes());
            let _ = writeln!(text, "    a sanitizer build reports: v{at}: {said}");
        }
    }
}

fn write_violation(
    text: &mut String,
    verification: &Verification,
    violation: &Violation,
    look: Look,
) {
    let typed = typed(verification, &violation.input);
    let claim = agreement(&violation.claimed);
    let native = match &violation.native {
        Some(native) => format!("natively, {}", agreement(native)),
        None => format!("on the machine, {}", agreement(&violation.machine)),
    };
    let head = look.alarm("violation");
    let condition = harmless(&violation.condition);
    let _ =
        writeln!(text, "  {head}: {typed}\n    claimed: {claim} when {condition}\n    {native}");
}

/// What a reader should know about the result.
fn write_notes(text: &mut String, verification: &Verification) {
    for version in &verification.versions {
        notes::write_positions(text, &version.held_positions());
    }
    let Some(found) = &verification.found else { return };
    notes::write_origin(text, found.origin, &found.chosen);
    notes::write_space(text, &found.space, &version_names(verification));
    notes::write_misfits(text, &verification.misfits);
    if found.pinned && !found.is_complete {
        let _ = writeln!(
            text,
            "limit: Ripple does not track how an input value is used, so each of its values may \
             need a partition of its own"
        );
    }
    if found.unresolved > 0 {
        let regions = counted(found.unresolved as u64, "region", "regions");
        let _ =
            writeln!(text, "limit: the solver could not decide whether {regions} contain an input");
    }
    if let Some(stopped) = found.stopped {
        let _ = writeln!(text, "limit: {}", words::stopped(stopped));
    }
}

fn write_effort(text: &mut String, verification: &Verification) {
    let seconds = verification.time.as_secs_f64();
    let Some(found) = &verification.found else {
        let _ = writeln!(text, "effort: nothing was run, {seconds:.2} s");
        return;
    };
    let effort = &found.effort;
    let runs = counted(effort.runs, "concolic run", "concolic runs");
    let queries = counted(effort.questions, "solver query", "solver queries");
    let sat = grouped(effort.solver_calls);
    let _ = writeln!(text, "effort: {runs}, {queries} ({sat} by SAT) in {seconds:.2} s");
}

/// What to try if something is unknown.
fn write_advice(text: &mut String, verification: &Verification, has_directory: bool) {
    let Some(found) = &verification.found else { return };
    if verification.invalid_inputs.is_some() {
        let _ = writeln!(text, "help: {}", words::valid_inputs_help(verification.entry.is_some()));
        return;
    }
    if found.stopped.is_some() && has_directory {
        let _ = writeln!(text, "help: continue with --resume and a larger --budget");
    }
    let is_unsupported = |one: &Described| {
        matches!(&one.verdict, Verdict::Unknown(explore::proved::Unclear::Unsupported(_)))
    };
    if found.partitions.iter().any(is_unsupported) {
        let _ =
            writeln!(text, "help: verify a function that avoids what is not supported (--entry)");
    }
}
