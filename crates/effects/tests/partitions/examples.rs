//! The worked examples of Böhme's thesis, and mutants of a function.

use explore::proved::{How, Verdict, Why};

use super::cover::{Explored, explored};
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
        ["1 ≤ arg1: {arg1} | {arg1 + 1}", "arg1 = 0: 0 | {arg1 + 1}", "arg1 ≤ -1: equal",],
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
    let Some(versions) = Versions::new("three-changes", &text, &args) else { return };
    let mut explored = explored(&versions, &["-1", "0"]);
    let violations = explored.violations();
    assert!(violations.is_empty(), "{violations:#?}\n{:#?}", explored.table());
    assert_eq!(explored.partitions.list.len(), 6, "{:#?}", explored.table());
    // The figure has the partitions and marks three of them; it does not merge them. By hand:
    // with i = 0 the second and the third are all of j, with i > 0 the fifth is j = 0.
    let merged = explored.explorer.differs_when(1000).expect("it is short");
    assert_eq!(merged.condition, "arg1 = 0 ∨ (arg2 = 0 ∧ 1 ≤ arg1)");
    assert_eq!(merged.how, How::Exactly);
}

/// Fig. 3.4: a change behind decisions, one of which depends on the input only potentially.
const BEHIND: &str = r#"
  int a = 0, b = 0;
  if (i > 0)
    a = 1;
  for (int c = 0; c < j; c++)
    b += c;
  if (j > 0) {
    if (a > 0) {
#ifdef NEW
      o = 2;
#else
      o = 1;
#endif
    }
  }"#;

/// The condition of the partition that an input is in.
fn condition_of(explored: &Explored<'_>, input: &[&str]) -> Option<(String, Verdict)> {
    let of = explored.of(&explored.versions.input(input));
    let [partition] = of[..] else { return None };
    Some((
        partition.people(explored.explorer.terms(), explored.explorer.words()),
        partition.verdict.clone(),
    ))
}

/// Fig. 3.4.
#[test]
fn a_change_that_is_not_reached_leaves_open_what_does_not_decide_that() {
    let text = program("i j", BEHIND);
    let args = ["int:-20..20", "int:-20..20"];
    let Some(versions) = Versions::new("behind", &text, &args) else { return };
    let explored = explored(&versions, &["0", "1"]);
    let violations = explored.violations();
    assert!(violations.is_empty(), "{violations:#?}\n{:#?}", explored.table());
    let (condition, verdict) = condition_of(&explored, &["0", "1"]).expect("one partition");
    assert_eq!(verdict, Verdict::Equal(Why::NotReached));
    assert_eq!(condition, "arg1 < 1 ∧ 1 ≤ arg2");
    // The rounds of the loop do not matter there.
    assert_eq!(condition_of(&explored, &["-7", "9"]).expect("one partition").0, condition);
}

/// Fig. 3.5: the decision on the changed value is where its effect ends.
#[test]
fn an_effect_that_does_not_propagate_ends_at_a_decision() {
    let text = program(
        "i",
        "  int b;\n#ifdef NEW\n  b = i + 1;\n#else\n  b = i;\n#endif\n  if (b > 0)\n    o = b;",
    );
    let Some(versions) = Versions::new("ends", &text, &["int:-100..100"]) else { return };
    let explored = explored(&versions, &["-1"]);
    let input = versions.input(&["-1"]);
    let of = explored.of(&input);
    let [partition] = of[..] else { panic!("it is in {} partitions", of.len()) };
    assert_eq!(partition.verdict, Verdict::Equal(Why::NotPropagated));
    assert_eq!(partition.people(explored.explorer.terms(), explored.explorer.words()), "arg1 ≤ -1");
    let lines: Vec<Vec<u32>> = partition
        .stops
        .iter()
        .zip(versions.modules())
        .map(|(stops, module)| stops.iter().map(|&at| module.statements[at].span.line).collect())
        .collect();
    let line = text.lines().position(|line| line.contains("if (b > 0)")).expect("it is there");
    assert_eq!(lines, vec![vec![line as u32 + 1]; 2]);
}

/// Whether a changed value is read at all depends on a decision that no change affects.
#[test]
fn a_decision_that_guards_the_use_of_a_changed_value_matters() {
    let text = program(
        "i j",
        "  int x;\n#ifdef NEW\n  x = i + 1;\n#else\n  x = i;\n#endif\n  if (j > 0)\n    o = x;",
    );
    let args = ["int:-20..20", "int:-20..20"];
    let Some(table) = table("guarded", &text, &args, &["0", "0"]) else { return };
    assert_eq!(table, ["1 ≤ arg2: {arg1} | {arg1 + 1}", "arg2 < 1: equal"]);
}

