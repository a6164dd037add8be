/* Texts of errors and signals, error.h and err.h, sets of signals. */
#include "compare.h"
#include <err.h>
#include <error.h>
#include <signal.h>

RUNTIME(strerror);
RUNTIME(strerror_r);
extern int rt___xpg_strerror_r(int, char *, size_t);
extern int __xpg_strerror_r(int, char *, size_t);
RUNTIME(strerrorname_np);
RUNTIME(strsignal);
RUNTIME(sigdescr_np);
RUNTIME(sigabbrev_np);
RUNTIME(psignal);
RUNTIME(error);
RUNTIME(error_at_line);
RUNTIME(warn);
RUNTIME(warnx);
RUNTIME(sigemptyset);
RUNTIME(sigfillset);
RUNTIME(sigaddset);
RUNTIME(sigdelset);
RUNTIME(sigismember);
extern char *rt_program_invocation_name, *rt_program_invocation_short_name, *rt___progname;
extern unsigned rt_error_message_count;
extern int rt_error_one_per_line;
extern void (*rt_error_print_progname)(void);

static int same(const char *a, const char *b) { return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0; }

static void check_number(int n) {
    char a[40], b[40];
    CHECK(same(rt_strerror(n), strerror(n)), "%d", n);
    CHECK(same(rt_strerrorname_np(n), strerrorname_np(n)), "%d", n);
    CHECK(same(rt_strsignal(n), strsignal(n)), "%d: %s %s", n, rt_strsignal(n), strsignal(n));
    CHECK(same(rt_sigdescr_np(n), sigdescr_np(n)), "%d", n);
    CHECK(same(rt_sigabbrev_np(n), sigabbrev_np(n)), "%d", n);
    for (size_t size = 0; size < 40; size++) {
        memset(a, 'q', sizeof a);
        memset(b, 'q', sizeof b);
        CHECK(rt___xpg_strerror_r(n, a, size) == __xpg_strerror_r(n, b, size), "%d", n);
        CHECK(memcmp(a, b, sizeof a) == 0, "%d, %zu", n, size);
        if (size > 0)
            CHECK(same(rt_strerror_r(n, a, size), strerror_r(n, b, size)), "%d, %zu", n, size);
    }
}

static void own_name(void) { fputs("own ", stderr); }

#define CHECK_MESSAGE(call)                                                    \
    do {                                                                       \
        char mine[500], native[500];                                           \
        errno = ENOENT;                                                        \
        begin_catch();                                                         \
        rt_##call;                                                             \
        end_catch(mine, sizeof mine);                                          \
        errno = ENOENT;                                                        \
        begin_catch();                                                         \
        call;                                                                  \
        end_catch(native, sizeof native);                                      \
        CHECK(same(mine, native), "%s: %s", mine, native);                     \
        CHECK(rt_error_message_count == error_message_count, "count");         \
    } while (0)

static void check_messages(void) {
    CHECK_MESSAGE(error(0, 0, "plain %d", 7));
    CHECK_MESSAGE(error(0, EINVAL, "number %s", "x"));
    CHECK_MESSAGE(error(0, 9999, "number"));
    CHECK_MESSAGE(error_at_line(0, 0, "file.c", 12, "here"));
    CHECK_MESSAGE(error_at_line(0, EPERM, NULL, 12, "nowhere"));
    CHECK_MESSAGE(error_at_line(0, 0, "file.c", 12, "again"));
    CHECK_MESSAGE(error_at_line(0, 0, "file.c", 12, "again"));
    CHECK_MESSAGE(warn("with %d", 1));
    CHECK_MESSAGE(warn(NULL));
    CHECK_MESSAGE(warnx("without %d", 2));
    CHECK_MESSAGE(warnx(NULL));
    CHECK_MESSAGE(psignal(11, "prefix"));
    CHECK_MESSAGE(psignal(11, ""));
    CHECK_MESSAGE(psignal(111, NULL));
}

static void check_sets(void) {
    sigset_t mine = {0}, native = {0};
    rt_sigfillset(&mine);
    sigfillset(&native);
    CHECK(memcmp(&mine, &native, sizeof mine) == 0, "full");
    rt_sigemptyset(&mine);
    sigemptyset(&native);
    CHECK(memcmp(&mine, &native, sizeof mine) == 0, "empty");
    for (int i = 0; i < 2000; i++) {
        int n = (int)below(70) - 2, kind = (int)below(3);
        errno = 0;
        int a = kind == 0 ? rt_sigaddset(&mine, n) : kind == 1 ? rt_sigdelset(&mine, n) : rt_sigismember(&mine, n);
        int number = errno;
        errno = 0;
        int b = kind == 0 ? sigaddset(&native, n) : kind == 1 ? sigdelset(&native, n) : sigismember(&native, n);
        CHECK(a == b && number == errno, "%d %d: %d %d", kind, n, a, b);
        CHECK(memcmp(&mine, &native, sizeof mine) == 0, "%d %d", kind, n);
    }
}

int main(void) {
    for (int n = -3; n < 150; n++)
        check_number(n);
    rt_program_invocation_name = program_invocation_name;
    rt_program_invocation_short_name = program_invocation_short_name;
    CHECK(rt___progname == program_invocation_short_name, "two names of one object");
    check_messages();
    rt_error_one_per_line = error_one_per_line = 1;
    check_messages();
    rt_error_print_progname = error_print_progname = own_name;
    check_messages();
    check_sets();
    DONE();
}
