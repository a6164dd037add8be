//! `ripple build` and `ripple programs` as people type them.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use testkit::desk::{Desk, said, signal, wait_until};
use testkit::is_installed;

const MAKEFILE: &str = "all: one two\n\
    one: one.o libf.a\n\t$(CC) -o $@ one.o -L. -lf -lm\n\
    two: two.o g.o\n\t$(CC) -o $@ $^\n\
    libf.a: f.o h.o\n\tar rcs $@ $^\n\
    clean:\n\trm -f one two *.o *.a\n";

fn files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("Makefile", MAKEFILE),
        ("one.c", "int f(void);\nint main(void) { return f(); }\n"),
        ("two.c", "int g(void);\nint main(void) { return g(); }\n"),
        ("f.c", "int f(void) { return 0; }\n"),
        ("g.c", "int g(void) { return 0; }\n"),
        ("h.c", "int h(void) { return 0; }\n"),
    ]
}

/// A desk whose records nobody else has.
struct Place {
    desk: Desk,
    cache: tempfile::TempDir,
}

impl Place {
    fn with(files: &[(&str, &str)]) -> Place {
        Place { desk: Desk::of(&[], files), cache: tempfile::tempdir().expect("it can be made") }
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.desk.ripple(args);
        command.env("XDG_CACHE_HOME", self.cache.path());
        command
    }

    fn run(&self, args: &[&str]) -> testkit::desk::Said {
        said(&mut self.command(args))
    }

    fn programs(&self) -> Value {
        let said = self.run(&["programs", "--format", "json"]);
        assert_eq!(said.code, 0, "{}", said.err);
        serde_json::from_str(&said.out).expect("it is JSON")
    }

    /// The recorded builds.
    fn records(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache.path().join("ripple/builds"));
        entries.into_iter().flatten().flatten().map(|entry| entry.path()).collect()
    }
}

fn names_and_files(programs: &Value) -> Vec<(String, Vec<String>)> {
    let text = |value: &Value| value.as_str().expect("it is text").to_owned();
    let listed = programs["programs"].as_array().expect("it is a list").iter();
    let files =
        |one: &Value| one["files"].as_array().expect("it is a list").iter().map(text).collect();
    listed.map(|one| (text(&one["name"]), files(one))).collect()
}

fn wanted() -> Vec<(String, Vec<String>)> {
    let one = |name: &str, files: &[&str]| {
        (name.to_owned(), files.iter().map(|&file| file.to_owned()).collect())
    };
    vec![one("one", &["f.c", "one.c"]), one("two", &["g.c", "two.c"])]
}

