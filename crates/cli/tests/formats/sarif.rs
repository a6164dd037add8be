//! SARIF as code scanning services require it.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;

use crate::desk::{Desk, said};

fn sarif(desk: &Desk, args: &[&str]) -> Value {
    let said = desk.run(&[&["--format", "sarif", "--no-out"], args].concat());
    assert!(said.code == 1 || said.code == 0, "{}", said.err);
    let log: Value = serde_json::from_str(&said.out).unwrap();
    check(&log, &said.out);
    log
}

/// The official schema, which comes with the crate of the format.
fn schema() -> PathBuf {
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--offline", "--locked"]);
    cargo.args(["--filter-platform", &platform]).current_dir(env!("CARGO_MANIFEST_DIR"));
    let metadata = cargo.output().unwrap().stdout;
    let metadata: Value = serde_json::from_slice(&metadata).unwrap();
    let mut packages = metadata["packages"].as_array().unwrap().iter();
    let found = packages.find(|package| package["name"] == "serde-sarif").unwrap();
    let manifest = Path::new(found["manifest_path"].as_str().unwrap());
    manifest.with_file_name("src").join("schema.json")
}

/// Prints the violations of the schema by the log on standard input.
const VALIDATE: &str = "\
import json, sys
try:
    import jsonschema
except ImportError:
    sys.exit(77)
schema = json.load(open(sys.argv[1], encoding='utf-8'))
for wrong in jsonschema.Draft7Validator(schema).iter_errors(json.load(sys.stdin)):
    print(list(wrong.absolute_path), wrong.message[:300])
";

/// Checks a log against the schema, if Python can.
fn validate(text: &str) {
    static SCHEMA: LazyLock<PathBuf> = LazyLock::new(schema);
    let mut python = Command::new("python3");
    python.args(["-c", VALIDATE]).arg(&*SCHEMA);
    python.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let Ok(mut child) = python.spawn() else {
        testkit::skip("there is no python3 to check the schema with");
        return;
    };
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    if output.status.code() == Some(77) {
        testkit::skip("python3 has no jsonschema to check the schema with");
        return;
    }
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.is_empty(), "{said}");
}

/// What every log must have, by the standard and for GitHub.
pub fn check(log: &Value, text: &str) {
    validate(text);
    assert_eq!(log["version"], "2.1.0");
    assert!(log["$schema"].as_str().unwrap().ends_with("sarif-2.1.0.json"));
    let runs = log["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 1);
    let run = &runs[0];
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for rule in rules {
        for member in ["id", "name"] {
            assert!(!rule[member].as_str().unwrap().is_empty(), "{rule}");
        }
        for member in ["shortDescription", "fullDescription", "help"] {
            assert!(!rule[member]["text"].as_str().unwrap().is_empty(), "{rule}");
        }
    }
    let results = run["results"].as_array().unwrap();
    assert!(results.len() <= 25_000);
    for result in results {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().unwrap()));
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        assert!(!result["partialFingerprints"]["rippleDifference/v1"].is_null());
        for location in result["locations"].as_array().unwrap() {
            check_location(location);
        }
        for flow in result["codeFlows"].as_array().into_iter().flatten() {
            for step in flow["threadFlows"][0]["locations"].as_array().unwrap() {
                check_location(&step["location"]);
            }
        }
    }
    // The crate of the format reads the same log.
    let read: serde_sarif::sarif::Sarif = serde_json::from_str(text).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), *log);
}

fn check_location(location: &Value) {
    let place = &location["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(!uri.is_empty() && !uri.starts_with('/') && !uri.starts_with("file:"), "{uri}");
    assert!(uri.bytes().all(|byte| byte.is_ascii_graphic() && !b"<>\"{}|\\^`".contains(&byte)));
    assert_eq!(place["artifactLocation"]["uriBaseId"], "SRCROOT");
    assert!(place["region"]["startLine"].as_u64().unwrap() >= 1);
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
