/* string.h and strings.h against the native functions. */
#include "compare.h"
#include <libgen.h>
#include <strings.h>

extern char *rt_basename(const char *);
#undef basename
extern char *native_basename(const char *) __asm__("basename");
extern char *rt___xpg_basename(char *);
RUNTIME(dirname);
RUNTIME(strlen);
RUNTIME(strnlen);
RUNTIME(strcpy);
RUNTIME(stpcpy);
RUNTIME(strncpy);
RUNTIME(stpncpy);
RUNTIME(strcat);
RUNTIME(strncat);
RUNTIME(strcmp);
RUNTIME(strncmp);
RUNTIME(strcoll);
RUNTIME(strxfrm);
RUNTIME(strcasecmp);
RUNTIME(strncasecmp);
RUNTIME(strchr);
RUNTIME(strrchr);
RUNTIME(strchrnul);
RUNTIME(index);
RUNTIME(rindex);
extern char *rt_strstr(const char *, const char *);
extern char *rt_strcasestr(const char *, const char *);
RUNTIME(strspn);
RUNTIME(strcspn);
RUNTIME(strpbrk);
RUNTIME(strtok_r);
RUNTIME(strtok);
RUNTIME(strsep);
RUNTIME(strdup);
RUNTIME(strndup);
RUNTIME(memchr);
RUNTIME(memrchr);
RUNTIME(rawmemchr);
RUNTIME(memcmp);
RUNTIME(memmem);
RUNTIME(memccpy);
RUNTIME(mempcpy);
RUNTIME(bcopy);
RUNTIME(bzero);
RUNTIME(swab);
RUNTIME(ffs);
RUNTIME(ffsl);
RUNTIME(ffsll);
RUNTIME(strverscmp);
extern size_t rt_strlcpy(char *, const char *, size_t);
extern size_t rt_strlcat(char *, const char *, size_t);

static const char *alphabets[] = {"ab", "abAB", "a\x80\xff", "abc,; ", "xyzXYZ0129\xe9"};
static char a[80], b[80], c[80], d[80], set[20];

static void check_reading(void) {
    size_t limit = below(24);
    int byte = (char)"ab,xB\0\xff"[below(7)];
    CHECK(rt_strlen(a) == strlen(a), "%s", a);
    CHECK(rt_strnlen(a, limit) == strnlen(a, limit), "%s", a);
    CHECK(rt_strcmp(a, b) == strcmp(a, b), "%s %s: %d %d", a, b, rt_strcmp(a, b), strcmp(a, b));
    CHECK(rt_strncmp(a, b, limit) == strncmp(a, b, limit), "%s %s", a, b);
    CHECK(rt_strcoll(a, b) == strcoll(a, b), "%s %s", a, b);
    CHECK(rt_strcasecmp(a, b) == strcasecmp(a, b), "%s %s", a, b);
    CHECK(rt_strncasecmp(a, b, limit) == strncasecmp(a, b, limit), "%s %s", a, b);
    CHECK(rt_strchr(a, byte) == strchr(a, byte), "%s %d", a, byte);
    CHECK(rt_strrchr(a, byte) == strrchr(a, byte), "%s %d", a, byte);
    CHECK(rt_strchrnul(a, byte) == strchrnul(a, byte), "%s %d", a, byte);
    CHECK(rt_index(a, byte) == index(a, byte), "%s %d", a, byte);
    CHECK(rt_rindex(a, byte) == rindex(a, byte), "%s %d", a, byte);
    CHECK(rt_strstr(a, set) == strstr(a, set), "%s %s", a, set);
    CHECK(rt_strcasestr(a, set) == strcasestr(a, set), "%s %s", a, set);
    CHECK(rt_strspn(a, set) == strspn(a, set), "%s %s", a, set);
    CHECK(rt_strcspn(a, set) == strcspn(a, set), "%s %s", a, set);
    CHECK(rt_strpbrk(a, set) == strpbrk(a, set), "%s %s", a, set);
    CHECK(rt_memchr(a, byte, limit) == memchr(a, byte, limit), "%s %d", a, byte);
    CHECK(rt_memrchr(a, byte, limit) == memrchr(a, byte, limit), "%s %d", a, byte);
    CHECK(rt_rawmemchr(a, 0) == rawmemchr(a, 0), "%s", a);
    CHECK(rt_memcmp(a, b, limit) == memcmp(a, b, limit), "%s %s", a, b);
    CHECK(rt_memmem(a, strlen(a), set, strlen(set)) == memmem(a, strlen(a), set, strlen(set)),
          "%s %s", a, set);
}

/* Both results are offsets into equal copies, and the copies stay equal. */
#define CHECK_WRITING(mine, native)                                            \
    do {                                                                       \
        memset(c, 'q', sizeof c);                                              \
        strcpy(c, b);                                                          \
        memcpy(d, c, sizeof c);                                                \
        char *to = c;                                                          \
        char *first = (char *)(mine);                                          \
        to = d;                                                                \
        char *second = (char *)(native);                                       \
        CHECK((first == NULL) == (second == NULL) &&                           \
                  (first == NULL || first - c == second - d),                  \
              "%s %s", a, b);                                                  \
        CHECK(memcmp(c, d, sizeof c) == 0, "%s %s", a, b);                     \
    } while (0)

