//! What confinement leaves as it is: programs that mind their own business behave as without it.

use ripple_source::{
    Confinement, End, Invocation, Limits, NativeRun, Sanitizer, SourceError, run_native,
};

use crate::bench::Bench;
use crate::hostile::confining_bench;

type Shown<'a> = (End, String, String, &'a [(String, Vec<u8>)], &'a [String]);

/// Everything that a run shows, without what differs from run to run.
fn shown(run: &NativeRun) -> Shown<'_> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.end, text(&run.stdout), text(&run.stderr), &run.written, &run.removed)
}

/// Runs the same program confined, as on older kernels, and unconfined.
fn run_each_way(bench: &Bench, text: &str, sanitizer: Option<Sanitizer>) -> Option<Vec<NativeRun>> {
    let ways = [
        Confinement::Unconfined,
        Confinement::Confined,
        Confinement::ConfinedWithLandlock(4),
        Confinement::ConfinedWithLandlock(2),
    ];
    let file = bench.write("p.c", text);
    let run = |confinement| {
        let mut compiler = bench.compiler.clone();
        compiler.confinement = confinement;
        let flags = ["-w".to_owned(), "-D_GNU_SOURCE".to_owned()];
        let program = match compiler.build_sanitized(std::slice::from_ref(&file), &flags, sanitizer)
        {
            Err(SourceError::DoesNotLink { said }) if said.contains("libclang_rt") => return None,
            other => other.unwrap(),
        };
        let files = vec![("given/file".to_owned(), b"given".to_vec())];
        let invocation = Invocation { files, stdin: b"in".to_vec(), ..Invocation::default() };
        Some(run_native(&program, &invocation, &Limits::default()).unwrap())
    };
    let runs = ways.map(run);
    if runs.contains(&None) {
        testkit::skip("the sanitizer runtime is not installed");
        return None;
    }
    Some(runs.into_iter().flatten().collect())
}

fn check(text: &str, end: End) {
    let Some(bench) = confining_bench() else { return };
    let Some(runs) = run_each_way(&bench, text, None) else { return };
    let first = shown(&runs[0]);
    assert_eq!(first.0, end, "{}{}", first.1, first.2);
    for run in &runs[1..] {
        assert_eq!(shown(run), first);
    }
}

#[test]
fn a_program_does_what_it_likes_with_its_own_files() {
    check(
        r#"
        #include <dirent.h>
        #include <errno.h>
        #include <fcntl.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/file.h>
        #include <sys/mman.h>
        #include <sys/stat.h>
        #include <sys/time.h>
        #include <unistd.h>
        #include <utime.h>
        #define DO(call) printf("%s %d\n", #call, (int)(call))
        static void look(const char *name) {
            struct stat s;
            if (lstat(name, &s) != 0) { printf("%s is missing\n", name); return; }
            printf("%s %o %ld %ld.%ld %d\n", name, s.st_mode, s.st_size, s.st_mtim.tv_sec < 100000 ? s.st_mtim.tv_sec : 0,
                   s.st_mtim.tv_sec < 100000 ? s.st_mtim.tv_nsec : 0, (int)s.st_nlink);
        }
        int main(void) {
            struct timespec at[2] = {{1000, 5}, {2000, 6}};
            struct timeval seconds[2] = {{1, 2}, {3, 4}};
            struct utimbuf both = {5, 6};
            DO(mkdir("a", 0755)); DO(mkdir("b", 0755));
            int f = open("a/f", O_CREAT | O_RDWR, 0600);
            DO(write(f, "text", 4));
            DO(fchmod(f, 0640)); DO(futimens(f, at)); look("a/f");
            DO(chmod("a/f", 0444)); DO(utime("a/f", &both)); look("a/f");
            DO(utimes("./a/../a/f", seconds)); look("a/f");
            DO(utimensat(AT_FDCWD, "a/f", 0, 0));
            DO(fchown(f, -1, getgid())); DO(chown("a/f", getuid(), -1));
            int a = open("a", O_RDONLY | O_DIRECTORY);
            DO(fchmodat(a, "f", 0600, 0)); look("a/f");
            DO(symlink("../a/f", "b/l")); DO(lchown("b/l", getuid(), getgid()));
            DO(utimensat(AT_FDCWD, "b/l", at, AT_SYMLINK_NOFOLLOW)); look("b/l");
            DO(fchmodat(AT_FDCWD, "b/l", 0604, 0)); look("a/f");
            DO(chmod("missing", 0)); printf("%s\n", strerror(errno));
            DO(utimes("a/f/x", 0)); printf("%s\n", strerror(errno));
            DO(chmod((char *)8, 0)); printf("%s\n", strerror(errno));
            DO(fchmod(99, 0)); printf("%s\n", strerror(errno));
            DO(truncate("a/f", 2)); look("a/f"); DO(ftruncate(f, 9)); look("a/f");
            DO(rename("a/f", "b/g")); DO(link("b/g", "a/h")); look("a/h");
            DO(mkfifo("pipe", 0600)); look("pipe");
            DO(rename("a", "b/a")); look("b/a");
            DO(unlink("given/file")); DO(rmdir("given"));
            FILE *t = tmpfile(); fputs("hidden", t); rewind(t);
            char text[16] = ""; fgets(text, 16, t); puts(text);
            char name[] = "tXXXXXX"; int n = mkstemp(name); DO(n >= 0); unlink(name);
            int m = memfd_create("m", 0); DO(ftruncate(m, 4096));
            char *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, m, 0);
            strcpy(shared, "shared"); puts(shared);
            DO(flock(f, LOCK_EX)); DO(fcntl(f, F_DUPFD, 50)); DO(posix_fallocate(f, 0, 100));
            DO(access("/usr", R_OK)); DO(open("/dev/null", O_RDWR) >= 0);
            DO(fopen("/etc/passwd", "r") != 0); DO(opendir(".") != 0);
            DO(open("/proc/self/maps", O_RDONLY) >= 0);
            fprintf(fopen("/dev/stdout", "w"), "by its name\n");
            close(creat("left", 0600));
            return 7;
        }"#,
        End::Exited(7),
    );
}

