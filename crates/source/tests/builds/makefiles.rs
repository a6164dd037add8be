//! Builds with make and shell scripts.

use super::project::{Project, check, check_products, check_project, flags};

const MAIN: &str = "int f(void);\nint main(void) { return f(); }\n";
const F: &str = "int f(void) { return 0; }\n";

#[test]
fn a_static_library_gives_a_program_the_members_that_it_needs() {
    let makefile = "CFLAGS = -O2 -Iinc -DX=1\n\
        prog: main.o libf.a\n\tcc -o $@ main.o -L. -lf -lm\n\
        libf.a: f.o unused.o\n\tar rcs $@ $^\n";
    let build = check(
        &[
            ("Makefile", makefile),
            ("main.c", MAIN),
            ("f.c", "#include \"f.h\"\nint f(void) { return F - X; }\n"),
            ("unused.c", "int unused(void) { return 1; }\nint main_of_test(void) { return 2; }\n"),
            ("inc/f.h", "#define F 1\n"),
        ],
        "make",
        &[("prog", &["f.c", "main.c"]), ("libf.a", &["f.c", "unused.c"])],
    );
    let program = build.program("prog").unwrap();
    assert_eq!(program.libraries, ["m"]);
    assert_eq!(build.product(program.archives[0]).name, "libf.a");
    assert_eq!(flags(&build, "f.c"), [["-Iinc", "-DX=1"]]);
    let unit = &build.units[0];
    assert_eq!(unit.absolute_flags()[0], format!("-I{}/inc", unit.directory.display()));
}

#[test]
fn recursive_and_parallel_makes_are_followed() {
    let top = "all:\n\t$(MAKE) -C lib\n\t$(MAKE) -C app\n";
    let library = "OBJECTS = a.o b.o c.o d.o\nlibx.a: $(OBJECTS)\n\tar cru $@ $^\n\tranlib $@\n";
    let app = "all: one two\none: one.o ../lib/libx.a\n\t$(CC) $^ -o $@\n\
        two: two.o ../lib/libx.a\n\t$(CC) $^ -o $@\n";
    check(
        &[
            ("Makefile", top),
            ("lib/Makefile", library),
            ("lib/a.c", "int b(void); int a(void) { return b(); }"),
            ("lib/b.c", "int b(void) { return 0; }"),
            ("lib/c.c", "int c(void) { return 0; }"),
            ("lib/d.c", "int d(void) { return 0; }"),
            ("app/Makefile", app),
            ("app/one.c", "int a(void); int main(void) { return a(); }"),
            ("app/two.c", "int c(void); int main(void) { return c(); }"),
        ],
        "make -j4",
        &[
            ("app/one", &["app/one.c", "lib/a.c", "lib/b.c"]),
            ("app/two", &["app/two.c", "lib/c.c"]),
            ("lib/libx.a", &["lib/a.c", "lib/b.c", "lib/c.c", "lib/d.c"]),
        ],
    );
}

#[test]
fn a_script_compiles_and_links_in_one_command() {
    let script = "#!/bin/sh\nset -e\ncc -c b.c -o b.o -DB\ncc -DA a.c b.o -o prog\nmkdir bin\n\
        cp prog bin/copy\nrm b.o\n";
    let build = check(
        &[("build.sh", script), ("a.c", MAIN), ("b.c", F)],
        "./build.sh",
        &[("prog", &["a.c", "b.c"])],
    );
    assert_eq!(
        (flags(&build, "a.c"), flags(&build, "b.c")),
        (vec![vec!["-DA"]], vec![vec!["-DB"]])
    );
    let program = build.program("bin/copy").unwrap();
    assert_eq!((program.name.as_str(), program.copies.len()), ("prog", 1));
}

#[test]
fn a_file_that_is_compiled_twice_belongs_to_each_program_in_its_own_way() {
    let makefile = "all: one two\n\
        one: main.c f1.o\n\tcc -o $@ $^\ntwo: main.c f2.o\n\tcc -o $@ $^\n\
        f1.o: f.c\n\tcc -DN=1 -c -o $@ $<\nf2.o: f.c\n\tcc -DN=2 -c -o $@ $<\n";
    let f = "int f(void) { return N - 1; }";
    let build = check(
        &[("Makefile", makefile), ("main.c", MAIN), ("f.c", f)],
        "make",
        &[("one", &["f.c", "main.c"]), ("two", &["f.c", "main.c"])],
    );
    for (name, flag) in [("one", "-DN=1"), ("two", "-DN=2")] {
        let program = build.program(name).unwrap();
        let flags = program.units.iter().flat_map(|unit| &build.unit(*unit).flags);
        assert_eq!(flags.collect::<Vec<_>>(), [flag]);
    }
}

