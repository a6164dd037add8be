//! The worked examples of Böhme's thesis, compared as a user would.

use serde_json::Value;

use super::desk::Desk;

/// Figs 2.1, 2.4 and 2.13: P with some of its three changes.
fn running_example([ch1, ch2, ch3]: [bool; 3]) -> String {
    let a = if ch1 { "i + 1" } else { "i" };
    let b = if ch2 { "j + 1" } else { "j" };
    let o = if ch3 { "o + 1" } else { "2" };
    format!(
        "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n\
         int i = atoi(argv[1]);\nint j = atoi(argv[2]);\n\
         int a = {a};\nint b = 0;\nint o = 0;\nif (a > 0) {{\nb = {b};\no = 1;\n}}\n\
         if (b > 0)\no = {o};\nprintf(\"%d\\n\", o);\nreturn 0;\n}}\n"
    )
}

fn number(witness: &Value, index: usize) -> i64 {
    let arg = &witness["input"]["args"][index];
    arg.as_i64().or_else(|| arg.as_str()?.parse().ok()).unwrap()
}

fn witnesses(report: &Value) -> &[Value] {
    report["witnesses"].as_array().unwrap()
}

#[test]
fn the_running_example_differs_where_its_table_says() {
    let desk = Desk::pair(&running_example([false; 3]), &running_example([true; 3]));
    // Larger numbers wrap around.
    let any = "int:-1000000..1000000";
    let report = desk.report(&["old.c", "new.c", "--arg", any, "--arg", any], 1);
    assert!(!witnesses(&report).is_empty());
    for witness in witnesses(&report) {
        let (i, j) = (number(witness, 0), number(witness, 1));
        assert!(i == 0 || i > 0 && j == 0, "{i} {j}");
    }
}

/// Fig. 2.12 says that one change is applied alone; its outputs are those of all three, as in Fig.
/// 2.13: with the first alone, the output for (0, 0) is 1.
#[test]
fn the_witnesses_of_the_running_example_show_its_outputs() {
    let shown = |new: [bool; 3], i: &str, j: &str| {
        let desk = Desk::pair(&running_example([false; 3]), &running_example(new));
        let [i, j] = [i, j].map(|number| format!("int:{number}..{number}"));
        let report = desk.report(&["old.c", "new.c", "--arg", &i, "--arg", &j], 1);
        let witness = &witnesses(&report)[0];
        [&witness["old"], &witness["new"]].map(|side| side["stdout"].as_str().unwrap().to_owned())
    };
    assert_eq!(shown([true; 3], "0", "-1"), ["0\n", "1\n"]);
    assert_eq!(shown([true; 3], "0", "0"), ["0\n", "2\n"]);
    assert_eq!(shown([true, false, false], "0", "0"), ["0\n", "1\n"]);
}

/// §2.3.3: the third change alone has no visible effect.
#[test]
fn the_third_change_alone_is_equal() {
    let desk = Desk::pair(&running_example([false; 3]), &running_example([false, false, true]));
    let space = ["--arg", "int:-50..50", "--arg", "int:-50..50"];
    let report = desk.report(&[&["old.c", "new.c"][..], &space].concat(), 0);
    assert_eq!(report["verdict"], "equal");
}

/// Fig. 3.2: i = 0 and i > 0 are different, i < 0 is not.
#[test]
fn one_more_is_seen_from_zero_on() {
    let program = |b: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\nint main(int argc, char **argv) {{\n\
             int i = atoi(argv[1]);\nint o = 0;\nint b = {b};\nif (b > 0)\no = b;\n\
             printf(\"%d\\n\", o);\nreturn 0;\n}}\n"
        )
    };
    let desk = Desk::pair(&program("i"), &program("i + 1"));
    let report = desk.report(&["old.c", "new.c", "--arg", "int:-1000000..1000000"], 1);
    assert!(!witnesses(&report).is_empty());
    for witness in witnesses(&report) {
        assert!(number(witness, 0) >= 0, "{witness}");
    }
    let negative = desk.report(&["old.c", "new.c", "--arg", "int:-9999..-1"], 0);
    assert_eq!(negative["verdict"], "equal");
}

/// Fig. 4.5: the interaction of two changes violates an assertion for "0-".
#[test]
fn an_interaction_of_changes_violates_an_assertion() {
    let program = |before: &str, digit: &str, c: &str| {
        format!(
            "#include <assert.h>\n#include <ctype.h>\n#include <stdbool.h>\n\
             int main(int argc, char **argv) {{\nconst char *fs = argv[1];\n\
             int v = 0, c = 0, init = 1;\n{before}while (true) {{\n\
             if (isdigit((unsigned char)*fs)) {{\nv = *fs - '0';\n{digit}}}\n\
             else if (*fs == '-') {{\nc = {c};\ninit = c ? v : 1;\n}}\n\
             else if (*fs == 0) {{\nassert(init != 0);\nbreak;\n}}\nfs++;\n}}\nreturn 0;\n}}\n"
        )
    };
    // As in the figure, no line moves: the message of an assertion contains its line.
    let old = program("\n", "\n", "v");
    let new = program("bool lhs = false;\n", "lhs = true;\n", "lhs");
    let desk = Desk::pair(&old, &new);
    let report = desk.report(&["old.c", "new.c", "--arg", "text:4"], 1);
    let witness = &witnesses(&report)[0];
    assert_eq!(witness["class"], "fault_appeared");
    assert_eq!(witness["input"]["args"][0], "0-");
    let lines: Vec<&str> = new.lines().collect();
    let changed = |why: &Value| {
        let line = why["new"]["line"].as_u64()? as usize;
        why["changed"].as_bool()?.then(|| lines[line - 1])
    };
    let chain: Vec<&str> = witness["why"].as_array().unwrap().iter().filter_map(changed).collect();
    assert!(chain.contains(&"c = lhs;"), "{witness:#}");
}
