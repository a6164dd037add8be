//! Native builds and runs with a real clang.

use std::time::Duration;

use crate::bench::{Bench, bench};
use ripple_source::{
    End, Invocation, Limits, NativeProgram, NativeRun, SourceError, SourceText, run_native,
    time_native,
};

fn build(bench: &Bench, source: &str) -> NativeProgram {
    let file = bench.write("p.c", source);
    bench.compiler.build_native(&[file], &[], false).unwrap()
}

fn limits() -> Limits {
    Limits { time: Duration::from_secs(5), memory: 1 << 30, output: 1 << 20, ..Limits::default() }
}

fn run(program: &NativeProgram, invocation: &Invocation) -> NativeRun {
    run_native(program, invocation, &limits()).unwrap()
}

#[test]
fn a_program_sees_its_arguments_input_files_and_environment_only() {
    let Some(bench) = bench() else { return };
    let source = r#"
        #include <stdio.h>
        #include <stdlib.h>
        extern char **environ;
        int main(int argc, char **argv) {
            char line[64];
            for (int i = 0; i < argc; i++) printf("%s|", argv[i]);
            printf("%s", fgets(line, sizeof line, stdin));
            FILE *in = fopen("dir/in.txt", "r");
            printf("%s", fgets(line, sizeof line, in));
            int n = 0;
            while (environ[n]) n++;
            fprintf(stderr, "%d %s %s", n, getenv("LC_ALL"), getenv("A"));
            FILE *out = fopen("out.txt", "w");
            fputs("written", out);
            fclose(out);
            remove("gone.txt");
            return 7;
        }"#;
    let program = build(&bench, source);
    let invocation = Invocation {
        arg0: "tool".into(),
        args: vec!["a b".into(), "-c".into()],
        stdin: b"first\nsecond\n".to_vec(),
        files: vec![("dir/in.txt".into(), b"content\n".to_vec()), ("gone.txt".into(), Vec::new())],
        env: vec![("A".into(), "1".into())],
    };
    let run = run(&program, &invocation);
    assert_eq!(run.end, End::Exited(7));
    assert_eq!(String::from_utf8_lossy(&run.stdout), "tool|a b|-c|first\ncontent\n");
    assert_eq!(String::from_utf8_lossy(&run.stderr), "3 C 1");
    assert_eq!(run.written, [("out.txt".into(), b"written".to_vec())]);
    assert_eq!(run.removed, ["gone.txt"]);
}

#[test]
fn a_program_inherits_no_signals_and_no_descriptors() {
    let Some(bench) = bench() else { return };
    let source = r#"
        #include <fcntl.h>
        #include <signal.h>
        #include <stdio.h>
        int main(void) {
            sigset_t blocked;
            sigprocmask(SIG_SETMASK, 0, &blocked);
            for (int s = 1; s < 32; s++) {
                struct sigaction action;
                sigaction(s, 0, &action);
                if (action.sa_handler != SIG_DFL) printf("signal %d is not as usual\n", s);
                if (sigismember(&blocked, s)) printf("signal %d is blocked\n", s);
            }
            for (int fd = 3; fd < 1024; fd++)
                if (fcntl(fd, F_GETFD) >= 0) printf("%d is open\n", fd);
            return 0;
        }"#;
    let program = build(&bench, source);
    // Rust programs ignore SIGPIPE; this is left open for whoever is started.
    let open = std::fs::File::open("/dev/null").unwrap();
    rustix::io::fcntl_setfd(&open, rustix::io::FdFlags::empty()).unwrap();
    let run = run(&program, &Invocation::default());
    drop(open);
    assert_eq!(run.end, End::Exited(0));
    assert_eq!(String::from_utf8_lossy(&run.stdout), "");
}

#[test]
fn a_program_that_cannot_be_started_is_an_error() {
    let Some(bench) = bench() else { return };
    let program = build(&bench, "int main(void) { return 0; }");
    std::fs::remove_file(&program.path).unwrap();
    let said = run_native(&program, &Invocation::default(), &limits()).unwrap_err().to_string();
    assert!(said.starts_with("cannot run `") && said.contains("No such file"), "{said}");
}

