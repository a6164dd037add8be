//! `ripple requirements`: the tables of the literature, and small programs against brute force.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

#[path = "requirements/oracle.rs"]
mod oracle;

use std::collections::{BTreeMap, BTreeSet};

use base::random::Random;
use serde_json::Value;
use testkit::desk::Desk;

/// Program E of Santelices et al. (2008), Fig. 1.
const E: &str = "\
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    int x = atoi(argv[1]), y = atoi(argv[2]);
    if (x <= 2)
        y = y + 1;
    else
        y = y - 1;
    if (y > 2)
        puts(\"1\");
    else
        puts(\"0\");
    return 0;
}
";

fn first() -> String {
    E.replace("x <= 2", "x > 2")
}

fn second(text: &str) -> String {
    text.replace("y = y - 1;\n", "y = y - 1;\n    y *= 2;\n")
}

/// All inputs of the example.
fn inputs() -> String {
    (1..=10).flat_map(|x| (1..=10).map(move |y| format!("{x} {y}\n"))).collect()
}

fn desk(old: &str, new: &str) -> Desk {
    let files = [("old.c", old), ("new.c", new), ("tests.txt", &inputs())];
    Desk::of(&["requirements"], &files)
}

const VERSIONS: [&str; 6] = ["old.c", "new.c", "--tests", "tests.txt", "--format", "json"];

fn report(desk: &Desk, code: i32, more: &[&str]) -> Value {
    let args: Vec<&str> = VERSIONS.iter().chain(more).copied().collect();
    let said = desk.run(&args);
    assert_eq!(said.code, code, "{}{}", said.out, said.err);
    serde_json::from_str(&said.out).unwrap()
}

/// A chain as `6 true 7 y 10`.
fn lines(chain: &Value) -> String {
    let steps = chain["steps"].as_array().unwrap();
    let mut text = steps.first().map_or(String::new(), |step| step["from"]["line"].to_string());
    for step in steps {
        text += &format!(" {} {}", step["through"].as_str().unwrap(), step["to"]["line"]);
    }
    text
}

fn count(list: &Value) -> usize {
    list.as_array().unwrap().len()
}

fn chains(report: &Value) -> impl Iterator<Item = &Value> {
    let changes = report["changes"].as_array().unwrap();
    changes.iter().flat_map(|change| change["chains"].as_array().unwrap())
}

/// For each chain: how many inputs take it, and satisfy Condition 1 and Condition 2.
fn table(report: &Value) -> BTreeMap<String, [usize; 3]> {
    let row = |chain: &Value| {
        let of = |which: &str| count(&chain[which]["satisfied"]);
        (lines(chain), [count(&chain["covered"]), of("values"), of("path")])
    };
    chains(report).map(row).collect()
}

fn expected(rows: &[(&str, [usize; 3])]) -> BTreeMap<String, [usize; 3]> {
    rows.iter().map(|(chain, counts)| ((*chain).to_owned(), *counts)).collect()
}

#[test]
fn all_chains_of_table_1_have_the_numbers_of_the_paper() {
    if testkit::compiler("requirements").is_none() {
        return;
    }
    let desk = desk(E, &first());
    // The statements 1, 2, 4, 6, 7 and 9 of the paper are in the lines 6, 7, 9, 10, 11 and 13.
    //
    // The columns `difference` of Table 1 are inputs whose output differs. For chains that end at
    // an output those are the ones that satisfy a state requirement. Shorter chains end earlier, and
    // by §3.2.2 their ends differ for all inputs: OLD does not come to 2 where NEW does, and y is
    // another one at 6 (y + 1 and y - 1), always.
    let one = report(&desk, 0, &["--distance", "1"]);
    assert_eq!(table(&one), expected(&[("6 true 7", [80, 0, 80]), ("6 false 9", [20, 0, 20])]));
    let two = report(&desk, 0, &["--distance", "2"]);
    let of_two = [("6 true 7 y 10", [80, 80, 0]), ("6 false 9 y 10", [20, 20, 0])];
    assert_eq!(table(&two), expected(&of_two));
    let three = report(&desk, 0, &["--distance", "3"]);
    let of_three = [
        ("6 true 7 y 10 true 11", [72, 0, 16]),
        ("6 true 7 y 10 false 13", [8, 0, 0]),
        ("6 false 9 y 10 true 11", [14, 0, 0]),
        ("6 false 9 y 10 false 13", [6, 0, 4]),
    ];
    assert_eq!(table(&three), expected(&of_three));
    let verdicts = |which: &str| {
        let all = chains(&three).map(|chain| {
            let verdict =
                if which.is_empty() { &chain["verdict"] } else { &chain[which]["verdict"] };
            (lines(chain), verdict.as_str().unwrap().to_owned())
        });
        all.collect::<BTreeMap<_, _>>()
    };
    // x and y are dead at 7 and 9, so Condition 1 cannot hold.
    assert!(verdicts("values").values().all(|verdict| verdict == "unsatisfiable"));
    let verdicts = verdicts("");
    assert_eq!(verdicts["6 true 7 y 10 true 11"], "satisfiable");
    assert_eq!(verdicts["6 true 7 y 10 false 13"], "unsatisfiable");
    assert_eq!(verdicts["6 false 9 y 10 true 11"], "unsatisfiable");
    assert_eq!(verdicts["6 false 9 y 10 false 13"], "satisfiable");
    // A change of nothing else gives the same requirements, whether paths are merged or not.
    let alone = report(&desk, 0, &["--distance", "3", "--no-merge"]);
    assert_eq!(table(&alone), table(&three));
}

#[test]
fn requirements_of_several_changes_are_those_of_the_paper() {
    if testkit::compiler("requirements").is_none() {
        return;
    }
    // Change 2 alone: y is doubled before 6. It differs there unless y is 0, which it is for
    // x > 2 and y = 1; OLD does not come to 7 if y was at most 2 and is not after it.
    let alone = report(&desk(E, &second(E)), 0, &["--distance", "1"]);
    assert_eq!(table(&alone), expected(&[("10 y 11", [100, 92, 0])]));
    let alone = report(&desk(E, &second(E)), 0, &["--distance", "3"]);
    assert_eq!(table(&alone)["10 y 11 true 12"], [84, 0, 10]);

    // Both: y is always another one at the entry of change 2 because change 1 made it so.
    let both = desk(E, &second(&first()));
    let tracked = report(&both, 0, &["--distance", "1"]);
    assert_eq!(table(&tracked)["10 y 11"], [100, 0, 0]);
    let clear =
        both.run(&[&VERSIONS[..], &["--infection", "clear-path", "--distance", "1"]].concat());
    assert_eq!(clear.code, 0, "{}", clear.err);
    let clear: Value = serde_json::from_str(&clear.out).unwrap();
    let changes = clear["changes"].as_array().unwrap();
    assert_eq!(changes[0]["clear"], true);
    assert_eq!(changes[1]["clear"], false);
    assert_eq!(changes[1]["chains"][0]["stateless"], "no_clear_path");
    assert_eq!(changes[1]["chains"][0]["values"], Value::Null);
    // Change 1 is before all others, so nothing changes for it.
    assert_eq!(changes[0]["chains"], tracked["changes"][0]["chains"]);

    // Changes at 2 and 4 do not affect each other.
    let apart = E.replace("y + 1", "y + 2").replace("y - 1", "y - 2");
    let apart = report(&desk(E, &apart), 0, &["--distance", "1", "--infection", "clear-path"]);
    assert_eq!(table(&apart), expected(&[("7 y 10", [20, 20, 0]), ("9 y 10", [80, 80, 0])]));
    assert!(apart["changes"].as_array().unwrap().iter().all(|change| change["clear"] == true));
}

#[test]
fn conditions_are_over_the_values_at_the_entry_of_the_change() {
    if testkit::compiler("requirements").is_none() {
        return;
    }
    let said = desk(E, &first()).run(&["old.c", "new.c"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("4 chains from 1 changed statement: 2 can be satisfied, 2 cannot"));
    let way = "OLD does not come there: 2 ≤ y ≤ 3 ∧ 3 ≤ x";
    let other = "OLD does not come there: 3 ≤ x ∧ 2 ≤ y ≤ 3";
    assert!(said.out.contains(way) || said.out.contains(other), "{}", said.out);
}

#[test]
fn a_deleted_definition_is_a_change_and_what_is_not_followed_is_incomplete() {
    if testkit::compiler("requirements").is_none() {
        return;
    }
    let old = E.replace("    if (y > 2)", "    y = y * 3;\n    if (y > 2)");
    let deleted = report(&desk(&old, E), 0, &["--distance", "1"]);
    assert_eq!(deleted["changes"][0]["version"], "old");
    // y is another one at 6 unless it is 0 there, which 8 inputs make it: x > 2 and y = 1.
    assert_eq!(table(&deleted), expected(&[("10 y 10", [100, 92, 0])]));

    let old = "\
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    int x = atoi(argv[1]), y = 0;
    for (int i = 0; i < x; i++)
        y = y + 2;
    printf(\"%d\\n\", y);
    return 0;
}
";
    let new = old.replace("y + 2", "y + 3");
    let looped = desk(old, &new);
    let said = looped.run(&["old.c", "new.c", "--distance", "1"]);
    assert_eq!(said.code, 3, "{}", said.out);
    assert!(said.out.contains("go round a loop more often than --loop-bound"), "{}", said.out);
    let report = report(&looped, 3, &["--distance", "1", "--loop-bound", "2"]);
    for chain in chains(&report) {
        assert_ne!(chain["verdict"], "unsatisfiable", "{chain}");
    }
}

#[test]
fn effects_in_a_caller_are_found() {
    if testkit::compiler("requirements").is_none() {
        return;
    }
    let old = "\
#include <stdio.h>
#include <stdlib.h>
static int price(int grams, int base) {
    int cents = base + 100;
    if (grams > 5)
        cents = cents + 50;
    return cents;
}
int main(int argc, char **argv) {
    int grams = atoi(argv[1]), base = atoi(argv[2]);
    int all = price(grams, base);
    if (all > 105)
        puts(\"1\");
    printf(\"%d\\n\", price(1, all));
    return 0;
}
";
    let report =
        report(&desk(old, &old.replace("cents + 50", "cents + 60")), 0, &["--distance", "2"]);
    let rows = table(&report);
    // Half of the inputs take the change in the first call, none in the second.
    assert_eq!(rows["6 cents 7 value 11"], [50, 50, 0], "{rows:?}");
    assert_eq!(rows["6 cents 7 value 14"][0], 0, "{rows:?}");
}

/// Functions with a change each, in both versions.
struct Generated {
    old: String,
    new: String,
    /// By function: both bodies, and the changed line.
    bodies: Vec<([Vec<oracle::Statement>; 2], u32)>,
}

fn generate(seed: u64) -> Generated {
    let mut random = Random::new(seed);
    let head = ["#include <stdio.h>", "#include <stdlib.h>"];
    let mut texts: [Vec<String>; 2] = [(); 2].map(|()| head.map(str::to_owned).to_vec());
    let mut bodies = Vec::new();
    for number in 0..8 {
        for text in &mut texts {
            text.push(format!("static void f{number}(int x, int y) {{"));
            text.push("int z = 0;".to_owned());
        }
        let mut line = texts[0].len() as u32 + 1;
        let old = oracle::statements(&mut random, &mut line, 0, 6);
        let mut places = Vec::new();
        oracle::changeable(&old, &mut places);
        let at = places.get(random.next() as usize % places.len().max(1)).copied().unwrap_or(0);
        let mut new = old.clone();
        oracle::change(&mut new, at);
        let both = [old, new];
        for (text, body) in texts.iter_mut().zip(&both) {
            oracle::text(body, text);
            text.push("}".to_owned());
        }
        bodies.push((both, at));
    }
    for text in &mut texts {
        text.push("int main(int argc, char **argv) {".to_owned());
        text.push("int x = atoi(argv[1]), y = atoi(argv[2]);".to_owned());
        text.extend((0..8).map(|number| format!("f{number}(x, y);")));
        text.push("return 0;".to_owned());
        text.push("}".to_owned());
    }
    let [old, new] = texts.map(|text| text.join("\n") + "\n");
    Generated { old, new, bodies }
}

/// Whether a run takes the steps of a chain.
fn takes(ran: &oracle::Ran, chain: &Value) -> bool {
    chain["steps"].as_array().unwrap().iter().all(|step| {
        let line = |place: &str| step[place]["line"].as_u64().unwrap() as u32;
        let (from, to) = (line("from"), line("to"));
        let through = step["through"].as_str().unwrap();
        let is_there = ran.entries.contains_key(&to);
        is_there
            && match step["kind"].as_str().unwrap() {
                "control" => ran.decisions.get(&to) == Some(&(from, through == "true")),
                _ => {
                    let variable = oracle::VARIABLES.iter().position(|name| *name == through);
                    ran.uses.get(&(to, variable.unwrap())) == Some(&from)
                }
            }
    })
}

#[test]
fn brute_force_agrees_about_generated_programs() {
    if testkit::compiler("requirements").is_none() {
        return;
    }
    let mut known = BTreeMap::new();
    for seed in 0..5 {
        let Generated { old, new, bodies } = generate(seed);
        let report = report(&desk(&old, &new), 0, &["--distance", "4"]);
        for change in report["changes"].as_array().unwrap() {
            let at = change["place"]["line"].as_u64().unwrap() as u32;
            let ([before, after], _) = bodies.iter().find(|(_, line)| *line == at).unwrap();
            let mut live = BTreeMap::new();
            let mut theirs = BTreeMap::new();
            oracle::live(after, BTreeSet::new(), &mut live);
            oracle::live(before, BTreeSet::new(), &mut theirs);
            for chain in change["chains"].as_array().unwrap() {
                let verdict = chain["verdict"].as_str().unwrap();
                *known.entry(verdict.to_owned()).or_insert(0) += 1;
                assert_ne!(verdict, "incomplete", "seed {seed}: {chain}");
                let steps = chain["steps"].as_array().unwrap();
                let Some(last) = steps.last() else { continue };
                let end = last["to"]["line"].as_u64().unwrap() as u32;
                let (mut covered, mut shown) = (Vec::new(), Vec::new());
                for test in 0..100_i64 {
                    let input = [test / 10 + 1, test % 10 + 1, 0];
                    let (one, two) = (oracle::run(before, input), oracle::run(after, input));
                    if !two.entries.contains_key(&at) || !takes(&two, chain) {
                        continue;
                    }
                    covered.push(test + 1);
                    let differs = match one.entries.get(&end) {
                        None => true,
                        Some(values) => {
                            let mut live = live[&end].union(&theirs[&end]);
                            live.any(|&variable| values[variable] != two.entries[&end][variable])
                        }
                    };
                    if differs {
                        shown.push(test + 1);
                    }
                }
                let said = |what: &str| -> Vec<i64> {
                    chain[what]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|one| one.as_i64().unwrap())
                        .collect()
                };
                assert_eq!(said("covered"), covered, "seed {seed}: {}\n{new}", lines(chain));
                assert_eq!(said("satisfied"), shown, "seed {seed}: {}\n{new}", lines(chain));
                if verdict == "unsatisfiable" {
                    assert!(shown.is_empty(), "seed {seed}: {}", lines(chain));
                }
            }
        }
    }
    // The comparison is about something.
    assert!(known["satisfiable"] > 40 && known["unsatisfiable"] > 5, "{known:?}");
}

#[test]
fn nothing_is_called_impossible_where_pointers_may_meet() {
    if testkit::compiler("requirements").is_none() {
        return;
    }
    let old = "\
#include <stdio.h>
#include <stdlib.h>
static void set(int *p, int *q, int x) {
    *p = x;
    if (*q > 5)
        puts(\"1\");
}
int main(int argc, char **argv) {
    int a = 0, x = atoi(argv[1]);
    set(&a, &a, x);
    return 0;
}
";
    // Partial runs give each pointer an object of its own, so none of them takes this chain.
    let desk = desk(old, &old.replace("= x;\n    if", "= x + 1;\n    if"));
    let report = report(&desk, 3, &["--distance", "2"]);
    assert_eq!(count(&report["changes"][0]["chains"]), 1);
    let chain = &report["changes"][0]["chains"][0];
    assert_eq!(chain["verdict"], "incomplete", "{chain}");
    assert_eq!(count(&chain["covered"]), 60, "{chain}");
    let gaps = chain["path"]["gaps"].as_array().unwrap();
    assert!(gaps.iter().any(|gap| gap["kind"] == "alias"), "{chain}");
}

#[test]
fn both_versions_follow_an_unknown_pointer_to_the_same_object() {
    if testkit::compiler("requirements").is_none() {
        return;
    }
    let old = "\
#include <stdio.h>
static int get(int *p, int r) {
    r = r + 1;
    if (*p > 3)
        r = r + 7;
    return r;
}
int main(int argc, char **argv) {
    int a = argc;
    printf(\"%d\\n\", get(&a, argc));
    return 0;
}
";
    let desk = desk(old, &old.replace("r + 1", "r + 2"));
    let report = report(&desk, 3, &["--distance", "1"]);
    for chain in chains(&report) {
        assert_eq!(chain["values"]["verdict"], "satisfiable", "{chain}");
        // Whether OLD comes there does not depend on the change; that no pointer leads elsewhere is
        // not known.
        assert_eq!(chain["path"]["verdict"], "incomplete", "{chain}");
    }
}
