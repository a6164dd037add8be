/* Names of files after patterns, the table of mounts, digits of numbers, locks:
 * against the native functions. */
#include "compare.h"
#include <ftw.h>
#include <glob.h>
#include <mntent.h>
#include <pthread.h>
#include <sys/stat.h>
#include <termios.h>

RUNTIME(glob);
RUNTIME(globfree);
RUNTIME(getmntent);
RUNTIME(setmntent);
RUNTIME(endmntent);
RUNTIME(hasmntopt);
RUNTIME(fcvt);
RUNTIME(gcvt);
RUNTIME(pthread_mutex_init);
RUNTIME(pthread_mutex_lock);
RUNTIME(pthread_mutex_trylock);
RUNTIME(pthread_mutex_unlock);
RUNTIME(pthread_mutexattr_init);
RUNTIME(pthread_mutexattr_settype);
RUNTIME(pthread_key_create);
RUNTIME(pthread_setspecific);
RUNTIME(pthread_getspecific);
RUNTIME(pthread_once);
RUNTIME(nftw);
RUNTIME(ftw);
RUNTIME(cfsetispeed);
RUNTIME(cfsetospeed);
RUNTIME(cfgetispeed);
RUNTIME(cfgetospeed);
RUNTIME(cfmakeraw);
extern char **rt_environ;

static char visits[4000];

static int note(const char *path, const struct stat *info, int kind, struct FTW *place) {
    sprintf(visits + strlen(visits), "%s %d %d %d %lu\n", path, kind, place->base, place->level, (unsigned long)info->st_ino);
    return 0;
}

static int note_simply(const char *path, const struct stat *info, int kind) {
    sprintf(visits + strlen(visits), "%s %d %lu\n", path, kind, (unsigned long)info->st_ino);
    return strstr(path, "deep") == NULL ? 0 : 7;
}

static void check_walks(void) {
    static const char *roots[] = {".", "sub", "./sub//", "a", "none", "sub/deep/", ""};
    char mine[4000];
    if (symlink("nowhere", "dangling") != 0 || symlink(".", "sub/loop") != 0)
        return;
    for (int i = 0; i < 7; i++)
        for (int flags = 0; flags < 16; flags++) {
            if (flags & FTW_CHDIR)
                continue;
            visits[0] = 0;
            int a = rt_nftw(roots[i], note, 10, flags);
            strcpy(mine, visits), visits[0] = 0;
            int b = nftw(roots[i], note, 10, flags);
            CHECK(a == b && strcmp(mine, visits) == 0, "nftw '%s' %d: %d %d\n%s\n%s", roots[i], flags, a, b, mine, visits);
            visits[0] = 0;
            a = rt_ftw(roots[i], note_simply, 10);
            strcpy(mine, visits), visits[0] = 0;
            b = ftw(roots[i], note_simply, 10);
            CHECK(a == b && strcmp(mine, visits) == 0, "ftw '%s': %d %d\n%s\n%s", roots[i], a, b, mine, visits);
        }
}

static void check_terminals(void) {
    static const speed_t speeds[] = {B0, B50, B9600, B38400, B57600, B115200, 77777};
    struct termios mine, native;
    memset(&mine, 0xff, sizeof mine);
    native = mine;
    rt_cfmakeraw(&mine), cfmakeraw(&native);
    CHECK(memcmp(&mine, &native, sizeof mine) == 0, "raw");
    for (int i = 0; i < 200; i++) {
        speed_t speed = speeds[below(7)];
        int in = (int)below(2);
        int a = in ? rt_cfsetispeed(&mine, speed) : rt_cfsetospeed(&mine, speed);
        int b = in ? cfsetispeed(&native, speed) : cfsetospeed(&native, speed);
        CHECK(a == b && rt_cfgetispeed(&mine) == cfgetispeed(&native) && rt_cfgetospeed(&mine) == cfgetospeed(&native), "%o", speed);
        CHECK(memcmp(&mine, &native, sizeof mine) == 0, "%o", speed);
    }
}

static void check_glob(const char *pattern, int flags) {
    glob_t mine = {0}, native = {0};
#if __has_feature(address_sanitizer)
    flags &= ~GLOB_DOOFFS; /* The sanitizer's own glob cannot take it. */
#endif
    if (flags & GLOB_DOOFFS)
        mine.gl_offs = native.gl_offs = 2;
    int a = rt_glob(pattern, flags, NULL, &mine), b = glob(pattern, flags, NULL, &native);
    CHECK(a == b && mine.gl_pathc == native.gl_pathc, "'%s' %d: %d %d, %zu %zu", pattern, flags, a, b, mine.gl_pathc, native.gl_pathc);
    for (size_t i = 0; a == b && i < mine.gl_pathc && i < native.gl_pathc; i++)
        CHECK(strcmp(mine.gl_pathv[mine.gl_offs + i], native.gl_pathv[native.gl_offs + i]) == 0, "'%s' %d: %s %s", pattern, flags,
              mine.gl_pathv[mine.gl_offs + i], native.gl_pathv[native.gl_offs + i]);
    rt_globfree(&mine);
    globfree(&native);
}

