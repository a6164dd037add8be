//! The adequacy of tests against an interpreter of generated programs, and selections of tests
//! against native runs of the examples.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::Path;

use base::in_parallel;
use explore::Progress;
use inputs::{Flags, Test};
use ripple_effects::adequacy::selection::{Rank, Reduction, Selection, select};
use ripple_effects::adequacy::{Options, Request, adequacy};
use ripple_effects::trial::Scope;
use ripple_effects::{Libc, Loader};
use source::{Compiler, Invocation, NativeRun, check_out_both, run_native};
use testkit::{chains, compiler, compiler_in, pairs, root, scratch};

#[test]
fn chains_of_generated_programs_are_those_of_an_interpreter() {
    let Some(compiler) = compiler("adequacy") else { return };
    let place = scratch("adequacy");
    let seeds: Vec<u64> = (1..=60).collect();
    let compared = in_parallel(&seeds, 2, |&seed| chains::compare(&compiler, &place, seed));
    let mut total = chains::Compared::default();
    let mut failures: Vec<String> = Vec::new();
    for one in compared {
        match one {
            Ok(one) => {
                total.chains += one.chains;
                total.propagated += one.propagated;
                total.shown += one.shown;
            }
            Err(why) => failures.push(why),
        }
    }
    assert!(failures.is_empty(), "{} of 60 fail\n{}", failures.len(), failures[0]);
    // The programs are worth it.
    assert!(total.chains > 150 && total.propagated > 100 && total.shown > 200, "{total:?}");
}

/// The selection of an example's tests for a pair of its versions.
fn selected(
    compiler: &Compiler,
    [old, new]: [&Path; 2],
    (flags, tests): (&Flags, &[Test]),
    reduction: Option<Reduction>,
) -> Selection {
    let paths = source::Selection::of(compiler, &[], &[]);
    let (old, new) =
        check_out_both(old.as_os_str(), new.as_os_str(), &paths).expect("they are there");
    let loader = Loader { compiler, cflags: Vec::new(), libc: Libc::Quick };
    let scope = Scope { loader, entry: None, flags, tests };
    let request = Request { scope, old: &old, new: &new, options: Options::default() };
    select(&request, reduction, &Progress::new(), &|_| ()).expect("both versions build")
}

/// The C files of a version.
fn files(version: &Path) -> Vec<std::path::PathBuf> {
    if !version.is_dir() {
        return vec![version.to_owned()];
    }
    let entries = std::fs::read_dir(version).expect("it can be listed");
    let files = entries.map(|entry| entry.expect("it can be listed").path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|extension| extension == "c")).collect();
    files.sort();
    files
}

fn native(compiler: &Compiler, version: &Path, tests: &[&Test]) -> Vec<NativeRun> {
    let program = compiler.build_native(&files(version), &[], false).expect("it builds");
    let run = |test: &&Test| {
        let args = test.input.args.iter().cloned().map(OsString::from_vec).collect();
        let (stdin, files) = (test.input.stdin.clone(), test.input.files.clone());
        let invocation = Invocation { args, stdin, files, ..Invocation::default() };
        run_native(&program, &invocation, &source::Limits::default()).expect("it runs")
    };
    tests.iter().map(run).collect()
}

/// Which pairs of the examples to look at: one of so many.
const EVERY: usize = 11;

/// The tests that are left out are run natively here, by code that selections know nothing of.
#[test]
fn no_test_of_an_example_that_shows_a_difference_is_left_out() {
    let root = root();
    let Some(compiler) = compiler_in(&root) else { return };
    let examples = pairs::examples(&root).expect("the examples can be read");
    let with_tests: Vec<_> = examples.iter().filter(|one| !one.tests.is_empty()).collect();
    let all: Vec<_> = with_tests
        .iter()
        .flat_map(|example| example.pairs.iter().map(move |pair| (*example, pair)))
        .collect();
    assert!(all.len() >= 20, "{}", all.len());
    // All of them take minutes.
    let few: Vec<_> = all.into_iter().step_by(EVERY).collect();
    let counts = in_parallel(&few, 2, |(example, pair)| {
        let name = format!("{} {}", example.name, pair.name());
        let found =
            selected(&compiler, [&pair.old, &pair.new], (&example.flags, &example.tests), None);
        let numbers = found.selected.iter().map(|one| one.number);
        let mut every: Vec<usize> = numbers.chain(found.unaffected.iter().copied()).collect();
        every.sort_unstable();
        assert_eq!(every, (0..example.tests.len()).collect::<Vec<_>>(), "{name}");
        let ranks: Vec<Rank> = found.selected.iter().map(|one| one.rank).collect();
        assert!(ranks.is_sorted(), "{name}: {ranks:?}");
        let left: Vec<&Test> = found.unaffected.iter().map(|&test| &example.tests[test]).collect();
        if !left.is_empty() {
            let runs = [&pair.old, &pair.new].map(|version| native(&compiler, version, &left));
            for ((old, new), test) in runs[0].iter().zip(&runs[1]).zip(&left) {
                let seen = |run: &NativeRun| (run.end, run.stdout.clone(), run.stderr.clone());
                assert_eq!(seen(old), seen(new), "{name}: {:?} was left out", test.name);
            }
        }
        (left.len(), example.tests.len())
    });
    let (left, tests) = counts.iter().fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1));
    assert!(left > 0 && left < tests, "{left} of {tests} tests are left out");
}

