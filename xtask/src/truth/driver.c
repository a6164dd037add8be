/* Calls both versions with the same inputs and compares what a caller can see.
 *
 * `pair.h` is made for each pair: it includes both versions under other names, draws an input
 * (`draw`) and compares (`compare`). Inputs are words of 64 bits. Batches run in processes of their
 * own, so that a fault or a long loop ends a batch and not the driver.
 *
 *   driver run COUNT SEED     draws inputs; ends with the first on which the versions differ
 *   driver one WORD...        one input
 *
 * Prints `same`, `ran N`, or `differs` with what differs and the input. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 5000, BATCH_SECONDS = 5, ALONE_SECONDS = 15, ALL_SECONDS = 40, ENDS = 30 };
enum { BOTH, OLD, NEW };
enum { DIFFERS = 40 };

static struct shared {
    uint64_t index;
    char what[64];
} *shared;

static uint64_t state;

static uint64_t drawn(void) {
    uint64_t mixed = state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 31);
}

/* Constants of both versions. */
static const uint32_t *constants;
static size_t constant_count;

static uint64_t whole_between(int64_t low, int64_t high) {
    static const int64_t edges[] = {0, 1, -1, 2, 127, 128, 255, 256, 32767, 65535, 2147483647};
    int64_t value;
    switch (drawn() % 6) {
    case 0: value = drawn() % 2 ? low : high; break;
    case 1: value = edges[drawn() % (sizeof edges / sizeof *edges)]; break;
    case 2:
    case 3:
        value = constants[drawn() % constant_count];
        if (low < 0 && drawn() % 2) value = (int32_t)value;
        if (drawn() % 3 == 0) value += (int64_t)(drawn() % 3) - 1;
        break;
    case 4: value = (int64_t)(drawn() % 33) - 16; break;
    default: value = (int64_t)drawn();
    }
    if (value >= low && value <= high) return (uint64_t)value;
    uint64_t width = (uint64_t)high - (uint64_t)low + 1;
    return (uint64_t)low + (width ? (uint64_t)value % width : (uint64_t)value);
}

static uint64_t any_double(void) {
    static const double special[] = {0.0, -0.0, 1.0, -1.0, 0.5, 3.0, 1e10, 2147483647.0,
                                     -2147483648.0, 1e308, -1e308, 5e-324, 1.0 / 0.0, -1.0 / 0.0};
    double value;
    uint64_t bits;
    switch (drawn() % 5) {
    case 0: value = special[drawn() % (sizeof special / sizeof *special)]; break;
    case 1: value = (double)((int64_t)(drawn() % 65) - 32) / 2; break;
    case 2: return drawn() % 2 ? 0x7ff8000000000000u : 0xfff8000000000001u;
    case 3: value = (double)(int32_t)drawn(); break;
    default: return drawn();
    }
    memcpy(&bits, &value, 8);
    return bits;
}

static uint64_t any_float(void) {
    uint64_t bits = any_double();
    uint32_t narrow;
    double value;
    memcpy(&value, &bits, 8);
    float single = (float)value;
    memcpy(&narrow, &single, 4);
    return drawn() % 5 ? narrow : (uint32_t)drawn();
}

static double to_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, 8);
    return value;
}

static float to_float(uint64_t bits) {
    uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, 4);
    return value;
}

/* All NaNs are one value; zeros of different sign are two. */
static int same_real(double a, double b) {
    return a != a ? b != b : !memcmp(&a, &b, sizeof a);
}

/* Objects of both versions that were found in the same place. */
static struct {
    const void *old, *new;
} met[256];
static size_t met_count;

enum meeting { NEVER_MET, MET, MISMATCH };

static enum meeting meet(const void *old, const void *new) {
    if (!old != !new) return MISMATCH;
    if (!old) return MET;
    for (size_t i = 0; i < met_count; i++)
        if (met[i].old == old || met[i].new == new)
            return met[i].old == old && met[i].new == new ? MET : MISMATCH;
    if (met_count == sizeof met / sizeof *met) abort();
    met[met_count].old = old;
    met[met_count++].new = new;
    return NEVER_MET;
}

#include "types.h"

