//! Several versions, and the examples, through the interface for users.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use explore::proved::Verdict;
use explore::{Budget, Progress};
use inputs::{Flags, Test};
use ripple_effects::trial::Scope;
use ripple_effects::verify::{Options, Request, Verified, verify};
use ripple_effects::{Error, Libc, Loader};
use source::{Checkout, Compiler, Selection, check_out};

pub fn compiler() -> Option<Compiler> {
    testkit::compiler("several")
}

/// Of `main`, or of the named function.
pub fn verified(
    compiler: &Compiler,
    files: &[PathBuf],
    entry: Option<&str>,
    flags: &Flags,
    tests: &[Test],
) -> Result<Verified, Error> {
    let selection = Selection {
        directory: &compiler.directory,
        paths: &[],
        cflags: &[],
        cache: &compiler.cache,
    };
    let version = |file: &PathBuf| check_out(file.as_os_str(), &selection).expect("it is there");
    let versions: Vec<Checkout> = files.iter().map(version).collect();
    let request = Request {
        scope: Scope {
            loader: Loader { compiler, cflags: Vec::new(), libc: Libc::Open },
            entry,
            flags,
            tests,
        },
        versions: &versions,
        options: Options {
            budget: Budget { time: Some(Duration::from_secs(60)), ..Budget::default() },
            ..Options::default()
        },
    };
    verify(&request, &Progress::new())
}

fn with_args(args: &[&str]) -> Flags {
    let args = args.iter().map(|arg| arg.as_bytes().to_vec()).collect();
    Flags { args, ..Flags::default() }
}

#[test]
fn partitions_of_several_versions_tell_which_of_them_agree() {
    let Some(compiler) = compiler() else { return };
    let version = |number: usize, code: &str| {
        let file = compiler.directory.join(format!("version-{number}.c"));
        let text = format!(
            "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n  \
             int i = atoi(argv[1]), o = 0;\n  {code}\n  printf(\"%d\\n\", o);\n  return 0;\n}}\n"
        );
        fs::write(&file, text).expect("the program can be written");
        file
    };
    let files = [
        version(0, "if (i > 0) o = 1;"),
        version(1, "if (i > 10) o = 1;"),
        version(2, "if (i >= 1) o = 1;"),
    ];
    let found = verified(&compiler, &files, None, &with_args(&["int"]), &[]).expect("they build");
    assert!(found.is_complete && found.counts.unknown == 0);
    let mut table: Vec<(&str, &[usize])> =
        found.partitions.iter().map(|one| (one.condition.as_str(), &one.classes[..])).collect();
    table.sort();
    assert_eq!(
        table,
        [("1 ≤ arg1 < 11", &[0, 1, 0][..]), ("11 ≤ arg1", &[0, 0, 0]), ("arg1 < 1", &[0, 0, 0])],
    );
    assert!(matches!(
        verified(&compiler, &files[..1], None, &with_args(&["int"]), &[]),
        Err(Error::TooFewVersions)
    ));
}

/// All arguments are arbitrary numbers of 32 bits.
#[test]
fn equal_versions_of_an_example_are_proved_equal_and_others_are_not() {
    let Some(compiler) = compiler() else { return };
    let examples = testkit::pairs::examples(&testkit::root()).expect("the manifests can be read");
    let avoid = examples.iter().find(|example| example.name == "avoid").expect("it is there");
    for name in ["v1-v2", "v1-v3", "v4-v9", "v4-v16"] {
        let pair = avoid.pairs.iter().find(|pair| pair.name() == name).expect("it is there");
        let files = [pair.old.clone(), pair.new.clone()];
        let flags = with_args(&["int"; 12]);
        let found = verified(&compiler, &files, None, &flags, &avoid.tests).expect("they build");
        assert!(found.is_complete, "{name}");
        assert_eq!(found.is_equal, !pair.differs, "{name}");
        assert_eq!(found.counts.different > 0, pair.differs, "{name}");
        assert!(found.partitions.len() <= found.path_pairs, "{name}");
        let different = |one: &&Verdict| **one == Verdict::Different;
        let verdicts = found.partitions.iter().map(|one| &one.verdict);
        assert_eq!(verdicts.filter(different).count(), found.counts.different);
    }
}
