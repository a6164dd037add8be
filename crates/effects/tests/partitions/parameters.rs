//! Functions whose parameters are not the same in all versions: parameters are matched by name, and
//! every verdict is checked against all inputs of the common space.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use inputs::Flags;
use ripple_effects::verify::Verified;
use source::Compiler;

use super::several::{compiler, verified};

/// What a version computes from the parameters `a` and `b`; others are 0.
type Computes = fn(i64, i64) -> i64;

struct Case {
    name: &'static str,
    /// The values of `a` and `b` that all versions have.
    values: [(i64, i64); 2],
    versions: [(&'static str, Computes); 3],
    /// By version, the parameters that not all versions have.
    only: [&'static [&'static str]; 3],
    narrowed: &'static [&'static str],
}

const CASES: [Case; 4] =
    [
        Case {
            name: "added",
            values: [(-4, 4), (-3, 5)],
            versions: [
                ("int a, int b) { if (a > b) return a - b; return b; }", |a, b| {
                    if a > b { a - b } else { b }
                }),
                ("int a, int b, int c) { if (a >= b + c) return a - b; return b - c; }", |a, b| {
                    if a >= b { a - b } else { b }
                }),
                ("int c, int a, int b) { if (a > b) return a - b + c; return b; }", |a, b| {
                    if a > b { a - b } else { b }
                }),
            ],
            only: [&[], &["c"], &["c"]],
            narrowed: &[],
        },
        Case {
            name: "removed",
            values: [(-4, 4), (-3, 5)],
            versions: [
                ("int a, int b, int c) { return a * b + c; }", |a, b| a * b),
                ("int a, int c, int b) { if (a == 3) return b + c; return b * a; }", |a, b| {
                    if a == 3 { b } else { a * b }
                }),
                ("int a, int b) { if (a == 3 && b > 0) return b; return b * a; }", |a, b| {
                    if a == 3 && b > 0 { b } else { a * b }
                }),
            ],
            only: [&["c"], &["c"], &[]],
            narrowed: &[],
        },
        Case {
            name: "reordered",
            values: [(-4, 4), (-3, 5)],
            versions: [
                ("int a, int b) { return a - b; }", |a, b| a - b),
                (
                    "int b, int a) { return b == 2 ? a : a - b; }",
                    |a, b| if b == 2 { a } else { a - b },
                ),
                ("int b, int a) { return a < 0 ? b - a : a - b; }", |a, b| {
                    if a < 0 { b - a } else { a - b }
                }),
            ],
            only: [&[], &[], &[]],
            narrowed: &[],
        },
        Case {
            name: "widths",
            values: [(-128, 127), (-3, 5)],
            versions: [
                ("long a, int b) { return a * 2 - b; }", |a, b| a * 2 - b),
                ("signed char a, short b) { return a < -100 ? 0 : a + a - b; }", |a, b| {
                    if a < -100 { 0 } else { 2 * a - b }
                }),
                ("int b, int a) { return a < 100 ? a * 2 - b : b; }", |a, b| {
                    if a < 100 { 2 * a - b } else { b }
                }),
            ],
            only: [&[], &[], &[]],
            narrowed: &["a"],
        },
    ];

impl Case {
    /// Which versions agree on an input, as the number of the first with the same result.
    fn classes(&self, versions: &[usize], a: i64, b: i64) -> Vec<usize> {
        let shown: Vec<i64> = versions.iter().map(|&one| self.versions[one].1(a, b)).collect();
        by_first(&shown)
    }

    /// All inputs that the versions have in common.
    fn inputs(&self) -> impl Iterator<Item = (i64, i64)> {
        let [(low, high), (from, to)] = self.values;
        (low..=high).flat_map(move |a| (from..=to).map(move |b| (a, b)))
    }

    fn verified(&self, compiler: &Compiler, versions: &[usize]) -> Verified {
        let file = |&one: &usize| -> PathBuf {
            let path = compiler.directory.join(format!("parameters-{}-{one}.c", self.name));
            let text = format!("int f({}\nint main(void) {{ return 0; }}\n", self.versions[one].0);
            fs::write(&path, text).expect("the program can be written");
            path
        };
        let files: Vec<PathBuf> = versions.iter().map(file).collect();
        let mut params = vec![b"b=int:-3..5".to_vec()];
        // If `a` has different types, it varies over their common values.
        if self.narrowed.is_empty() {
            params.push(b"a=int:-4..4".to_vec());
        }
        let flags = Flags { params, ..Flags::default() };
        verified(compiler, &files, Some("f"), &flags, &[]).expect("they build")
    }

    /// Checks which versions are proved to agree against all inputs.
    fn check(&self, versions: &[usize], found: &Verified) {
        let name = format!("{} {versions:?}", self.name);
        assert!(found.is_complete && found.counts.unknown == 0, "{name}");
        let mut expected: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        for (a, b) in self.inputs() {
            *expected.entry(self.classes(versions, a, b)).or_default() += 1;
        }
        let mut proved: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        for (classes, portion) in &found.shares.uniform.classes {
            assert!(portion.is_exact, "{name}");
            *proved.entry(by_first(classes)).or_default() += portion.count;
        }
        assert_eq!(proved, expected, "{name}");
    }
}

/// Numbers classes by the first version in each of them.
fn by_first<T: PartialEq>(classes: &[T]) -> Vec<usize> {
    let first = |class: &T| classes.iter().position(|other| other == class).unwrap_or(0);
    classes.iter().map(first).collect()
}

#[test]
fn parameters_are_matched_by_name_over_all_versions() {
    let Some(compiler) = compiler() else { return };
    for case in &CASES {
        let found = case.verified(&compiler, &[0, 1, 2]);
        case.check(&[0, 1, 2], &found);
        assert!(found.counts.different > 0 && found.counts.equal > 0, "{}", case.name);
        assert_eq!(found.space.only, case.only, "{}", case.name);
        assert_eq!(found.space.narrowed, case.narrowed, "{}", case.name);
    }
}

#[test]
fn two_versions_with_other_parameters_agree_as_all_inputs_say() {
    let Some(compiler) = compiler() else { return };
    // The common space of two versions of `widths` is too large to be run.
    for case in CASES.iter().filter(|case| case.narrowed.is_empty()) {
        for versions in [[0, 1], [1, 2], [2, 0]] {
            // The same holds if both have the other parameter, which varies then.
            if versions.iter().any(|&one| case.only[one].is_empty()) {
                case.check(&versions, &case.verified(&compiler, &versions));
            }
        }
    }
}