static void check_writing(void) {
    size_t limit = below(24);
    CHECK_WRITING(rt_strcpy(to, a), strcpy(to, a));
    CHECK_WRITING(rt_stpcpy(to, a), stpcpy(to, a));
    CHECK_WRITING(rt_strncpy(to, a, limit), strncpy(to, a, limit));
    CHECK_WRITING(rt_stpncpy(to, a, limit), stpncpy(to, a, limit));
    CHECK_WRITING(rt_strcat(to, a), strcat(to, a));
    CHECK_WRITING(rt_strncat(to, a, limit), strncat(to, a, limit));
    CHECK_WRITING(rt_memccpy(to, a, 'b', limit), memccpy(to, a, 'b', limit));
    CHECK_WRITING(rt_mempcpy(to, a, limit), mempcpy(to, a, limit));
    CHECK_WRITING((rt_swab(a, to, (ssize_t)limit), to), (swab(a, to, (ssize_t)limit), to));
    CHECK_WRITING((rt_bcopy(to, to + 3, limit), to), (bcopy(to, to + 3, limit), to));
    CHECK_WRITING((rt_bzero(to, limit), to), (bzero(to, limit), to));
    CHECK_WRITING(to + rt_strxfrm(to, a, limit), to + strxfrm(to, a, limit));
    CHECK_WRITING(rt_strtok(to, set), strtok(to, set));
    CHECK_WRITING(to + rt_strlcpy(to, a, limit),
                  to + snprintf(to, limit, "%s", a));
}

static void check_splitting(void) {
    char *rest = NULL, *native_rest = NULL;
    strcpy(c, a);
    strcpy(d, a);
    char *mine = rt_strtok_r(c, set, &rest);
    char *native = strtok_r(d, set, &native_rest);
    while (mine != NULL && native != NULL) {
        CHECK(mine - c == native - d && strcmp(mine, native) == 0, "%s %s", a, set);
        mine = rt_strtok_r(NULL, set, &rest);
        native = strtok_r(NULL, set, &native_rest);
    }
    CHECK(mine == NULL && native == NULL, "%s %s", a, set);
    strcpy(c, a);
    strcpy(d, a);
    rest = c;
    native_rest = d;
    while (rest != NULL || native_rest != NULL) {
        mine = rt_strsep(&rest, set);
        native = strsep(&native_rest, set);
        CHECK(strcmp(mine, native) == 0, "%s %s", a, set);
    }
}

static void check_copies(void) {
    char *whole = rt_strdup(a), *part = rt_strndup(a, 5), *native = strndup(a, 5);
    CHECK(strcmp(whole, a) == 0, "%s", a);
    CHECK(strcmp(part, native) == 0, "%s", a);
    free(whole);
    free(part);
    free(native);
}

static void check_strlcat(void) {
    size_t size = below(30);
    memset(c, 'q', sizeof c);
    strcpy(c, b);
    size_t used = strnlen(c, size);
    size_t total = rt_strlcat(c, a, size);
    CHECK(total == used + strlen(a), "%s %s", a, b);
    if (used < size)
        CHECK(strlen(c) == (total < size ? total : size - 1), "%s %s", a, b);
}

static void check_paths(void) {
    any_of(a, "/a/.b", 9);
    strcpy(c, a);
    strcpy(d, a);
    CHECK(rt_basename(a) == native_basename(a), "%s", a);
    char *mine = rt___xpg_basename(c), *native = __xpg_basename(d);
    CHECK(strcmp(mine, native) == 0 && strcmp(c, d) == 0, "%s: %s %s", a, mine, native);
    strcpy(c, a);
    strcpy(d, a);
    mine = rt_dirname(c);
    native = dirname(d);
    CHECK(strcmp(mine, native) == 0 && strcmp(c, d) == 0, "%s: %s %s", a, mine, native);
}

static int sign(int n) { return (n > 0) - (n < 0); }

static void check_versions(void) {
    any_of(a, "001290a.", 7);
    any_of(b, "001290a.", 7);
    if (below(2))
        memcpy(b, a, below((unsigned)strlen(a) + 1));
    CHECK(sign(rt_strverscmp(a, b)) == sign(strverscmp(a, b)), "%s %s: %d", a, b, strverscmp(a, b));
}

static void check_bits(void) {
    for (int bit = -1; bit < 64; bit++) {
        long n = bit < 0 ? 0 : (long)(1UL << bit | (unsigned long)below(7) << bit);
        CHECK(rt_ffs((int)n) == ffs((int)n), "%lx", n);
        CHECK(rt_ffsl(n) == ffsl(n), "%lx", n);
        CHECK(rt_ffsll(n) == ffsll(n), "%lx", n);
    }
}

int main(void) {
    for (int round = 0; round < 20000; round++) {
        const char *alphabet = alphabets[below(5)];
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        any_of(a, alphabet, 20);
        any_of(b, alphabet, 20);
        if (below(3) == 0)
            memcpy(b, a, below((unsigned)strlen(a) + 1));
        any_of(set, alphabet, 3);
        check_reading();
        check_writing();
        check_splitting();
        check_copies();
        check_strlcat();
        check_paths();
        check_versions();
    }
    check_bits();
    DONE();
}