/// Three functions, of which a test calls one or more.
const CALLS: &str = "#include <stdio.h>\n#include <string.h>\n\
    static int first(int n) {\n    if (n > 2)\n        return 1;\n    return n;\n}\n\
    static int second(int n) {\n    return n * 2;\n}\n\
    static int third(int n) {\n    return n - 1;\n}\n\
    int main(int argc, char **argv) {\n    int n = 0;\n    \
    for (const char *at = argc > 1 ? argv[1] : \"\"; *at; at++) {\n        \
    if (*at == 'a')\n            n = first(n);\n        \
    else if (*at == 'b')\n            n = second(n);\n        \
    else if (*at == 'c')\n            n = third(n);\n        \
    else\n            n++;\n    }\n    printf(\"%d\\n\", n);\n    return 0;\n}\n";

fn tests(args: &[&str]) -> Vec<Test> {
    let test = |arg: &&str| {
        let mut test = Test { name: Some((*arg).to_owned()), ..Test::default() };
        test.input.args = vec![arg.as_bytes().to_vec()];
        test
    };
    args.iter().map(test).collect()
}

struct Desk {
    compiler: Compiler,
    files: [std::path::PathBuf; 2],
}

impl Desk {
    fn new(name: &str, old: &str, new: &str) -> Option<Desk> {
        let compiler = compiler(name)?;
        let files = [
            testkit::file(&compiler, &format!("{name}-old"), old),
            testkit::file(&compiler, &format!("{name}-new"), new),
        ];
        Some(Desk { compiler, files })
    }

    /// The chains that tests cover, or propagate along.
    fn covered(&self, args: &[&str], reduction: Reduction) -> BTreeSet<String> {
        let paths = source::Selection::of(&self.compiler, &[], &[]);
        let [old, new] = self.files.each_ref().map(|file| file.as_os_str());
        let (old, new) = check_out_both(old, new, &paths).expect("they are there");
        let loader = Loader { compiler: &self.compiler, cflags: Vec::new(), libc: Libc::Quick };
        let (flags, tests) = (Flags::default(), tests(args));
        let scope = Scope { loader, entry: None, flags: &flags, tests: &tests };
        let request = Request { scope, old: &old, new: &new, options: Options::default() };
        let found = adequacy(&request, &Progress::new(), &|_| ()).expect("both versions build");
        let mut all = BTreeSet::new();
        for line in &found.lines {
            let mut path: Vec<String> = Vec::new();
            for row in &line.tree {
                path.truncate(row.length as usize);
                path.push(format!("{:?} {:?} {:?}", line.version, line.place.line, row.step));
                let counts = match reduction {
                    Reduction::Chains => row.covered,
                    Reduction::Propagation => row.propagated,
                };
                if counts > 0 {
                    all.insert(path.join(" / "));
                }
            }
        }
        all
    }

    fn select(&self, args: &[&str], reduction: Option<Reduction>) -> Selection {
        let files = self.files.each_ref().map(std::path::PathBuf::as_path);
        selected(&self.compiler, files, (&Flags::default(), &tests(args)), reduction)
    }
}

fn ranked(selection: &Selection) -> Vec<(&str, Rank)> {
    let selected = selection.selected.iter();
    selected.map(|one| (one.test.name.as_deref().unwrap_or_default(), one.rank)).collect()
}

#[test]
fn tests_that_do_not_pass_the_change_are_left_out() {
    let Some(desk) = Desk::new("select", CALLS, &CALLS.replace("n * 2", "n * 2 + (n == 2)")) else {
        return;
    };
    let args = ["a", "b", "c", "xxb", "xxbxa", "xxxa", "", "xbb"];
    let found = desk.select(&args, None);
    // 2 gives 5 instead of 4, which `first` turns into 1 again.
    let expected = [
        ("xxb", Rank::Propagates),
        ("xbb", Rank::Propagates),
        ("xxbxa", Rank::Infects),
        ("b", Rank::Reaches),
    ];
    let mut ranks = ranked(&found);
    ranks.sort_by_key(|(name, rank)| (*rank, args.iter().position(|arg| arg == name)));
    let mut wanted = expected.to_vec();
    wanted.sort_by_key(|(name, rank)| (*rank, args.iter().position(|arg| arg == name)));
    assert_eq!(ranks, wanted);
    assert_eq!(found.unaffected, [0, 2, 5, 6]);
    assert_eq!(found.everything, None);
}

