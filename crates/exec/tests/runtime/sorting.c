/* Sorting and searching: the same results, and the comparisons in the same
 * order, as the native functions. */
#include "compare.h"
#include <search.h>

RUNTIME(qsort);
RUNTIME(qsort_r);
RUNTIME(bsearch);
RUNTIME(lfind);
RUNTIME(lsearch);

struct item {
    int key;
    int place;
    char rest[5];
};

static uint64_t trace;

static int by_key(const void *left, const void *right) {
    const struct item *a = left, *b = right;
    trace = trace * 31 + (uint64_t)(a->place * 1000 + b->place);
    return (a->key > b->key) - (a->key < b->key);
}

static int by_key_in(const void *left, const void *right, void *context) {
    ++*(int *)context;
    return by_key(left, right);
}

static void check_sort(unsigned count, unsigned keys) {
    static struct item mine[400], native[400];
    memset(mine, 0, sizeof mine);
    for (unsigned i = 0; i < count; i++)
        mine[i].key = (int)below(keys), mine[i].place = (int)i;
    memcpy(native, mine, sizeof mine);
    trace = 0;
    qsort(native, count, sizeof *native, by_key);
    uint64_t native_trace = trace;
    trace = 0;
    int calls = 0;
    if (below(2))
        rt_qsort(mine, count, sizeof *mine, by_key);
    else
        rt_qsort_r(mine, count, sizeof *mine, by_key_in, &calls);
    CHECK(memcmp(mine, native, sizeof mine) == 0, "%u items", count);
    CHECK(trace == native_trace, "%u items", count);
    struct item key = {.key = (int)below(keys + 2) - 1};
    trace = 0;
    void *found = rt_bsearch(&key, mine, count, sizeof key, by_key);
    uint64_t mine_trace = trace;
    trace = 0;
    void *native_found = bsearch(&key, mine, count, sizeof key, by_key);
    CHECK(found == native_found && mine_trace == trace, "%u items", count);
    size_t length = count;
    found = rt_lfind(&key, mine, &length, sizeof key, by_key);
    CHECK(found == lfind(&key, mine, &length, sizeof key, by_key), "%u items", count);
    found = rt_lsearch(&key, mine, &length, sizeof key, by_key);
    size_t native_length = count;
    native_found = lsearch(&key, native, &native_length, sizeof key, by_key);
    CHECK((char *)found - (char *)mine == (char *)native_found - (char *)native, "%u items", count);
    CHECK(length == native_length && memcmp(mine, native, sizeof mine) == 0, "%u items", count);
}

int main(void) {
    for (int round = 0; round < 4000; round++)
        check_sort(below(60), 1 + below(40));
    for (int round = 0; round < 100; round++)
        check_sort(below(390), 1000);
    DONE();
}
