// signal, raise, sigaction, masks: handlers run, old handlers are returned, ignored signals do nothing.
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t got, count;
static void handler(int s) { got = s, count++; }
static void other(int s) { got = -s; }

int main(void) {
    void (*old)(int) = signal(SIGUSR1, handler);
    printf("%d\n", old == SIG_DFL);
    printf("%d %d %d\n", raise(SIGUSR1), (int)got, (int)count);
    old = signal(SIGUSR1, other);
    printf("%d\n", old == handler);
    raise(SIGUSR1);
    printf("%d\n", (int)got);
    signal(SIGUSR1, SIG_IGN);
    got = 0;
    printf("%d %d\n", raise(SIGUSR1), (int)got);
    struct sigaction action, previous;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, &previous);
    printf("%d\n", previous.sa_handler == SIG_DFL);
    raise(SIGTERM);
    printf("%d %d\n", (int)got, (int)count);
    sigset_t set;
    sigemptyset(&set), sigaddset(&set, SIGINT);
    printf("%d %d\n", sigismember(&set, SIGINT), sigismember(&set, SIGTERM));
    printf("%d\n", signal(9999, handler) == SIG_ERR);
    printf("%s\n", strsignal(SIGSEGV));
    return 0;
}
