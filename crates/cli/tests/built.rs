//! Repositories whose programs depend on their builds: generated headers, flags, libraries. Each
//! version is built in a copy of its files, and nothing is written into the work tree.
#![allow(clippy::unwrap_used)] // What tests share is test code as well.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;

use testkit::desk::{Desk, Said, said, signal, wait_until};
use testkit::is_installed;

const BUDGET: [&str; 2] = ["--budget", "2s"];

/// As `configure` scripts do it: asks the compiler something, and writes a header and a Makefile.
const CONFIGURE: &str = "#!/bin/sh\n\
    # Options are ignored.\n\
    echo 'int main(void) { return 0; }' > conftest.c\n\
    ${CC:-cc} conftest.c -o conftest || exit 1\n\
    rm -f conftest conftest.c\n\
    echo '#define LIMIT 10' > config.h\n\
    echo '#define HOME_OF \"'$PWD'\"' >> config.h\n\
    sed 's|@CC@|'${CC:-cc}'|' Makefile.in > Makefile\n";
const MAKEFILE_IN: &str = "CFLAGS = -I. -DSTEP=2\n\
    all: level\n\
    level: level.o libclamp.a\n\t@CC@ -o $@ level.o -L. -lclamp\n\
    level.o: config.h\n\
    libclamp.a: clamp.o\n\tar rc $@ clamp.o\n";
const LEVEL: &str = "#include \"config.h\"\n#include <stdio.h>\nint clamp(int n);\n\
    int main(int argc, char **argv)\n{\n\
    \x20   printf(\"%d %s\\n\", clamp(argc * STEP), HOME_OF[0] == '/' ? argv[0] + 2 : \"\");\n\
    \x20   return 0;\n}\n";
const CLAMP: &str = "#include \"config.h\"\nint clamp(int n);\n\
    int clamp(int n)\n{\n    return n > LIMIT ? LIMIT : n;\n}\n";

/// A desk with a cache of its own, so that what is built there is known.
struct Place {
    desk: Desk,
    cache: tempfile::TempDir,
}

impl Place {
    fn of(files: &[(&str, &str)]) -> Option<Place> {
        let desk = Desk::repository(&["compare"]).filter(|_| is_installed("make"))?;
        let place = Place { desk, cache: tempfile::tempdir().unwrap() };
        place.desk.write(&[(".git/info/exclude", "ripple.out*\n")]);
        place.commit(files, "Begin");
        Some(place)
    }

    /// A project with a script that configures it.
    fn configured() -> Option<Place> {
        Place::of(&[
            ("configure", CONFIGURE),
            ("Makefile.in", MAKEFILE_IN),
            ("level.c", LEVEL),
            ("clamp.c", CLAMP),
        ])
    }

    fn commit(&self, files: &[(&str, &str)], subject: &str) {
        self.desk.commit(files, subject);
    }

    fn run(&self, args: &[&str]) -> Said {
        said(&mut self.command(args))
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.desk.ripple(args);
        command.env("XDG_CACHE_HOME", self.cache.path());
        command
    }

    /// The last commit against the one before it, and that nothing else was touched.
    fn bare(&self, more: &[&str], code: i32) -> Said {
        let index = fs::read(self.desk.path().join(".git/index")).unwrap();
        let said = self.run(&[&["compare", "HEAD~1", "HEAD"], &BUDGET[..], more].concat());
        assert_eq!(said.code, code, "{}{}", said.out, said.err);
        assert_eq!(fs::read(self.desk.path().join(".git/index")).unwrap(), index);
        let status = self.desk.git(&["status", "--porcelain", "--ignored"]);
        let is_ours = |line: &str| line.contains("ripple.out");
        assert!(status.lines().all(is_ours), "{status}");
        said
    }

    /// Names below a directory of the cache, without what locks them.
    fn cached(&self, below: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache.path().join("ripple").join(below));
        let paths = entries.into_iter().flatten().flatten().map(|entry| entry.path());
        paths.filter(|path| path.is_dir()).collect()
    }
}

#[test]
fn a_generated_header_comes_from_a_build_that_is_confined_and_said() {
    let Some(place) = Place::configured() else { return };
    place.commit(&[("clamp.c", &CLAMP.replace("> LIMIT ?", "> LIMIT - 3 ?"))], "Clamp earlier");
    let said = place.bare(&["--args-max", "6"], 1);
    assert!(said.err.contains("needs config.h, which the version does not have"), "{}", said.err);
    assert!(
        said.err.contains("built HEAD~1 and HEAD with `sh ./configure && make"),
        "{}",
        said.err
    );
    said.has(&["different: ", "return n > LIMIT - 3 ?"]);
    assert_eq!(place.cached("built").len(), 2);
    assert_eq!(place.cached("building").len(), 0);
    // What was built stays built.
    let built = || -> Vec<_> {
        let all = place.cached("built").into_iter();
        all.map(|path| fs::metadata(path.join("build.json")).unwrap().modified().unwrap()).collect()
    };
    let before = built();
    place.bare(&["--args-max", "6"], 1);
    assert_eq!(built(), before);
    // The script builds both versions as well.
    let script = place.desk.script("witness-001.sh");
    assert_eq!(script.code, 1, "{}{}", script.out, script.err);
    script.has(&["--- OLD stdout"]);
}

