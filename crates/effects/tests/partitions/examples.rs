//! The worked examples of Böhme's thesis, and mutants of a function.

use super::cover::explored;
use super::pair::Versions;

/// A program around a piece of code that sets `o` from the arguments.
fn program(variables: &str, code: &str) -> String {
    let reads: String = variables
        .split_whitespace()
        .enumerate()
        .map(|(index, name)| format!("  int {name} = atoi(argv[{}]);\n", index + 1))
        .collect();
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n  int o = 0;\n\
         {reads}{code}\n  printf(\"%d\\n\", o);\n  return 0;\n}}\n"
    )
}

fn table(name: &str, text: &str, args: &[&str], first: &[&str]) -> Option<Vec<String>> {
    let versions = Versions::new(name, text, args)?;
    let explored = explored(&versions, first);
    let violations = explored.violations();
    assert!(violations.is_empty(), "{violations:#?}\n{:#?}", explored.table());
    Some(explored.table())
}

/// Fig. 3.2.
#[test]
fn one_change_gives_three_partitions() {
    let text = program(
        "i",
        "  int b;\n#ifdef NEW\n  b = i + 1;\n#else\n  b = i;\n#endif\n  if (b > 0)\n    o = b;",
    );
    let Some(table) = table("one-change", &text, &["int:-100..100"], &["-1"]) else { return };
    assert_eq!(
        table,
        [
            "1 ≤ arg1 ≤ 2147483646: {arg1} | {arg1 + 1}",
            "arg1 = 0: 0 | {arg1 + 1}",
            "arg1 ≤ -1: equal",
        ],
    );
}

/// Fig. 2.1 and 2.13.
#[test]
fn three_changes_give_six_partitions() {
    let text = program(
        "i j",
        r#"
  int a, b = 0;
#ifdef NEW
  a = i + 1;
#else
  a = i;
#endif
  if (a > 0) {
#ifdef NEW
    b = j + 1;
#else
    b = j;
#endif
    o = 1;
  }
  if (b > 0) {
#ifdef NEW
    o = o + 1;
#else
    o = 2;
#endif
  }"#,
    );
    let args = ["int:-100..100", "int:-100..100"];
    let Some(table) = table("three-changes", &text, &args, &["-1", "0"]) else { return };
    assert_eq!(table.len(), 6, "{table:#?}");
}
