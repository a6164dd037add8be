//! `ripple cache` and `--cache-size`.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;
use std::process::Child;

use serde_json::Value;
use testkit::desk::{Desk, Said, said};

const PROGRAM: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

/// A command with a cache of its own.
fn ripple(desk: &Desk, args: &[&str]) -> Said {
    said(&mut desk.ripple(&[&["--cache-dir", "kept"], args].concat()))
}

fn contents(desk: &Desk) -> Value {
    let said = ripple(desk, &["cache", "--format", "json"]);
    assert_eq!(said.code, 0, "{}", said.err);
    serde_json::from_str(&said.out).unwrap()
}

#[test]
fn the_cache_shows_what_it_holds_and_can_be_cleared() {
    let desk = Desk::of(&[], &[("a.c", PROGRAM), ("kept/mine/notes", "my own")]);
    let empty = contents(&desk);
    assert_eq!((&empty["entries"], &empty["oldest_use"]), (&0.into(), &Value::Null));
    assert_eq!(ripple(&desk, &["run", "a.c"]).out, "hello\n");
    let held = contents(&desk);
    assert_eq!(held["schema"], "ripple.cache/1");
    assert!(held["directory"].as_str().unwrap().ends_with("/kept"), "{held}");
    assert_eq!(held["bound"], 2_u64 << 30);
    let kinds: Vec<&str> =
        held["kinds"].as_array().unwrap().iter().map(|k| k["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["compiler", "manifest", "ir"]);
    let text = ripple(&desk, &["--cache-size", "1.5G", "cache"]).out;
    assert!(text.contains("of at most 1.5 GB\n"), "{text}");
    assert!(text.contains("oldest use  less than a minute ago\n"), "{text}");
    assert!(text.contains("  LLVM IR of files\n"), "{text}");
    let cleared = ripple(&desk, &["cache", "clear"]);
    assert_eq!(cleared.code, 0, "{}", cleared.err);
    assert!(cleared.out.starts_with("removed "), "{}", cleared.out);
    assert!(cleared.out.ends_with("/kept\n"), "{}", cleared.out);
    assert_eq!(contents(&desk)["entries"], 0);
    let left: Vec<_> = fs::read_dir(desk.path().join("kept")).unwrap().flatten().collect();
    assert_eq!(left.len(), 1, "{left:?}");
    assert_eq!(desk.read("kept/mine/notes"), "my own");
    assert_eq!(ripple(&desk, &["run", "a.c"]).out, "hello\n");
}

#[test]
fn a_size_of_zero_disables_the_cache() {
    let desk = Desk::of(&[], &[("a.c", PROGRAM)]);
    assert_eq!(ripple(&desk, &["--cache-size", "0", "run", "a.c"]).out, "hello\n");
    assert_eq!(desk.names(), ["a.c"]);
    let said = ripple(&desk, &["--cache-size", "0", "cache"]);
    assert_eq!((said.code, said.out.as_str()), (2, ""));
    assert!(said.err.contains("--cache-size above 0"), "{}", said.err);
}

#[test]
fn the_size_can_be_set_for_a_project() {
    let desk = Desk::of(&[], &[("ripple.toml", "cache-size = \"300M\"\n")]);
    assert_eq!(contents(&desk)["bound"], 300 << 20);
    let typed = ripple(&desk, &["--cache-size", "1G", "cache", "--format", "json"]);
    assert!(typed.out.contains("\"bound\": 1073741824"), "{}", typed.out);
    desk.write(&[("ripple.toml", "cache-size = \"much\"\n")]);
    let said = ripple(&desk, &["cache"]);
    assert_eq!(said.code, 2);
    assert!(said.err.contains("`cache-size = \"much\"` is not a size; write 512M"), "{}", said.err);
    let said = ripple(&desk, &["--cache-size", "1Q", "cache"]);
    assert!(said.err.contains("`--cache-size 1Q` is not a size"), "{}", said.err);
}

#[test]
fn commands_that_share_a_cache_that_is_too_small_do_not_disturb_each_other() {
    let new = PROGRAM.replace("hello", "good bye");
    let desk = Desk::of(&[], &[("old.c", PROGRAM), ("new.c", &new)]);
    let start = |number: usize| -> Child {
        // Each has flags of its own, so that none finds what another one made.
        let flag = format!("-DNUMBER={number}");
        let words = ["--cache-dir", "kept", "--cache-size", "40K", "--cflags", &flag];
        let compare = ["compare", "old.c", "new.c", "--no-out", "--format", "short"];
        let mut command = desk.ripple(&[&words[..], &compare].concat());
        command.stdout(std::process::Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<Child> = (0..3).map(start).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let out = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{out}");
        assert!(out.contains("[output-changed]"), "{out}");
    }
    let cleared = ripple(&desk, &["cache", "clear", "--format", "json"]);
    assert!(cleared.out.contains("\"in_use\": 0"), "{}", cleared.out);
    assert_eq!(contents(&desk)["entries"], 0);
}
