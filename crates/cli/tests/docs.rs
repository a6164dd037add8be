//! Executes every command line of the README and of the pages under `docs/`; it must print what the
//! page says.
//!
//! In a block marked `console`, lines that begin with `$ ` are commands, followed by their output,
//! standard output and standard error together. `…` stands for anything on a line, and a line of
//! `…` alone for any lines. In a block marked `sh`, every `ripple` command is executed and must end
//! with 0, 1 or 3. A block whose mark is followed by the name of a file is that file. Commands of a
//! page share one directory, which contains the examples and the files under `tests/docs/desk`, and
//! in which `src` has a history in git: `main`, which is also `v1.0`, and one more commit on the
//! current branch.
#![allow(clippy::unwrap_used, clippy::print_stdout)] // What tests share is test code as well.

#[path = "docs/blocks.rs"]
mod blocks;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use self::blocks::{Block, blocks, commands, matches, transcript};

/// Commands of `sh` blocks for building and installing, which are not executed.
const NOT_OURS: [&str; 5] = ["cargo", "./demo", "./check", "mdbook", "man"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The directory in which a page's commands run.
struct Desk {
    place: tempfile::TempDir,
}

impl Desk {
    fn new() -> Desk {
        let desk = Desk { place: tempfile::tempdir().unwrap() };
        copy(&root().join("crates/cli/tests/docs/desk"), desk.path());
        symlink(root().join("examples"), desk.path().join("examples")).unwrap();
        desk.commit("old.c", "git init -q -b main .", "git tag v1.0");
        desk.commit("new.c", "git checkout -q -b topic", "true");
        desk
    }

    fn path(&self) -> &Path {
        self.place.path()
    }

    /// Commits a version of the program under `src`.
    fn commit(&self, version: &str, before: &str, after: &str) {
        fs::copy(self.path().join(version), self.path().join("src/post.c")).unwrap();
        let commit = "git -c user.name=a -c user.email=a@b -c commit.gpgsign=false commit -q -m x";
        let (said, code) = self.run(&format!("{before} && git add src && {commit} && {after}"), 0);
        assert_eq!(code, 0, "{said}");
    }

    /// The output of a command, and its exit code. `$?` is that of the previous command.
    fn run(&self, command: &str, status: i32) -> (String, i32) {
        let binary = Path::new(env!("CARGO_BIN_EXE_ripple"));
        let path = std::env::var("PATH").unwrap_or_default();
        let output = Command::new("sh")
            .args(["-c", &format!("(exit {status})\n{command}\n")])
            .current_dir(self.path())
            .env("PATH", format!("{}:{path}", binary.parent().unwrap().display()))
            .env("XDG_CACHE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/docs-cache"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env_remove("RIPPLE_CLANG")
            .env_remove("GITHUB_ACTIONS")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&output.stderr));
        (text, output.status.code().unwrap_or(-1))
    }

    /// Executes the commands of a block; returns all mismatches.
    fn check(&self, block: &Block) -> Vec<String> {
        if let Some(name) = &block.file {
            let path = self.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, &block.text).unwrap();
            return Vec::new();
        }
        match block.mark.as_str() {
            "console" => self.check_transcript(block),
            "sh" => self.check_commands(block),
            _ => {
                let is_command = |line: &str| line.starts_with("$ ") || line.starts_with("ripple ");
                match block.text.lines().any(is_command) {
                    true => vec![format!("{block}: has commands and is not marked console or sh")],
                    false => Vec::new(),
                }
            }
        }
    }

    fn check_transcript(&self, block: &Block) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut status = 0;
        for (command, expected) in transcript(&block.text) {
            let start = Instant::now();
            let (said, code) = self.run(&command, status);
            println!("{block}: {:.1} s: {command}", start.elapsed().as_secs_f64());
            status = code;
            let lines: Vec<&str> = said.lines().collect();
            let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
            if !matches(&expected, &lines) {
                let expected = expected.join("\n");
                wrong.push(format!("{block}: `{command}` says\n{said}and not\n{expected}"));
            }
        }
        wrong
    }

    fn check_commands(&self, block: &Block) -> Vec<String> {
        let mut wrong = Vec::new();
        for command in commands(&block.text) {
            let first = command.split_whitespace().next().unwrap_or_default();
            if NOT_OURS.contains(&first) {
                continue;
            }
            let start = Instant::now();
            let (said, code) = self.run(&command, 0);
            println!("{block}: {:.1} s: {command}", start.elapsed().as_secs_f64());
            if ![0, 1, 3].contains(&code) {
                wrong.push(format!("{block}: `{command}` ends with {code}: {said}"));
            }
        }
        wrong
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (here, there) = (entry.path(), to.join(entry.file_name()));
        match entry.file_type().unwrap().is_dir() {
            true => copy(&here, &there),
            false => drop(fs::copy(here, there).unwrap()),
        }
    }
}

/// Without git there is no history to speak of.
fn has_git() -> bool {
    let has_git = Command::new("git").arg("--version").output().is_ok();
    if !has_git {
        testkit::skip("there is no git");
    }
    has_git
}

fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    pages.insert(0, root().join("README.md"));
    pages
}

#[test]
fn commands_of_the_pages_print_what_the_pages_say() {
    if !has_git() {
        return;
    }
    let wanted = std::env::var("RIPPLE_PAGE").ok();
    let is_wanted = |page: &PathBuf| match &wanted {
        Some(name) => page.ends_with(name),
        None => true,
    };
    let waiting = Mutex::new(pages().into_iter().filter(is_wanted).collect::<Vec<_>>());
    let wrong = Mutex::new(Vec::new());
    let count = Mutex::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let Some(page) = waiting.lock().unwrap().pop() else { return };
                    let desk = Desk::new();
                    let text = fs::read_to_string(&page).unwrap();
                    let name = page.strip_prefix(root()).unwrap().display().to_string();
                    for block in blocks(&name, &text) {
                        let complaints = desk.check(&block);
                        *count.lock().unwrap() += 1;
                        wrong.lock().unwrap().extend(complaints);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(*count.lock().unwrap() > 0);
}

/// The commands that `ripple --help` lists.
fn subcommands(desk: &Desk) -> Vec<String> {
    let (help, _) = desk.run("ripple --help", 0);
    let list = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn the_help_of_every_command_has_examples() {
    if !has_git() {
        return;
    }
    let desk = Desk::new();
    let commands = subcommands(&desk);
    assert!(commands.len() >= 12, "{commands:?}");
    for command in commands {
        let (help, code) = desk.run(&format!("ripple {command} --help"), 0);
        assert_eq!(code, 0, "{command}");
        assert!(help.contains("Examples:\n  ripple "), "{command}: {help}");
    }
}

#[test]
fn there_is_a_man_page_for_every_command() {
    if !has_git() {
        return;
    }
    let desk = Desk::new();
    let (said, code) = desk.run("ripple man pages", 0);
    assert_eq!((said.as_str(), code), ("", 0));
    for command in subcommands(&desk) {
        let page = fs::read_to_string(desk.path().join(format!("pages/ripple-{command}.1")));
        let page = page.unwrap_or_else(|error| panic!("{command}: {error}"));
        assert!(page.contains(".SH SYNOPSIS"), "{command}");
    }
    assert!(desk.path().join("pages/ripple.1").exists());
}
