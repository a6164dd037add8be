//! SARIF as code scanning services require it.

use std::process::Command;

use serde_json::Value;

use crate::desk::{Desk, said};
use crate::valid::check;

fn sarif(desk: &Desk, args: &[&str]) -> Value {
    let said = desk.run(&[&["--format", "sarif", "--no-out"], args].concat());
    assert!(said.code == 1 || said.code == 0, "{}", said.err);
    let log: Value = serde_json::from_str(&said.out).unwrap();
    check(&log, &said.out);
    log
}

#[test]
fn a_difference_is_a_result_with_its_flow() {
    let desk = crate::desk();
    let log = sarif(&desk, &["old.c", "new.c", "--arg", "int:0..200"]);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(
        (&result["ruleId"], &result["level"]),
        (&"output-changed".into(), &"warning".into())
    );
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "new.c");
    assert_eq!(place["region"]["startLine"], 5);
    assert!(place["region"]["snippet"]["text"].as_str().unwrap().contains("n > 99"));
    let steps = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(steps.as_array().unwrap().len() >= 2, "{result}");
}

#[test]
fn a_fingerprint_stays_where_lines_move_and_changes_with_the_change() {
    let print = |old: &str, new: &str| {
        let desk = Desk::pair(old, new);
        let log = sarif(&desk, &["old.c", "new.c", "--arg", "int:0..200"]);
        let prints = &log["runs"][0]["results"][0]["partialFingerprints"];
        prints["rippleDifference/v1"].as_str().unwrap().to_owned()
    };
    let new = crate::OLD.replace("shown = n;", "shown = n > 99 ? 99 : n;");
    let first = print(crate::OLD, &new);
    let moved = format!("/* one\n   two */\n{}", new.replace("    int shown", "\tint  shown"));
    assert_eq!(print(crate::OLD, &moved), first);
    assert_ne!(print(crate::OLD, &new.replace("99", "98")), first);
}

#[test]
fn the_golden_version_decides_how_bad_it_is() {
    let desk = crate::desk();
    for (golden, level) in [("old.c", "error"), ("new.c", "note")] {
        let log = sarif(&desk, &["old.c", "new.c", "--arg", "int:0..200", "--golden", golden]);
        assert_eq!(log["runs"][0]["results"][0]["level"], level, "{golden}");
    }
}

#[test]
fn files_are_named_from_the_root_of_the_repository() {
    let desk = Desk::with(&[("src/deep/a.c", crate::OLD)]);
    let git = |args: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(desk.path()).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        let done = said(command.args(args));
        assert_eq!(done.code, 0, "{args:?}: {}", done.err);
    };
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    desk.write(&[("src/deep/a.c", &crate::OLD.replace("shown = n;", "shown = n & 63;"))]);
    let mut command = desk.command(&["HEAD", "deep", "--arg", "int:0..200", "--no-out"]);
    command.current_dir(desk.path().join("src")).args(["--format", "sarif"]);
    let said = said(&mut command);
    let log: Value = serde_json::from_str(&said.out).unwrap();
    check(&log, &said.out);
    let result = &log["runs"][0]["results"][0];
    let at = |value: &Value| value["physicalLocation"]["artifactLocation"]["uri"].clone();
    assert_eq!(at(&result["locations"][0]), "src/deep/a.c");
    for step in result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().unwrap() {
        assert_eq!(at(&step["location"]), "src/deep/a.c");
    }
}

#[test]
fn faults_of_an_exploration_are_results() {
    let desk = Desk::with(&[(
        "a.c",
        "#include <stdlib.h>\nint main(int c, char **v) {\n    return 100 / (atoi(v[1]) - 7);\n}\n",
    )]);
    let explore = |format: &str| {
        said(&mut desk.ripple(&["explore", "a.c", "--arg", "int:0..9", "--format", format]))
    };
    let told = explore("sarif");
    assert_eq!(told.code, 1, "{}", told.err);
    let log: Value = serde_json::from_str(&told.out).unwrap();
    check(&log, &told.out);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 3);
    let short = explore("short");
    assert!(short.out.starts_with("a.c:3:"), "{}", short.out);
    short.has(&[": error: division by zero, for ./a 7 [fault]"]);
}
