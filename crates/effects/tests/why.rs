//! Why two versions differ: programs as files, each with the chain that is expected.
//!
//! A program under `tests/why/` is compiled with and without `-DNEW`. The comment at its top
//! says what both are run with: `// args:`, `// stdin:`, `// entry:` and parameters. The
//! expected chain stands in the file of the same name that ends in `.expected`; with
//! `RIPPLE_BLESS` set it is written instead.
#![allow(clippy::print_stdout)] // Says why nothing was tested.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use changes::versions::{Version, align};
use exec::{Instrumentation, Program};
use explore::trace::alignment::Run;
use explore::trace::{Alignment, TraceLimits, record};
use explore::why::{self, Reached, Side, Step, Via, What, Why, why};
use explore::{Matching, matching};
use inputs::{Flags, Input, Layout, Test};
use ir::StatementId;
use ripple_effects::versions::{self, Versions, postdominators};
use ripple_effects::{Libc, Loader};
use source::{Cache, Clang, Compiler, Search, Selection, check_out};

struct Case {
    name: String,
    file: PathBuf,
    input: Input,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the root is there")
}

fn cases() -> Vec<Case> {
    let directory = root().join("tests/why");
    let entries = fs::read_dir(directory).expect("the directory is there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    let wanted = env::var("RIPPLE_CASES").unwrap_or_default();
    let cases = files.into_iter().map(read_case);
    cases.filter(|case| case.name.contains(&wanted)).collect()
}

fn read_case(file: PathBuf) -> Case {
    let text = fs::read_to_string(&file).expect("the program can be read");
    let directive = |name: &str| {
        let start = format!("// {name}: ");
        let line = text.lines().find_map(|line| line.strip_prefix(&start))?;
        Some(line.replace("\\n", "\n"))
    };
    let args = directive("args").unwrap_or_default();
    let args = args.split_whitespace().map(|arg| arg.as_bytes().to_vec()).collect();
    let stdin = directive("stdin").unwrap_or_default().into_bytes();
    let name = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
    Case { name, file, input: Input { args, stdin, ..Input::default() } }
}

fn compiler() -> Option<Compiler> {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("why");
    fs::create_dir_all(&directory).expect("a directory for the cache");
    let cache = Cache::at(directory.join("cache"));
    let path_var = env::var_os("PATH").unwrap_or_default();
    let search = Search { explicit: None, from_env: None, path_var: &path_var };
    let Ok(clang) = Clang::find(search, &cache) else {
        println!("skipped: there is no clang");
        return None;
    };
    Some(Compiler { clang, cache, directory: root() })
}

/// Both versions of a case, ready to be traced.
struct Subject {
    versions: Versions,
    matching: Matching,
    old: Program,
    new: Program,
    layout: Layout,
    assignment: Vec<u64>,
}

fn subject(compiler: &Compiler, case: &Case, libc: Libc) -> Subject {
    let root = root();
    let file = case.file.strip_prefix(&root).expect("it lies below the root");
    let selection =
        Selection { directory: &root, paths: &[], cflags: &[], cache: &compiler.cache };
    let side = |cflags: &[&str]| {
        let checkout = check_out(file.as_os_str(), &selection).expect("the file is there");
        let cflags = cflags.iter().map(|&flag| flag.to_owned()).collect();
        let compiler = checkout.compiler(compiler);
        let loader = Loader { compiler: &compiler, cflags, libc };
        let module = loader.load(&checkout.files).expect("it builds").module;
        versions::Side { checkout, module }
    };
    let (old, new) = (side(&[]), side(&["-DNEW"]));
    let alignment = align(&old.module, &new.module, |version, _, function| match version {
        Version::Old => old.is_own(function),
        Version::New => new.is_own(function),
    });
    let versions = Versions { old, new, alignment };
    let program = |side: &versions::Side| {
        let statements = Instrumentation { statements: true };
        Program::new(side.module.clone(), "main", statements).expect("it is a program")
    };
    let test = Test { name: None, input: case.input.clone() };
    let (space, _) = Flags::default().program_space(&[test]).expect("the test makes sense");
    let layout = space.layout();
    let assignment = layout.encode(&case.input).expect("the test fits its own space");
    Subject {
        matching: versions.matching(),
        old: program(&versions.old),
        new: program(&versions.new),
        versions,
        layout,
        assignment,
    }
}

fn explain(subject: &Subject, limits: TraceLimits) -> Why {
    let old = postdominators(&subject.old.module);
    let new = postdominators(&subject.new.module);
    let (layout, assignment) = (&subject.layout, &subject.assignment[..]);
    let old = Side { program: &subject.old, layout, postdominators: &old, assignment };
    let new = Side { program: &subject.new, layout, postdominators: &new, assignment };
    why(old, new, b"program", &subject.matching, limits)
}

fn line(side: &versions::Side, statement: StatementId) -> u32 {
    side.place(statement).map_or(0, |place| place.line)
}

fn what(what: &What) -> String {
    match what {
        What::Variable(name) => name.clone(),
        What::Memory(name) => format!("memory {name}"),
        What::Initial(name) => format!("initial {name}"),
        What::Condition => "condition".to_owned(),
        What::Value => "value".to_owned(),
        What::Argument { function, name } => format!("argument {name} of {function}"),
        What::Result(function) => format!("result of {function}"),
        What::Call(function) => format!("call of {function}"),
        What::Output(seen) => format!("output {seen:?}"),
        What::End => "end".to_owned(),
    }
}

fn step(subject: &Subject, step: &Step) -> String {
    let at = |side, instance: Option<why::Instance>| match instance {
        Some(instance) => {
            let line = line(side, instance.statement);
            match instance.occurrence {
                1 => format!("{line}"),
                occurrence => format!("{line}#{occurrence}"),
            }
        }
        None => "-".to_owned(),
    };
    let value = |value: &Option<why::Value>| value.as_ref().map_or("-".to_owned(), |v| v.to_string());
    let mut text = format!(
        "{} | {}: {}: {} | {}",
        at(&subject.versions.old, step.old),
        at(&subject.versions.new, step.new),
        what(&step.what),
        value(&step.old_value),
        value(&step.new_value),
    );
    if step.repeats > 1 {
        write!(text, " x {}", step.repeats).expect("strings grow");
    }
    match step.via {
        Some(Via::Data) => text.push_str(" -data->"),
        Some(Via::Control) => text.push_str(" -control->"),
        None => {}
    }
    text
}

fn report(subject: &Subject, found: &Why) -> String {
    let mut text = String::new();
    let lines = |side, statements: &[StatementId]| -> String {
        let mut lines: Vec<u32> = statements.iter().map(|&st| line(side, st)).collect();
        lines.dedup();
        format!("{lines:?}")
    };
    let Reached { old, new } = found.reached;
    let reached = |side, statement: Option<StatementId>| {
        statement.map_or("-".to_owned(), |statement| line(side, statement).to_string())
    };
    let (left, right) = (&subject.versions.old, &subject.versions.new);
    writeln!(text, "reached {} | {}", reached(left, old), reached(right, new))
        .expect("strings grow");
    let infected = found.infected.as_ref();
    let infected = infected.map_or("nothing".to_owned(), |state| step(subject, state));
    writeln!(text, "infected {infected}").expect("strings grow");
    for one in &found.steps {
        writeln!(text, "{}", step(subject, one)).expect("strings grow");
    }
    if !found.complete {
        writeln!(text, "incomplete").expect("strings grow");
    }
    let responsible =
        (lines(left, &found.responsible_old), lines(right, &found.responsible_new));
    writeln!(text, "responsible {} | {}", responsible.0, responsible.1).expect("strings grow");
    text
}

#[test]
fn chains_are_as_expected() {
    let Some(compiler) = compiler() else { return };
    let mut wrong = Vec::new();
    for case in cases() {
        let subject = subject(&compiler, &case, Libc::Quick);
        let found = report(&subject, &explain(&subject, TraceLimits::default()));
        let file = case.file.with_extension("expected");
        if env::var_os("RIPPLE_BLESS").is_some() {
            fs::write(&file, &found).expect("the expectation can be written");
            continue;
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if found != expected {
            wrong.push(format!("{}:\n{found}expected:\n{expected}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
