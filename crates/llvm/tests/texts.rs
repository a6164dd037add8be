//! What is refused as a whole, and what compilers write.

use std::process::Command;

use ripple_llvm::{ReadError, read};

#[test]
fn a_text_in_another_language_is_refused_with_its_line() {
    let error = read("a.ll", "; comment\n\n#include <stdio.h>\nint main() {}\n").unwrap_err();
    assert_eq!(error, ReadError::NotIr { line: 3, found: "#include <stdio.h>".into() });
    assert_eq!(error.to_string(), "line 3: this is not LLVM IR text: `#include <stdio.h>`");
}

#[test]
fn garbage_is_refused() {
    assert!(matches!(
        read("a.ll", [0x7F, b'E', b'L', b'F', 0, 0xFF]),
        Err(ReadError::NotIr { .. })
    ));
}

#[test]
fn bitcode_is_refused_by_name() {
    assert_eq!(read("a.bc", b"BC\xC0\xDE5\x14").unwrap_err(), ReadError::Bitcode);
}

#[test]
fn an_empty_text_is_an_empty_module() {
    let read = read("a.ll", "").unwrap();
    assert!(read.module.functions.is_empty() && read.problems.is_empty());
}

#[test]
fn a_symbol_defined_twice_is_refused() {
    let error = read("a.ll", "@a = global i8 0\n@a = global i8 1\n").unwrap_err();
    assert_eq!(error, ReadError::Duplicate { line: 2, name: "a".into() });
}

#[test]
fn bytes_that_are_not_utf8_keep_names_apart() {
    let read = read("a.ll", b"@\"\xFF\" = global i8 0\n@\"\xFE\" = global i8 1\n").unwrap();
    let names: Vec<&str> =
        read.module.globals.values().map(|global| global.name.as_str()).collect();
    assert_eq!(names, ["\\FF", "\\FE"]);
}

#[test]
fn windows_line_ends_are_read() {
    let text = "define i32 @f(i32 %x) {\r\nentry:\r\n  switch i32 %x, label %a [\r\n    i32 1, label %a\r\n  ]\r\na:\r\n  ret i32 0\r\n}\r\n@g = global i32 1, align 4\r\n";
    let read = read("a.ll", text).unwrap();
    assert_eq!(read.problems, []);
    assert_eq!(ir::verify(&read.module), []);
}

const PROGRAM: &str = r#"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
struct node { int key; struct node *next; unsigned flag : 3; double weight; };
struct big { long words[6]; };
union either { float f; int i; };
static struct node first = { 1, &first, 5, 2.5 };
const char *names[] = { "one\n", "t\"wo", 0 };
int (*printer)(const char *, ...) = printf;
_Thread_local int counter;
long double wide = 1.25L;
static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  while (count--) total += va_arg(list, int);
  va_end(list);
  return total;
}
static long take(struct big value) { return value.words[3]; }
__attribute__((constructor)) static void early(void) { counter = 7; }
int main(int argc, char **argv) {
  int cells[argc];
  struct big big;
  union either either = { .f = 1.0f };
  memset(&big, 0, sizeof big);
  static void *targets[] = { &&here, &&there };
  switch (argc) { case 1: cells[0] = 1; break; case -2: return 7; default: counter++; }
  goto *targets[argc & 1];
here:
  printer("%s %d\n", names[0] + 1, sum(2, 1, 2));
there:
  for (int i = 0; i < argc; i++) __atomic_fetch_add(&first.key, i, __ATOMIC_SEQ_CST);
  wide += first.weight * argc;
  first.flag = argc;
  return (int)take(big) + either.i + (int)wide + __builtin_add_overflow(argc, 3, &first.key);
}
"#;

/// Compiles the program with every clang at hand and several sets of flags.
#[test]
fn what_clang_writes_is_read_without_problems() {
    let directory = std::env::temp_dir().join(format!("ripple-llvm-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let source = directory.join("program.c");
    std::fs::write(&source, PROGRAM).unwrap();
    for clang in ["clang", "clang-14", "clang-16", "clang-19"] {
        let plain: &[&str] = &["-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names"];
        for flags in [plain, &["-O0", "-mllvm", "-opaque-pointers"], &["-O2"], &["-O1", "-m32"]] {
            let out = directory.join("program.ll");
            let made = Command::new(clang)
                .args(["-S", "-emit-llvm", "-g", "-w"])
                .args(flags)
                .arg(&source)
                .arg("-o")
                .arg(&out)
                .output();
            // Not every clang is installed, and not every one knows all flags.
            if !made.is_ok_and(|output| output.status.success()) {
                continue;
            }
            let read = read("program.ll", std::fs::read(&out).unwrap()).unwrap();
            assert_eq!(read.problems, [], "{clang} {flags:?}");
            assert_eq!(ir::verify(&read.module), [], "{clang} {flags:?}");
        }
    }
    std::fs::remove_dir_all(&directory).unwrap();
}
