//! Old dialects of C, with every clang that is installed.

use std::env;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::bench::{Bench, bench};
use ripple_source::{
    Clang, Compiler, End, Invocation, Limits, Sanitizer, SourceError, SourceText, run_native,
};

/// Every error that clang makes of a warning, and a call of a function that is declared nowhere.
const OLD_STYLE: &str = r#"
#include <stdlib.h>
static scale = 3;
int by(int *a, int *b) { return *a - *b; }
helper(n) { if (n > 100) return; return n; }
void nothing(void) { return 1; }
main(argc, argv) char **argv; {
    int v[2] = {2, 1}, address = v;
    char *end = 0L + 0 * address;
    qsort(v, 2, sizeof *v, by);
    nothing();
    return helper(v[0]) + twice(scale) + (end != 0) - 7;
}
twice(x) int x; { return 2 * x; }
"#;

/// Each clang on its own, with what it tells.
fn each(check: impl Fn(&Bench, Compiler, &dyn Fn() -> Vec<(PathBuf, Vec<String>)>)) {
    let Some(bench) = bench() else { return };
    let path_var = env::var_os("PATH").unwrap_or_default();
    for clang in Clang::all(&path_var, &bench.compiler.cache) {
        let told = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&told);
        let directory = bench.compiler.directory.clone();
        let compiler =
            Compiler::at(clang, bench.compiler.cache.clone(), directory).telling(move |remedy| {
                heard.lock().unwrap().push((remedy.path.clone(), remedy.flags.clone()));
            });
        check(&bench, compiler, &|| told.lock().unwrap().clone());
    }
}

#[test]
fn what_is_only_a_warning_elsewhere_compiles_to_ir_and_to_programs() {
    each(|bench, compiler, told| {
        let files = [bench.write("old.c", OLD_STYLE)];
        let major = compiler.clang.major;
        let module = compiler.compile_files(&files, &[]).unwrap().remove(0);
        assert!(module.text.contains("@twice"), "clang {major}");
        for sanitizer in [None, Some(Sanitizer::Behaviour)] {
            let program = match compiler.build_sanitized(&files, &[], sanitizer) {
                Err(SourceError::DoesNotLink { said }) if said.contains("libclang_rt") => {
                    // Those of the default clang are installed for tests.
                    let why = format!("clang {major} has no sanitizers");
                    let is_default = major == bench.compiler.clang.major;
                    if is_default {
                        testkit::skip(why)
                    } else {
                        testkit::leave_out(why)
                    }
                    continue;
                }
                other => other.unwrap(),
            };
            let run = run_native(&program, &Invocation::default(), &Limits::default()).unwrap();
            assert_eq!(run.end, End::Exited(0), "clang {major}: {}", run.sanitizer);
        }
        let told = told();
        assert_eq!(told.len(), 1, "clang {major}: {told:?}");
        assert_eq!(told[0].0, files[0]);
        let newer = ["implicit-function-declaration", "implicit-int", "int-conversion"];
        for name in newer.iter().filter(|_| major >= 16) {
            assert!(told[0].1.contains(&format!("-Wno-error={name}")), "clang {major}: {told:?}");
        }
        // What is remembered needs no process, and is told of as well.
        let mut offline = compiler.clone();
        offline.clang.path = "/nonexistent/clang".into();
        let again = offline.compile_files(&files, &[]).unwrap().remove(0);
        assert!(again.from_cache);
        assert_eq!(again.text, module.text);
    });
}

#[test]
fn a_harness_that_includes_an_old_file_builds() {
    each(|bench, compiler, told| {
        let old = bench.write("part.c", "f(x) { if (x < 0) return; return g(x); }\n");
        let other = bench.write("other.c", "int g(int x) { return x; }\n");
        let included = compiler.directory.join(&old);
        let text =
            format!("#include \"{}\"\nint main(void) {{ return f(0); }}\n", included.display());
        let added = SourceText { name: "harness.c", text: &text };
        let files = [other];
        let program = compiler.build_native_with_text(added, &old, &files, &[], None).unwrap();
        let run = run_native(&program, &Invocation::default(), &Limits::default()).unwrap();
        assert_eq!(run.end, End::Exited(0));
        assert!(told().is_empty(), "users do not know the file of the harness");
    });
}

#[test]
fn a_genuine_error_is_reported_with_all_that_was_said_first() {
    each(|bench, compiler, told| {
        let text = "int f(void) { return; }\nint main(void) { return undeclared; }\n";
        let files = [bench.write("wrong.c", text)];
        for _ in 0..2 {
            let Err(SourceError::DoesNotCompile(failures)) = compiler.compile_files(&files, &[])
            else {
                panic!("it does not compile");
            };
            assert!(failures[0].said.contains("undeclared"), "{}", failures[0].said);
            assert!(failures[0].said.contains("error: non-void function"), "{}", failures[0].said);
        }
        assert!(told().is_empty());
    });
}

#[test]
fn an_error_that_the_user_asks_for_stays_one() {
    each(|bench, compiler, _| {
        let files =
            [bench.write("asked.c", "int f(void) { return; }\nint main(void) { return 0; }\n")];
        let wanted = compiler.compile_files(&files, &["-Werror".to_owned()]);
        assert!(matches!(wanted, Err(SourceError::DoesNotCompile(_))));
        let strict = bench.write("strict.c", "void main() { }\n");
        compiler.compile_files(&[strict], &["-std=c99".to_owned()]).unwrap();
    });
}
