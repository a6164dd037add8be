/* The environment against the native functions. */
#include "compare.h"

RUNTIME(getenv);
RUNTIME(setenv);
RUNTIME(unsetenv);
RUNTIME(putenv);
RUNTIME(clearenv);
extern char **rt_environ, **rt___environ;

static int same(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static void check_all(void) {
    char **mine = rt_environ, **native = environ;
    while (mine != NULL && native != NULL && *mine != NULL && *native != NULL)
        CHECK(same(*mine++, *native++), "%s %s", mine[-1], native[-1]);
    CHECK((mine == NULL ? NULL : *mine) == NULL && (native == NULL ? NULL : *native) == NULL, "length");
    CHECK(rt_environ == rt___environ, "two names of one object");
}

static char *names[] = {"A", "AB", "ABC", "", "A=B", "HOME", "B"};
static char *entries[] = {"A=put", "AB=", "NEW=1", "A", "C=x=y", "HOME=/"};

int main(void) {
    rt_environ = environ;
    char *start_mine[] = {"HOME=/root", "A=1", "B=2", "odd", NULL};
    char *start_native[] = {"HOME=/root", "A=1", "B=2", "odd", NULL};
    for (int round = 0; round < 3000; round++) {
        if (round % 500 == 0) {
            rt_environ = start_mine;
            environ = start_native;
        }
        char *name = names[below(7)], value[10];
        any_of(value, "xyz=", 8);
        int replace = (int)below(2);
        errno = 0;
        int mine = 0, native = 0, mine_error = 0;
        switch (below(12)) {
        case 0: case 1: case 2: case 3:
            mine = rt_setenv(name, value, replace);
            mine_error = errno, errno = 0;
            native = setenv(name, value, replace);
            break;
        case 4: case 5:
            mine = rt_unsetenv(name);
            mine_error = errno, errno = 0;
            native = unsetenv(name);
            break;
        case 6: case 7: case 8: {
            char *entry = entries[below(6)];
            mine = rt_putenv(entry);
            native = putenv(entry);
            break;
        }
        case 9:
            if (below(10) == 0) {
                mine = rt_clearenv();
                native = clearenv();
            }
            break;
        default:
            CHECK(same(rt_getenv(name), getenv(name)), "%s", name);
        }
        CHECK(mine == native && mine_error == errno, "%s %d %d", name, mine_error, errno);
        check_all();
    }
    DONE();
}
