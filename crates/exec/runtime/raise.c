/* Signals that the process sends to itself: calling handlers. Which signal has
 * which action, and what happens without a handler, the machine knows. */
typedef struct {
    unsigned long words[16];
} sigset_t;

/* As the machine writes it. */
struct taken {
    void (*handler)(int);
    unsigned long mask;
    int signal;
    int wants_more;
};

/* The head of siginfo_t for a signal that a process sends. */
struct information {
    int signal;
    int error;
    int code;
    int pad;
    int process;
    uid_t user;
    long value;
    char rest[96];
};

typedef void (*informed)(int, struct information *, void *);

int __ripple_signal_send(int signal);
int __ripple_signal_take(struct taken *taken);
void __ripple_signal_done(unsigned long mask);
int __ripple_signal_mask(int how, const sigset_t *set, sigset_t *old);
void __ripple_signal_wait(const sigset_t *accepted);
int __ripple_signal_accept(const sigset_t *set);
int nanosleep(const void *time, void *rest);
int getpid(void);
int getpgrp(void);
uid_t getuid(void);

static void describe(struct information *information, int signal) {
    memset(information, 0, sizeof *information);
    information->signal = signal;
    information->process = getpid();
    information->user = getuid();
}

/* Calls the handlers of all signals that are pending and not blocked. */
void __ripple_signal_deliver(void) {
    struct taken taken;

    while (__ripple_signal_take(&taken)) {
        if (taken.wants_more) {
            struct information information;
            char context[968];

            describe(&information, taken.signal);
            memset(context, 0, sizeof context);
            ((informed)taken.handler)(taken.signal, &information, context);
        } else {
            taken.handler(taken.signal);
        }
        __ripple_signal_done(taken.mask);
    }
}

int raise(int signal) {
    if (__ripple_signal_send(signal) != 0)
        return -1;
    __ripple_signal_deliver();
    return 0;
}

int gsignal(int signal) {
    return raise(signal);
}

/* The process is alone: any other number is nobody's. */
int kill(int process, int signal) {
    if (signal < 0 || signal > 64) {
        errno = EINVAL;
        return -1;
    }
    if (process != 0 && process != getpid() && process != -getpgrp()) {
        errno = ESRCH;
        return -1;
    }
    return raise(signal);
}

int killpg(int group, int signal) {
    if (group < 0) {
        errno = EINVAL;
        return -1;
    }
    return kill(-group, signal);
}

int sigqueue(int process, int signal, long value) {
    (void)value;
    return kill(process, signal);
}

int tgkill(int group, int thread, int signal) {
    if (group != getpid()) {
        errno = ESRCH;
        return -1;
    }
    return kill(thread, signal);
}

int pthread_kill(unsigned long thread, int signal) {
    (void)thread;
    return raise(signal) == 0 ? 0 : EINVAL;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    int result = __ripple_signal_mask(how, set, old);

    if (result == 0)
        __ripple_signal_deliver();
    return result;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    return sigprocmask(how, set, old) == 0 ? 0 : EINVAL;
}

int sigblock(int mask) {
    sigset_t set = {{(unsigned)mask}};
    sigset_t old;

    sigprocmask(0, &set, &old);
    return (int)old.words[0];
}

int sigsetmask(int mask) {
    sigset_t set = {{(unsigned)mask}};
    sigset_t old;

    sigprocmask(2, &set, &old);
    return (int)old.words[0];
}

int pause(void) {
    __ripple_signal_wait(NULL);
    __ripple_signal_deliver();
    errno = EINTR;
    return -1;
}

int sigsuspend(const sigset_t *set) {
    sigset_t old;

    __ripple_signal_mask(2, set, &old);
    __ripple_signal_wait(NULL);
    __ripple_signal_deliver();
    __ripple_signal_mask(2, &old, NULL);
    __ripple_signal_deliver();
    errno = EINTR;
    return -1;
}

/* The signals of the set are blocked, as the caller has to see to. */
int sigwait(const sigset_t *set, int *signal) {
    while ((*signal = __ripple_signal_accept(set)) == 0) {
        __ripple_signal_wait(set);
        __ripple_signal_deliver();
    }
    return 0;
}

int sigwaitinfo(const sigset_t *set, struct information *information) {
    int signal;

    sigwait(set, &signal);
    if (information != NULL)
        describe(information, signal);
    return signal;
}

int sigtimedwait(const sigset_t *set, struct information *information, const void *time) {
    int signal = __ripple_signal_accept(set);

    if (signal == 0 && time != NULL)
        nanosleep(time, NULL);
    if (signal == 0)
        signal = __ripple_signal_accept(set);
    if (signal == 0 && time == NULL)
        return sigwaitinfo(set, information);
    if (signal == 0) {
        errno = 11; /* EAGAIN */
        return -1;
    }
    if (information != NULL)
        describe(information, signal);
    return signal;
}
