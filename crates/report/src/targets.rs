//! The results of a comparison of several programs and functions, in all formats: a summary, what
//! was not compared with the command for it, and each comparison as if it were the only one.

use std::fmt::Write;

use effects::compare::{Compared, Verdict};
use effects::programs::{ChangeOf, ChangedSymbol};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::counting::{counted, listed};
use crate::finding::Base;
use crate::paint::Look;
use crate::pieces::written;
use crate::printable::{harmless, printable};
use crate::{compare, words};

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.targets/1";
/// The most changed symbols to name.
const SHOWN: usize = 8;
/// The most lines about what was not compared, each with a reason of its own.
const NOT_DONE_SHOWN: usize = 12;

/// A program or a function that was compared.
pub struct Target<'a> {
    pub name: &'a str,
    pub kind: TargetKind,
    /// What compares only this.
    pub command: &'a str,
    /// The name of the directory with its results.
    pub directory: &'a str,
    pub compared: &'a Compared,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetKind {
    Program,
    Function,
}

/// Something that was not compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotDone {
    pub what: String,
    pub why: String,
    pub command: Option<String>,
    pub kind: NotDoneKind,
}

/// What is alike enough to be named in one line for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotDoneKind {
    /// Has a reason of its own.
    Single,
    /// A program of OLD alone.
    OnlyOld,
    /// A program of NEW alone.
    OnlyNew,
    /// A function or variable that nothing compared shows.
    Unshown,
}

/// Everything about a comparison of several targets.
pub struct Targets<'a> {
    pub old: &'a str,
    pub new: &'a str,
    pub targets: Vec<Target<'a>>,
    pub not_done: &'a [NotDone],
    /// What differs between the versions, and whether a program reaches it.
    pub changed: Vec<(&'a ChangedSymbol, bool)>,
    /// Whether a version has a program.
    pub has_programs: bool,
    /// Whether files that may differ could not be looked at.
    pub has_gaps: bool,
}

impl TargetKind {
    pub fn name(self) -> &'static str {
        match self {
            TargetKind::Program => "program",
            TargetKind::Function => "function",
        }
    }
}

impl Targets<'_> {
    /// The verdict on all of them together.
    pub fn verdict(&self) -> Verdict {
        let has = |verdict| self.targets.iter().any(|one| one.compared.verdict == verdict);
        let is_unchanged = self.changed.is_empty() && !self.has_gaps;
        match () {
            () if has(Verdict::Different) => Verdict::Different,
            () if has(Verdict::Inconclusive) => Verdict::Inconclusive,
            () if self.targets.is_empty() && !is_unchanged => Verdict::Inconclusive,
            // What was not compared may differ.
            () if !self.targets.is_empty() && (self.has_gaps || !self.not_done.is_empty()) => {
                Verdict::Inconclusive
            }
            () if has(Verdict::Accepted) => Verdict::Accepted,
            () => Verdict::Equal,
        }
    }

    fn summary(&self) -> String {
        let [old, new] = [self.old, self.new].map(|name| printable(name.as_bytes()));
        if self.targets.is_empty() && self.changed.is_empty() && !self.has_gaps {
            return format!("nothing changed between {old} and {new} that any program executes");
        }
        if self.targets.is_empty() {
            return format!("nothing that changed between {old} and {new} was compared");
        }
        let all = counted(self.targets.len() as u64, "target", "targets");
        let count = |verdict| {
            let with = self.targets.iter().filter(|one| one.compared.verdict == verdict);
            with.count()
        };
        let verdicts = [
            (count(Verdict::Different), "different"),
            (count(Verdict::Inconclusive), "inconclusive"),
            (count(Verdict::Equal) + count(Verdict::Accepted), "equal"),
        ];
        let parts = verdicts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, name)| format!("{count} {name}")).collect();
        format!("{all} of {old} and {new} compared: {}", parts.join(", "))
    }
}

/// As text; ends with a newline. The scripts of a target are in a directory of its name below this
/// one, if there is one.
pub fn text(all: &Targets<'_>, scripts: Option<&str>, look: Look) -> String {
    let mut text = format!("{}: {}\n", painted(all.verdict(), look), all.summary());
    write_unreached(&mut text, all);
    for (what, command) in not_done(all.not_done) {
        let _ = write!(text, "  not compared: {}", printable(what.as_bytes()));
        match command {
            Some(command) => {
                let _ = writeln!(text, "; try: {command}");
            }
            None => text.push('\n'),
        }
    }
    for target in &all.targets {
        let kind = target.kind.name();
        let verdict = painted(target.compared.verdict, look);
        let name = printable(target.name.as_bytes());
        let _ = writeln!(text, "\n== {kind} {name}: {verdict}\n   {}\n", target.command);
        let scripts = scripts.map(|all| format!("{all}/{}", target.directory));
        text.push_str(&compare::text(target.compared, scripts.as_deref(), look));
    }
    text
}

/// What was not compared, as many lines as one can read; some with the command for it.
pub fn not_done(all: &[NotDone]) -> Vec<(String, Option<&str>)> {
    let of = |kind| all.iter().filter(move |one| one.kind == kind);
    let mut lines: Vec<(String, Option<&str>)> = of(NotDoneKind::Single)
        .take(NOT_DONE_SHOWN)
        .map(|one| (format!("{}: {}", one.what, one.why), one.command.as_deref()))
        .collect();
    let more = of(NotDoneKind::Single).count().saturating_sub(NOT_DONE_SHOWN);
    if more > 0 {
        lines.push((format!("{more} more; --format json lists all"), None));
    }
    let groups = [
        (NotDoneKind::OnlyOld, "NEW does not have", "programs"),
        (NotDoneKind::OnlyNew, "OLD does not have", "programs"),
        (NotDoneKind::Unshown, "nothing compared shows", "changes"),
    ];
    for (kind, why, several) in groups {
        let names: Vec<&str> = of(kind).map(|one| one.what.as_str()).collect();
        match names[..] {
            [] => {}
            [one] => lines.push((format!("{one}, which {why}"), None)),
            _ => {
                let (number, names) = (names.len(), listed(&names));
                lines.push((format!("{number} {several} that {why}: {names}"), None));
            }
        }
    }
    lines
}