#[test]
fn runs_of_several_threads_do_not_disturb_each_other() {
    let Some(bench) = bench() else { return };
    let source = r#"
        #include <unistd.h>
        int main(void) { sleep(1); return 3; }"#;
    let program = build(&bench, source);
    let runs: Vec<End> = std::thread::scope(|scope| {
        let one = || run(&program, &Invocation::default()).end;
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(one)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(runs, [End::Exited(3); 4]);
}

#[test]
fn much_input_and_much_output_do_not_block_each_other() {
    let Some(bench) = bench() else { return };
    let source = r#"
        #include <stdio.h>
        int main(void) {
            int c;
            while ((c = getchar()) != EOF) { putchar(c); putc(c, stderr); }
            return 0;
        }"#;
    let program = build(&bench, source);
    let stdin = vec![b'x'; 400_000];
    let invocation = Invocation { stdin: stdin.clone(), ..Invocation::default() };
    let run = run(&program, &invocation);
    assert_eq!(run.end, End::Exited(0));
    assert_eq!((run.stdout, run.stderr), (stdin.clone(), stdin));
}

#[test]
fn input_that_nobody_reads_is_no_error() {
    let Some(bench) = bench() else { return };
    let program = build(&bench, "int main(void) { return 3; }");
    let invocation = Invocation { stdin: vec![0; 1 << 20], ..Invocation::default() };
    assert_eq!(run(&program, &invocation).end, End::Exited(3));
}

#[test]
fn an_endless_program_is_stopped_with_all_its_children() {
    let Some(bench) = bench() else { return };
    let source = r#"
        #include <stdio.h>
        #include <unistd.h>
        int main(void) { printf("%d\n", (int)getpid()); fflush(stdout); fork(); for (;;) ; }"#;
    let program = build(&bench, source);
    let limits = Limits { time: Duration::from_millis(200), ..limits() };
    let run = run_native(&program, &Invocation::default(), &limits).unwrap();
    assert_eq!(run.end, End::TimedOut);
    assert!(run.duration < Duration::from_secs(3));
    let pid: i32 = String::from_utf8(run.stdout).unwrap().trim().parse().unwrap();
    let group = rustix::process::Pid::from_raw(pid).unwrap();
    // Killed children may take a moment to be reaped by their new parent.
    let gone = || rustix::process::test_kill_process_group(group).is_err() || only_zombies(pid);
    assert!((0..100).any(|_| gone() || {
        std::thread::sleep(Duration::from_millis(10));
        false
    }));
}

/// Whether every process of the group has ended, though nobody asked yet how.
fn only_zombies(group: i32) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let stats = processes.filter_map(|p| std::fs::read_to_string(p.path().join("stat")).ok());
    let mut members = stats.filter_map(|stat| {
        let (_, rest) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        (fields[2] == group.to_string()).then(|| fields[0] == "Z")
    });
    members.all(|zombie| zombie)
}

#[test]
fn a_child_left_behind_does_not_keep_the_run_waiting() {
    let Some(bench) = bench() else { return };
    let source = r#"
        #include <stdio.h>
        #include <unistd.h>
        int main(void) { if (fork() == 0) for (;;) pause(); puts("done"); return 0; }"#;
    let program = build(&bench, source);
    let run = run(&program, &Invocation::default());
    assert_eq!(run.end, End::Exited(0));
    assert_eq!(run.stdout, b"done\n");
    assert!(run.duration < Duration::from_secs(3));
}

#[test]
fn a_program_that_does_not_stop_writing_is_cut_off() {
    let Some(bench) = bench() else { return };
    let endless = "#include <stdio.h>\nint main(void) { for (;;) puts(\"spam\"); }";
    let run_once = |program| run(&program, &Invocation::default());
    let run = run_once(build(&bench, endless));
    assert_eq!(run.end, End::OutputLimit);
    assert_eq!(run.stdout.len(), 1 << 20);
    let file = "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"f\", \"w\"); \
                for (;;) fputs(\"spam\", f); }";
    let run = run_once(build(&bench, file));
    assert_eq!(run.end, End::OutputLimit);
}

#[test]
fn memory_is_limited() {
    let Some(bench) = bench() else { return };
    let source = "#include <stdlib.h>\nint main(void) { return malloc(3UL << 30) != NULL; }";
    let program = build(&bench, source);
    assert_eq!(run(&program, &Invocation::default()).end, End::Exited(0));
}

#[test]
fn a_signal_is_told_apart_from_an_exit() {
    let Some(bench) = bench() else { return };
    let program = build(&bench, "int main(void) { int *p = 0; return *p; }");
    assert_eq!(run(&program, &Invocation::default()).end, End::Signaled(11));
}

#[test]
fn sanitizers_report_beside_the_programs_own_output() {
    let Some(bench) = bench() else { return };
    let source = "#include <stdio.h>\nint main(int c, char **v) { int x = 2147483647;\n\
                  x += c; puts(\"on\"); return x < 0 ? 5 : 6; }";
    let file = bench.write("p.c", source);
    let program = match bench.compiler.build_native(&[file], &[], true) {
        Err(SourceError::DoesNotLink { said }) if said.contains("libclang_rt") => {
            testkit::skip("the sanitizer runtime is not installed");
            return;
        }
        other => other.unwrap(),
    };
    let run = run(&program, &Invocation::default());
    assert_eq!(run.end, End::Exited(5));
    assert_eq!((run.stdout, run.stderr), (b"on\n".to_vec(), Vec::new()));
    assert!(run.sanitizer.contains("signed integer overflow"));
}

#[test]
fn a_second_build_starts_no_process_and_runs() {
    let Some(bench) = bench() else { return };
    let files = [
        bench.write("a.c", "int f(void);\nint main(void) { return f(); }\n"),
        bench.write("b.c", "#include <math.h>\nint f(void) { return (int)floor(4.5); }\n"),
    ];
    bench.compiler.build_native(&files, &[], false).unwrap();
    let again = bench.without_processes();
    let program = again.build_native(&files, &[], false).unwrap();
    assert_eq!(run(&program, &Invocation::default()).end, End::Exited(4));
}

#[test]
fn ir_text_builds_natively() {
    let Some(bench) = bench() else { return };
    let c = bench.write("p.c", "int main(void) { return 9; }\n");
    let ir = bench.compiler.compile_files(&[c], &[]).unwrap().remove(0);
    let files = [bench.write("p.ll", &ir.text)];
    let flags = ["-I.".to_owned()];
    let program = bench.compiler.build_native(&files, &flags, false);
    let end = run(&program.unwrap(), &Invocation::default()).end;
    assert_eq!(end, End::Exited(9));
}

#[test]
fn an_undefined_symbol_is_a_build_failure() {
    let Some(bench) = bench() else { return };
    let file = bench.write("p.c", "int f(void);\nint main(void) { return f(); }\n");
    let error = bench.compiler.build_native(&[file], &[], false).unwrap_err();
    assert!(error.is_build_failure());
    assert!(error.to_string().contains("undefined reference to `f'"));
}

#[test]
fn a_file_name_cannot_leave_the_directory() {
    let Some(bench) = bench() else { return };
    let program = build(&bench, "int main(void) { return 0; }");
    let invocation =
        Invocation { files: vec![("../x".into(), Vec::new())], ..Invocation::default() };
    let result = run_native(&program, &invocation, &limits());
    assert!(matches!(result, Err(SourceError::BadFileName { .. })));
}

#[test]
fn repeated_runs_give_a_timing() {
    let Some(bench) = bench() else { return };
    let program = build(&bench, "int main(void) { return 0; }");
    let timed = time_native(&program, &Invocation::default(), &limits(), 5);
    let (timing, last) = timed.unwrap();
    assert_eq!((timing.sorted.len(), last.end), (5, End::Exited(0)));
    assert!(timing.shortest() <= timing.median());
    eprintln!("native start-up: {:?}", timing.median());
}

#[test]
fn only_the_caller_of_a_function_is_compiled_anew() {
    use std::os::unix::fs::PermissionsExt;
    let Some(bench) = bench() else { return };
    let part = bench.write("part.c", "int g(int x);\nint f(int x) { return g(x); }\n");
    let files = [bench.write("other.c", "int g(int x) { return x + 2; }\n")];
    let directory = bench.directory.path();
    let (log, wrapper) = (directory.join("log"), directory.join("wrapper"));
    let clang = bench.compiler.clang.path.display();
    let script = format!("#!/bin/sh\necho \"$@\" >> {}\nexec {clang} \"$@\"\n", log.display());
    std::fs::write(&wrapper, script).unwrap();
    std::fs::set_permissions(&wrapper, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut compiler = bench.compiler.clone();
    compiler.clang.path = wrapper;
    let included = compiler.directory.join(&part);
    for argument in [1, 5] {
        let text = format!(
            "#include \"{}\"\nint main(void) {{ return f({argument}); }}\n",
            included.display()
        );
        let added = SourceText { name: "harness.c", text: &text };
        let program = compiler.build_native_with_text(added, &part, &files, &[], None).unwrap();
        assert_eq!(run(&program, &Invocation::default()).end, End::Exited(argument + 2));
    }
    let said = std::fs::read_to_string(&log).unwrap();
    let count = |name: &str| {
        let lines = said.lines().filter(|line| line.split(' ').any(|word| word == "-c"));
        lines.filter(|line| line.contains(name)).count()
    };
    assert_eq!((count("other.c"), count("harness.c")), (1, 2), "{said}");
    // A change of the other file counts.
    bench.write("other.c", "int g(int x) { return x + 3; }\n");
    let text = format!("#include \"{}\"\nint main(void) {{ return f(1); }}\n", included.display());
    let added = SourceText { name: "harness.c", text: &text };
    let program = compiler.build_native_with_text(added, &part, &files, &[], None).unwrap();
    assert_eq!(run(&program, &Invocation::default()).end, End::Exited(4));
}
