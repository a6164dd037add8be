//! Builds with `configure`, CMake, Meson, ninja and libtool.

use testkit::is_installed;

use super::project::{Project, check, check_project, flags};

const MAIN: &str =
    "#include \"config.h\"\nint f(void);\nint main(void) { return f() - HAVE_PIPE; }\n";
const CONFIGURE: &str = r##"#!/bin/sh
CC=${CC-cc}
cat > conftest.c <<X
int main(void) { return 0; }
X
$CC -o conftest conftest.c || exit 1
./conftest || exit 1
rm -f conftest conftest.c
for name in pipe no_such_function; do
  echo "char $name(); int main(void) { return $name(); }" > conftest.c
  if $CC -o conftest conftest.c 2>/dev/null; then
    echo "#define HAVE_`echo $name | tr a-z A-Z` 1" >> config.h
  fi
  if $CC -c conftest.c 2>/dev/null; then :; fi
  rm -f conftest conftest.o conftest.c
done
sed s/@CC@/$CC/ Makefile.in > Makefile
"##;

#[test]
fn what_configure_tries_is_no_product() {
    let makefile = "prog: main.o lib/libf.a\n\t@CC@ -o $@ $^\n\
        %.o: %.c\n\t@CC@ -DHAVE_CONFIG_H -I. -c -o $@ $<\n\
        lib/libf.a: lib/f.o\n\tar cr $@ $^\n\tranlib $@\n";
    let build = check(
        &[
            ("configure", CONFIGURE),
            ("Makefile.in", makefile),
            ("main.c", MAIN),
            ("lib/f.c", "#include <config.h>\nint f(void) { return HAVE_PIPE; }\n"),
        ],
        "./configure && make",
        &[("prog", &["lib/f.c", "main.c"]), ("lib/libf.a", &["lib/f.c"])],
    );
    assert_eq!(build.units.len(), 2);
    assert_eq!(flags(&build, "f.c"), [["-DHAVE_CONFIG_H", "-I."]]);
    let generated: Vec<_> = build.generated.iter().filter_map(|path| path.file_name()).collect();
    assert_eq!(generated, ["config.h"]);
}

const LISTS: &str = r#"cmake_minimum_required(VERSION 3.10)
project(P C)
include(CheckFunctionExists)
check_function_exists(pipe HAVE_PIPE)
configure_file(config.h.in config.h)
include_directories(${CMAKE_CURRENT_BINARY_DIR})
add_library(f SHARED f.c)
add_library(g STATIC g.c h.c)
add_executable(one one.c)
target_link_libraries(one f m)
add_executable(two two.c)
target_link_libraries(two g)
"#;

fn cmake_project() -> Vec<(&'static str, &'static str)> {
    vec![
        ("CMakeLists.txt", LISTS),
        ("config.h.in", "#cmakedefine HAVE_PIPE 1\n"),
        ("f.c", "#include \"config.h\"\nint f(void) { return HAVE_PIPE - 1; }"),
        ("g.c", "int g(void) { return 0; }"),
        ("h.c", "int h(void) { return 0; }"),
        ("one.c", "int f(void); int main(void) { return f(); }"),
        ("two.c", "int g(void); int main(void) { return g(); }"),
    ]
}

const CMAKE_PRODUCTS: &[(&str, &[&str])] = &[
    ("out/one", &["one.c"]),
    ("out/two", &["g.c", "two.c"]),
    ("out/libf.so", &["f.c"]),
    ("out/libg.a", &["g.c", "h.c"]),
];

#[test]
fn cmake_with_two_programs_and_a_shared_library() {
    if !is_installed("cmake") {
        return;
    }
    let command = "cmake -S . -B out && cmake --build out -j2";
    let build = check(&cmake_project(), command, CMAKE_PRODUCTS);
    let one = build.program("one").unwrap();
    assert_eq!(build.product(one.shared[0]).name, "out/libf.so");
    assert_eq!(one.libraries, ["m"]);
    assert_eq!(build.units.len(), 5);
}

#[test]
fn ninja_as_cmake_drives_it() {
    if !is_installed("cmake") || !is_installed("ninja") {
        return;
    }
    check(&cmake_project(), "cmake -G Ninja -S . -B out && ninja -C out", CMAKE_PRODUCTS);
}

#[test]
fn meson_with_a_static_library() {
    if !is_installed("meson") || !is_installed("ninja") {
        return;
    }
    let build_file = "project('p', 'c')\nl = static_library('f', 'f.c')\n\
        executable('prog', 'main.c', link_with: l, c_args: ['-DX'])\n";
    let build = check(
        &[
            ("meson.build", build_file),
            ("main.c", "int f(void); int main(void) { return f(); }"),
            ("f.c", "int f(void) { return 0; }"),
        ],
        "meson setup out && ninja -C out",
        &[("out/prog", &["f.c", "main.c"]), ("out/libf.a", &["f.c"])],
    );
    assert!(flags(&build, "main.c")[0].contains(&"-DX"));
}

#[test]
fn libtool_with_convenience_and_shared_libraries() {
    if !is_installed("libtool") {
        return;
    }
    let makefile = "LT = libtool --tag=CC --silent\n\
        prog: main.lo libf.la\n\t$(LT) --mode=link gcc -o $@ main.lo libf.la\n\
        libf.la: f.lo libc1.la\n\
        \t$(LT) --mode=link gcc -o $@ f.lo libc1.la -rpath /usr/local/lib -version-info 1:0:0\n\
        libc1.la: c1.lo c2.lo\n\t$(LT) --mode=link gcc -o $@ $^\n\
        %.lo: %.c\n\t$(LT) --mode=compile gcc -DX -c -o $@ $<\n";
    let project = Project::of(&[
        ("Makefile", makefile),
        ("main.c", "int f(void); int main(void) { return f(); }"),
        ("f.c", "int c1(void); int f(void) { return c1(); }"),
        ("c1.c", "int c1(void) { return 0; }"),
        ("c2.c", "int c2(void) { return 0; }"),
    ]);
    let build = check_project(
        &project,
        "make",
        &[
            ("prog", &["main.c"]),
            ("libf.so.1.0.0", &["c1.c", "c2.c", "f.c"]),
            ("libf.a", &["c1.c", "c2.c", "f.c"]),
            ("libc1.a", &["c1.c", "c2.c"]),
        ],
    );
    let program = build.program("prog").unwrap();
    assert!(program.path.ends_with(".libs/prog"), "{}", program.path.display());
    assert_eq!(build.units_with_libraries(program).len(), 4);
}
