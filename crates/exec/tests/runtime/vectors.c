/* argz.h and envz.h against the native functions. */
#include "compare.h"
#include <argz.h>
#include <envz.h>

RUNTIME(argz_create_sep);
RUNTIME(argz_add);
RUNTIME(argz_add_sep);
RUNTIME(argz_append);
RUNTIME(argz_count);
RUNTIME(argz_delete);
RUNTIME(argz_insert);
RUNTIME(argz_stringify);
RUNTIME(argz_extract);
RUNTIME(argz_next);
RUNTIME(envz_add);
RUNTIME(envz_get);
RUNTIME(envz_remove);
RUNTIME(envz_merge);
RUNTIME(envz_strip);

static char *mine, *native;
static size_t mine_length, native_length;

static void check_same(const char *what) {
    CHECK(mine_length == native_length, "%s: %zu %zu", what, mine_length, native_length);
    CHECK(mine_length != native_length || mine_length == 0 || memcmp(mine, native, mine_length) == 0, "%s", what);
}

/* The place of some entry in both vectors. */
static void any_entry(char **a, char **b) {
    *a = *b = NULL;
    if (mine_length == 0)
        return;
    size_t skipped = below((unsigned)rt_argz_count(mine, mine_length)) + 1;
    for (size_t i = 0; i < skipped; i++)
        *a = rt_argz_next(mine, mine_length, *a), *b = argz_next(native, native_length, *b);
    CHECK(*a - mine == *b - native, "place");
}

static void step(void) {
    char text[20], *a, *b;
    any_of(text, below(2) ? "ab:=" : "xy", 8);
    switch (below(11)) {
    case 0: free(mine), free(native); rt_argz_create_sep(text, ':', &mine, &mine_length); argz_create_sep(text, ':', &native, &native_length); check_same("create_sep"); break;
    case 1: rt_argz_add(&mine, &mine_length, text); argz_add(&native, &native_length, text); check_same("add"); break;
    case 2: rt_argz_add_sep(&mine, &mine_length, text, ':'); argz_add_sep(&native, &native_length, text, ':'); check_same("add_sep"); break;
    case 3: any_entry(&a, &b); rt_argz_delete(&mine, &mine_length, a); argz_delete(&native, &native_length, b); check_same("delete"); break;
    case 4: any_entry(&a, &b); rt_argz_insert(&mine, &mine_length, a, text); argz_insert(&native, &native_length, b, text); check_same("insert"); break;
    case 5: case 6: rt_envz_add(&mine, &mine_length, "a", NULL); envz_add(&native, &native_length, "a", NULL); check_same("envz_add"); break;
    case 7: rt_envz_add(&mine, &mine_length, "key", text); envz_add(&native, &native_length, "key", text); check_same("envz_add"); break;
    case 8: rt_envz_remove(&mine, &mine_length, text); envz_remove(&native, &native_length, text); check_same("envz_remove"); break;
    case 9: {
        int overrides = (int)below(2);
        static const char other[] = "a=1\0key\0z=3";
        rt_envz_merge(&mine, &mine_length, other, sizeof other, overrides);
        envz_merge(&native, &native_length, other, sizeof other, overrides);
        check_same("envz_merge");
        break;
    }
    default:
        a = rt_envz_get(mine, mine_length, "key"), b = envz_get(native, native_length, "key");
        CHECK((a == NULL) == (b == NULL) && (a == NULL || a - mine == b - native), "envz_get");
    }
    if (mine_length > 300)
        mine_length = native_length = 0;
}

int main(void) {
    for (int round = 0; round < 5000 && failures == 0; round++)
        step();
    rt_envz_strip(&mine, &mine_length), envz_strip(&native, &native_length);
    check_same("envz_strip");
    rt_argz_stringify(mine, mine_length, ','), argz_stringify(native, native_length, ',');
    check_same("stringify");
    DONE();
}