#[test]
fn a_program_may_start_processes_and_threads_and_signal_them() {
    check(
        r#"
        #include <errno.h>
        #include <fcntl.h>
        #include <pthread.h>
        #include <sched.h>
        #include <signal.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        #include <sys/prctl.h>
        #include <sys/resource.h>
        #include <sys/socket.h>
        #include <sys/wait.h>
        #include <unistd.h>
        #define DO(call) printf("%s %d\n", #call, (int)(call)), fflush(stdout)
        static volatile int got;
        static void on(int signal) { got = signal; }
        static void *thread(void *n) { return (char *)n + 1; }
        int main(void) {
            signal(SIGUSR1, on); signal(SIGIO, on);
            DO(raise(SIGUSR1)); DO(got); got = 0;
            DO(kill(getpid(), SIGUSR1)); DO(got); got = 0;
            DO(kill(0, 0)); DO(killpg(getpgrp(), 0)); DO(kill(getpid(), 0));
            DO(kill(999999999, 0)); DO(errno); DO(kill(-999999, 0)); DO(errno);
            DO(setpgid(0, 0)); DO(setsid()); DO(errno);
            for (int n = 0; n < 100; n++) {
                pid_t child = fork();
                if (child == 0) _exit(n);
                int status; waitpid(child, &status, 0);
                if (WEXITSTATUS(status) != n) printf("lost %d\n", n);
            }
            pid_t child = fork();
            if (child == 0) for (;;) pause();
            int status;
            DO(kill(child, SIGTERM)); DO(waitpid(child, &status, 0) == child); DO(WTERMSIG(status));
            child = fork();
            if (child == 0) abort();
            waitpid(child, &status, 0); DO(WTERMSIG(status));
            pthread_t threads[20]; void *result;
            for (long n = 0; n < 20; n++) pthread_create(&threads[n], 0, thread, (void *)n);
            for (long n = 0; n < 20; n++) { pthread_join(threads[n], &result); DO((long)result); }
            DO(system("echo from a shell; exit 3"));
            FILE *pipe = popen("cat; echo end", "w"); fputs("into\n", pipe); DO(pclose(pipe));
            int pair[2]; DO(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
            char text[8] = ""; write(pair[0], "pair", 4); read(pair[1], text, 4); puts(text);
            fcntl(pair[1], F_SETOWN, getpid()); fcntl(pair[1], F_SETFL, O_ASYNC);
            write(pair[0], "x", 1); DO(got == SIGIO);
            cpu_set_t set; DO(sched_getaffinity(0, sizeof set, &set));
            DO(sched_setaffinity(0, sizeof set, &set));
            DO(nice(1)); DO(prctl(PR_SET_NAME, "other")); struct rlimit limit;
            DO(getrlimit(RLIMIT_STACK, &limit)); DO((int)(limit.rlim_cur >> 20));
            DO(prlimit(getpid(), RLIMIT_NOFILE, 0, &limit));
            fflush(stdout); abort();
        }"#,
        End::Signaled(6),
    );
}

#[test]
fn sanitizers_report_the_same() {
    let Some(bench) = confining_bench() else { return };
    let over = "#include <stdlib.h>\n#include <stdio.h>\n\
        static int f(int *p, int n) { return p[n]; }\n\
        int main(int c, char **v) { int *p = malloc(8); puts(\"on\"); return f(p, c + 1); }";
    let unset = "#include <stdio.h>\n#include <stdlib.h>\n\
        int main(int c, char **v) { int *p = malloc(8); if (p[c]) puts(\"set\"); return 0; }";
    for (text, sanitizer, says) in [
        (over, Sanitizer::Behaviour, "heap-buffer-overflow"),
        (unset, Sanitizer::Memory, "use-of-uninitialized-value"),
    ] {
        let Some(runs) = run_each_way(&bench, text, Some(sanitizer)) else { return };
        // Numbers of processes and addresses are new in each run.
        let report = |run: &NativeRun| -> Vec<String> {
            let lines = run
                .sanitizer
                .lines()
                .filter(|line| line.contains(" in ") || line.contains("SUMMARY"));
            let words = lines.map(|line| line.split(' ').filter(|word| !word.contains("0x")));
            words.map(|words| words.collect::<Vec<_>>().join(" ")).collect()
        };
        assert!(runs[0].sanitizer.contains(says), "{}", runs[0].sanitizer);
        for run in &runs[1..] {
            assert_eq!(report(run), report(&runs[0]));
            assert_eq!(shown(run), shown(&runs[0]));
        }
    }
}
