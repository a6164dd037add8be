/* The texts and the short names of signals. */

static const char *const texts[32] = {
    [1] = "Hangup",
    [2] = "Interrupt",
    [3] = "Quit",
    [4] = "Illegal instruction",
    [5] = "Trace/breakpoint trap",
    [6] = "Aborted",
    [7] = "Bus error",
    [8] = "Floating point exception",
    [9] = "Killed",
    [10] = "User defined signal 1",
    [11] = "Segmentation fault",
    [12] = "User defined signal 2",
    [13] = "Broken pipe",
    [14] = "Alarm clock",
    [15] = "Terminated",
    [16] = "Stack fault",
    [17] = "Child exited",
    [18] = "Continued",
    [19] = "Stopped (signal)",
    [20] = "Stopped",
    [21] = "Stopped (tty input)",
    [22] = "Stopped (tty output)",
    [23] = "Urgent I/O condition",
    [24] = "CPU time limit exceeded",
    [25] = "File size limit exceeded",
    [26] = "Virtual timer expired",
    [27] = "Profiling timer expired",
    [28] = "Window changed",
    [29] = "I/O possible",
    [30] = "Power failure",
    [31] = "Bad system call",
};

static const char *const names[32] = {
    [1] = "HUP",
    [2] = "INT",
    [3] = "QUIT",
    [4] = "ILL",
    [5] = "TRAP",
    [6] = "ABRT",
    [7] = "BUS",
    [8] = "FPE",
    [9] = "KILL",
    [10] = "USR1",
    [11] = "SEGV",
    [12] = "USR2",
    [13] = "PIPE",
    [14] = "ALRM",
    [15] = "TERM",
    [16] = "STKFLT",
    [17] = "CHLD",
    [18] = "CONT",
    [19] = "STOP",
    [20] = "TSTP",
    [21] = "TTIN",
    [22] = "TTOU",
    [23] = "URG",
    [24] = "XCPU",
    [25] = "XFSZ",
    [26] = "VTALRM",
    [27] = "PROF",
    [28] = "WINCH",
    [29] = "POLL",
    [30] = "PWR",
    [31] = "SYS",
};

int __libc_current_sigrtmin(void) { return 34; }

int __libc_current_sigrtmax(void) { return 64; }

const char *sigdescr_np(int number) { return (unsigned)number < 32 ? texts[number] : NULL; }

const char *sigabbrev_np(int number) { return (unsigned)number < 32 ? names[number] : NULL; }

char *strsignal(int number) {
    static char other[32];
    const char *text = sigdescr_np(number);
    if (text != NULL)
        return (char *)text;
    if (number >= 34 && number <= 64)
        snprintf(other, sizeof other, "Real-time signal %d", number - 34);
    else
        snprintf(other, sizeof other, "Unknown signal %d", number);
    return other;
}

void psignal(int number, const char *prefix) {
    int is_named = prefix != NULL && *prefix != 0;
    fprintf(stderr, "%s%s%s\n", is_named ? prefix : "", is_named ? ": " : "", strsignal(number));
}