/// What differs and is in no program that was found.
fn write_unreached(text: &mut String, all: &Targets<'_>) {
    let mut unreached = all.changed.iter().filter(|(_, is_reached)| !is_reached).peekable();
    if unreached.peek().is_none() {
        return;
    }
    // Where there is no program, that goes without saying.
    text.push_str(match all.has_programs {
        true => "  changed, and in no program with a main function:\n",
        false => "  changed:\n",
    });
    let count = unreached.clone().count();
    for (symbol, _) in unreached.take(SHOWN) {
        let (name, file) = (printable(symbol.name.as_bytes()), symbol.key.display().to_string());
        let _ = writeln!(
            text,
            "    {} {name} ({})",
            change_name(symbol.change),
            printable(file.as_bytes())
        );
    }
    if count > SHOWN {
        let _ = writeln!(text, "    and {} more", count - SHOWN);
    }
}

/// As Markdown; empty if there is nothing to say.
pub fn markdown(all: &Targets<'_>, base: &Base) -> String {
    let mut text = format!(
        "**Ripple: {}.** {}.\n",
        words::verdict_name(all.verdict()),
        compare::escaped(&all.summary())
    );
    for (what, command) in not_done(all.not_done) {
        let _ = write!(text, "\n- not compared: {}", compare::escaped(&what));
        if let Some(command) = command {
            let _ = write!(text, "; try `{}`", harmless(&command.replace('`', "'")));
        }
    }
    if !all.not_done.is_empty() {
        text.push('\n');
    }
    for target in &all.targets {
        let name = compare::escaped(target.name);
        let _ = write!(text, "\n## {} {name}\n\n", target.kind.name());
        let report = compare::markdown(target.compared, base);
        if report.is_empty() {
            text.push_str("Nothing changed that affects how it behaves.\n");
        }
        text.push_str(&report);
    }
    text
}

/// `file:line:column: severity: message`, one per line; empty if there is no difference.
pub fn short(all: &Targets<'_>, base: &Base) -> String {
    all.targets.iter().map(|target| compare::short(target.compared, base)).collect()
}

/// One SARIF log with a run for each target.
pub fn sarif(all: &Targets<'_>, base: &Base) -> String {
    let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut logs = all.targets.iter().map(|target| parse(&compare::sarif(target.compared, base)));
    let Some(mut first) = logs.next() else {
        return written(&serde_json::json!({
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
            "version": "2.1.0",
            "runs": [],
        }));
    };
    for log in logs {
        let more = log.get("runs").and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some(runs) = first.get_mut("runs").and_then(Value::as_array_mut) {
            runs.extend(more);
        }
    }
    written(&first)
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    verdict: &'static str,
    old: &'a str,
    new: &'a str,
    targets: Vec<TargetOf<'a>>,
    not_done: Vec<NotDoneOf<'a>>,
    changed: Vec<ChangedOf<'a>>,
}

#[derive(Serialize)]
struct TargetOf<'a> {
    name: &'a str,
    kind: &'static str,
    command: &'a str,
    report: Box<RawValue>,
}

#[derive(Serialize)]
struct NotDoneOf<'a> {
    what: &'a str,
    why: &'a str,
    command: Option<&'a str>,
}

#[derive(Serialize)]
struct ChangedOf<'a> {
    name: &'a str,
    file: String,
    kind: &'static str,
    change: &'static str,
    in_program: bool,
}

impl<'a> TargetOf<'a> {
    fn of(target: &'a Target<'a>) -> TargetOf<'a> {
        let report = compare::json(target.compared).trim_end().to_owned();
        TargetOf {
            name: target.name,
            kind: target.kind.name(),
            command: target.command,
            report: RawValue::from_string(report).expect("a report is JSON"),
        }
    }
}

/// As JSON; ends with a newline.
pub fn json(all: &Targets<'_>) -> String {
    written(&Report {
        schema: SCHEMA,
        verdict: words::verdict_name(all.verdict()),
        old: all.old,
        new: all.new,
        targets: all.targets.iter().map(TargetOf::of).collect(),
        not_done: all
            .not_done
            .iter()
            .map(|one| NotDoneOf {
                what: &one.what,
                why: &one.why,
                command: one.command.as_deref(),
            })
            .collect(),
        changed: all
            .changed
            .iter()
            .map(|(symbol, in_program)| ChangedOf {
                name: &symbol.name,
                file: symbol.key.to_string_lossy().into_owned(),
                kind: if symbol.is_function { "function" } else { "variable" },
                change: change_name(symbol.change),
                in_program: *in_program,
            })
            .collect(),
    })
}

/// How a symbol differs, in one word.
pub fn change_name(change: ChangeOf) -> &'static str {
    match change {
        ChangeOf::Modified => "modified",
        ChangeOf::Added => "added",
        ChangeOf::Removed => "removed",
    }
}

fn painted(verdict: Verdict, look: Look) -> String {
    let name = words::verdict_name(verdict);
    match verdict {
        Verdict::Different => look.alarm(name),
        Verdict::Equal | Verdict::Accepted => look.calm(name),
        Verdict::Inconclusive => look.unsure(name),
    }
}
