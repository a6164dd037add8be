//! `ripple.toml`, `ripple accept`, comparing with a merge base, and diffs.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::process::Command;

use testkit::desk::{Desk, Said, said};

const OLD: &str = "#include <stdio.h>\n#include <stdlib.h>\n\
    int twice(int n) {\n    return n + n;\n}\n\
    int main(int argc, char **argv) {\n    int n = argc > 1 ? atoi(argv[1]) : 0;\n    \
    printf(\"%d\\n\", n);\n    printf(\"%d\\n\", twice(n));\n    \
    if (n == 3) puts(\"three\");\n    return 0;\n}\n";

const SETTINGS: &str = "budget = \"20s\"\n\n[atoms]\nargs = [\"int:0..9\"]\n";

/// Two versions and a settings file that declares the inputs.
fn desk(new: &str) -> Desk {
    Desk::with(&[("old.c", OLD), ("new.c", new), ("ripple.toml", SETTINGS)])
}

fn accept(desk: &Desk, args: &[&str]) -> Said {
    said(&mut desk.ripple(&[&["accept"], args].concat()))
}

#[test]
fn what_the_project_says_need_not_be_typed_and_what_is_typed_wins() {
    let desk = desk(&OLD.replace("n + n;", "n + n + (n == 8);"));
    let report = desk.report(&["old.c", "new.c"], 1);
    assert_eq!(report["space"]["size"], "10");
    let report = desk.report(&["old.c", "new.c", "--arg", "int:0..3"], 0);
    assert_eq!(report["space"]["size"], "4");
    let report = desk.report(&["old.c", "new.c", "--entry", "twice", "--param", "n=int:0..20"], 1);
    assert_eq!(report["entry"], "twice");
    let report = desk.report(&["old.c", "new.c", "--no-config", "--arg", "int:0..3"], 0);
    assert_eq!(report["verdict"], "equal");
    desk.write(&[("ripple.toml", "entry = \"twice\"\n[atoms]\nparams = [\"n=int:0..9\"]\n")]);
    assert_eq!(desk.report(&["old.c", "new.c"], 1)["entry"], "twice");
    desk.write(&[
        ("sub/x", ""),
        ("other.toml", "observe = [\"stderr\"]\n[atoms]\nargs = [\"int:0..9\"]"),
    ]);
    assert_eq!(desk.report(&["old.c", "new.c", "--config", "other.toml"], 0)["verdict"], "equal");
}

#[test]
fn a_wrong_setting_is_one_line_with_its_place() {
    let desk = desk(OLD);
    for (text, parts) in [
        (
            "budget = \"1s\"\nbugdet = 3\n",
            &["ripple.toml:2: ", "unknown key `bugdet`", "budget"][..],
        ),
        ("[atoms]\nargs = 3\n", &["ripple.toml:2: "][..]),
        ("budget = \"soon\"\n", &["`budget = soon` is not a time"][..]),
        ("observe = [\n  \"smell\",\n]\n", &["ripple.toml:2: ", "smell"][..]),
    ] {
        desk.write(&[("ripple.toml", text)]);
        desk.refuses(&["old.c", "new.c"], parts);
    }
}

#[test]
fn settings_are_found_above_but_not_above_the_repository() {
    let desk = desk(&OLD.replace("n + n;", "n + n + (n == 8);"));
    desk.write(&[
        ("repo/sub/old.c", OLD),
        ("repo/sub/new.c", OLD),
        ("repo/.git/HEAD", "ref: refs/heads/main\n"),
    ]);
    let run = || {
        let mut command = desk.command(&["old.c", "new.c", "--no-out"]);
        said(command.current_dir(desk.path().join("repo/sub")))
    };
    assert_eq!(run().code, 0);
    desk.write(&[("ripple.toml", "wrong = 1\n")]);
    assert_eq!(run().code, 0);
    desk.write(&[("repo/ripple.toml", "wrong = 1\n")]);
    let refused = run();
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("../ripple.toml:1: "), "{}", refused.err);
}