static void check_globs(void) {
    static const char *files[] = {"a", "ab", "b.c", ".hidden", "sub/a", "sub/x.c", "sub/deep/y", "odd[1]", "star*"};
    char directory[] = "/tmp/runtime-glob-XXXXXX", command[100];
    if (mkdtemp(directory) == NULL || chdir(directory) != 0)
        return;
    mkdir("sub", 0755), mkdir("sub/deep", 0755), mkdir("empty", 0755);
    for (int i = 0; i < 9; i++)
        fclose(fopen(files[i], "w"));
    static const char *patterns[] = {"*", "a*", "?", "*.c", "*/*", "*/", "sub/*", "*/a", ".*", "none", "none*", "a", "sub", "sub/", "{a,b}*", "{a,none}", "x{a", "*/deep/*", "[ab]*",
                                     "odd\\[1\\]", "odd[[]1]", "star\\*", "./*", "sub//*", "**", "{sub,empty}/*", "", "a/b", "empty/*", "s*/d*/y"};
    static const int flags[] = {0, GLOB_MARK, GLOB_NOCHECK, GLOB_BRACE, GLOB_PERIOD, GLOB_NOMAGIC, GLOB_NOESCAPE, GLOB_DOOFFS, GLOB_MARK | GLOB_BRACE | GLOB_NOCHECK};
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 9; j++)
            check_glob(patterns[i], flags[j]);
    check_walks();
    if (chdir("/") != 0)
        return;
    sprintf(command, "rm -r %s", directory);
    CHECK(system(command) == 0, "%s", command);
}

static void check_mounts(void) {
    FILE *mine = rt_setmntent("/proc/mounts", "r"), *native = setmntent("/proc/mounts", "r");
    if (mine == NULL || native == NULL)
        return;
    struct mntent *a, *b = NULL;
    while ((a = rt_getmntent(mine)) != NULL && (b = getmntent(native)) != NULL) {
        CHECK(strcmp(a->mnt_dir, b->mnt_dir) == 0 && strcmp(a->mnt_opts, b->mnt_opts) == 0, "%s %s", a->mnt_dir, b->mnt_dir);
        CHECK(a->mnt_freq == b->mnt_freq && a->mnt_passno == b->mnt_passno, "%s", a->mnt_dir);
        char *x = rt_hasmntopt(a, "relatime"), *y = hasmntopt(b, "relatime");
        CHECK((x == NULL) == (y == NULL) && (x == NULL || x - a->mnt_opts == y - b->mnt_opts), "%s", a->mnt_opts);
    }
    CHECK(a == NULL, "length");
    rt_endmntent(mine);
    endmntent(native);
}

static void check_digits(void) {
    double value = (double)((int)below(2000000) - 1000000) / (below(3) ? 1000 : 1);
    if (below(10) == 0)
        value = 0;
    if (below(4) == 0)
        value *= 1e-7;
    int digits = (int)below(12), p = 0, q = 0, s = 0, t = 0;
    char a[400], b[400];
    strcpy(a, rt_fcvt(value, digits, &p, &s));
    strcpy(b, fcvt(value, digits, &q, &t));
    CHECK(strcmp(a, b) == 0 && p == q && s == t, "fcvt %g %d: '%s' %d '%s' %d", value, digits, a, p, b, q);
    CHECK(strcmp(rt_gcvt(value, digits, a), gcvt(value, digits, b)) == 0, "gcvt %g %d", value, digits);
}

static int calls;
static void once(void) { calls++; }

static void check_locks(void) {
    pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive;
    pthread_mutexattr_t attributes;
    rt_pthread_mutexattr_init(&attributes);
    rt_pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    rt_pthread_mutex_init(&recursive, &attributes);
    CHECK(rt_pthread_mutex_lock(&plain) == 0 && rt_pthread_mutex_trylock(&plain) == EBUSY, "plain");
    CHECK(rt_pthread_mutex_unlock(&plain) == 0 && rt_pthread_mutex_trylock(&plain) == 0, "plain");
    CHECK(rt_pthread_mutex_lock(&recursive) == 0 && rt_pthread_mutex_lock(&recursive) == 0, "recursive");
    pthread_once_t control = PTHREAD_ONCE_INIT;
    rt_pthread_once(&control, once), rt_pthread_once(&control, once);
    CHECK(calls == 1, "once");
    pthread_key_t first, second;
    rt_pthread_key_create(&first, NULL), rt_pthread_key_create(&second, NULL);
    rt_pthread_setspecific(second, &calls);
    CHECK(first != second && rt_pthread_getspecific(second) == &calls && rt_pthread_getspecific(first) == NULL, "keys");
}

int main(void) {
    rt_environ = environ;
    check_globs();
    check_mounts();
    check_terminals();
    for (int round = 0; round < 20000; round++)
        check_digits();
    check_locks();
    DONE();
}
