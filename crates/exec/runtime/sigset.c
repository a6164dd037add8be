/* Sets of signals: room for 1024 bits, of which the first word is used, as the
 * native library does. The signals 32 and 33 belong to the library and never
 * are in a full set. */

typedef struct {
    unsigned long words[16];
} sigset_t;

static int is_signal(int number) {
    if (number >= 1 && number <= 64 && number != 32 && number != 33)
        return 1;
    errno = EINVAL;
    return 0;
}

int sigemptyset(sigset_t *set) {
    set->words[0] = 0;
    return 0;
}

int sigfillset(sigset_t *set) {
    set->words[0] = ~(3UL << 31);
    return 0;
}

int sigaddset(sigset_t *set, int number) {
    if (!is_signal(number))
        return -1;
    set->words[0] |= 1UL << (number - 1);
    return 0;
}

int sigdelset(sigset_t *set, int number) {
    if (!is_signal(number))
        return -1;
    set->words[0] &= ~(1UL << (number - 1));
    return 0;
}

int sigismember(const sigset_t *set, int number) {
    if (number < 1 || number > 64) {
        errno = EINVAL;
        return -1;
    }
    return (int)(set->words[0] >> (number - 1) & 1);
}

int sigisemptyset(const sigset_t *set) {
    return set->words[0] == 0;
}

int sigorset(sigset_t *to, const sigset_t *left, const sigset_t *right) {
    to->words[0] = left->words[0] | right->words[0];
    return 0;
}

int sigandset(sigset_t *to, const sigset_t *left, const sigset_t *right) {
    to->words[0] = left->words[0] & right->words[0];
    return 0;
}