#[test]
fn an_accepted_difference_is_not_reported_while_it_is_the_same() {
    let desk = desk(&OLD.replace("n + n;", "n + n + (n == 8);"));
    assert_eq!(desk.run(&["old.c", "new.c"]).code, 1);
    let done = accept(&desk, &["1", "--reason", "as planned", "--expires", "2999-12-31"]);
    assert_eq!(done.code, 0, "{}", done.err);
    let settings = desk.read("ripple.toml");
    assert!(settings.starts_with(SETTINGS), "{settings}");
    for part in ["[[accepted]]", "reason = \"as planned\"", "expires = 2999-12-31", "\"twice\""] {
        assert!(settings.contains(part), "no {part} in {settings}");
    }
    let said = desk.run(&["old.c", "new.c"]);
    assert_eq!(said.code, 0, "{}", said.out);
    said.has(&["accepted: old.c and new.c differ in 1 way, which is accepted", "(as planned)"]);
    let report = desk.report(&["old.c", "new.c"], 0);
    assert_eq!(report["verdict"], "accepted");
    assert_eq!(report["accepted"][0]["reason"], "as planned");
    assert_eq!(report["witnesses"].as_array().unwrap().len(), 0);

    // Other lines, the same change.
    desk.write(&[("new.c", &format!("\n\n{}", OLD.replace("n + n;", "n + n + (n == 8);")))]);
    assert_eq!(desk.run(&["old.c", "new.c"]).code, 0);
    // Another change of the same function.
    desk.write(&[("new.c", &OLD.replace("n + n;", "n + n - (n == 8);"))]);
    let report = desk.report(&["old.c", "new.c"], 1);
    assert_eq!(report["witnesses"][0]["lapsed"]["why"], "differs");
    let said = desk.run(&["old.c", "new.c"]);
    said.has(&["note: this differs from what was accepted in this function (as planned, "]);
    // An additional difference.
    desk.write(&[(
        "new.c",
        &OLD.replace("n + n;", "n + n + (n == 8);").replace("\"%d\\n\", n)", "\"%x\\n\", n + 3)"),
    )]);
    assert_eq!(desk.run(&["old.c", "new.c"]).code, 1);
}

#[test]
fn an_acceptance_ends_on_its_day() {
    let desk = desk(&OLD.replace("n + n;", "n + n + (n == 8);"));
    desk.run(&["old.c", "new.c"]);
    assert_eq!(accept(&desk, &["--all", "--reason", "for now", "--expires", "2001-02-03"]).code, 0);
    let said = desk.run(&["old.c", "new.c"]);
    assert_eq!(said.code, 1);
    said.has(&["note: this was accepted until 2001-02-03 (for now, "]);
    assert_eq!(accept(&desk, &["1", "--reason", "again"]).code, 0);
    let settings = desk.read("ripple.toml");
    assert_eq!(settings.matches("[[accepted]]").count(), 1, "{settings}");
    assert_eq!(desk.run(&["old.c", "new.c"]).code, 0);
}

#[test]
fn accepting_nothing_is_refused() {
    let desk = desk(OLD);
    for (args, part) in [
        (&["1", "--reason", "r"][..], "run `ripple compare` first"),
        (&["1", "--reason", " "][..], "--reason"),
        (&["1", "--reason", "r", "--expires", "soon"][..], "not a date"),
    ] {
        let said = accept(&desk, args);
        assert_eq!(said.code, 2, "{args:?}");
        assert!(said.err.contains(part), "{}", said.err);
    }
    desk.run(&["old.c", "new.c"]);
    let said = accept(&desk, &["1", "--reason", "r"]);
    assert!(said.code == 2 && said.err.contains("there is no difference 1"), "{}", said.err);
}

fn git(desk: &Desk, args: &[&str]) -> Said {
    let mut command = Command::new("git");
    command.current_dir(desk.path()).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
    let done = said(command.args(args));
    assert_eq!(done.code, 0, "{args:?}: {}", done.err);
    done
}

/// A branch that left `main` before later commits on `main`.
fn branched() -> Desk {
    let desk = Desk::with(&[("a.c", OLD), ("ripple.toml", SETTINGS)]);
    git(&desk, &["init", "-q", "-b", "main"]);
    git(&desk, &["add", "."]);
    git(&desk, &["commit", "-qm", "one"]);
    git(&desk, &["checkout", "-qb", "work"]);
    git(&desk, &["checkout", "-q", "main"]);
    desk.write(&[("a.c", &OLD.replace("\"%d\\n\", n)", "\"%o\\n\", n)"))]);
    git(&desk, &["commit", "-qam", "two"]);
    git(&desk, &["checkout", "-q", "work"]);
    desk.write(&[("a.c", &OLD.replace("n + n;", "n + n + (n == 8);"))]);
    desk
}

