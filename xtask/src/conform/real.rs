//! Real code: the drivers and scripts under `tests/real`, with C sources from crates.

use std::path::Path;

use anyhow::bail;
use source::Compiler;
use testkit::conformance::{Case, Outcome};
use testkit::subjects::{self, Subject, subject};

const SUBJECTS: [&Subject; 9] = [
    &subjects::ZLIB,
    &subjects::LZ4,
    &subjects::BZIP2,
    &subjects::ZSTD,
    &subjects::LUA,
    &subjects::LIBDEFLATE,
    &subjects::SQLITE,
    &subjects::QUICKJS,
    &subjects::PCRE2,
];

/// The cases with the sources of their crates; without sources if the crate cannot be fetched.
pub fn cases(root: &Path) -> anyhow::Result<Vec<Case>> {
    let mut cases = Vec::new();
    for case in Case::all(root, "tests/real")? {
        let Some(name) = &case.subject else {
            cases.push(case);
            continue;
        };
        let Some(known) = SUBJECTS.iter().find(|known| known.name == name) else {
            bail!("{}: there is no subject `{name}`", case.name);
        };
        cases.push(match subject(root, known) {
            Some(directory) => case.with_subject(&directory)?,
            None => case,
        });
    }
    Ok(cases)
}

pub fn check(case: &Case, compiler: &Compiler) -> Outcome {
    match &case.subject {
        Some(name) => Outcome::Skipped(format!("{name} cannot be had")),
        None => case.check(compiler),
    }
}
