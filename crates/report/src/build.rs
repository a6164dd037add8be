//! A recorded build in words: what was built from how many files, and what cannot be used.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use source::{Build, Failure, Language, Means, Product, ProductKind, UnitId};

use crate::counting::counted;
use crate::printable::harmless;

/// The most products, flags or failures that are named.
const SHOWN: usize = 20;

/// The summary of a build, for people. `place` is where it was written; `failed` are the units that
/// clang rejects, if that was asked.
pub fn text(build: &Build, place: &Path, failed: Option<&[(UnitId, Failure)]>) -> String {
    let mut text = String::new();
    let c_files = build.units.iter().filter(|unit| unit.language == Language::C).count();
    let number = build.products.len();
    line(
        &mut text,
        &format!(
            "recorded {} from {} in {}",
            count(number, "product"),
            count(c_files, "C file"),
            harmless(&place.display().to_string())
        ),
    );
    let width = build.products.iter().map(|product| product.name.chars().count()).max();
    for kind in [ProductKind::Program, ProductKind::SharedLibrary, ProductKind::Archive] {
        for product in build.of_kind(kind).take(SHOWN) {
            line(&mut text, &product_line(build, product, width.unwrap_or_default()));
        }
        let more = build.of_kind(kind).count().saturating_sub(SHOWN);
        if more > 0 {
            line(&mut text, &format!("  … and {more} more"));
        }
    }
    others(&mut text, build);
    dropped(&mut text, build);
    if build.means == Means::Shims {
        line(
            &mut text,
            "processes could not be followed: tools called by absolute paths are missing",
        );
    }
    failures(&mut text, build, failed);
    text
}

/// `1 file`, `2 files`.
pub(crate) fn count(number: usize, one: &str) -> String {
    counted(number as u64, one, &format!("{one}s"))
}

fn line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// The word for a kind of product.
pub(crate) fn kind(kind: ProductKind) -> &'static str {
    match kind {
        ProductKind::Program => "program",
        ProductKind::SharedLibrary => "shared library",
        ProductKind::Archive => "archive",
    }
}

fn product_line(build: &Build, product: &Product, width: usize) -> String {
    let units = product.units.len();
    let mut line = format!(
        "  {:<14}  {:<width$}  {}",
        kind(product.kind),
        harmless(&product.name),
        count(units, "file")
    );
    if !product.shared.is_empty() {
        let names: Vec<String> =
            product.shared.iter().map(|one| harmless(&build.product(*one).name)).collect();
        let _ = write!(line, ", with {}", names.join(", "));
    }
    if !product.unknown.is_empty() {
        let _ = write!(line, ", {} of unknown origin", count(product.unknown.len(), "object"));
    }
    line
}

/// What is not C.
fn others(text: &mut String, build: &Build) {
    let mut counts: BTreeMap<Language, usize> = BTreeMap::new();
    for unit in build.units.iter().filter(|unit| unit.language != Language::C) {
        *counts.entry(unit.language).or_default() += 1;
    }
    let parts: Vec<String> = counts
        .into_iter()
        .map(|(language, number)| match language {
            Language::C => count(number, "C file"),
            Language::Cpp => count(number, "C++ file"),
            Language::Assembly => count(number, "assembly file"),
            Language::Other => count(number, "other file"),
        })
        .collect();
    if !parts.is_empty() {
        line(text, &format!("not C: {}", parts.join(", ")));
    }
}

fn dropped(text: &mut String, build: &Build) {
    let flags: Vec<String> = build
        .dropped
        .iter()
        .take(SHOWN)
        .map(|one| format!("{} ({})", harmless(&one.flag), count(one.units, "file")))
        .collect();
    if !flags.is_empty() {
        line(text, &format!("flags that clang does not take, left out: {}", flags.join(", ")));
    }
}

fn failures(text: &mut String, build: &Build, failed: Option<&[(UnitId, Failure)]>) {
    let Some(failed) = failed else { return };
    if failed.is_empty() {
        return line(text, "clang compiles all C files");
    }
    line(text, &format!("clang does not compile {}:", count(failed.len(), "file")));
    for (unit, failure) in failed.iter().take(SHOWN) {
        let said = failure.said.lines().find(|line| line.contains("error:"));
        let said = said.or(failure.said.lines().next()).unwrap_or_default();
        let file = &build.unit(*unit).file;
        let file = file.strip_prefix(&build.directory).unwrap_or(file);
        line(text, &harmless(&format!("  {}: {said}", file.display())));
    }
}
