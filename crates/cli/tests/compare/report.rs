//! The JSON report has the members that the documentation lists, and no others.

use serde_json::Value;

use crate::desk::Desk;
use crate::members::{Members, Objects, collect, documented};

const DOCUMENTATION: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/compare.md"));

/// Members whose values are objects that have a table of their own.
const OBJECTS: &Objects = &[
    ("report", "guarantee", "guarantee"),
    ("report", "old", "version"),
    ("report", "new", "version"),
    ("report", "golden", "version"),
    ("report", "space", "space"),
    ("report", "witnesses", "witness"),
    ("report", "accepted", "accepted"),
    ("report", "unconfirmed", "unconfirmed"),
    ("report", "slower", "slower"),
    ("report", "hunks", "hunk"),
    ("hunk", "conditions", "condition"),
    ("hunk", "reached", "hunk runs"),
    ("report", "limits", "limit"),
    ("report", "effort", "effort"),
    ("report", "positions", "position"),
    ("space", "tests_left_out", "test left out"),
    ("witness", "lapsed", "lapsed"),
    ("witness", "old", "behaviour"),
    ("witness", "new", "behaviour"),
    ("witness", "golden", "golden"),
    ("witness", "reached", "sides"),
    ("witness", "responsible", "sides"),
    ("witness", "left", "left"),
    ("witness", "unlike_machine", "unlike machine"),
    ("witness", "infected", "step"),
    ("witness", "why", "step"),
    ("witness", "found_after", "spent"),
    ("golden", "behaviour", "behaviour"),
    ("unconfirmed", "old", "behaviour"),
    ("unconfirmed", "new", "behaviour"),
    ("behaviour", "files", "file"),
    ("behaviour", "fault", "fault"),
    ("fault", "place", "place"),
    ("fault", "stack", "place"),
    ("sides", "old", "place"),
    ("sides", "new", "place"),
    ("step", "old", "place"),
    ("step", "new", "place"),
    ("guarantee", "partitions", "counts"),
    ("report", "partitions", "partitions"),
    ("partitions", "counts", "counts"),
    ("partitions", "shares", "shares"),
    ("partitions", "differs_when", "predicate"),
    ("partitions", "list", "partition"),
    ("shares", "uniform", "share"),
    ("shares", "tests", "share"),
    ("share", "equal", "portion"),
    ("share", "left", "portion"),
    ("partition", "changes", "line"),
    ("partition", "stops", "line"),
    ("report", "hidden", "hidden"),
    ("effort", "total", "spent"),
    ("effort", "reached", "spent"),
    ("effort", "strategies", "strategy"),
];

#[test]
fn the_documented_members_are_those_that_appear() {
    let old = "#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n#include <wordexp.h>\n\
        int main(int argc, char **argv) {\n    int n = atoi(argv[1]);\n    int half = n / 2;\n    \
        FILE *f = fopen(\"out\", \"w\");\n    fprintf(f, \"%d\\n\", half);\n    fclose(f);\n    \
        if (n == 9) printf(\"%d\\n\", 0);\n    if (n == 8) wordexp(argv[1], 0, 0);\n    return 0;\n}\n";
    let new = old.replace("n / 2", "10 / n").replace("\\n\", 0)", "\\n\", getpid())");
    let desk = Desk::pair(old, &new);
    desk.write(&[("tests.jsonl", "{\"args\": [\"3\"]}\n{\"args\": [\"no\"]}\n")]);
    let flags = ["--arg", "int:0..9", "--tests", "tests.jsonl", "--golden", "old.c"];
    let report = desk.report(&[&["old.c", "new.c"], &flags[..]].concat(), 1);
    // One difference is accepted, and another one in the same function was.
    let last = report["witnesses"].as_array().unwrap().last().unwrap();
    let id = last["id"].as_str().unwrap();
    let other = "[[accepted]]\nid = \"0\"\nfunctions = [\"main\"]\nreason = \"r\"\n";
    let settings = format!("[[accepted]]\nid = \"{id}\"\nreason = \"r\"\n{other}");
    desk.write(&[("ripple.toml", &settings)]);
    let report = desk.report(&[&["old.c", "new.c"], &flags[..]].concat(), 1);
    assert_eq!(report["schema"], "ripple.compare/1");
    let mut seen = Members::new();
    collect(OBJECTS, "report", &report, &mut seen);
    let proved = desk.report(&["old.c", "new.c", "--arg", "int", "--strategy", "partitions"], 1);
    collect(OBJECTS, "report", &proved, &mut seen);
    let said = described_partitions();
    collect(OBJECTS, "report", &said, &mut seen);
    collect(OBJECTS, "report", &crate::endings::unlike_and_slower(), &mut seen);
    collect(OBJECTS, "report", &crate::left::version_report(), &mut seen);
    collect(OBJECTS, "report", &crate::beyond::hidden_report(), &mut seen);
    assert_eq!(seen, documented(DOCUMENTATION));
    let written: Value = serde_json::from_str(&desk.read("ripple.out/report.json")).unwrap();
    assert_eq!(written["witnesses"][0]["input"], proved["witnesses"][0]["input"]);
}

