//! What every SARIF log must have, by its schema, by the standard, and for code scanning services.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use serde_json::Value;

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
