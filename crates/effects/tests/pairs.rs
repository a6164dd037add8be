//! The version pairs of the examples: their manifests are true, and comparing finds the easy
//! differences, and never one where there is none.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;
use std::time::Duration;

use base::in_parallel;
use explore::{Budget, Progress};
use inputs::Test;
use ripple_effects::compare::{Compared, Guarantee, Judgement, Options, Request, Verdict, compare};
use ripple_effects::trial::Scope;
use ripple_effects::{Libc, Loader};
use source::{Checkout, Compiler, Invocation, Limits, NativeRun, Selection};
use testkit::pairs::{Example, Pair, SUBJECTS, examples};
use testkit::{compiler_in, root};

fn check_out(compiler: &Compiler, path: &Path) -> Checkout {
    let selection = Selection::of(compiler, &[], &[]);
    source::check_out(path.as_os_str(), &selection).expect("the version is there")
}

fn run(compiler: &Compiler, version: &Path, test: &Test) -> NativeRun {
    let checkout = check_out(compiler, version);
    let compiler = checkout.compiler(compiler);
    let program = compiler.build_native(&checkout.files, &[], false).expect("it builds");
    let args = test.input.args.iter().cloned().map(OsString::from_vec).collect();
    let (stdin, files) = (test.input.stdin.clone(), test.input.files.clone());
    let invocation = Invocation { args, stdin, files, ..Invocation::default() };
    source::run_native(&program, &invocation, &Limits::default()).expect("it runs")
}

/// Except those of [`SUBJECTS`], which another test checks.
#[test]
fn what_the_manifests_say_is_true() {
    let Some(compiler) = compiler_in(&root()) else { return };
    let mut examples = examples(&root()).expect("the manifests can be read");
    examples.retain(|example| !SUBJECTS.contains(&example.name.as_str()));
    assert!(examples.iter().map(|example| example.pairs.len()).sum::<usize>() >= 60);
    let all: Vec<(&Example, &Pair)> =
        examples.iter().flat_map(|e| e.pairs.iter().map(move |pair| (e, pair))).collect();
    let complaints = in_parallel(&all, 2, |(example, pair)| {
        let name = format!("{} {}", example.name, pair.name());
        match (&pair.witness, pair.differs) {
            (Some(line), true) => {
                let path = example.directory.join("witness.jsonl");
                let tests = inputs::parse_tests(&path, line.as_bytes(), &|path| fs::read(path));
                let tests = tests.expect("it is a test");
                let (old, new) =
                    (run(&compiler, &pair.old, &tests[0]), run(&compiler, &pair.new, &tests[0]));
                let same = old.stdout == new.stdout && old.end == new.end;
                same.then(|| format!("{name}: its witness shows no difference"))
            }
            (None, false) => None,
            (None, true) => Some(format!("{name}: it differs and has no witness")),
            (Some(_), false) => Some(format!("{name}: it is equal and has a witness")),
        }
    });
    let complaints: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "{complaints:#?}");
}

fn compared(compiler: &Compiler, example: &Example, pair: &Pair, runs: u64) -> Compared {
    let time = Some(Duration::from_secs(20));
    let budget = Budget { time, runs: Some(runs), ..Budget::default() };
    compared_with(compiler, example, pair, Options { budget, ..Options::default() })
}

fn compared_with(
    compiler: &Compiler,
    example: &Example,
    pair: &Pair,
    options: Options,
) -> Compared {
    let (old, new) = (check_out(compiler, &pair.old), check_out(compiler, &pair.new));
    let golden = pair.golden.as_ref().map(|golden| check_out(compiler, golden));
    let request = Request {
        scope: Scope {
            loader: Loader { compiler, cflags: Vec::new(), libc: Libc::Quick },
            entry: None,
            flags: &example.flags,
            tests: &example.tests,
        },
        old: &old,
        new: &new,
        golden: golden.as_ref(),
        options,
    };
    compare(&request, &Progress::new(), &|_| ()).expect("both versions build")
}

#[test]
fn equal_pairs_are_never_said_to_differ() {
    let Some(compiler) = compiler_in(&root()) else { return };
    let examples = examples(&root()).expect("the manifests can be read");
    let equal: Vec<(&Example, &Pair)> = examples
        .iter()
        .flat_map(|example| example.pairs.iter().map(move |pair| (example, pair)))
        .filter(|(_, pair)| !pair.differs)
        // Half of all inputs never end, so that few runs would take the whole budget.
        .filter(|(example, pair)| {
            (example.name.as_str(), pair.name().as_str()) != ("spin", "v1-v2")
        })
        .collect();
    assert!(equal.len() > 60);
    let wrong = in_parallel(&equal, 2, |(example, pair)| {
        let compared = compared(&compiler, example, pair, 3_000);
        let is_wrong = compared.verdict == Verdict::Different || !compared.unconfirmed.is_empty();
        is_wrong.then(|| format!("{} {}", example.name, pair.name()))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn differences_of_the_examples_are_found_and_judged() {
    let Some(compiler) = compiler_in(&root()) else { return };
    let examples = examples(&root()).expect("the manifests can be read");
    let of = |name: &str, pair: &str| {
        let example = examples.iter().find(|example| example.name == name).expect("an example");
        let pair = example.pairs.iter().find(|found| found.name() == pair).expect("a pair");
        (example, pair)
    };
    let (example, pair) = of("dates", "v2-v3");
    let compared = compared(&compiler, example, pair, 20_000);
    assert_eq!(compared.verdict, Verdict::Different);
    assert_eq!(compared.guarantee, Guarantee::Replayed);
    let witness = &compared.witnesses[0];
    let (_, judgement) = witness.golden.as_ref().expect("there is a golden version");
    assert_eq!(*judgement, Judgement::Regression);
    assert_ne!(witness.old.native.stdout, witness.new.native.stdout);
    let why = witness.why.as_ref().expect("it is explained");
    assert!(why.complete, "{why:?}");
    assert_eq!(why.chain.first().and_then(|link| link.new.as_ref()).map(|p| p.line), Some(29));
    assert_eq!(witness.blame.as_ref().map(|blame| blame.hunks.len()), Some(1));
}

#[test]
fn several_threads_of_both_kinds_agree() {
    let Some(compiler) = compiler_in(&root()) else { return };
    let examples = examples(&root()).expect("the manifests can be read");
    let avoid = examples.iter().find(|example| example.name == "avoid").expect("it is there");
    for jobs in [2, 3, 4, 5] {
        for pair in avoid.pairs.iter().filter(|pair| ["v1-v3", "v1-v2"].contains(&&*pair.name())) {
            let time = Some(Duration::from_secs(if pair.differs { 20 } else { 2 }));
            let budget = Budget { time, ..Budget::default() };
            let options = Options { budget, jobs, ..Options::default() };
            let compared = compared_with(&compiler, avoid, pair, options);
            assert_eq!(
                compared.verdict == Verdict::Different,
                pair.differs,
                "{jobs} {}",
                pair.name()
            );
            let strategies = &compared.effort.strategies;
            let names: Vec<&str> = strategies.iter().map(|(name, ..)| *name).collect();
            assert!(names.starts_with(&["random", "fuzz"]), "{names:?}");
            assert!(compared.effort.total.runs > 100);
        }
    }
}
