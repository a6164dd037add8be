//! Runs the file tests under `tests/files`.
//!
//! The directory says what is done with the modules of a file (`link`, `parse`, `promote`,
//! `statements`, `verify`), the file name what is expected, and the part after
//! `; gives` what comes out. `; with` separates modules, `; archive` precedes a
//! member of the archive. With `RIPPLE_BLESS` set, what comes out is written to the
//! files instead of being compared.

use std::path::{Path, PathBuf};

use ripple_ir::{
    Definition, LinkError, Module, link_with_archive, parse, print_statements, promote, statements,
    undefined_symbols, verify,
};

const GIVES: &str = "; gives\n";

struct Case {
    program: Vec<Module>,
    archive: Vec<Module>,
}

fn read_case(path: &Path, input: &str) -> Case {
    let mut case = Case { program: Vec::new(), archive: Vec::new() };
    let (mut text, mut member) = (String::new(), false);
    for line in input.lines().chain(["; with"]) {
        if line != "; with" && line != "; archive" {
            text = text + line + "\n";
            continue;
        }
        let module = parse(&std::mem::take(&mut text))
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        if member { &mut case.archive } else { &mut case.program }.push(module);
        member = line == "; archive";
    }
    case
}

/// Links with the archive, asking for each member at most once.
fn link(case: Case) -> String {
    let mut members: Vec<Option<Module>> = case.archive.into_iter().map(Some).collect();
    let linked = link_with_archive(case.program, |name| {
        let defines = |module: &Module| {
            let functions = module.functions.values().filter(|function| function.is_defined());
            let globals = module.globals.values().filter(|global| global.is_defined());
            functions.map(|function| &function.name).any(|defined| defined == name)
                || globals.map(|global| &global.name).any(|defined| defined == name)
        };
        let member = members.iter_mut().find(|member| member.as_ref().is_some_and(defines))?;
        member.take().map(Ok::<Module, LinkError>)
    });
    match linked {
        Ok(module) => {
            let missing: Vec<&str> = undefined_symbols(&module).collect();
            let missing = if missing.is_empty() {
                String::new()
            } else {
                format!("; undefined: {}\n", missing.join(" "))
            };
            let violations = violations(&module);
            format!("{module}{missing}{violations}")
        }
        Err(error) => format!("; error: {error}\n"),
    }
}

fn promote_all(mut module: Module) -> String {
    for function in module.functions.values_mut() {
        if let Definition::Body(body) = &mut function.definition {
            promote(&module.types, body);
        }
    }
    format!("{module}{}", violations(&module))
}

fn statements_of(mut module: Module) -> String {
    statements::assign(&mut module);
    let mut out = String::new();
    print_statements(&module, &mut out).expect("a string takes all text");
    out
}

fn violations(module: &Module) -> String {
    verify(module).iter().map(|violation| format!("; {violation}\n")).collect()
}

fn parsed(text: &str) -> String {
    match parse(text) {
        Ok(module) => module.to_string(),
        Err(error) => format!("; error: {error}\n"),
    }
}

fn run(kind: &str, mut case: Case) -> String {
    let first = |case: &mut Case| case.program.remove(0);
    match kind {
        "link" => link(case),
        "promote" => promote_all(first(&mut case)),
        "statements" => statements_of(first(&mut case)),
        "verify" => violations(&first(&mut case)),
        kind => panic!("no such kind of test: {kind}"),
    }
}

fn check_directory(kind: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(kind);
    let entries = std::fs::read_dir(&directory).expect("the directory exists");
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let bless = std::env::var_os("RIPPLE_BLESS").is_some();
    let mut wrong = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let (input, expected) = text.split_once(GIVES).unwrap_or((&text, ""));
        let found = match kind {
            "parse" => parsed(input),
            kind => run(kind, read_case(&path, input)),
        };
        if bless {
            std::fs::write(&path, format!("{input}{GIVES}{found}")).expect("it can be written");
        } else if found != expected {
            wrong.push(format!("{}\nexpected\n{expected}found\n{found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_are_linked() {
    check_directory("link");
}

#[test]
fn wrong_text_gives_an_error_with_its_line() {
    check_directory("parse");
}

#[test]
fn locals_are_promoted() {
    check_directory("promote");
}

#[test]
fn statements_are_found() {
    check_directory("statements");
}

#[test]
fn violations_of_the_invariants_are_reported() {
    check_directory("verify");
}
