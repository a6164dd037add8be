//! The command as a user meets it: what is printed where, and the exit codes.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::process::{Command, Output};

struct Shell {
    cache: tempfile::TempDir,
}

impl Shell {
    fn new() -> Self {
        Self { cache: tempfile::tempdir().unwrap() }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ripple"));
        command.args(args).env("XDG_CACHE_HOME", self.cache.path());
        command.env_remove("RIPPLE_CLANG");
        command
    }

    fn run(&self, args: &[&str]) -> (i32, String, String) {
        outcome(self.command(args).output().unwrap())
    }
}

fn outcome(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let code = output.status.code().unwrap();
    (code, text(output.stdout), text(output.stderr))
}

#[test]
fn help_and_version_are_results() {
    let shell = Shell::new();
    let (code, out, err) = shell.run(&["--help"]);
    assert_eq!((code, err.as_str()), (0, ""));
    for word in ["Usage: ripple", "Examples:", "Exit codes:", "RIPPLE_CLANG"] {
        assert!(out.contains(word), "{word} is missing in {out}");
    }
    let (code, out, _) = shell.run(&["--version"]);
    let version = concat!("ripple ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!((code, out.as_str()), (0, version));
}

#[test]
fn wrong_use_is_said_on_standard_error_with_code_2() {
    let shell = Shell::new();
    for args in [&[][..], &["nonsense"], &["doctor", "--nonsense"]] {
        let (code, out, err) = shell.run(args);
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains("Usage: ripple"), "{err}");
    }
    let (code, _, err) = shell.run(&["--cflags", "-D'x", "doctor"]);
    assert_eq!(code, 2);
    assert_eq!(err, "error: `--cflags -D'x` has an unclosed quote\n");
}

#[test]
fn completions_exist_for_the_usual_shells() {
    let shell = Shell::new();
    for name in ["bash", "zsh", "fish"] {
        let (code, out, _) = shell.run(&["completions", name]);
        assert_eq!(code, 0);
        assert!(out.contains("doctor"), "{name}");
    }
    assert_eq!(shell.run(&["completions", "dos"]).0, 2);
}

#[test]
fn doctor_says_what_is_missing_and_how_to_get_it() {
    let shell = Shell::new();
    let nowhere = shell.command(&["doctor"]).env("PATH", "/nonexistent").output();
    let (code, out, _) = outcome(nowhere.unwrap());
    assert_eq!(code, 2);
    assert!(out.contains("clang         MISSING: no clang was found"), "{out}");
    assert!(out.contains("sudo apt-get install -y clang"), "{out}");
}

#[test]
fn doctor_names_the_mathematical_library() {
    let (_, out, _) = Shell::new().run(&["doctor"]);
    let line =
        out.lines().find(|line| line.starts_with("libm ")).unwrap_or_else(|| panic!("{out}"));
    let (what, hash) = line.split_once(", BLAKE3 ").unwrap_or_else(|| panic!("{line}"));
    assert!(what.contains("libm.so.6: GNU libc 2."), "{line}");
    assert!(hash.len() == 64 && hash.chars().all(|digit| digit.is_ascii_hexdigit()), "{line}");
}

#[test]
fn doctor_takes_the_compiler_it_is_told() {
    let shell = Shell::new();
    let (code, out, _) = shell.run(&["doctor", "--clang", "no-such-clang"]);
    assert_eq!(code, 2);
    assert!(out.contains("`no-such-clang` (from --clang) was not found"), "{out}");
    let told = shell.command(&["doctor"]).env("RIPPLE_CLANG", "also-none").output();
    let (code, out, _) = outcome(told.unwrap());
    assert_eq!(code, 2);
    assert!(out.contains("`also-none` (from RIPPLE_CLANG) was not found"), "{out}");
}
