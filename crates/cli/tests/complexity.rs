//! `ripple complexity` as people type it.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use testkit::desk::Desk;

fn said_by(desk: &Desk, arguments: &[&str]) -> Output {
    desk.command(arguments).output().expect("the binary was built for this test")
}

fn run(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ripple"));
    command.arg("complexity").args(arguments).current_dir(directory);
    command.output().expect("the binary was built for this test")
}

fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("it is JSON")
}

/// One sentence on standard error, nothing on standard output, exit code 2.
fn refuses(output: &Output, part: &str) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains(part), "{message}");
    assert!(output.stdout.is_empty());
}

const OLD: &str = "int f(int a)\n{\n    if (a)\n        return 1;\n    return 0;\n}\n";
const NEW: &str = "int f(int a)\n{\n    if (a)\n        return 2;\n    return 0;\n}\n";

#[test]
fn commits_ranges_and_versions_give_the_same_numbers() {
    let Some(made) = Desk::repository(&["complexity"]) else { return };
    made.commit(&[("a.c", OLD), ("notes.md", "x\n")], "Begin");
    made.commit(&[("a.c", NEW)], "Change, \"one\" line");
    let last = json(&said_by(&made, &["--format", "json"]));
    assert_eq!(last[0]["schema"], "ripple.complexity/1");
    assert_eq!((&last[0]["cycc"], &last[0]["cloc"]), (&Value::from(1), &Value::from(1)));
    assert_eq!(last[0]["subject"], "Change, \"one\" line");
    assert_eq!(last[0]["functions"][0]["name"], "f");
    assert_eq!(last[0]["unparsed"], Value::Array(Vec::new()));
    let range = json(&said_by(&made, &["HEAD~1..HEAD", "--format", "json"]));
    assert_eq!(range, last);
    let root = json(&said_by(&made, &["HEAD~1", "--format", "json"]));
    assert_eq!((&root[0]["cycc"], &root[0]["cloc"]), (&Value::from(2), &Value::from(3)));
    fs::write(made.path().join("old.c"), OLD).expect("it can be written");
    let pair = json(&said_by(&made, &["old.c", "a.c", "--format", "json"]));
    assert_eq!((&pair[0]["commit"], &pair[0]["cycc"]), (&Value::Null, &Value::from(1)));
    let text = said_by(&made, &[]);
    let text = String::from_utf8_lossy(&text.stdout);
    assert!(text.contains("modified f (a.c:1): CyCC 1, CLoC 1, changed blocks 1"), "{text}");
}

#[test]
fn tables_and_pages_have_a_line_per_commit() {
    let Some(made) = Desk::repository(&["complexity"]) else { return };
    made.commit(&[("a.c", OLD)], "Begin <b>");
    made.commit(&[("a.c", NEW)], "Change, \"one\" line");
    made.commit(&[("a.c", OLD)], "Back");
    let csv = said_by(&made, &["HEAD~2..", "--format", "csv"]);
    let csv = String::from_utf8_lossy(&csv.stdout);
    assert_eq!(csv.lines().count(), 3);
    assert!(csv.contains(",\"Change, \"\"one\"\" line\",1,1,0,0,1,1,0"), "{csv}");
    let page = said_by(&made, &["HEAD~2..HEAD", "--format", "html"]);
    let page = String::from_utf8_lossy(&page.stdout);
    assert_eq!(page.matches("<circle").count(), 2);
    assert_eq!(page.matches("<tr><td").count(), 2);
    assert!(page.contains("Change, &quot;one&quot; line"));
    assert!(!page.contains("http://") && !page.contains("https://"));
}

#[test]
fn a_limit_decides_the_exit_code() {
    let Some(made) = Desk::repository(&["complexity"]) else { return };
    made.commit(&[("a.c", OLD)], "Begin");
    assert_eq!(said_by(&made, &["--fail-above", "2"]).status.code(), Some(0));
    let above = said_by(&made, &["--fail-above", "1"]);
    assert_eq!(above.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&above.stderr).contains("CyCC 2 is above 1"));
}

#[test]
fn an_error_is_as_complex_as_its_fix() {
    let Some(made) = Desk::repository(&["complexity"]) else { return };
    made.commit(&[("a.c", NEW)], "Introduce");
    made.commit(&[("a.c", OLD)], "Fix");
    let found =
        json(&said_by(&made, &["--fix", "HEAD", "--introduced", "HEAD~1", "--format", "json"]));
    assert_eq!((&found["cycc"], &found["introduced"]["cycc"]), (&Value::from(1), &Value::from(2)));
    assert!(found["life_span_days"].as_f64().is_some_and(|days| (0.0..1.0).contains(&days)));
    let text = said_by(&made, &["--fix", "HEAD"]);
    assert!(
        String::from_utf8_lossy(&text.stdout).starts_with("error complexity: CyCC 1, CLoC 1\n")
    );
    refuses(&said_by(&made, &["--fix", "HEAD~1", "--introduced", "HEAD"]), "is not an ancestor of");
}

