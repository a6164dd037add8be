//! The register form of small functions, as files: `NAME.ir` and the expected `NAME.code`.
//!
//! `RIPPLE_BLESS=1` writes the expectations anew.

use std::path::{Path, PathBuf};
use std::{env, fs};

use ripple_exec::Instrumentation;
use ripple_exec::addresses::Addresses;
use ripple_exec::lower::lower;

fn code_of(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the case can be read");
    let module = ir::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let addresses = Addresses::new(&module);
    let bodies = module.functions.iter().filter(|(_, function)| function.body().is_some());
    let codes = bodies
        .map(|(id, _)| lower(&module, &addresses, id, Instrumentation::default()).to_string());
    codes.collect()
}

fn cases() -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower");
    let entries = fs::read_dir(directory).expect("there are cases");
    let paths = entries.map(|entry| entry.expect("a directory can be listed").path());
    let mut cases: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|e| e == "ir")).collect();
    cases.sort();
    cases
}

#[test]
fn functions_are_lowered_as_expected() {
    let mut wrong = Vec::new();
    let cases = cases();
    assert!(!cases.is_empty(), "there are no cases");
    for case in cases {
        let (code, expected) = (code_of(&case), case.with_extension("code"));
        if env::var_os("RIPPLE_BLESS").is_some() {
            fs::write(&expected, &code).expect("the expectation can be written");
        }
        if fs::read_to_string(&expected).unwrap_or_default() != code {
            wrong.push(format!("{}:\n{code}", case.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
