/* What the drivers share. A driver calls a function of the runtime under its
 * name with `rt_` in front and the native one, and counts disagreements. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int failures;

#define CHECK(condition, ...)                                                  \
    do {                                                                       \
        if (!(condition) && failures++ < 12) {                                 \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);             \
            printf(__VA_ARGS__);                                               \
            printf("\n");                                                      \
        }                                                                      \
    } while (0)

/* The runtime's function has the type of the native one. */
#define RUNTIME(name) extern __typeof__(name) rt_##name

#define DONE() return failures != 0

static uint64_t seed = 88172645463325252u;

static inline unsigned below(unsigned limit) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (unsigned)(seed >> 11) % limit;
}

/* A string of up to `most` bytes of the alphabet. */
static inline char *any_of(char *to, const char *alphabet, unsigned most) {
    unsigned length = below(most + 1);
    for (unsigned i = 0; i < length; i++)
        to[i] = alphabet[below((unsigned)strlen(alphabet))];
    to[length] = 0;
    return to;
}

static int real_stderr = -1;
static FILE *caught;

/* What is written to standard error goes to a file, until `end_catch`. */
static inline void begin_catch(void) {
    if (caught == NULL)
        caught = tmpfile();
    fflush(stderr);
    if (real_stderr < 0)
        real_stderr = dup(2);
    rewind(caught);
    if (ftruncate(fileno(caught), 0) != 0)
        abort();
    dup2(fileno(caught), 2);
}

static inline char *end_catch(char *to, size_t size) {
    fflush(stderr);
    dup2(real_stderr, 2);
    rewind(caught);
    ssize_t count = pread(fileno(caught), to, size - 1, 0);
    to[count < 0 ? 0 : count] = 0;
    return to;
}