#[test]
fn response_files_partial_links_and_moved_objects_are_followed() {
    let script = "set -e\ngcc -c a.c b.c c.c\nmkdir out\nmv a.o out/x.o\n\
        printf '%s\\n' b.o \"'c.o'\" > list\nld -r -o all.o @list\nrm list b.o c.o\n\
        echo '-o prog out/x.o -Wl,--start-group all.o -Wl,--end-group' > flags\ngcc @flags\n\
        install -m 755 -D prog usr/bin/prog\n";
    let build = check(
        &[
            ("build", script),
            ("a.c", "int b(void); int main(void) { return b(); }"),
            ("b.c", "int c(void); int b(void) { return c(); }"),
            ("c.c", "int c(void) { return 0; }"),
        ],
        "sh build",
        &[("prog", &["a.c", "b.c", "c.c"])],
    );
    assert!(build.program("usr/bin/prog").is_some());
}

#[test]
fn shared_libraries_belong_to_the_programs_that_need_them() {
    let makefile = "prog: main.c libf.so\n\tcc -o $@ main.c -L. -lf -Wl,-rpath,.\n\
        libf.so: libf.so.1\n\tln -s $< $@\n\
        libf.so.1: f.c g.s\n\tcc -shared -fPIC -Wl,-soname,libf.so.1 -o $@ $^\n";
    let assembly = ".globl g\ng:\n\tret\n.section .note.GNU-stack\n";
    let build = check(
        &[("Makefile", makefile), ("main.c", MAIN), ("f.c", F), ("g.s", assembly)],
        "make",
        &[("prog", &["main.c"]), ("libf.so.1", &["f.c", "g.s"])],
    );
    let program = build.program("prog").unwrap();
    assert_eq!(build.product(program.shared[0]).name, "libf.so.1");
    assert_eq!(build.units_with_libraries(program).len(), 3);
    assert!(program.libraries.is_empty());
}

#[test]
fn archives_are_changed_extracted_and_thin() {
    let script = "set -e\ncc -c a.c b.c c.c\nar cq one.a a.o b.o\nar d one.a b.o\n\
        mkdir x\ncd x\nar x ../one.a\ncd ..\nar rcT thin.a x/a.o c.o\n\
        cc -o prog main.c thin.a\n";
    check(
        &[
            ("build", script),
            ("a.c", "int a(void) { return 0; }"),
            ("b.c", "int b(void) { return 0; }"),
            ("c.c", "int c(void) { return 0; }"),
            ("main.c", "int a(void); int c(void); int main(void) { return a() + c(); }"),
        ],
        "sh build",
        &[("prog", &["a.c", "c.c", "main.c"]), ("one.a", &["a.c"]), ("thin.a", &["a.c", "c.c"])],
    );
}

#[test]
fn generated_sources_and_texts_between_source_and_object_are_known() {
    let makefile = "prog: main.c table.c s.o\n\tcc -o $@ main.c table.c s.o\n\
        table.c: gen\n\t./gen > $@\ngen: gen.c\n\tcc -o $@ $<\n\
        s.o: s.c\n\tcc -E -DS s.c > s.i\n\tcc -S s.i\n\tas -o $@ s.s\n\trm s.i s.s\n";
    let gen_c = "#include <stdio.h>\nint main(void) { puts(\"int table = 0;\"); return 0; }";
    let build = check(
        &[
            ("Makefile", makefile),
            ("gen.c", gen_c),
            ("main.c", "extern int table; int s(void); int main(void) { return table + s(); }"),
            ("s.c", "int s(void) { return S - 1; }\n#define S 1\n#ifndef S\n#error\n#endif\n"),
        ],
        "make CFLAGS=",
        &[("prog", &["main.c", "s.c", "table.c"]), ("gen", &["gen.c"])],
    );
    assert_eq!(flags(&build, "s.c"), [["-DS"]]);
    let generated: Vec<_> = build.generated.iter().filter_map(|path| path.file_name()).collect();
    assert_eq!(generated, ["table.c"]);
    assert!(build.units.iter().find(|unit| unit.file.ends_with("table.c")).unwrap().is_generated);
}

#[test]
fn objects_that_another_program_copied_are_found_by_their_contents() {
    let script = "set -e\ncc -c f.c\ncat f.o > other.o\ncc main.c other.o -o prog\n";
    check(
        &[("build", script), ("main.c", MAIN), ("f.c", F)],
        "sh build",
        &[("prog", &["f.c", "main.c"])],
    );
}

#[test]
fn what_is_not_built_again_is_known_from_the_earlier_record() {
    let makefile = "prog: main.o f.o\n\tcc -o $@ $^\n";
    let project = Project::of(&[("Makefile", makefile), ("main.c", MAIN), ("f.c", F)]);
    let first = check_project(&project, "make", &[("prog", &["f.c", "main.c"])]);
    let idle = project.record_after("make", Some(&first));
    assert!(!idle.is_active);
    check_products(&project, &idle.build, &[("prog", &["f.c", "main.c"])]);
    let other = project.record_after("rm f.o prog; make CFLAGS=-DNEW", Some(&idle.build));
    assert!(other.is_active);
    check_products(&project, &other.build, &[("prog", &["f.c", "main.c"])]);
    assert_eq!(flags(&other.build, "f.c"), [["-DNEW"]]);
    assert_eq!(flags(&other.build, "main.c"), [[""; 0]]);
}