static int same_item(const struct item *old, const struct item *new) {
    return old->a == new->a && old->c == new->c && same_real(old->d, new->d);
}

static int same_item_at(const struct item *old, const struct item *new) {
    enum meeting how = meet(old, new);
    return how == MET || (how == NEVER_MET && same_item(old, new));
}

static int same_list(const struct node *old, const struct node *new) {
    for (;;) {
        enum meeting how = meet(old, new);
        if (how != NEVER_MET) return how == MET;
        if (old->value != new->value) return 0;
        old = old->next;
        new = new->next;
    }
}

static int same_pair(const struct pair *old, const struct pair *new) {
    enum meeting how = meet(old, new);
    if (how != NEVER_MET) return how == MET;
    return same_item_at(old->left, new->left) && same_item_at(old->right, new->right);
}

static int same_text(const char *old, const char *new) {
    return old && new ? !strcmp(old, new) : old == new;
}

#include "pair.h"

/* How one call, or the comparison of both, ends: 0, DIFFERS, or 1000 and a signal. */
static int alone(const uint64_t *words, int side, unsigned seconds) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) exit(2);
    if (!child) {
        alarm(seconds);
        const char *what = compare(words, side);
        if (what) strncpy(shared->what, what, sizeof shared->what - 1);
        _exit(what ? DIFFERS : 0);
    }
    int status;
    while (waitpid(child, &status, 0) < 0) continue;
    return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static const char *end_of(int how) {
    return how == 0 ? "ends" : how == 1000 + SIGALRM ? "does not end in time" : "fails";
}

static int differs(const uint64_t *words, const char *what) {
    printf("differs %s;", what);
    for (size_t i = 0; i < word_count; i++) printf(" %llu", (unsigned long long)words[i]);
    printf("\n");
    return 1;
}

/* One input in processes of its own; whether the versions differ. */
static int judged(const uint64_t *words) {
    int how = alone(words, BOTH, ALONE_SECONDS);
    if (!how) return 0;
    if (how == DIFFERS) return differs(words, shared->what);
    int old = alone(words, OLD, ALONE_SECONDS), new = alone(words, NEW, ALONE_SECONDS);
    if (!strcmp(end_of(old), end_of(new))) return 0;
    char what[128];
    snprintf(what, sizeof what, "old %s, new %s", end_of(old), end_of(new));
    return differs(words, what);
}

static int run(uint64_t count, uint64_t seed) {
    uint64_t words[word_count + 1], next = 0;
    unsigned ends = 0;
    time_t start = time(NULL);
    while (next < count && time(NULL) - start < ALL_SECONDS && ends < ENDS) {
        uint64_t last = next + BATCH < count ? next + BATCH : count;
        fflush(stdout);
        pid_t child = fork();
        if (child < 0) return 2;
        if (!child) {
            alarm(BATCH_SECONDS);
            for (; next < last; next++) {
                shared->index = next;
                state = seed ^ next * 0xd1b54a32d192ed03u;
                draw(words);
                if (compare(words, BOTH)) _exit(DIFFERS);
            }
            _exit(0);
        }
        int status;
        while (waitpid(child, &status, 0) < 0) continue;
        if (WIFEXITED(status) && !WEXITSTATUS(status)) {
            next = last;
            continue;
        }
        /* Something about this input is not as with the others. */
        state = seed ^ shared->index * 0xd1b54a32d192ed03u;
        draw(words);
        if (judged(words)) return 1;
        next = shared->index + 1;
        ends++;
    }
    printf("ran %llu\n", (unsigned long long)next);
    return 0;
}

int main(int argc, char **argv) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || argc < 2) return 2;
    constants = pair_constants;
    constant_count = sizeof pair_constants / sizeof *pair_constants;
    if (!strcmp(argv[1], "run") && argc == 4)
        return run(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    if (strcmp(argv[1], "one") || (size_t)argc != 2 + word_count) return 2;
    uint64_t words[word_count + 1];
    for (size_t i = 0; i < word_count; i++) words[i] = strtoull(argv[2 + i], NULL, 10);
    if (judged(words)) return 1;
    printf("same\n");
    return 0;
}
