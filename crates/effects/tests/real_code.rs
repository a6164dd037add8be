//! A sample of real code behaves on the machine like its native build: zlib, and Lua with some
//! scripts. `cargo xtask conform --real` has the rest.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // What tests share is test code as well.

use base::in_parallel;
use testkit::conformance::{Case, Outcome};
use testkit::subjects::{self, Subject};
use testkit::{compiler_in, leave_out, root};

fn check(subject: &Subject, names: &[&str]) {
    let Some(compiler) = compiler_in(&root()) else { return };
    let Some(directory) = subjects::subject(&root(), subject) else {
        return leave_out(format!("{} cannot be had", subject.name));
    };
    let cases = Case::all(&root(), "tests/real").unwrap();
    let cases: Vec<Case> = cases
        .iter()
        .filter(|case| names.contains(&case.name.as_str()))
        .map(|case| case.with_subject(&directory).unwrap())
        .collect();
    assert_eq!(cases.len(), names.len(), "every name is that of a case");
    let outcomes = in_parallel(&cases, 2, |case| case.check(&compiler));
    for (case, outcome) in cases.iter().zip(&outcomes) {
        assert_eq!(outcome, &Outcome::Agrees, "{}", case.name);
    }
}

#[test]
fn zlib_compresses_as_it_does_natively() {
    check(&subjects::ZLIB, &["zlib"]);
}

#[test]
fn lua_runs_scripts_as_it_does_natively() {
    check(&subjects::LUA, &["lua closures.lua", "lua strings.lua", "lua errors.lua"]);
}