#[test]
fn paths_and_renames_are_respected() {
    let Some(made) = Desk::repository(&["complexity"]) else { return };
    made.commit(&[("src/a.c", OLD), ("lib/b.c", OLD)], "Begin");
    made.git(&["mv", "src/a.c", "src/c.c"]);
    made.commit(&[("lib/b.c", NEW)], "Move and change");
    let found = json(&said_by(&made, &["--format", "json"]));
    assert_eq!(found[0]["functions"].as_array().map(Vec::len), Some(1));
    let below = json(&said_by(&made, &["HEAD", "--format", "json", "--", "src"]));
    assert_eq!(below[0]["cycc"], 0);
}

#[test]
fn a_merge_counts_what_it_brought_and_binary_files_and_submodules_are_named() {
    let Some(made) = Desk::repository(&["complexity"]) else { return };
    made.commit(&[("a.c", OLD), ("b.c", OLD)], "Begin");
    made.git(&["checkout", "--quiet", "-b", "side"]);
    made.commit(&[("b.c", NEW)], "Aside");
    made.git(&["checkout", "--quiet", "main"]);
    made.commit(&[("a.c", NEW)], "Ahead");
    made.git(&["merge", "--quiet", "--no-ff", "--message", "Merge", "side"]);
    let merge = json(&said_by(&made, &["--format", "json"]));
    assert_eq!(merge[0]["functions"].as_array().map(Vec::len), Some(1));
    assert_eq!(merge[0]["functions"][0]["file"], "b.c");
    let all = json(&said_by(&made, &["HEAD~2..HEAD", "--format", "json"]));
    assert_eq!(all.as_array().map(Vec::len), Some(3));
    let first = json(&said_by(&made, &["HEAD~2..HEAD", "--first-parent", "--format", "json"]));
    assert_eq!(first.as_array().map(Vec::len), Some(2));
    let id = "0123456789012345678901234567890123456789";
    made.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{id},dep")]);
    fs::write(made.path().join("bin.c"), b"a\0b").expect("it can be written");
    made.git(&["add", "bin.c"]);
    made.git(&["commit", "--quiet", "--message", "No text"]);
    let text = said_by(&made, &[]);
    assert_eq!(text.status.code(), Some(0));
    let text = String::from_utf8_lossy(&text.stdout);
    assert!(text.contains("bin.c") && text.contains("dep"), "{text}");
}

#[test]
fn a_shallow_clone_says_what_it_lacks() {
    let Some(made) = Desk::repository(&["complexity"]) else { return };
    made.commit(&[("a.c", OLD)], "Begin");
    made.commit(&[("a.c", NEW)], "Change");
    let clone = tempfile::tempdir().expect("a directory can be made");
    let source = format!("file://{}", made.path().display());
    let status = Command::new("git")
        .args(["clone", "--quiet", "--depth=1", &source, "."])
        .current_dir(clone.path())
        .status();
    assert!(status.expect("git runs").success());
    refuses(&run(clone.path(), &[]), "shallow clone");
}

#[test]
fn directories_are_compared_file_by_file() {
    let directory = tempfile::tempdir().expect("a directory can be made");
    for (name, text) in [
        ("old/a.c", OLD),
        ("old/gone.py", "x = 1\n"),
        ("new/a.c", NEW),
        ("new/new.go", "package a\n\nfunc f() { g() }\n"),
    ] {
        let path = directory.path().join(name);
        fs::create_dir_all(path.parent().expect("it lies in a directory")).expect("it can be made");
        fs::write(path, text).expect("it can be written");
    }
    let found = json(&run(directory.path(), &["old", "new", "--format", "json"]));
    let kinds: Vec<&str> = found[0]["functions"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|f| f["change"].as_str())
        .collect();
    assert_eq!(kinds, ["modified", "deleted", "added"]);
}

#[test]
fn wrong_use_is_one_sentence_and_exit_code_two() {
    let elsewhere = tempfile::tempdir().expect("a directory can be made");
    refuses(&run(elsewhere.path(), &[]), "is not in a git repository");
    refuses(&run(elsewhere.path(), &["a.c", "b.c"]), "neither a file nor a directory");
    fs::write(elsewhere.path().join("a.txt"), "a").expect("it can be written");
    fs::write(elsewhere.path().join("a.c"), "int a;").expect("it can be written");
    refuses(&run(elsewhere.path(), &["a.txt", "a.txt"]), "there is no C");
    refuses(&run(elsewhere.path(), &["a.c", "."]), "must both be");
    refuses(&run(elsewhere.path(), &["a.c", "a.c", "--first-parent"]), "range of commits");
    refuses(&run(elsewhere.path(), &["--introduced", "HEAD"]), "needs `--fix REV`");
    refuses(&run(elsewhere.path(), &["HEAD", "--fix", "HEAD"]), "cannot be combined");
    let Some(made) = Desk::repository(&["complexity"]) else { return };
    refuses(&said_by(&made, &[]), "no commits yet");
    made.commit(&[("a.c", OLD)], "Begin");
    refuses(&said_by(&made, &["nosuch"]), "no commit `nosuch`");
    refuses(&said_by(&made, &["nosuch..HEAD"]), "no commit `nosuch`");
    refuses(&said_by(&made, &["a...b"]), "three dots");
    refuses(
        &said_by(&made, &["--fix", "HEAD", "--format", "csv"]),
        "only `--format text` and `--format json`",
    );
}
