//! A directory with programs, and the command that runs in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{is_installed, scratch};

/// A fresh directory with some files. The cache is shared, so that the C library is compiled once.
pub struct Desk {
    place: tempfile::TempDir,
    /// The first words of `run`, `report` and `refuses`.
    prefix: &'static [&'static str],
}

pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Desk {
    /// A desk for comparisons.
    pub fn with(files: &[(&str, &str)]) -> Desk {
        Desk::of(&["compare"], files)
    }

    /// A desk for commands that begin with these words.
    pub fn of(prefix: &'static [&'static str], files: &[(&str, &str)]) -> Desk {
        let desk = Desk { place: tempfile::tempdir().unwrap(), prefix };
        desk.write(files);
        desk
    }

    /// Two versions of one program, as `old.c` and `new.c`.
    pub fn pair(old: &str, new: &str) -> Desk {
        Desk::with(&[("old.c", old), ("new.c", new)])
    }

    /// An empty repository; skips if git is not installed.
    pub fn repository(prefix: &'static [&'static str]) -> Option<Desk> {
        let desk = is_installed("git").then(|| Desk::of(prefix, &[]))?;
        desk.git(&["init", "--quiet", "--initial-branch=main"]);
        Some(desk)
    }

    /// The output of git, which must succeed.
    pub fn git(&self, args: &[&str]) -> String {
        let mut command = Command::new("git");
        command.args(["-c", "user.name=A", "-c", "user.email=a@example.org"]);
        command.args(["-c", "commit.gpgsign=false"]).args(args);
        let said = said(command.current_dir(self.path()));
        assert_eq!(said.code, 0, "{args:?}: {}", said.err);
        said.out
    }

    /// Writes files and commits everything.
    pub fn commit(&self, files: &[(&str, &str)], subject: &str) {
        self.write(files);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", subject]);
    }

    pub fn path(&self) -> &Path {
        self.place.path()
    }

    pub fn write(&self, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = self.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    pub fn command(&self, args: &[&str]) -> Command {
        self.ripple(&[self.prefix, args].concat())
    }

    /// Any command.
    pub fn ripple(&self, args: &[&str]) -> Command {
        let mut command = Command::new(binary());
        command.current_dir(self.path()).args(args);
        command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
        command.env("XDG_CACHE_HOME", scratch("desk-cache"));
        // Results must not depend on which thread is faster.
        command.env("RIPPLE_DETERMINISTIC", "1");
        command.env_remove("RIPPLE_CLANG").stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Said {
        said(&mut self.command(args))
    }

    /// `old.c` and `new.c`, with these flags.
    pub fn compare(&self, flags: &[&str]) -> Said {
        self.run(&[&["old.c", "new.c"], flags].concat())
    }

    /// The report as JSON; the exit code must be as expected.
    pub fn report(&self, args: &[&str], code: i32) -> Value {
        let said = self.run(&[&["--format", "json"], args].concat());
        assert_eq!(said.code, code, "{args:?}: {}{}", said.out, said.err);
        serde_json::from_str(&said.out).unwrap()
    }

    /// Checks that the command fails with one line that contains the words, and writes nothing.
    pub fn refuses(&self, args: &[&str], words: &[&str]) {
        self.fails(args, 2, words);
    }

    /// The same with another exit code.
    pub fn fails(&self, args: &[&str], code: i32, words: &[&str]) {
        let before = self.names();
        let said = self.run(args);
        assert_eq!((said.code, said.out.as_str()), (code, ""), "{args:?}: {}", said.err);
        assert_eq!(said.err.trim_end().lines().count(), 1, "{args:?}: {}", said.err);
        for word in words {
            assert!(said.err.contains(word), "{args:?}: no `{word}` in {}", said.err);
        }
        assert_eq!(self.names(), before, "{args:?}");
    }

    /// The names in the directory.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs a script of the output directory, from another directory.
    pub fn script(&self, name: &str) -> Said {
        let script = self.path().join("ripple.out").join(name);
        said(Command::new("sh").arg(script).current_dir("/").stdin(Stdio::null()))
    }
}

/// The command of this build: cargo puts it beside the directory of the tests.
pub fn binary() -> PathBuf {
    let tests = std::env::current_exe().unwrap();
    tests.parent().and_then(Path::parent).unwrap().join("ripple")
}

pub fn said(command: &mut Command) -> Said {
    let output = command.output().unwrap();
    Said {
        code: output.status.code().unwrap(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Waits until something holds, for at most half a minute.
pub fn wait_until(mut holds: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if holds() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Sends a signal to one process.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

impl Said {
    pub fn has(&self, parts: &[&str]) {
        for part in parts {
            assert!(self.out.contains(part), "no {part:?} in {}{}", self.out, self.err);
        }
    }
}
