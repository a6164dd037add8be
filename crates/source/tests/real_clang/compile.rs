//! Compiling with a real clang, and what the cache does about it.

use std::fs;
use std::path::PathBuf;

use crate::bench::bench;
use ripple_source::{Cache, Clang, Search, SourceError};

const HELLO: &str = "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n";

#[test]
fn c_becomes_ir_with_names_and_lines() {
    let Some(bench) = bench() else { return };
    let file = bench.write("hello.c", HELLO);
    let modules = bench.compiler.compile_files(&[file], &[]).unwrap();
    let text = &modules[0].text;
    assert!(text.contains("define dso_local i32 @main()"), "{text}");
    assert!(text.contains("!DILocation(line: 2"));
    assert!(!text.contains("optnone"));
    assert!(modules[0].warnings.is_empty());
}

#[test]
fn flags_reach_the_compiler_but_cannot_turn_on_the_optimiser() {
    let Some(bench) = bench() else { return };
    let file = bench.write("f.c", "int f(int unused) { int x = N; return x; }\n");
    let flags = ["-DN=77", "-O2", "-Wall", "-Wextra"].map(str::to_owned);
    let modules = bench.compiler.compile_files(&[file], &flags).unwrap();
    assert!(modules[0].text.contains("alloca"));
    assert!(modules[0].text.contains("77"));
    assert!(modules[0].warnings.contains("unused parameter"));
}

#[test]
fn a_second_compilation_starts_no_process() {
    let Some(bench) = bench() else { return };
    let file = bench.write("hello.c", HELLO);
    let first = bench.compiler.compile_files(std::slice::from_ref(&file), &[]);
    let first = first.unwrap();
    let offline = bench.without_processes();
    let second = offline.compile_files(std::slice::from_ref(&file), &[]);
    let second = second.unwrap();
    assert_eq!(first[0].text, second[0].text);
    assert!(!first[0].from_cache && second[0].from_cache);
    let flags = ["-DX".to_owned()];
    assert!(matches!(offline.compile_files(&[file], &flags), Err(SourceError::System { .. })));
}

#[test]
fn a_changed_header_is_noticed_and_an_old_one_remembered() {
    let Some(bench) = bench() else { return };
    bench.write("h.h", "#define N 1\n");
    let file = bench.write("f.c", "#include \"h.h\"\nint n = N;\n");
    let compile = || {
        let modules = bench.compiler.compile_files(std::slice::from_ref(&file), &[]);
        let module = modules.unwrap().remove(0);
        (module.text.contains("@n = dso_local global i32 1"), module.from_cache)
    };
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert_eq!(compile(), (true, false));
    assert_eq!(compile(), (true, true));
    bench.write("h.h", "#define N 2\n");
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert_eq!(compile(), (false, false));
    bench.write("h.h", "#define N 1\n");
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert_eq!(compile(), (true, true), "found by its preprocessed text");
}

#[test]
fn a_file_that_does_not_compile_is_remembered_until_it_or_a_header_changes() {
    let Some(bench) = bench() else { return };
    bench.write("h.h", "typedef int number;\n");
    let file = bench.write("f.c", "#include \"h.h\"\nnumber f(void) { return missing; }\n");
    let compile = |compiler: &ripple_source::Compiler| {
        let modules = compiler.compile_files(std::slice::from_ref(&file), &[]);
        modules.map(|modules| modules[0].text.clone())
    };
    std::thread::sleep(std::time::Duration::from_millis(30));
    let offline = bench.without_processes();
    let first = compile(&bench.compiler).unwrap_err().to_string();
    let second = compile(&offline).unwrap_err().to_string();
    assert!(first.contains("missing"), "{first}");
    assert_eq!(first, second);
    bench.write("h.h", "typedef int number;\nextern int missing;\n");
    std::thread::sleep(std::time::Duration::from_millis(30));
    compile(&bench.compiler).expect("the header defines it now");
}

#[test]
fn a_source_that_asks_for_the_time_is_compiled_every_time() {
    let Some(bench) = bench() else { return };
    let file = bench.write("t.c", "const char *t = __TIME__;\n");
    let compile = |compiler: &ripple_source::Compiler| {
        compiler.compile_files(std::slice::from_ref(&file), &[])
    };
    compile(&bench.compiler).unwrap();
    assert!(compile(&bench.without_processes()).is_err());
}

#[test]
fn damaged_entries_are_rebuilt() {
    let Some(bench) = bench() else { return };
    let file = bench.write("hello.c", HELLO);
    let compile = || {
        let modules = bench.compiler.compile_files(std::slice::from_ref(&file), &[]);
        modules.unwrap().remove(0)
    };
    let first = compile();
    for entry in bench.entries() {
        let mut bytes = fs::read(&entry).unwrap();
        bytes[0] ^= 0xff;
        fs::write(&entry, bytes).unwrap();
    }
    let second = compile();
    assert!(!second.from_cache);
    assert_eq!(first.text, second.text);
    assert!(compile().from_cache);
}

