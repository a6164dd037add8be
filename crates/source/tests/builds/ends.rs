//! Builds that fail, are interrupted, or leave processes behind.

use std::fs;
use std::time::{Duration, Instant};

use ripple_source::{End, ProductKind};

use super::project::{Project, check_products};

const OK: &str = "int main(void) { return 0; }\n";

#[test]
fn a_build_that_fails_ends_as_it_does_and_what_it_made_is_known() {
    let makefile = "all: good bad\ngood: good.c\n\tcc -o $@ $<\nbad: bad.c\n\tcc -o $@ $<\n";
    let project = Project::of(&[("Makefile", makefile), ("good.c", OK), ("bad.c", "int x = ;\n")]);
    let recorded = project.record("make");
    assert_eq!(recorded.end, End::Exited(2));
    assert!(project.log().contains("bad.c:1"), "{}", project.log());
    check_products(&project, &recorded.build, &[("good", &["good.c"])]);
}

#[test]
fn a_build_that_is_killed_ends_with_the_signal() {
    let project = Project::of(&[("a.c", OK)]);
    let recorded = project.record("cc -o prog a.c; kill -TERM $$; sleep 60");
    assert_eq!(recorded.end, End::Signaled(15));
}

#[test]
fn a_process_that_stays_behind_runs_on_and_nobody_waits_for_it() {
    let project = Project::of(&[("a.c", OK)]);
    let start = Instant::now();
    let command = "cc -o prog a.c; (while [ ! -e go ]; do sleep 0.05; done; \
        sh -c 'cp prog late') > /dev/null 2>&1 &";
    let recorded = project.record(command);
    assert!(start.elapsed() < Duration::from_secs(10));
    assert_eq!(recorded.end, End::Exited(0));
    check_products(&project, &recorded.build, &[("prog", &["a.c"])]);
    fs::write(project.path().join("go"), "").unwrap();
    let late = project.path().join("late");
    assert!(testkit::desk::wait_until(|| late.exists()), "it was stopped");
}

#[test]
fn stopped_and_continued_processes_and_threads_that_execute_are_followed() {
    let threads = "#include <pthread.h>\n#include <unistd.h>\n\
        static void *run(void *x) {\n\
          execlp(\"gcc\", \"gcc\", \"-o\", \"prog\", \"a.c\", (char *)0);\n  return x;\n}\n\
        static void *wait(void *x) { for (;;) pause(); return x; }\n\
        int main(void) {\n  pthread_t a, b;\n\
          pthread_create(&b, 0, wait, 0);\n  pthread_create(&a, 0, run, 0);\n\
          pthread_join(a, 0);\n  return 1;\n}\n";
    let project = Project::of(&[("threads.c", threads), ("a.c", OK)]);
    let command = "set -e\ncc -pthread -o threads threads.c\n./threads\n\
        sh -c 'kill -STOP $$; exit 7' &\npid=$!\n\
        is_stopped() { grep -q '^State:.[Tt]' /proc/$pid/status; }\n\
        until is_stopped && sleep 0.2 && is_stopped; do sleep 0.05; done\n\
        kill -CONT $pid\nwait $pid || test $? = 7\n";
    let recorded = project.record(command);
    assert_eq!(recorded.end, End::Exited(0), "{}", project.log());
    check_products(&project, &recorded.build, &[("prog", &["a.c"]), ("threads", &["threads.c"])]);
}

#[test]
fn products_that_are_gone_in_the_end_do_not_count() {
    let project = Project::of(&[("a.c", OK), ("b.c", OK)]);
    let recorded = project.record("cc -o a a.c; cc -o b b.c; rm a; cc -c a.c; mv b kept");
    let build = recorded.build;
    check_products(&project, &build, &[("kept", &["b.c"])]);
    assert_eq!(build.of_kind(ProductKind::Program).count(), 1);
    // An object that is left may be what somebody wanted.
    assert_eq!(build.units.len(), 2);
}

#[test]
fn a_command_that_does_not_exist_is_an_error() {
    use std::ffi::OsString;
    let place = tempfile::tempdir().unwrap();
    let words = [OsString::from("no-such-build-tool")];
    let error = ripple_source::Build::record(&ripple_source::Recording {
        command: &words,
        directory: place.path(),
        environment: &[],
        tracing: ripple_source::Tracing::WherePossible,
        shims: place.path(),
        binary: place.path(),
        output: None,
        containment: None,
        earlier: None,
        progress: &|_| {},
    });
    let said = error.map(drop).unwrap_err().to_string();
    assert!(said.contains("`no-such-build-tool` was not found"), "{said}");
}
