//! Which programs a change affects, as text and as JSON.

use std::fmt::Write;

use effects::programs::{AffectedProgram, ChangedSymbol, Survey};
use serde::Serialize;

use crate::counting::counted;
use crate::pieces::written;
use crate::printable::{harmless, printable};
use crate::targets::change_name;

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.affected/1";
/// The most changed symbols to name.
const SHOWN: usize = 4;

/// Whether a change affects a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Mark {
    Affected,
    Unaffected,
    /// Something that differs does not compile, so that nobody knows.
    Undecided,
    OnlyOld,
    OnlyNew,
}

/// A program and its mark.
struct Marked<'a> {
    name: &'a str,
    mark: Mark,
    program: Option<&'a AffectedProgram>,
}

/// The list for people, and the command that compares the first affected program, if there is one.
pub fn text(survey: &Survey, compare: impl Fn(&str) -> String, with_files: bool) -> String {
    let all = marked(survey);
    let width = all.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for one in &all {
        let name = harmless(one.name);
        let line = format!("{:<10}  {name:<width$}  {}", word(one.mark), about(one, survey));
        text.push_str(line.trim_end());
        text.push('\n');
        if with_files {
            for file in files(one, survey) {
                let _ = writeln!(text, "    {}", harmless(&file));
            }
        }
    }
    let outside: Vec<&ChangedSymbol> = survey.affected.in_no_program().collect();
    if !outside.is_empty() {
        let _ = writeln!(text, "in no program: {}", symbols(&outside));
    }
    for file in &survey.affected.broken {
        let file = harmless(&file.display().to_string());
        let _ = writeln!(text, "does not compile, and may differ: {file}");
    }
    if let Some(first) = survey.affected.programs.first() {
        let _ = writeln!(text, "compare: {}", harmless(&compare(&first.new.name)));
    }
    text
}

/// Affected programs first, the closest to the change before the others.
fn marked(survey: &Survey) -> Vec<Marked<'_>> {
    let affected = &survey.affected;
    let programs = affected.programs.iter().map(|one| Marked {
        name: &one.new.name,
        mark: Mark::Affected,
        program: Some(one),
    });
    let other = if affected.broken.is_empty() { Mark::Unaffected } else { Mark::Undecided };
    let lists = [
        (&affected.unaffected, other),
        (&affected.only_old, Mark::OnlyOld),
        (&affected.only_new, Mark::OnlyNew),
    ];
    let others = lists.into_iter().flat_map(|(names, mark)| {
        names.iter().map(move |name| Marked { name, mark, program: None })
    });
    programs.chain(others).collect()
}

fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Affected => "affected",
        Mark::Unaffected => "unaffected",
        Mark::Undecided => "undecided",
        Mark::OnlyOld => "only OLD",
        Mark::OnlyNew => "only NEW",
    }
}

fn about(one: &Marked<'_>, survey: &Survey) -> String {
    let Some(program) = one.program else { return String::new() };
    let far = match program.distance {
        0 => "`main` changed".to_owned(),
        steps => counted(u64::from(steps), "step", "steps") + " from `main`",
    };
    format!("{far}: {}", symbols(&reached(program, survey)))
}

fn reached<'a>(program: &AffectedProgram, survey: &'a Survey) -> Vec<&'a ChangedSymbol> {
    program.reached.iter().map(|&index| &survey.affected.changed[index]).collect()
}

fn symbols(all: &[&ChangedSymbol]) -> String {
    let shown = all.iter().take(SHOWN).map(|one| {
        let file = one.key.display().to_string();
        format!(
            "{} {} ({})",
            change_name(one.change),
            printable(one.name.as_bytes()),
            harmless(&file)
        )
    });
    let mut text = shown.collect::<Vec<String>>().join(", ");
    if all.len() > SHOWN {
        let _ = write!(text, " and {} more", all.len() - SHOWN);
    }
    text
}

/// The C files of a program of NEW, or of OLD if NEW does not have it.
fn files(one: &Marked<'_>, survey: &Survey) -> Vec<String> {
    let side = usize::from(one.mark != Mark::OnlyOld);
    let units = &survey.units[side];
    let Ok(program) = units.program_named(one.name) else { return Vec::new() };
    let key = |file| units.checkout.key(file).unwrap_or_else(|| file.to_owned());
    let keys = program.files.iter().map(|file| key(file).display().to_string());
    keys.collect()
}

/// The list for programs.
pub fn json(survey: &Survey, compare: impl Fn(&str) -> String) -> String {
    let [old, new] = [0, 1].map(|side| survey.units[side].checkout.name.clone());
    let affected = &survey.affected;
    let outside: Vec<&ChangedSymbol> = affected.in_no_program().collect();
    let programs = marked(survey).into_iter().map(|one| Program {
        name: one.name,
        mark: one.mark,
        steps: one.program.map(|program| program.distance),
        changed: one.program.map(|program| program.reached.clone()).unwrap_or_default(),
        files: files(&one, survey),
        command: one.program.map(|program| compare(&program.new.name)),
    });
    written(&Report {
        schema: SCHEMA,
        old,
        new,
        programs: programs.collect(),
        changed: affected
            .changed
            .iter()
            .map(|one| Changed {
                name: &one.name,
                file: one.key.display().to_string(),
                kind: if one.is_function { "function" } else { "variable" },
                change: change_name(one.change),
                in_program: !outside.contains(&one),
            })
            .collect(),
        not_compiled: affected.broken.iter().map(|file| file.display().to_string()).collect(),
    })
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    old: String,
    new: String,
    programs: Vec<Program<'a>>,
    changed: Vec<Changed<'a>>,
    not_compiled: Vec<String>,
}

#[derive(Serialize)]
struct Program<'a> {
    name: &'a str,
    mark: Mark,
    steps: Option<u32>,
    changed: Vec<usize>,
    files: Vec<String>,
    command: Option<String>,
}

#[derive(Serialize)]
struct Changed<'a> {
    name: &'a str,
    file: String,
    kind: &'static str,
    change: &'static str,
    in_program: bool,
}