#[test]
fn a_cache_that_cannot_be_written_is_no_obstacle() {
    let Some(mut bench) = bench() else { return };
    let file = bench.write("hello.c", HELLO);
    bench.compiler.cache = Cache::at(bench.directory.path().join("hello.c/below"));
    for _ in 0..2 {
        let modules = bench.compiler.compile_files(std::slice::from_ref(&file), &[]);
        assert!(!modules.unwrap()[0].from_cache);
    }
}

#[test]
fn text_in_memory_is_compiled_under_its_name_and_remembered() {
    let Some(bench) = bench() else { return };
    let source = "#include <stddef.h>\nsize_t f(void) { return sizeof(int); }\n";
    let flags = ["-fno-builtin".to_owned()];
    let first = bench.compiler.compile_text("runtime/f.c", source, &flags);
    let first = first.unwrap();
    assert!(first.text.contains("source_filename = \"runtime/f.c\""));
    assert!(!first.text.contains("/tmp"), "no scratch name is left");
    let offline = bench.without_processes();
    let second = offline.compile_text("runtime/f.c", source, &flags);
    let second = second.unwrap();
    assert_eq!(first.text, second.text);
    assert!(second.from_cache);
}

#[test]
fn everything_the_compiler_says_about_every_file_is_reported() {
    let Some(bench) = bench() else { return };
    let files = [
        bench.write("good.c", "int x;\n"),
        bench.write("bad.c", "int f( { return }\n"),
        bench.write("worse.c", "#include \"missing.h\"\nint y = ;\n"),
    ];
    let error = bench.compiler.compile_files(&files, &[]).unwrap_err();
    assert!(error.is_build_failure());
    let SourceError::DoesNotCompile(failures) = error else {
        panic!("{error}");
    };
    assert_eq!(failures.len(), 2);
    assert!(failures[0].said.contains("bad.c:1:8: error: "));
    assert!(failures[1].said.contains("'missing.h' file not found"));
}

#[test]
fn ir_files_are_taken_as_they_are() {
    let Some(bench) = bench() else { return };
    let file = bench.write("m.ll", "this is not looked at");
    let offline = bench.without_processes();
    let modules = offline.compile_files(&[file], &[]).unwrap();
    assert_eq!(modules[0].text, "this is not looked at");
}

#[test]
fn inputs_that_cannot_be_compiled_are_told_apart() {
    let Some(bench) = bench() else { return };
    let error = |name: &str| {
        let files = [PathBuf::from(name)];
        bench.compiler.compile_files(&files, &[]).unwrap_err()
    };
    fs::create_dir(bench.directory.path().join("dir.c")).unwrap();
    bench.write("notes.txt", "");
    fs::write(bench.directory.path().join("b.ll"), [0xff, 0xfe, 0]).unwrap();
    fs::write(bench.directory.path().join("b.c"), [0xff, 0xfe, 0]).unwrap();
    assert!(matches!(error("none.c"), SourceError::Unreadable { .. }));
    assert!(matches!(error("dir.c"), SourceError::IsDirectory { .. }));
    assert!(matches!(error("notes.txt"), SourceError::UnknownKind { .. }));
    assert!(matches!(error("b.ll"), SourceError::NotText { .. }));
    assert!(matches!(error("b.c"), SourceError::DoesNotCompile(_)));
}

#[test]
fn names_with_blanks_and_dashes_are_just_names() {
    let Some(bench) = bench() else { return };
    bench.write("a #b.h", "#define N 5\n");
    let files = [bench.write("-a b.c", "#include \"a #b.h\"\nint n = N;\n")];
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert!(bench.compiler.compile_files(&files, &[]).is_ok());
    let again = bench.without_processes().compile_files(&files, &[]);
    assert!(again.unwrap()[0].from_cache);
}

#[test]
fn every_installed_clang_compiles() {
    let Some(bench) = bench() else { return };
    let path_var = std::env::var_os("PATH").unwrap_or_default();
    let file = bench.write("p.c", "int f(int *p) { return *p; }\n");
    for clang in Clang::all(&path_var, &bench.compiler.cache) {
        let mut compiler = bench.compiler.clone();
        compiler.clang = clang;
        let modules = compiler.compile_files(std::slice::from_ref(&file), &[]);
        assert!(modules.unwrap()[0].text.contains("noundef %p)"));
    }
}

#[test]
fn a_warm_compilation_takes_less_than_a_process_start() {
    let Some(bench) = bench() else { return };
    let file = bench.write("hello.c", HELLO);
    let files = [file];
    bench.compiler.compile_files(&files, &[]).unwrap();
    let path_var = std::env::var_os("PATH").unwrap_or_default();
    let start = std::time::Instant::now();
    let search = Search { explicit: None, from_env: None, path_var: &path_var };
    Clang::find(search, &bench.compiler.cache).unwrap();
    bench.compiler.compile_files(&files, &[]).unwrap();
    let took = start.elapsed();
    eprintln!("warm: {took:?}");
    assert!(took.as_millis() < 100, "{took:?}");
}

#[test]
fn a_probe_says_what_a_clang_can_do() {
    let Some(bench) = bench() else { return };
    let probe = bench.compiler.probe(&[]);
    assert!(probe.compiles.is_ok() && probe.builds.is_ok());
    let probe = bench.without_processes().probe(&[]);
    assert!(probe.compiles.is_err() && probe.builds.is_err() && probe.sanitizes.is_err());
}
