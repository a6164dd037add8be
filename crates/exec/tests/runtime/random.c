/* Random numbers: the sequences of the native library. */
#include "compare.h"

RUNTIME(rand);
RUNTIME(srand);
RUNTIME(rand_r);
RUNTIME(random);
RUNTIME(srandom);
RUNTIME(initstate);
RUNTIME(setstate);
RUNTIME(drand48);
RUNTIME(erand48);
RUNTIME(lrand48);
RUNTIME(nrand48);
RUNTIME(mrand48);
RUNTIME(jrand48);
RUNTIME(srand48);
RUNTIME(seed48);
RUNTIME(lcong48);

static void check_some(unsigned start) {
    for (int i = 0; i < 100; i++) {
        long mine = rt_random(), native = random();
        CHECK(mine == native, "seed %u, number %d: %ld %ld", start, i, mine, native);
    }
}

static void check_states(void) {
    static const size_t sizes[] = {8, 31, 32, 63, 64, 127, 128, 255, 256, 300};
    static char mine[10][300], native[10][300];
    char *mine_old = NULL, *native_old = NULL;
    for (int i = 0; i < 10; i++) {
        char *mine_before = rt_initstate((unsigned)i * 77, mine[i], sizes[i]);
        char *native_before = initstate((unsigned)i * 77, native[i], sizes[i]);
        if (i == 0)
            mine_old = mine_before, native_old = native_before;
        else
            CHECK(mine_before == mine[i - 1] && native_before == native[i - 1], "state %d", i);
        check_some((unsigned)i);
    }
    for (int i = 0; i < 100; i++) {
        unsigned k = below(10);
        rt_setstate(mine[k]);
        setstate(native[k]);
        check_some(k);
        CHECK(memcmp(mine[k], native[k], 300) == 0, "state %u", k);
    }
    rt_setstate(mine_old);
    setstate(native_old);
    check_some(0);
    CHECK(rt_initstate(1, mine[0], 7) == NULL && errno == EINVAL, "too small");
}

static void check_48(void) {
    unsigned short x[3] = {1, 2, 3}, y[3] = {1, 2, 3};
    for (int i = 0; i < 200; i++) {
        CHECK(rt_drand48() == drand48(), "number %d", i);
        CHECK(rt_lrand48() == lrand48(), "number %d", i);
        CHECK(rt_mrand48() == mrand48(), "number %d", i);
        CHECK(rt_erand48(x) == erand48(y), "number %d", i);
        CHECK(rt_nrand48(x) == nrand48(y), "number %d", i);
        CHECK(rt_jrand48(x) == jrand48(y), "number %d", i);
    }
}

int main(void) {
    for (int i = 0; i < 100; i++)
        CHECK(rt_rand() == rand(), "number %d", i);
    static const unsigned seeds[] = {0, 1, 2, 42, 0x7fffffff, 0x80000000, 0xffffffff, 123456789};
    for (int i = 0; i < 8; i++) {
        rt_srandom(seeds[i]);
        srandom(seeds[i]);
        check_some(seeds[i]);
        rt_srand(seeds[i]);
        srand(seeds[i]);
        check_some(seeds[i]);
        unsigned mine = seeds[i], native = seeds[i];
        for (int j = 0; j < 100; j++)
            CHECK(rt_rand_r(&mine) == rand_r(&native), "seed %u", seeds[i]);
    }
    check_states();
    check_48();
    rt_srand48(-77);
    srand48(-77);
    check_48();
    unsigned short s[3] = {9, 8, 7}, p[7] = {1, 2, 3, 4, 5, 6, 7};
    CHECK(memcmp(rt_seed48(s), seed48(s), 6) == 0, "old state");
    check_48();
    rt_lcong48(p);
    lcong48(p);
    check_48();
    DONE();
}
