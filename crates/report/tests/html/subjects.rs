//! Comparisons for the tests of reports: pairs of the examples, and sources made here.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use effects::adequacy::{self, Adequacy};
use effects::compare::{Compared, Options, Request, Strategy, compare};
use effects::trial::{Saving, Scope};
use effects::verify::{self, Natively, Verification};
use effects::{Libc, Loader};
use explore::{Budget, Progress};
use inputs::{Flags, Test};
use source::{Checkout, Compiler, Selection};
use testkit::pairs::examples;
use testkit::{compiler_in, root};

fn check_out(compiler: &Compiler, path: &Path) -> Checkout {
    let selection = Selection::of(compiler, &[], &[]);
    source::check_out(path.as_os_str(), &selection).expect("the version is there")
}

pub fn compare_paths(
    compiler: &Compiler,
    [old, new]: [&Path; 2],
    flags: &Flags,
    tests: &[Test],
    runs: u64,
) -> Compared {
    let strategy = Strategy::Portfolio;
    compare_by(compiler, [old, new], flags, tests, (strategy, runs))
}

fn compare_by(
    compiler: &Compiler,
    [old, new]: [&Path; 2],
    flags: &Flags,
    tests: &[Test],
    (strategy, runs): (Strategy, u64),
) -> Compared {
    let (old, new) = (check_out(compiler, old), check_out(compiler, new));
    let request = Request {
        scope: Scope {
            loader: Loader { compiler, cflags: Vec::new(), libc: Libc::Quick },
            entry: None,
            flags,
            tests,
        },
        old: &old,
        new: &new,
        golden: None,
        options: Options {
            budget: Budget {
                time: Some(Duration::from_secs(30)),
                runs: Some(runs),
                ..Budget::default()
            },
            illustrated: true,
            strategy,
            ..Options::default()
        },
    };
    compare(&request, &Progress::new(), &|_| ()).expect("both versions build")
}

/// A pair of an example, by the names of both.
pub fn example(compiler: &Compiler, name: &str, pair: &str) -> Compared {
    let examples = examples(&root()).expect("the manifests can be read");
    let example = examples.iter().find(|example| example.name == name).expect("an example");
    let pair = example.pairs.iter().find(|found| found.name() == pair).expect("a pair");
    // Names relative to the root, as people type them.
    let short = |path: &Path| path.strip_prefix(root()).expect("it is below").to_owned();
    let (old, new) = (short(&pair.old), short(&pair.new));
    compare_paths(compiler, [&old, &new], &example.flags, &example.tests, 3_000)
}

/// Names, sources and outputs that try to be more than text.
pub fn hostile(directory: &Path) -> Option<Compared> {
    let name = "<img src=x onerror=\"document.title='owned'\">\u{1b}[31m";
    let (old, new) = (directory.join(format!("{name}1.c")), directory.join(format!("{name}2.c")));
    let long = "x".repeat(1 << 20);
    let source = |number: u32| {
        let mut text = format!(
            "#include <stdio.h>\n\
             /* </script><script>document.title='owned'</script> <!-- \u{202e} ]]> */\n\
             /* {long} */\n\
             int main(int argc, char **argv) {{\n\
             int n = argc > 1 ? argv[1][0] : 0; /* "
        )
        .into_bytes();
        text.extend(b"\xff\xfe \x1b[2J */\n");
        text.extend(
            format!(
                "printf(\"</td></table><script>document.title='owned'</script>\\033[31m\");\n\
                 fwrite(\"\\0\\377\\xe2\\x80\\xae&amp;\", 1, 10, stdout);\n\
                 for (int i = 0; i < 40000; i++) putchar('<');\n\
                 printf(\"\\033[2J%d\\n\", n > 64 ? n + {number} : n);\n\
                 return 0;\n}}\n"
            )
            .into_bytes(),
        );
        text
    };
    fs::write(&old, source(0)).expect("it can be written");
    fs::write(&new, source(1)).expect("it can be written");
    let compiler = compiler_in(directory)?;
    let flags = Flags { args: vec![b"str:3".to_vec()], ..Flags::default() };
    let test = r#"{"name": "</td><script>document.title='owned'</script>", "args": ["a"]}"#;
    let tests = inputs::parse_tests(Path::new("t.jsonl"), test.as_bytes(), &|path| fs::read(path));
    let short = |path: &Path| PathBuf::from(path.file_name().expect("a name"));
    let (old, new) = (short(&old), short(&new));
    Some(compare_paths(&compiler, [&old, &new], &flags, &tests.expect("a test"), 200))
}

