//! Why two versions differ: programs as files, each with the expected chain.
//!
//! A program under `tests/why/` is compiled with and without `-DNEW`. The comment at its top has
//! the inputs of both runs: `// args:`, `// stdin:`, `// entry:` and parameters. The expected chain
//! is in the file of the same name that ends in `.expected`; with `RIPPLE_BLESS` set it is written
//! instead.
#![allow(clippy::print_stdout)] // Says why nothing was tested.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use exec::{Instrumentation, Program};
use inputs::{Flags, Input, Layout, Overrides, Room, Space, Test, parse_tests};
use ir::StatementId;
use ripple_effects::versions::{self, Versions, postdominators};
use ripple_effects::{Libc, Loader};
use source::{Compiler, Selection, check_out};
use testkit::{compiler_in, root};
use trace::why::{self, Observable, Question, Reached, Side, Step, Via, What, Why, why};
use trace::{Matching, Observe, TraceLimits};

struct Case {
    name: String,
    file: PathBuf,
    input: Input,
    /// The function to call instead of `main`, with integers.
    entry: Option<String>,
    params: Vec<i128>,
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
    let params = directive("params").unwrap_or_default();
    let number = |text: &str| text.parse().expect("parameters are integers");
    let params = params.split_whitespace().map(number).collect();
    let input = Input { args, stdin, ..Input::default() };
    Case { name, file, input, entry: directive("entry"), params }
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

fn load(compiler: &Compiler, file: &Path, cflags: &[&str], libc: Libc) -> versions::Side {
    let root = root();
    let file = file.strip_prefix(&root).expect("it lies below the root");
    let selection = Selection { directory: &root, paths: &[], cflags: &[], cache: &compiler.cache };
    let checkout = check_out(file.as_os_str(), &selection).expect("the file is there");
    let cflags = cflags.iter().map(|&flag| flag.to_owned()).collect();
    let compiler = checkout.compiler(compiler);
    let loader = Loader { compiler: &compiler, cflags, libc };
    let module = loader.load(&checkout.files).expect("it builds").module;
    versions::Side::new(checkout, module)
}

fn subject(compiler: &Compiler, case: &Case, libc: Libc) -> Subject {
    let old = load(compiler, &case.file, &[], libc);
    let new = load(compiler, &case.file, &["-DNEW"], libc);
    let versions = Versions::of(old, new);
    let program = |side: &versions::Side| {
        let statements = Instrumentation { statements: true };
        let entry = case.entry.as_deref().unwrap_or("main");
        Program::new(side.module.clone(), entry, statements).expect("it is a program")
    };
    let mut input = case.input.clone();
    let space = match &case.entry {
        None => {
            let test = Test { input: input.clone(), ..Test::default() };
            Flags::default()
                .program_space(&[test], &Room::default())
                .expect("the test makes sense")
                .0
        }
        Some(entry) => {
            let module = &versions.new.module;
            let function = inputs::find_function(module, entry).expect("the function is there");
            let space = Space::for_function(module, function, &Overrides::default());
            let space = space.expect("it has plain parameters");
            let names = space.params.iter().map(|param| param.name.clone());
            let values = case.params.iter().map(|&number| inputs::Value::Int(number));
            input.params = names.zip(values).collect();
            space
        }
    };
    let layout = space.layout();
    let assignment = layout.encode(&input).expect("the test fits its own space");
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
    why(old, new, b"program", &subject.matching, Question::Seen(&Observe::default()), limits)
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
        What::Value => "(value)".to_owned(),
        What::Argument { function, name } => format!("argument {name} of {function}"),
        What::Result(function) => format!("result of {function}"),
        What::Call(function) => format!("call of {function}"),
        What::Output(Observable::File { path, at }) => {
            format!("file {} at {at}", String::from_utf8_lossy(path))
        }
        What::Output(seen) => format!("{seen:?}"),
        What::Undefined(kind) => format!("undefined {kind:?}"),
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
    let value =
        |value: &Option<why::Value>| value.as_ref().map_or("-".to_owned(), |v| v.to_string());
    let name = match &step.old_what {
        Some(old) => format!("{} | {}", what(old), what(&step.what)),
        None => what(&step.what),
    };
    let mut text = format!(
        "{} | {}: {}: {} | {}",
        at(&subject.versions.old, step.old),
        at(&subject.versions.new, step.new),
        name,
        value(&step.old_value),
        value(&step.new_value),
    );
    if step.changed {
        text.insert_str(0, "* ");
    }
    if let Some(version) = step.only {
        write!(text, " ({version:?} only)").expect("strings grow");
    }
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
    let responsible = (lines(left, &found.responsible_old), lines(right, &found.responsible_new));
    writeln!(text, "responsible {} | {}", responsible.0, responsible.1).expect("strings grow");
    text
}

#[test]
fn steps_differ_and_the_last_is_the_observable() {
    let Some(compiler) = compiler_in(&root()) else { return };
    for case in cases() {
        for libc in [Libc::Quick, Libc::Open] {
            let subject = subject(&compiler, &case, libc);
            let found = explain(&subject, TraceLimits::default());
            let name = &case.name;
            assert_eq!(found.observable.is_some(), !found.steps.is_empty(), "{name}");
            assert_eq!(found.complete, found.observable.is_some(), "{name} with {libc:?}");
            for step in &found.steps {
                assert!(
                    step.old.is_some() || step.new.is_some() || step.changed,
                    "{name}: {step:?}"
                );
                let same = step.old_value.is_some() && step.old_value == step.new_value;
                let elsewhere = step.old_what.is_some() || step.what == swapped(&found);
                assert!(step.only.is_some() || elsewhere || !same, "{name}: {step:?}");
            }
            let Some((last, others)) = found.steps.split_last() else { continue };
            assert_eq!(last.via, None, "{name}");
            assert!(others.iter().all(|step| step.via.is_some()), "{name}");
            assert!(found.steps[0].changed, "{name}");
            let is_observable = match found.observable {
                Some(Observable::End) => last.what == What::End,
                Some(Observable::Returned) => matches!(last.what, What::Result(_)),
                Some(Observable::Memory) | None => true,
                Some(_) => matches!(last.what, What::Output(_)),
            };
            assert!(is_observable, "{name}: {last:?}");
        }
    }
}

/// The subject of the last step if both versions output the same at different places.
fn swapped(found: &Why) -> What {
    found.observable.clone().map_or(What::End, What::Output)
}

/// A pair of versions of an example that differ, and the input that shows it.
struct Pair {
    name: String,
    old: PathBuf,
    new: PathBuf,
    witness: Test,
}

/// The pairs of all examples that come with a witness.
fn pairs() -> Vec<Pair> {
    let entries = fs::read_dir(root().join("examples")).expect("the examples are there");
    let mut examples: Vec<PathBuf> =
        entries.map(|entry| entry.expect("it can be listed").path()).collect();
    examples.sort();
    let mut pairs = Vec::new();
    for example in examples {
        let Ok(text) = fs::read_to_string(example.join("pairs.toml")) else { continue };
        let (mut old, mut new) = (String::new(), String::new());
        for line in text.lines() {
            let Some((key, value)) = line.split_once(" = ") else { continue };
            match key {
                "old" => old = value.trim_matches('"').to_owned(),
                "new" => new = value.trim_matches('"').to_owned(),
                "witness" => {
                    let line = value.trim_matches('\'').as_bytes();
                    let read = |path: &Path| fs::read(path);
                    let tests = parse_tests(&example.join("witness.jsonl"), line, &read);
                    let witness = tests.expect("a witness is a test").remove(0);
                    let directory = example.file_name().unwrap_or_default().to_string_lossy();
                    pairs.push(Pair {
                        name: format!("{directory} {old} {new}"),
                        old: example.join(&old),
                        new: example.join(&new),
                        witness,
                    });
                }
                _ => {}
            }
        }
    }
    pairs
}

fn witnessed(compiler: &Compiler, pair: &Pair, libc: Libc) -> Subject {
    let old = load(compiler, &pair.old, &[], libc);
    let new = load(compiler, &pair.new, &[], libc);
    let versions = Versions::of(old, new);
    let program = |side: &versions::Side| {
        let statements = Instrumentation { statements: true };
        Program::new(side.module.clone(), "main", statements).expect("it is a program")
    };
    let space =
        Flags::default().program_space(std::slice::from_ref(&pair.witness), &Room::default());
    let layout = space.expect("the witness makes sense").0.layout();
    Subject {
        assignment: layout.encode(&pair.witness.input).expect("the witness fits its own space"),
        layout,
        matching: versions.matching(),
        old: program(&versions.old),
        new: program(&versions.new),
        versions,
    }
}

#[test]
fn witnesses_of_the_examples_are_explained_from_a_change() {
    let Some(compiler) = compiler_in(&root()) else { return };
    let wanted = env::var("RIPPLE_CASES").unwrap_or_default();
    let (mut count, mut unexplained) = (0, Vec::new());
    for pair in pairs().iter().filter(|pair| pair.name.contains(&wanted)) {
        let subject = witnessed(&compiler, pair, Libc::Quick);
        let found = explain(&subject, TraceLimits::default());
        count += 1;
        let text = format!("{}\n{}", pair.name, report(&subject, &found));
        if env::var_os("RIPPLE_SHOW").is_some() {
            println!("{text}");
        }
        if found.observable.is_none() || !found.complete || found.truncated {
            unexplained.push(text);
        }
    }
    assert!(count > 20 || !wanted.is_empty(), "only {count} witnesses");
    let list = unexplained.join("\n");
    assert!(unexplained.is_empty(), "{} of {count}:\n{list}", unexplained.len());
}

#[test]
fn a_trace_that_is_cut_says_so() {
    let Some(compiler) = compiler_in(&root()) else { return };
    let cases = cases();
    let Some(case) = cases.iter().find(|case| case.name == "loop_carried") else { return };
    let subject = subject(&compiler, case, Libc::Quick);
    let cut = explain(&subject, TraceLimits { events: 40, ..TraceLimits::default() });
    assert!(cut.truncated);
    assert!(!explain(&subject, TraceLimits::default()).truncated);
}

#[test]
fn chains_are_as_expected() {
    let Some(compiler) = compiler_in(&root()) else { return };
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