#[test]
fn a_build_is_recorded_and_its_programs_are_listed() {
    let place = Place::with(&files());
    let before = place.desk.names();
    let said = place.run(&["build", "--", "make", "-j2"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.out.contains("ar rcs libf.a"), "the output of make: {}", said.out);
    assert!(said.err.contains("recorded 3 products from 5 C files"), "{}", said.err);
    let programs = place.programs();
    assert_eq!(
        (&programs["schema"], &programs["from"]),
        (&"ripple.programs/1".into(), &"build".into())
    );
    assert_eq!(names_and_files(&programs), wanted());
    assert_eq!(programs["programs"][0]["own_libraries"][0], "libf.a");
    let text = place.run(&["programs", "--files"]).out;
    let wanted = "program         one  2 C files, with libf.a, -lm\n    f.c\n    one.c\n";
    assert!(text.starts_with(wanted), "{text}");
    place.run(&["build", "--", "make", "clean"]);
    assert_eq!(place.desk.names(), before, "nothing else is written here");
}

#[test]
fn the_record_goes_where_the_user_says_and_can_be_read_from_there() {
    let place = Place::with(&files());
    let said = place.run(&["build", "--out", "build.json", "--check", "--", "make"]);
    assert_eq!(said.code, 0, "{}", said.err);
    assert!(said.err.contains("clang compiles all C files"), "{}", said.err);
    assert!(place.records().is_empty());
    let record: Value = serde_json::from_str(&place.desk.read("build.json")).expect("it is JSON");
    assert_eq!(
        (&record["schema"], &record["means"]),
        (&"ripple.build/1".into(), &"tracing".into())
    );
    let page = fs::read_to_string(testkit::root().join("docs/builds.md")).expect("it is there");
    for member in record.as_object().expect("it is an object").keys().skip(1) {
        assert!(member == "schema" || page.contains(&format!("`{member}`")), "{member}");
    }
    let said = place.run(&["programs", "--build", "build.json"]);
    assert!(said.out.contains("two"), "{}", said.out);
}

#[test]
fn without_tracing_tools_are_found_on_the_path() {
    let place = Place::with(&files());
    let said = place.run(&["build", "--no-trace", "--out", "build.json", "--", "make", "-j2"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert!(said.err.contains("absolute paths are missing"), "{}", said.err);
    let said = place.run(&["programs", "--build", "build.json", "--format", "json"]);
    let programs = serde_json::from_str(&said.out).expect("it is JSON");
    assert_eq!(names_and_files(&programs), wanted());
    let watched: Vec<Vec<u8>> = ["one", "two", "libf.a"].map(|name| bytes(&place, name)).into();
    place.run(&["build", "--", "make", "clean", "all"]);
    let traced: Vec<Vec<u8>> = ["one", "two", "libf.a"].map(|name| bytes(&place, name)).into();
    assert!(watched == traced, "the products differ");
}

fn bytes(place: &Place, name: &str) -> Vec<u8> {
    fs::read(place.desk.path().join(name)).expect("it was built")
}

#[test]
fn without_tracing_wrappers_caches_and_later_builds_work() {
    if !is_installed("cmake") {
        return;
    }
    let lists = "cmake_minimum_required(VERSION 3.10)\nproject(P C)\nadd_executable(prog main.c)\n";
    let wrapper = "#!/bin/sh\nexec gcc -DWRAPPED \"$@\"\n";
    let place = Place::with(&[
        ("CMakeLists.txt", lists),
        ("main.c", "int main(void) { return WRAPPED - 1; }\n"),
        ("wrap/cc", wrapper),
    ]);
    let script = "chmod +x wrap/cc; PATH=$PWD/wrap:$PATH; export PATH; \
        cmake -S . -B out > log && cmake --build out >> log";
    let said = place.run(&["build", "--no-trace", "--", "sh", "-c", script]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    assert_eq!(names_and_files(&place.programs())[0].1, ["main.c"]);
    // CMake noted where it found its compiler, which must still be one.
    place.desk.write(&[("main.c", "int main(void) { return 2 * WRAPPED - 2; }\n")]);
    let again = said_of(&place, "PATH=$PWD/wrap:$PATH cmake --build out");
    assert_eq!(again.code, 0, "{}", again.err);
}

fn said_of(place: &Place, script: &str) -> testkit::desk::Said {
    said(Command::new("sh").args(["-c", script]).current_dir(place.desk.path()))
}

#[test]
fn a_build_that_fails_keeps_its_exit_code_and_says_what_was_recorded() {
    let place = Place::with(&files());
    place.desk.write(&[("two.c", "int main(void) { return ; }}\n")]);
    let said = place.run(&["build", "--", "make", "-k"]);
    assert_eq!(said.code, 2, "{}", said.err);
    assert!(said.err.contains("the build failed"), "{}", said.err);
    assert_eq!(names_and_files(&place.programs()), wanted()[..1]);
    let killed = place.run(&["build", "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(killed.code, 137);
}

#[test]
fn an_up_to_date_build_says_what_to_do() {
    let place = Place::with(&files());
    assert_eq!(said_of(&place, "make").code, 0);
    let said = place.run(&["build", "--", "make"]);
    assert_eq!(said.code, 2);
    assert!(
        said.err.contains("nothing was compiled") && said.err.contains("make clean"),
        "{}",
        said.err
    );
    assert!(place.records().is_empty());
}

/// Starts a build that waits, and returns when it has begun to.
fn waiting_build(place: &Place, script: &str) -> Child {
    let mut command = place.command(&["build", "--", "sh", "-c", script]);
    command.stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
    let child = command.spawn().expect("it starts");
    let started = place.desk.path().join("started");
    assert!(wait_until(|| started.exists()));
    child
}

#[test]
fn an_interrupted_build_cleans_up_by_itself_and_leaves_the_earlier_record() {
    let place = Place::with(&files());
    place.run(&["build", "--", "make"]);
    let record = fs::read(&place.records()[0]).expect("it is there");
    let script = "trap 'rm started; echo > cleaned; exit 9' INT TERM\n\
        cc -c h.c -o started\nwhile :; do sleep 0.05; done";
    for (name, code) in [("TERM", 143), ("INT", 130)] {
        let _ = fs::remove_file(place.desk.path().join("cleaned"));
        let mut child = waiting_build(&place, script);
        signal(&child, name);
        assert_eq!(child.wait().expect("it ends").code(), Some(code));
        assert!(place.desk.path().join("cleaned").exists(), "{name}");
    }
    assert!(fs::read(&place.records()[0]).expect("it is there") == record);
}

#[test]
fn nothing_runs_on_when_ripple_is_killed() {
    let place = Place::with(&[]);
    let script = "echo $$ > number; sleep 300 & echo > started; wait";
    let mut child = waiting_build(&place, script);
    signal(&child, "KILL");
    child.wait().expect("it ends");
    let number = place.desk.read("number");
    let process = PathBuf::from("/proc").join(number.trim());
    let is_gone = || {
        let status = fs::read_to_string(process.join("status")).unwrap_or_default();
        status.is_empty() || status.contains("State:\tZ")
    };
    assert!(wait_until(is_gone));
}

#[test]
fn without_a_record_the_files_that_define_main_are_listed() {
    let place = Place::with(&files());
    place.desk.write(&[("test.c", "#ifdef TEST\nint main(void) { return 0; }\n#endif\n")]);
    let said = place.run(&["programs", "--files"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let wanted = "program         one   `main` in one.c\n    one.c\n\
        program         two   `main` in two.c\n    two.c\n\
        program         test  `main` in test.c, under a condition\n    test.c\n\
        3 more C files, which any program may need\n    f.c\n    g.c\n    h.c\n";
    assert_eq!(said.out, wanted);
    assert!(said.err.contains("ripple build"), "{}", said.err);
    let database = r#"[{"directory": ".", "file": "two.c", "command": "cc -DX -c two.c"},
        {"directory": ".", "file": "g.c", "command": "cc -DX -c g.c"}]"#;
    place.desk.write(&[("compile_commands.json", database)]);
    let programs = place.programs();
    assert_eq!(programs["from"], "compile_commands.json");
    assert_eq!(names_and_files(&programs).len(), 1);
    assert_eq!(programs["shared"], serde_json::json!(["g.c"]));
}

#[test]
fn mistakes_get_one_sentence_each() {
    let place = Place::with(&[("a.c", "int f;\n"), ("bad.json", "{}")]);
    for (args, words) in [
        (&["build", "--", "no-such-tool"][..], "`no-such-tool` was not found"),
        (&["build", "--out", "no/such/file", "--", "make"], "its directory does not exist"),
        (&["programs"], "ripple build -- make"),
        (&["programs", "nowhere"], "`nowhere` is not a directory"),
        (&["programs", "--build", "bad.json"], "is no recorded build"),
    ] {
        let said = place.run(args);
        assert_eq!((said.code, said.out.as_str()), (2, ""), "{args:?}: {}", said.err);
        assert!(said.err.contains(words), "{args:?}: {}", said.err);
        assert_eq!(said.err.trim_end().lines().count(), 1, "{args:?}: {}", said.err);
    }
}