/// A function of three numbers and a text whose partitions cover the whole space.
struct Proved {
    compiler: Compiler,
    flags: Flags,
    tests: Vec<Test>,
    versions: [&'static Path; 2],
}

impl Proved {
    fn write(directory: &Path) -> Option<Proved> {
        let source = |bound: u32| {
            format!(
                "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n\
                 int i = atoi(argv[1]), j = atoi(argv[2]), k = atoi(argv[3]), o = 0;\n\
                 if (i > 0) o = j > {bound} && k > 7 ? 2 : 1;\n\
                 if (argv[4][0] == 'x') o = 3;\n\
                 printf(\"</td><script>document.title='owned'</script>%d\\n\", o);\n\
                 return 0;\n}}\n"
            )
        };
        fs::write(directory.join("less.c"), source(3)).expect("it can be written");
        fs::write(directory.join("more.c"), source(12)).expect("it can be written");
        let args = ["int", "int:0..20", "int", "str:2"].map(|arg| arg.as_bytes().to_vec()).into();
        let test = r#"{"args": ["1", "9", "8", "a"]}"#;
        let read = |path: &Path| fs::read(path);
        let tests = inputs::parse_tests(Path::new("t.jsonl"), test.as_bytes(), &read);
        Some(Proved {
            compiler: compiler_in(directory)?,
            flags: Flags { args, ..Flags::default() },
            tests: tests.expect("a test"),
            versions: [Path::new("less.c"), Path::new("more.c")],
        })
    }
}

pub fn proved(directory: &Path) -> Option<Compared> {
    let Proved { compiler, flags, tests, versions } = Proved::write(directory)?;
    let how = (Strategy::Partitions, 10_000);
    Some(compare_by(&compiler, versions, &flags, &tests, how))
}

/// The same, verified.
pub fn verified(directory: &Path) -> Option<Verification> {
    let Proved { compiler, flags, tests, versions } = Proved::write(directory)?;
    let versions = versions.map(|version| check_out(&compiler, version));
    let request = verify::Request {
        scope: Scope {
            loader: Loader { compiler: &compiler, cflags: Vec::new(), libc: Libc::Open },
            entry: None,
            flags: &flags,
            tests: &tests,
        },
        versions: &versions,
        options: verify::Options::default(),
    };
    let wanted = Natively { planes: true, ..Natively::default() };
    let progress = Progress::new();
    let verification =
        verify::verify_and_replay(&request, wanted, Saving::default(), &progress, &|_| ());
    Some(verification.expect("it can be verified"))
}

/// The adequacy of a few tests for an example, with mutants and a chain tree.
pub fn judged(compiler: &Compiler) -> Adequacy {
    let examples = examples(&root()).expect("the manifests can be read");
    let example = examples.iter().find(|example| example.name == "tariff").expect("an example");
    let pair = &example.pairs[0];
    let short = |path: &Path| path.strip_prefix(root()).expect("it is below").to_owned();
    let versions = [short(&pair.old), short(&pair.new)].map(|path| check_out(compiler, &path));
    let request = adequacy::Request {
        scope: Scope {
            loader: Loader { compiler, cflags: Vec::new(), libc: Libc::Quick },
            entry: None,
            flags: &example.flags,
            tests: &example.tests,
        },
        old: &versions[0],
        new: &versions[1],
        options: adequacy::Options { mutants: true, ..adequacy::Options::default() },
    };
    adequacy::adequacy(&request, &Progress::new(), &|_| ()).expect("it can be judged")
}

/// Ten thousand lines, and one that differs.
pub fn large(directory: &Path) -> Option<Compared> {
    let source = |step: u32| {
        let mut text = "#include <stdio.h>\n#include <stdlib.h>\n".to_owned();
        for function in 0..1000 {
            let step = if function == 500 { step } else { 1 };
            text.push_str(&format!(
                "static int f{function}(int n)\n{{\n    int sum = 0;\n    \
                 for (int i = 0; i < n % 5; i++) {{\n        sum += i + {step};\n        \
                 if (sum > 100)\n            sum -= 7;\n    }}\n    return sum;\n}}\n"
            ));
        }
        text.push_str("int main(int argc, char **argv)\n{\n    int n = argc > 1 ? atoi(argv[1]) : 0;\n    long all = 0;\n");
        for function in 0..1000 {
            text.push_str(&format!("    all += f{function}(n);\n"));
        }
        text + "    printf(\"%ld\\n\", all);\n    return 0;\n}\n"
    };
    let (old, new) = (directory.join("old.c"), directory.join("new.c"));
    fs::write(&old, source(1)).expect("it can be written");
    fs::write(&new, source(2)).expect("it can be written");
    let compiler = compiler_in(directory)?;
    let flags = Flags { args: vec![b"int:0..100".to_vec()], ..Flags::default() };
    Some(compare_paths(&compiler, [Path::new("old.c"), Path::new("new.c")], &flags, &[], 300))
}