/// A report with a short predicate that says when the versions differ.
fn described_partitions() -> Value {
    let old = "#include <stdio.h>\n#include <stdlib.h>\n#ifdef EXTRA\nint extra = 600;\n#endif\n\
        int main(int c, char **v) {\n    int n = atoi(v[1]);\n    \
        printf(\"%d\\n\", n > 600 ? 1 : 0);\n    return __LINE__ * 0;\n}\n";
    let desk = Desk::pair(old, &format!("\n{}", old.replace("600", "700")));
    desk.write(&[("tests.jsonl", "{\"args\": [\"650\"]}\n")]);
    let flags = ["--arg", "int", "--tests", "tests.jsonl", "--strategy", "partitions"];
    desk.report(&[&["old.c", "new.c"], &flags[..]].concat(), 1)
}

#[test]
fn a_report_says_when_versions_differ_and_how_much_is_proved() {
    let report = described_partitions();
    let partitions = &report["partitions"];
    assert_eq!(partitions["complete"], true);
    assert_eq!(partitions["differs_when"]["condition"], "601 ≤ arg1 ≤ 700");
    assert_eq!(partitions["differs_when"]["how"], "exactly");
    let tests = &partitions["shares"]["tests"];
    assert_eq!((&tests["samples"], &tests["different"]["count"]), (&1.into(), &1.into()));
    let left = &partitions["shares"]["uniform"]["left"];
    assert_eq!((&left["share"], &left["exact"]), (&0.0.into(), &true.into()));
    let verdicts: Vec<&Value> =
        partitions["list"].as_array().unwrap().iter().map(|one| &one["verdict"]).collect();
    assert_eq!(verdicts[0], "different");
    assert!(verdicts[1..].iter().all(|verdict| *verdict == "equal"), "{verdicts:?}");
}

#[test]
fn a_condition_says_when_numbers_differ_that_no_branch_tells_apart() {
    let old = "#include <stdio.h>\n#include <stdlib.h>\n\
        int main(int c, char **v) {\n    int n = atoi(v[1]);\n    \
        printf(\"%d\\n\", n);\n    return 0;\n}\n";
    let desk = Desk::pair(old, &old.replace(", n)", ", n + (n == 9))"));
    let report = desk.report(&["old.c", "new.c", "--arg", "int"], 1);
    assert_eq!(report["witnesses"][0]["condition"], "arg1 = 9");
}

#[test]
fn the_same_command_says_the_same() {
    let old = "#include <stdio.h>\n#include <stdlib.h>\n\
        int main(int c, char **v) { return printf(\"%d\\n\", c > 1 ? atoi(v[1]) : 0) < 0; }\n";
    let desk = Desk::pair(old, &old.replace("atoi(v[1])", "atoi(v[1]) & 0xfff7"));
    let flags = ["old.c", "new.c", "--arg", "int", "--max-runs", "3000"];
    let files = ["report.json", "report.sarif", "report.md", "report.html", "tests.jsonl"];
    let written = || {
        assert_eq!(desk.run(&flags).code, 1);
        files.map(|name| desk.read(&format!("ripple.out/{name}")))
    };
    assert_eq!(written(), written());
}