/// A decision that no change affects may preserve a changed value that it overwrites otherwise.
#[test]
fn a_value_that_is_overwritten_on_some_inputs_only_matters() {
    let text = program(
        "i j",
        "#ifdef NEW\n  o = i + 1;\n#else\n  o = i;\n#endif\n  if (j > 0)\n    o = 7;",
    );
    let args = ["int:-20..20", "int:-20..20"];
    let Some(table) = table("overwritten", &text, &args, &["0", "5"]) else { return };
    assert_eq!(table, ["1 ≤ arg2: equal", "arg2 < 1: {arg1} | {arg1 + 1}"]);
}

/// Decisions that no change affects do not multiply partitions.
#[test]
fn unaffected_decisions_do_not_multiply_equal_partitions() {
    let tests: String =
        (1..=6).map(|number| format!("  if (i{number} > {number}) o += {number};\n")).collect();
    let text = program(
        "i1 i2 i3 i4 i5 i6 k",
        &format!(
            "{tests}  int t = 0;\n#ifdef NEW\n  t = k + 1;\n#else\n  t = k;\n#endif\n  \
             if (t > 50)\n    o = -1;"
        ),
    );
    let args = ["int"; 7];
    let Some(versions) = Versions::new("unaffected", &text, &args) else { return };
    let explored = explored(&versions, &["0"; 7]);
    let counts = explored.partitions.counts();
    // Equal below and above, and each differing path by itself.
    assert_eq!(counts.unknown, 0);
    assert!(counts.equal <= 3, "{counts:?}");
    assert!(counts.equal + counts.different < explored.partitions.path_pairs);
}

/// Four mutants of a function.
#[test]
fn three_mutants_of_a_minimum_differ_and_one_is_proved_equal() {
    let mutants = [
        ("if (a > b) m = a; else m = b;", Some("arg1 ≠ arg2")),
        ("if (a < b) m = a; else m = a;", Some("arg2 < arg1")),
        ("if (a <= b) m = a; else m = b;", None),
        ("if (a < b) m = a + 1; else m = b;", Some("arg1 < arg2")),
    ];
    let mut proved = 0;
    for (number, (mutant, when)) in mutants.into_iter().enumerate() {
        let code = format!(
            "  int m;\n#ifdef NEW\n  {mutant}\n#else\n  if (a < b) m = a; else m = b;\n#endif\n  o = m;"
        );
        let text = program("a b", &code);
        let name = format!("minimum-{number}");
        let Some(versions) = Versions::new(&name, &text, &["int", "int"]) else { return };
        let mut explored = explored(&versions, &["0", "0"]);
        let merged = explored.explorer.differs_when(1000);
        assert_eq!(merged.as_ref().map(|merged| &merged.condition[..]), when, "{mutant}");
        assert!(merged.is_none_or(|merged| merged.how == How::Exactly));
        let (counts, differs) = (explored.partitions.counts(), when.is_some());
        assert_eq!(counts.different > 0, differs, "{mutant}: {:#?}", explored.table());
        assert_eq!(explored.partitions.proves_equality(), !differs, "{mutant}");
        proved += usize::from(explored.partitions.proves_equality());
    }
    assert_eq!(proved, 1);
}

/// Too many values to be listed in a short predicate.
#[test]
fn what_all_differences_have_in_common_is_said_where_more_takes_too_many_words() {
    let values = [3, 9, 17, 28, 40, 57, 71, 90];
    let is_one = values.map(|value| format!("a == {value}")).join(" || ");
    let code = format!(
        "  if (b > 50) {{\n    if ({is_one}) {{\n#ifdef NEW\n      o = 2;\n#else\n      o = 1;\n\
         #endif\n    }}\n  }}"
    );
    let text = program("a b", &code);
    let args = ["int:0..99", "int:0..99"];
    let Some(versions) = Versions::new("in-common", &text, &args) else { return };
    let mut explored = explored(&versions, &["0", "0"]);
    let common = explored.explorer.differs_when(1000).expect("something is common");
    assert_eq!(common.condition, "3 ≤ arg1 ≤ 90 ∧ 51 ≤ arg2");
    assert_eq!(common.how, How::Only);
    assert_eq!(explored.misdescribed(&common), Vec::<Vec<u64>>::new());
}