#[test]
fn a_change_of_what_is_generated_is_a_change_of_the_program() {
    let Some(place) = Place::configured() else { return };
    let configure = CONFIGURE.replace("LIMIT 10", "LIMIT 4");
    place.commit(&[("configure", &configure)], "Limit");
    let said = place.bare(&["--args-max", "4"], 1);
    said.has(&["different: "]);
    place.commit(&[("configure", &configure.replace("ignored", "not known"))], "Comment");
    let said = place.bare(&["--args-max", "4"], 0);
    said.has(&["equal: "]);
    // Without a build, nobody knows.
    let said = place.run(&["compare", "HEAD~1", "HEAD", "--no-build", "--no-out"]);
    assert_eq!(said.code, 4, "{}{}", said.out, said.err);
}

#[test]
fn flags_of_a_makefile_count_where_they_change() {
    let files = [
        ("Makefile", "CFLAGS = -DSTEP=2\nstep: step.o\n"),
        (
            "step.c",
            "#include <stdio.h>\n#ifndef STEP\n#define STEP 1\n#endif\n\
             int main(int argc, char **argv)\n{\n    printf(\"%d\\n\", argc * STEP);\n    return 0;\n}\n",
        ),
    ];
    let Some(place) = Place::of(&files) else { return };
    place.commit(&[("Makefile", "CFLAGS = -DSTEP=3\nstep: step.o\n")], "Step");
    let said = place.bare(&["--args-max", "2"], 1);
    assert!(
        said.err.contains("note: Makefile differs, which says how files are compiled"),
        "{}",
        said.err
    );
    let said = place.run(&["changes", "HEAD~1", "HEAD", "--build", "make"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let said = place.run(&["impact", "HEAD~1", "HEAD", "--build", "make"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    said.has(&["main"]);
    let said = place.run(&["run", "HEAD", "--build", "make", "--", "a"]);
    assert_eq!((said.code, said.out.as_str()), (0, "6\n"), "{}", said.err);
    let said = place
        .run(&["verify", "HEAD~1", "HEAD", "--build", "make", "--arg", "int:0..9", "--no-out"]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
}

#[test]
fn a_file_that_is_compiled_in_two_ways_is_a_part_of_two_programs() {
    let files = [
        (
            "Makefile",
            "all: one two\none: x.c\n\t$(CC) -DN=1 -o $@ x.c\ntwo: x.c\n\t$(CC) -DN=2 -o $@ x.c\n",
        ),
        (
            "x.c",
            "#include <stdio.h>\nint main(int argc, char **argv)\n{\n\
             #if N == 2\n    puts(\"two\");\n#endif\n    printf(\"%d\\n\", argc);\n    return 0;\n}\n",
        ),
        ("ripple.toml", "build = \"make\"\n"),
    ];
    let Some(place) = Place::of(&files) else { return };
    place.commit(&[("x.c", &files[1].1.replace("\"two\"", "\"TWO\""))], "Shout");
    let said = place.bare(&[], 1);
    assert!(
        said.err.contains("note: the program is two; the other program does not"),
        "{}",
        said.err
    );
    let said = place.run(&["compare", "HEAD~1", "HEAD", "--program", "one", "--no-out"]);
    assert_eq!(said.code, 0, "{}{}", said.out, said.err);
    let said = place.run(&["compare", "HEAD~1", "HEAD", "--program", "three", "--no-out"]);
    assert_eq!(said.code, 2, "{}{}", said.out, said.err);
    assert!(said.err.contains("programs: one, two. Try: "), "{}", said.err);
}

#[test]
fn programs_and_a_shared_library_of_cmake_are_known_with_their_files() {
    if !is_installed("cmake") {
        return;
    }
    let files = [
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.10)\nproject(p C)\n\
             configure_file(limits.h.in gen.h)\n\
             add_library(steps SHARED src/steps.c)\n\
             target_include_directories(steps PUBLIC ${CMAKE_CURRENT_BINARY_DIR})\n\
             add_executable(up src/up.c)\ntarget_link_libraries(up steps)\n\
             add_executable(down src/down.c)\ntarget_link_libraries(down steps)\n",
        ),
        ("limits.h.in", "#define MOST 5\n"),
        (
            "src/steps.c",
            "#include \"gen.h\"\nint up(int n) { return n < MOST ? n + 1 : n; }\nint down(int n) { return n - 1; }\n",
        ),
        (
            "src/up.c",
            "#include <stdio.h>\nint up(int n);\nint main(int argc, char **argv) { printf(\"%d\\n\", up(argc)); return 0; }\n",
        ),
        (
            "src/down.c",
            "#include <stdio.h>\nint down(int n);\nint main(int argc, char **argv) { printf(\"%d\\n\", down(argc)); return 0; }\n",
        ),
    ];
    let Some(place) = Place::of(&files) else { return };
    place.commit(&[("src/steps.c", &files[2].1.replace("n - 1", "n - 2"))], "Down");
    let said = place.bare(&["--args-max", "3"], 1);
    assert!(
        said.err.contains("the program is down; the other program does not reach"),
        "{}",
        said.err
    );
    assert!(said.err.contains("cmake -S . -B ripple-build"), "{}", said.err);
    place.commit(&[("limits.h.in", "#define MOST 2\n")], "Limit");
    let said = place.bare(&["--args-max", "3"], 1);
    assert!(said.err.contains("the program is up; "), "{}", said.err);
}

#[test]
fn a_build_that_fails_says_why() {
    let Some(place) = Place::configured() else { return };
    place.commit(&[("clamp.c", &CLAMP.replace("return n", "return m"))], "Break");
    let said = place.bare(&["--build", "sh ./configure && make"], 4);
    assert!(
        said.err
            .contains("the build of HEAD with `sh ./configure && make` failed: it exits with 2"),
        "{}",
        said.err
    );
    assert!(said.err.contains("clamp.c:5"), "{}", said.err);
    let said = place.bare(&["--build", "true"], 4);
    assert!(
        said.err.contains("`true` failed: it compiles nothing\nit printed nothing"),
        "{}",
        said.err
    );
    assert_eq!(place.cached("building").len(), 0);
    // One that was only found is no reason to stop.
    let said = place.bare(&[], 4);
    assert!(said.err.contains("warning: "), "{}", said.err);
    assert!(said.err.contains("going on without a build"), "{}", said.err);
}

#[test]
fn a_confined_build_changes_nothing_else() {
    let target = tempfile::tempdir().unwrap();
    let victim = target.path().join("victim");
    fs::write(&victim, "").unwrap();
    let makefile = format!("all: x\n\trm -f {0} && test ! -e {0}\nx: x.o\n", victim.display());
    let files = [("Makefile", makefile.as_str()), ("x.c", "int main(void) { return 0; }\n")];
    let Some(place) = Place::of(&files) else { return };
    place.commit(&[("x.c", "int main(void) { return 1; }\n")], "One");
    let said = place.bare(&["--build", "make", "--sandbox-build"], 4);
    assert!(said.err.contains("Permission denied"), "{}", said.err);
    assert!(victim.exists());
    let network = "python3 -c 'import socket; socket.socket()' && make x";
    if is_installed("python3") {
        let said = place.bare(&["--build", network, "--sandbox-build"], 4);
        assert!(said.err.contains("Operation not permitted"), "{}", said.err);
    }
    // Otherwise it runs as the user's own build does.
    place.bare(&["--build", "make"], 1);
    assert!(!victim.exists());
}

#[test]
fn the_work_tree_is_copied_to_be_built() {
    let Some(place) = Place::configured() else { return };
    place.commit(&[(".gitignore", "config.h\nMakefile\n*.o\n*.a\nlevel\nripple.out\n")], "Ignore");
    assert_eq!(
        said(
            Command::new("sh")
                .args(["-c", "sh ./configure && make"])
                .current_dir(place.desk.path())
        )
        .code,
        0
    );
    let before = place.desk.names();
    place.desk.write(&[("clamp.c", &CLAMP.replace("> LIMIT ?", "> 2 ?"))]);
    let said = place.run(&[
        "compare",
        "HEAD",
        ".",
        "--build",
        "sh ./configure && make",
        "--args-max",
        "3",
        "--budget",
        "2s",
        "--no-out",
    ]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    assert_eq!(place.desk.names(), before);
    let kept = fs::read_to_string(place.desk.path().join("config.h")).unwrap();
    assert!(
        kept.contains(&place.desk.path().file_name().unwrap().to_string_lossy().into_owned()),
        "{kept}"
    );
}

#[test]
fn what_a_killed_build_leaves_is_removed_by_the_next_one() {
    let Some(place) = Place::configured() else { return };
    place.commit(&[("clamp.c", &CLAMP.replace("> LIMIT ?", "> LIMIT - 3 ?"))], "Clamp earlier");
    let slow = "touch begun && sleep 60 && make";
    let mut child = place.command(&["compare", "HEAD~1", "HEAD", "--build", slow]).spawn().unwrap();
    let is_building =
        || place.cached("building").iter().any(|path| path.join("tree/begun").exists());
    assert!(wait_until(is_building));
    signal(&child, "KILL");
    child.wait().unwrap();
    assert_eq!((place.cached("building").len(), place.cached("built").len()), (1, 0));
    place.bare(&["--build", "sh ./configure && make", "--args-max", "6"], 1);
    assert_eq!((place.cached("building").len(), place.cached("built").len()), (0, 2));
}

#[test]
fn two_directories_are_built_like_two_revisions() {
    let desk = Desk::of(&["compare"], &[]);
    for (version, clamp) in [("v1", CLAMP.to_owned()), ("v2", CLAMP.replace("> LIMIT ?", "> 3 ?"))]
    {
        desk.write(&[
            (&format!("{version}/configure"), CONFIGURE),
            (&format!("{version}/Makefile.in"), MAKEFILE_IN),
            (&format!("{version}/level.c"), LEVEL),
            (&format!("{version}/clamp.c"), &clamp),
        ]);
    }
    let said = desk.run(&[
        "v1",
        "v2",
        "--build",
        "sh ./configure && make",
        "--args-max",
        "3",
        "--budget",
        "2s",
        "--no-out",
    ]);
    assert_eq!(said.code, 1, "{}{}", said.out, said.err);
    let mut names: Vec<String> = fs::read_dir(desk.path().join("v1"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["Makefile.in", "clamp.c", "configure", "level.c"]);
    desk.refuses(
        &["v1/clamp.c", "v2/clamp.c", "--build", "make"],
        &["builds directories and revisions, not files"],
    );
}

#[test]
fn a_submodule_is_built_with_the_project() {
    let Some(place) = Place::of(&[
        ("Makefile", "CFLAGS = -Isub\nuse: use.o sub/part.o\n"),
        (
            "use.c",
            "#include <stdio.h>\n#include \"part.h\"\nint main(int argc, char **argv) { printf(\"%d\\n\", part(argc)); return 0; }\n",
        ),
    ]) else {
        return;
    };
    let part = Desk::repository(&["compare"]).unwrap();
    part.commit(
        &[
            ("part.h", "int part(int n);\n"),
            ("part.c", "#include \"part.h\"\nint part(int n) { return n; }\n"),
        ],
        "Begin",
    );
    let url = part.path().display().to_string();
    place.desk.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "--quiet",
        "add",
        &url,
        "sub",
    ]);
    place.commit(&[], "Part");
    part.commit(&[("part.c", "#include \"part.h\"\nint part(int n) { return n + 1; }\n")], "More");
    place.desk.git(&["-C", "sub", "pull", "--quiet"]);
    place.commit(&[], "More parts");
    for build in [&["--build", "make"][..], &["--no-build"]] {
        let said = place
            .run(&[&["compare", "HEAD~1", "HEAD", "--args-max", "1"], &BUDGET[..], build].concat());
        assert_eq!(said.code, 1, "{}{}", said.out, said.err);
        said.has(&["sub/part.c"]);
        let script = place.desk.script("witness-001.sh");
        assert_eq!(script.code, 1, "{}{}", script.out, script.err);
    }
    let mode =
        fs::metadata(place.cached("built")[0].join("tree/use.c")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
}

#[test]
fn a_build_that_fails_gives_way_to_the_next_one() {
    if !is_installed("cmake") {
        return;
    }
    let Some(place) = Place::of(&[
        ("configure", "#!/bin/sh\necho no-such-tool is missing >&2\nexit 1\n"),
        (
            "CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.10)\nproject(p C)\nconfigure_file(in.h gen.h)\n\
             include_directories(${CMAKE_CURRENT_BINARY_DIR})\nadd_executable(one one.c)\n",
        ),
        ("in.h", "#define ONE 1\n"),
        (
            "one.c",
            "#include <stdio.h>\n#include \"gen.h\"\n\
             int main(int argc, char **argv) { printf(\"%d\\n\", argc + ONE); return 0; }\n",
        ),
    ]) else {
        return;
    };
    place.commit(&[("in.h", "#define ONE 2\n")], "Two");
    let said = place.bare(&["--args-max", "1"], 1);
    assert!(said.err.contains("built HEAD~1 and HEAD with `cmake "), "{}", said.err);
    assert!(!said.err.contains("warning: "), "{}", said.err);
}