#[test]
fn a_test_that_passes_a_deletion_is_selected() {
    let new = CALLS.replace("    if (n > 2)\n        return 1;\n", "");
    let Some(desk) = Desk::new("delete", CALLS, &new) else { return };
    let found = desk.select(&["xa", "xxxa", "xb", "c"], None);
    assert_eq!(found.unaffected, [2, 3]);
    assert_eq!(ranked(&found)[0], ("xxxa", Rank::Propagates));
}

#[test]
fn an_addition_is_passed_where_it_would_be() {
    let new =
        CALLS.replace("    return n - 1;", "    if (n > 3)\n        n = 0;\n    return n - 1;");
    let Some(desk) = Desk::new("add", CALLS, &new) else { return };
    let found = desk.select(&["xc", "xxxxc", "xb", "ca"], None);
    assert_eq!(found.unaffected, [2]);
    assert_eq!(ranked(&found)[0], ("xxxxc", Rank::Propagates));
}

#[test]
fn all_tests_are_selected_if_an_initial_value_changed() {
    let old = CALLS
        .replace("int n = 0;", "int n = start;")
        .replace("static int first", "int start = 0;\nstatic int first");
    let Some(desk) = Desk::new("initial", &old, &old.replace("start = 0", "start = 1")) else {
        return;
    };
    let found = desk.select(&["x", "a", ""], None);
    assert_eq!((found.selected.len(), found.unaffected.len()), (3, 0));
    assert!(found.everything.is_some());
    assert_eq!(ranked(&found)[0].1, Rank::Propagates);
}

/// Chains are counted again without the tests that a reduction leaves out.
#[test]
fn a_reduction_covers_the_same_chains_and_is_the_smallest_for_few_tests() {
    let new =
        CALLS.replace("n > 2", "n > 3").replace("n * 2", "n + n + 1").replace("n - 1", "n - 2");
    let Some(desk) = Desk::new("reduce", CALLS, &new) else { return };
    let args = ["xxa", "xa", "b", "c", "xb", "bb", "ab", "xxxxa", "abc", "x", "cab", "xxbac"];
    for reduction in [Reduction::Chains, Reduction::Propagation] {
        let alone: Vec<BTreeSet<String>> =
            args.iter().map(|arg| desk.covered(&[arg], reduction)).collect();
        let union = |places: &mut dyn Iterator<Item = usize>| -> BTreeSet<&String> {
            places.flat_map(|place| &alone[place]).collect()
        };
        let all = union(&mut (0..args.len()));
        assert_eq!(all, desk.covered(&args, reduction).iter().collect());
        let found = desk.select(&args, Some(reduction));
        let kept: Vec<usize> = found.selected.iter().map(|one| one.number).collect();
        assert_eq!(kept.len() + found.redundant.len() + found.unaffected.len(), args.len());
        assert_eq!(union(&mut kept.iter().copied()), all, "{reduction:?} {kept:?}");
        let smallest = (0_u32..1 << args.len())
            .filter(|chosen| {
                union(&mut (0..args.len()).filter(|bit| chosen >> bit & 1 == 1)) == all
            })
            .map(u32::count_ones)
            .min();
        assert_eq!(smallest, Some(kept.len() as u32), "{reduction:?} {kept:?}");
        assert!(kept.len() < args.len() - 2, "{kept:?}");
    }
    // Of many tests, a greedy choice keeps as much.
    let many: Vec<String> =
        (0..60).map(|number| format!("{}{}", "x".repeat(number % 7), args[number % 12])).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let found = desk.select(&many, Some(Reduction::Chains));
    let kept: Vec<&str> = found.selected.iter().map(|one| many[one.number]).collect();
    assert!(kept.len() < 20, "{kept:?}");
    assert_eq!(desk.covered(&kept, Reduction::Chains), desk.covered(&many, Reduction::Chains));
}

#[test]
fn a_reduction_keeps_tests_that_could_not_be_followed() {
    let Some(desk) = Desk::new("unusual", CALLS, &CALLS.replace("n * 2", "n * 3")) else { return };
    let mut tests = tests(&["xb", "xb", "xb", "a"]);
    tests[2].setting.environment = vec![("MODE".to_owned(), b"fast".to_vec())];
    let files = desk.files.each_ref().map(std::path::PathBuf::as_path);
    let all = (&Flags::default(), &tests[..]);
    let found = selected(&desk.compiler, files, all, Some(Reduction::Chains));
    let kept: Vec<(usize, Rank)> =
        found.selected.iter().map(|one| (one.number, one.rank)).collect();
    assert_eq!(kept, [(0, Rank::Propagates), (2, Rank::Unknown)]);
    assert_eq!((found.redundant, found.unaffected), (vec![1], vec![3]));
}