#[test]
fn a_branch_is_compared_with_where_it_began() {
    let desk = branched();
    let report = desk.report(&["--baseline-rev", "main"], 1);
    assert!(report["old"]["name"].as_str().unwrap().starts_with("main ("), "{}", report["old"]);
    assert_eq!(report["witnesses"].as_array().unwrap().len(), 1);
    assert_eq!(report["witnesses"][0]["functions"][0], "twice");
    let said = desk.run(&["--baseline-rev", "nowhere"]);
    assert!(said.code == 2 && said.err.contains("nowhere"), "{}", said.err);
    desk.refuses(&["--baseline-rev", "main", "a.c", "a.c"], &["--baseline-rev", "NEW"]);
    let said = desk.run(&["a.c"]);
    assert!(said.code == 2 && said.err.contains("--baseline-rev"), "{}", said.err);
}

#[test]
fn only_what_a_diff_is_about_is_reported() {
    let desk = branched();
    let part = OLD.replace("puts(\"three\")", "puts(\"3\")");
    let both = part.replace("n + n;", "n + n + (n > 2);");
    desk.write(&[("a.c", &part)]);
    let diff = git(&desk, &["diff", "-U0"]).out;
    // The diff and the work tree have the same lines.
    desk.write(&[("part.diff", &diff), ("none.diff", ""), ("bad.diff", "what\n"), ("a.c", &both)]);
    let all = desk.report(&["--baseline-rev", "main"], 1);
    let part = desk.report(&["--baseline-rev", "main", "--in-diff", "part.diff"], 1);
    let count = |report: &serde_json::Value| report["witnesses"].as_array().unwrap().len();
    assert!(count(&part) < count(&all) && count(&part) > 0, "{} {}", count(&part), count(&all));
    let none = desk.report(&["--baseline-rev", "main", "--in-diff", "none.diff"], 3);
    assert_eq!(none["limits"].as_array().unwrap().last().unwrap()["kind"], "outside_diff");
    desk.refuses(
        &["--baseline-rev", "main", "--in-diff", "bad.diff"],
        &["bad.diff", "no unified diff"],
    );
}

/// The script of the GitHub Action, with these variables.
fn action(desk: &Desk, variables: &[(&str, &str)]) -> Said {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/action.sh");
    let plain = desk.command(&[]);
    let mut command = Command::new("bash");
    command.arg(script).current_dir(desk.path()).env("RIPPLE", plain.get_program());
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_OUTPUT", desk.path().join("outputs"));
    command.env_remove("GITHUB_STEP_SUMMARY");
    said(command.envs(variables.iter().copied()))
}

#[test]
fn the_action_separates_differences_from_failures() {
    let desk = branched();
    let base = ("RIPPLE_BASELINE", "main");
    let told = action(&desk, &[base]);
    assert_eq!(told.code, 1, "{}{}", told.out, told.err);
    assert!(told.out.starts_with("a.c:4:"), "{}", told.out);
    assert!(told.err.contains("::warning file=a.c,line=4"), "{}", told.err);
    assert!(desk.read("outputs").starts_with("exit-code=1\nmarkdown="));
    assert!(desk.read("ripple.out/report.md").contains("different"));
    assert_eq!(action(&desk, &[base, ("RIPPLE_FAIL_ON", "nothing")]).code, 0);
    let inconclusive = [base, ("RIPPLE_ARGS", "--arg int:0..7 --strategy random --max-runs 5")];
    assert_eq!(action(&desk, &inconclusive).code, 0);
    let strict = [&inconclusive[..], &[("RIPPLE_FAIL_ON", "inconclusive")]].concat();
    assert_eq!(action(&desk, &strict).code, 1);
    let nothing = ("RIPPLE_FAIL_ON", "nothing");
    assert_eq!(action(&desk, &[("RIPPLE_BASELINE", "nowhere"), nothing]).code, 2);
    desk.write(&[("a.c", "int main(void) { return x; }\n")]);
    assert_eq!(action(&desk, &[base, nothing]).code, 4);
}
