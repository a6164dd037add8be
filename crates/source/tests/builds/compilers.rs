//! Compilers under other names, behind caches and wrappers, and unusual flags.

use std::fs;
use std::process::Command;

use testkit::is_installed;

use super::project::{Project, check, check_project, flags};

const MAIN: &str = "int f(void);\nint main(void) { return f(); }\n";
const F: &str = "int f(void) { return 0; }\n";
const WANTED: &[(&str, &[&str])] = &[("prog", &["f.c", "main.c"])];

/// A Makefile for two files.
fn makefile(compiler: &str) -> String {
    format!(
        "CC = {compiler}\nprog: main.o f.o\n\t$(CC) -o $@ $^\n%.o: %.c\n\t$(CC) -DX -c -o $@ $<\n"
    )
}

#[test]
fn compilers_are_seen_when_they_are_called_by_absolute_names() {
    let gcc = String::from_utf8(Command::new("which").arg("gcc").output().unwrap().stdout).unwrap();
    let makefile = makefile(gcc.trim());
    let build = check(&[("Makefile", &makefile), ("main.c", MAIN), ("f.c", F)], "make", WANTED);
    assert_eq!(flags(&build, "f.c"), [["-DX"]]);
}

#[test]
fn of_a_static_wrapper_the_compiler_behind_it_counts() {
    let wrapper = "#include <unistd.h>\n\
        int main(int count, char **words) {\n\
          char *all[64] = { \"gcc\", \"-DWRAPPED\" };\n\
          for (int i = 1; i < count && i < 60; i++) all[i + 1] = words[i];\n\
          execvp(\"gcc\", all);\n\
          return 1;\n}\n";
    let files = [("Makefile", makefile("./cc")), ("wrap.txt", wrapper.to_owned())];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let project = Project::of(&[&files[..], &[("main.c", MAIN), ("f.c", F)]].concat());
    let command = "gcc -static -o cc -x c wrap.txt && make";
    let build = check_project(&project, command, &[WANTED[0], ("cc", &["wrap.txt"])]);
    assert_eq!(flags(&build, "f.c"), [["-DWRAPPED", "-DX"]]);
}

#[test]
fn a_compiler_of_an_unknown_name_is_known_by_its_parts() {
    // A program that calls the compiler's own part, as a renamed driver does.
    let part = Command::new("gcc").arg("-print-prog-name=cc1").output().unwrap();
    let part = String::from_utf8(part.stdout).unwrap();
    if !part.starts_with('/') {
        return testkit::leave_out("this gcc does not tell where its parts are");
    }
    let text = format!(
        "#include <stdlib.h>\n#include <unistd.h>\n#include <sys/wait.h>\n\
         int main(int count, char **words) {{\n\
           if (!fork()) {{ execl(\"{}\", \"cc1\", \"-quiet\", \"f.c\", \"-o\", \"f.s\", (char *)0); _exit(1); }}\n\
           int status; wait(&status);\n\
           return status != 0 || system(\"as -o f.o f.s\") != 0;\n}}\n",
        part.trim()
    );
    let command = "gcc -o vendor_compile -x c vendor.txt && ./vendor_compile -DV -c f.c && \
        gcc -o prog main.c f.o";
    let files = [("vendor.txt", text.as_str()), ("main.c", MAIN), ("f.c", F)];
    let wanted: &[(&str, &[&str])] = &[WANTED[0], ("vendor_compile", &["vendor.txt"])];
    let build = check(&files, command, wanted);
    assert_eq!(flags(&build, "f.c"), [["-DV"]]);
}

#[test]
fn a_cache_in_front_of_the_compiler_is_seen_whether_it_compiles_or_not() {
    if !is_installed("ccache") {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let makefile = makefile("ccache gcc");
    let project = Project::of(&[("Makefile", &makefile), ("main.c", MAIN), ("f.c", F)]);
    // The plain build fills the cache, so that the recorded one starts no compiler.
    let command = format!("CCACHE_DIR={} make", store.path().display());
    let build = check_project(&project, &command, WANTED);
    assert_eq!(flags(&build, "f.c"), [["-DX"]]);
    let fresh = tempfile::tempdir().unwrap();
    project.write();
    let recorded = project.record(&format!("CCACHE_DIR={} make", fresh.path().display()));
    assert_eq!(recorded.build.units, build.units);
}

#[test]
fn a_cache_may_have_the_name_of_a_compiler() {
    if !is_installed("ccache") {
        return;
    }
    let store = tempfile::tempdir().unwrap();
    let project = Project::of(&[("Makefile", &makefile("gcc")), ("main.c", MAIN), ("f.c", F)]);
    let command = format!(
        "mkdir bin && ln -s $(which ccache) bin/gcc && \
         CCACHE_DIR={} PATH=$PWD/bin:$PATH make",
        store.path().display()
    );
    let build = check_project(&project, &command, WANTED);
    assert_eq!(flags(&build, "f.c"), [["-DX"]]);
}

#[test]
fn link_time_optimisation_adds_no_units() {
    let makefile = "FLAGS = -flto -O2 -frandom-seed=1\nprog: main.o libf.a\n\tgcc $(FLAGS) -o $@ $^\n\
        %.o: %.c\n\tgcc $(FLAGS) -pipe -c -o $@ $<\nlibf.a: f.o\n\tgcc-ar rcs $@ $^\n";
    check(
        &[("Makefile", makefile), ("main.c", MAIN), ("f.c", F)],
        "make",
        &[WANTED[0], ("libf.a", &["f.c"])],
    );
}

#[test]
fn other_languages_are_units_that_are_not_c() {
    let makefile = "prog: main.o f.o g.o\n\tg++ -o $@ $^\n%.o: %.cpp\n\tg++ -c -o $@ $<\n";
    let build = check(
        &[
            ("Makefile", makefile),
            ("main.c", "int f(void); int main(void) { return f(); }"),
            ("f.cpp", "extern \"C\" int f() { return 0; }"),
            ("g.S", ".section .note.GNU-stack\n"),
        ],
        "make",
        &[("prog", &["f.cpp", "g.S", "main.c"])],
    );
    let languages: Vec<_> = build.units.iter().map(|unit| unit.language).collect();
    use ripple_source::Language::{Assembly, C, Cpp};
    assert_eq!(languages, [Cpp, Assembly, C]);
}

#[test]
fn flags_that_only_gcc_knows_are_dropped_and_named() {
    let build = check(
        &[("a.c", "int main(void) { return 0; }")],
        "gcc -mpreferred-stack-boundary=4 -fopenmp -DX -o prog a.c",
        &[("prog", &["a.c"])],
    );
    assert_eq!(flags(&build, "a.c"), [["-DX"]]);
    let dropped: Vec<&str> = build.dropped.iter().map(|one| one.flag.as_str()).collect();
    assert_eq!(dropped, ["-fopenmp", "-mpreferred-stack-boundary=4"]);
}

#[test]
fn directories_that_the_environment_names_become_flags() {
    let project = Project::of(&[("a.c", "#include <x.h>\nint main(void) { return X; }")]);
    fs::create_dir_all(project.path().join("inc")).unwrap();
    let command = "mkdir -p inc && echo '#define X 0' > inc/x.h && CPATH=inc gcc -o prog a.c";
    let build = check_project(&project, command, &[("prog", &["a.c"])]);
    assert_eq!(flags(&build, "a.c"), [["-I", "inc"]]);
}
