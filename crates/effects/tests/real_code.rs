//! A sample of real code behaves on the machine as it does natively: zlib, and Lua with some
//! scripts. `cargo xtask conform --real` has the rest.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // What tests share is test code as well.

#[path = "../../../xtask/src/subjects.rs"]
#[allow(dead_code, clippy::print_stderr)] // It serves more than this sample.
mod subjects;

use std::env;
use std::path::{Path, PathBuf};

use ripple_effects::conformance::{Case, Outcome, in_parallel};
use source::{Cache, Clang, Compiler, Search};
use subjects::Subject;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn compiler() -> Option<Compiler> {
    let cache = Cache::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("real"));
    let path_var = env::var_os("PATH").unwrap_or_default();
    let from_env = env::var_os("RIPPLE_CLANG").map(PathBuf::from);
    let search = Search { explicit: None, from_env: from_env.as_deref(), path_var: &path_var };
    let clang = Clang::find(search, &cache).ok()?;
    Some(Compiler { clang, cache, directory: root() })
}

fn check(subject: &Subject, names: &[&str]) {
    let (Some(compiler), Some(directory)) = (compiler(), subjects::subject(&root(), subject))
    else {
        testing::skip(format!("there is no clang, or no {}", subject.name));
        return;
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
