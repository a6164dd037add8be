/* Trees and hash tables of search.h against the native functions. */
#include "compare.h"
#include <search.h>

RUNTIME(tsearch);
RUNTIME(tfind);
RUNTIME(tdelete);
RUNTIME(twalk);
RUNTIME(tdestroy);
RUNTIME(hcreate);
RUNTIME(hsearch);
RUNTIME(hdestroy);

static int order(const void *a, const void *b) { return (a > b) - (a < b); }

static uint64_t trace;

static void note(const void *node, VISIT visit, int level) {
    trace = trace * 31 + (uint64_t)(uintptr_t)*(void *const *)node * 16 + (uint64_t)visit * 4 + (uint64_t)level;
}

static void check_shape(void *mine, void *native, int step) {
    trace = 0;
    rt_twalk(mine, note);
    uint64_t mine_trace = trace;
    trace = 0;
    twalk(native, note);
    CHECK(mine_trace == trace, "step %d", step);
}

static void nothing(void *key) { (void)key; }

static void check_tree(unsigned keys) {
    void *mine = NULL, *native = NULL;
    for (int step = 0; step < 300; step++) {
        void *key = (void *)(uintptr_t)(1 + below(keys));
        void **a, **b;
        switch (below(5)) {
        case 0: case 1: case 2:
            a = rt_tsearch(key, &mine, order), b = tsearch(key, &native, order);
            CHECK(*a == *b, "step %d", step);
            break;
        case 3:
            a = rt_tdelete(key, &mine, order), b = tdelete(key, &native, order);
            CHECK((a == NULL) == (b == NULL), "step %d", step);
            break;
        default:
            a = rt_tfind(key, &mine, order), b = tfind(key, &native, order);
            CHECK((a == NULL) == (b == NULL) && (a == NULL || *a == *b), "step %d", step);
        }
        check_shape(mine, native, step);
    }
    rt_tdestroy(mine, nothing);
    tdestroy(native, nothing);
}

static void check_table(void) {
    static char names[100][8];
    rt_hcreate(60), hcreate(60);
    for (long i = 0; i < 100; i++) {
        sprintf(names[i], "k%u", below(70));
        ENTRY item = {names[i], (void *)i};
        ACTION action = below(2) && i < 50 ? ENTER : FIND;
        ENTRY *a = rt_hsearch(item, action), *b = hsearch(item, action);
        CHECK((a == NULL) == (b == NULL) && (a == NULL || a->data == b->data), "%s", names[i]);
    }
    rt_hdestroy(), hdestroy();
}

int main(void) {
    for (int round = 0; round < 300; round++)
        check_tree(1 + below(100));
    check_table();
    DONE();
}
