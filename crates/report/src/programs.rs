//! The programs of a directory, as text and as JSON.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;
use source::{Listed, Programs, Told};

use crate::build::{count, kind};
use crate::counting::counted;
use crate::pieces::written;
use crate::printable::harmless;

/// The value of the member `schema`.
pub const SCHEMA: &str = "ripple.programs/1";

/// The list for people; with the names of all files if these are wanted.
pub fn text(programs: &Programs, with_files: bool) -> String {
    let mut text = String::new();
    let width = programs.listed.iter().map(|one| one.name.chars().count()).max().unwrap_or(0);
    for one in &programs.listed {
        let name = harmless(&one.name);
        let line = format!("{:<14}  {name:<width$}  {}", kind(one.kind), about(one, programs));
        text.push_str(line.trim_end());
        text.push('\n');
        if with_files {
            files(&mut text, one.files.iter().chain(&one.others).chain(&one.unknown));
        }
    }
    if !programs.shared.is_empty() {
        let number = count(programs.shared.len(), "more C file");
        let _ = writeln!(text, "{number}, which any program may need");
        if with_files {
            files(&mut text, programs.shared.iter());
        }
    }
    text
}

fn files<'p>(text: &mut String, files: impl Iterator<Item = &'p PathBuf>) {
    for file in files {
        let _ = writeln!(text, "    {}", harmless(&file.display().to_string()));
    }
}

fn about(one: &Listed, programs: &Programs) -> String {
    if !matches!(programs.told, Told::Build(_)) {
        let file = one.files.iter().map(|file| file.display().to_string()).collect::<String>();
        let condition = if one.is_conditional { ", under a condition" } else { "" };
        return harmless(&format!("`main` in {file}{condition}"));
    }
    let mut parts = vec![count(one.files.len(), "C file")];
    if !one.others.is_empty() {
        let number = one.others.len() as u64;
        parts.push(counted(number, "file in another language", "files in other languages"));
    }
    if !one.unknown.is_empty() {
        parts.push(count(one.unknown.len(), "object") + " of unknown origin");
    }
    if !one.own_libraries.is_empty() {
        parts.push(format!("with {}", harmless(&one.own_libraries.join(", "))));
    }
    if !one.libraries.is_empty() {
        let flags: Vec<String> = one.libraries.iter().map(|name| format!("-l{name}")).collect();
        parts.push(harmless(&flags.join(" ")));
    }
    parts.join(", ")
}

/// The list for programs.
pub fn json(programs: &Programs) -> String {
    let (told, build) = match &programs.told {
        Told::Build(directory) => ("build", Some(directory.display().to_string())),
        Told::Database => ("compile_commands.json", None),
        Told::Files => ("files", None),
    };
    written(&Report {
        schema: SCHEMA,
        from: told,
        build,
        programs: programs.listed.iter().map(Program::of).collect(),
        shared: texts(&programs.shared),
    })
}

#[derive(Serialize)]
struct Report {
    schema: &'static str,
    from: &'static str,
    build: Option<String>,
    programs: Vec<Program>,
    shared: Vec<String>,
}

#[derive(Serialize)]
struct Program {
    name: String,
    kind: source::ProductKind,
    files: Vec<String>,
    others: Vec<String>,
    own_libraries: Vec<String>,
    libraries: Vec<String>,
    unknown: Vec<String>,
    conditional: bool,
}

impl Program {
    fn of(one: &Listed) -> Program {
        Program {
            name: one.name.clone(),
            kind: one.kind,
            files: texts(&one.files),
            others: texts(&one.others),
            own_libraries: one.own_libraries.clone(),
            libraries: one.libraries.clone(),
            unknown: texts(&one.unknown),
            conditional: one.is_conditional,
        }
    }
}

fn texts(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().map(|path| path.display().to_string()).collect()
}
