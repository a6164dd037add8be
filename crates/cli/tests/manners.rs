//! How `ripple run` behaves towards shells, file systems and odd names.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::ffi::OsStr;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const CAT: &str = "#include <stdio.h>\n\
    int main(int c, char **v) { int k; for (int i = 1; i < c; i++) { FILE *f = fopen(v[i], \"r\");\n\
    if (!f) { perror(v[i]); continue; } while ((k = getc(f)) != EOF) putchar(k); fclose(f); } }\n";

const ENDLESS: &str = "#include <stdio.h>\nint main(void) { for (;;) puts(\"and on\"); }\n";

struct Desk {
    place: tempfile::TempDir,
}

impl Desk {
    fn with(files: &[(&str, &str)]) -> Self {
        let place = tempfile::tempdir().unwrap();
        for (name, text) in files {
            fs::write(place.path().join(name), text).unwrap();
        }
        Self { place }
    }

    fn command<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        self.prepared(Command::new(env!("CARGO_BIN_EXE_ripple")), args)
    }

    /// The same with interrupts: the parent of the tests may ignore them, which is inherited.
    fn listening<S: AsRef<OsStr>>(&self, args: &[S]) -> Command {
        let mut command = Command::new("env");
        command.arg("--default-signal=INT").arg(env!("CARGO_BIN_EXE_ripple"));
        self.prepared(command, args)
    }

    fn prepared<S: AsRef<OsStr>>(&self, mut command: Command, args: &[S]) -> Command {
        command.arg("run").args(args).current_dir(self.place.path());
        command.env("XDG_CACHE_HOME", self.place.path().join("cache")).env_remove("RIPPLE_CLANG");
        command
    }

    fn run<S: AsRef<OsStr>>(&self, args: &[S]) -> (i32, String, String) {
        said(self.command(args).output().unwrap())
    }
}

fn said(output: Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_run_ends_when_nobody_reads_its_output() {
    let desk = Desk::with(&[("endless.c", ENDLESS)]);
    let mut child = desk.command(&["endless.c"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let gone = Instant::now();
    assert_eq!((line.as_str(), child.wait().unwrap().code()), ("and on\n", Some(141)));
    assert!(gone.elapsed() < Duration::from_secs(2));
}

#[test]
fn an_interrupt_ends_a_run_at_once() {
    let desk = Desk::with(&[("endless.c", ENDLESS)]);
    let mut child = desk.listening(&["endless.c"]).stdout(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    let asked = Instant::now();
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().signal(), Some(2));
    assert!(asked.elapsed() < Duration::from_secs(2));
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let desk = Desk::with(&[("endless.c", ENDLESS)]);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let (code, _, err) = said(desk.command(&["endless.c"]).stdout(full).output().unwrap());
    assert_eq!(code, 2);
    assert!(err.starts_with("error: cannot pass on the output of the program: "), "{err}");
    assert_eq!(err.lines().count(), 1);
}

#[test]
fn files_that_contradict_each_other_are_refused() {
    let desk = Desk::with(&[("cat.c", CAT), ("one", "1\n"), ("two", "2\n")]);
    for (first, second, complaint) in [
        ("a=one", "a=two", "`a` is given twice"),
        ("a=one", "./a=two", "`./a` is given twice"),
        ("a=one", "a/b=two", "Not a directory"),
        ("a=one", "=two", "has no name"),
    ] {
        let (code, out, err) = desk.run(&["cat.c", "--file", first, "--file", second]);
        assert_eq!((code, out.as_str()), (2, ""), "{err}");
        assert!(err.contains(complaint) && err.contains(second), "{err}");
    }
    let both = ["cat.c", "--file", "d/a=one", "--file", "d/b=two", "--", "d/b", "d/a"];
    assert_eq!(desk.run(&both), (0, "2\n1\n".to_owned(), String::new()));
}

#[test]
fn names_need_not_be_utf8() {
    let desk = Desk::with(&[]);
    let odd = OsStr::from_bytes(b"odd\xff.c");
    fs::write(desk.place.path().join(odd), CAT).unwrap();
    fs::write(desk.place.path().join(OsStr::from_bytes(b"\xfe")), "held\n").unwrap();
    let pair = OsStr::from_bytes(b"in\xff=\xfe");
    let args = [odd, "--file".as_ref(), pair, "--".as_ref(), OsStr::from_bytes(b"in\xff")];
    assert_eq!(desk.run(&args), (0, "held\n".to_owned(), String::new()));
}

#[test]
fn written_files_keep_their_directories() {
    let program = "#include <stdio.h>\n#include <sys/stat.h>\n\
        static void put(const char *n) { FILE *f = fopen(n, \"w\"); fputs(n, f); fclose(f); }\n\
        int main(void) { mkdir(\"d\", 0777); put(\"x\"); put(\"d/x\"); put(\"/tmp/x\"); }\n";
    let desk = Desk::with(&[("p.c", program)]);
    assert_eq!(desk.run(&["p.c", "--save-files", "saved"]).0, 0);
    for (name, content) in [("x", "x"), ("d/x", "d/x"), ("tmp/x", "/tmp/x")] {
        let saved = fs::read_to_string(desk.place.path().join("saved").join(name)).unwrap();
        assert_eq!(saved, content);
    }
}

#[test]
fn a_quiet_run_says_nothing_of_its_own() {
    let desk = Desk::with(&[("null.c", "int main(void) { return *(volatile int *)0; }\n")]);
    assert_eq!(desk.run(&["null.c", "--quiet"]), (139, String::new(), String::new()));
    assert!(desk.run(&["null.c"]).2.starts_with("fault: "));
}

#[test]
fn a_cache_that_cannot_be_written_is_no_obstacle() {
    let desk = Desk::with(&[("cat.c", CAT), ("file", "")]);
    assert_eq!(desk.run(&["cat.c", "--cache-dir", "file"]), (0, String::new(), String::new()));
    let mut homeless = desk.command(&["cat.c"]);
    homeless.env_remove("XDG_CACHE_HOME").env("HOME", "/proc");
    assert_eq!(said(homeless.output().unwrap()).0, 0);
}
