/* Integers from text, integer arithmetic, against the native functions. */
#include "compare.h"
#include <inttypes.h>

RUNTIME(atoi);
RUNTIME(atol);
RUNTIME(atoll);
RUNTIME(atof);
extern long rt_strtol(const char *, char **, int);
extern unsigned long rt_strtoul(const char *, char **, int);
extern long rt___isoc23_strtol(const char *, char **, int);
extern unsigned long rt___isoc23_strtoull(const char *, char **, int);
RUNTIME(div);
RUNTIME(ldiv);
RUNTIME(lldiv);
RUNTIME(imaxdiv);
RUNTIME(abs);
RUNTIME(labs);
RUNTIME(a64l);
RUNTIME(l64a);

static void check(const char *text, int base) {
    char *mine_end = (char *)1, *native_end = (char *)1;
    errno = 0;
    long mine = rt_strtol(text, &mine_end, base);
    int mine_error = errno;
    errno = 0;
    long native = strtol(text, &native_end, base);
    CHECK(mine == native && mine_end == native_end && mine_error == errno,
          "strtol(\"%s\", %d): %ld %ld, errno %d %d", text, base, mine, native, mine_error, errno);
    mine_end = native_end = (char *)1;
    errno = 0;
    unsigned long mine_unsigned = rt_strtoul(text, &mine_end, base);
    mine_error = errno;
    errno = 0;
    unsigned long native_unsigned = strtoul(text, &native_end, base);
    CHECK(mine_unsigned == native_unsigned && mine_end == native_end && mine_error == errno,
          "strtoul(\"%s\", %d): %lu %lu, errno %d %d", text, base, mine_unsigned, native_unsigned,
          mine_error, errno);
    CHECK(rt_atoi(text) == atoi(text), "%s", text);
    CHECK(rt_atol(text) == atol(text), "%s", text);
    CHECK(rt_atoll(text) == atoll(text), "%s", text);
    CHECK(rt_atof(text) == atof(text) || atof(text) != atof(text), "%s", text);
}

static void check_binary(void) {
    char *end;
    const char *text = " -0b101x";
    CHECK(rt___isoc23_strtol(text, &end, 0) == -5 && *end == 'x', "%s", text);
    CHECK(rt___isoc23_strtol(text, &end, 2) == -5 && *end == 'x', "%s", text);
    CHECK(rt___isoc23_strtol(text, &end, 10) == 0 && *end == 'b', "%s", text);
    CHECK(rt___isoc23_strtol("0b2", &end, 0) == 0 && *end == 'b', "0b2");
    CHECK(rt___isoc23_strtoull("0B11", &end, 0) == 3 && *end == 0, "0B11");
    CHECK(rt___isoc23_strtoull("0x11", &end, 0) == 17 && *end == 0, "0x11");
}

static void check_division(void) {
    int n = (int)below(UINT_MAX), by = (int)below(2000) - 1000;
    if (by == 0 || by == -1 || n == INT_MIN)
        return;
    div_t i = div(n, by), j = rt_div(n, by);
    CHECK(i.quot == j.quot && i.rem == j.rem, "%d %d", n, by);
    long m = (long)n * 1234567;
    ldiv_t k = ldiv(m, by), l = rt_ldiv(m, by);
    CHECK(k.quot == l.quot && k.rem == l.rem, "%ld %d", m, by);
    lldiv_t o = lldiv(m, by), p = rt_lldiv(m, by);
    CHECK(o.quot == p.quot && o.rem == p.rem, "%ld %d", m, by);
    imaxdiv_t q = imaxdiv(m, by), r = rt_imaxdiv(m, by);
    CHECK(q.quot == r.quot && q.rem == r.rem, "%ld %d", m, by);
    CHECK(rt_abs(n) == abs(n), "%d", n);
    CHECK(rt_labs(m) == labs(m), "%ld", m);
}

static void check_base_64(void) {
    char text[20];
    long n = (int)below(UINT_MAX) >> below(31);
    CHECK(strcmp(rt_l64a(n), l64a(n)) == 0, "%ld", n);
    any_of(text, "./09AZaz.", 8);
    CHECK(rt_a64l(text) == a64l(text), "%s", text);
}

int main(void) {
    static const char *edges[] = {
        "", " ", "-", "+", "0", "-0", "0x", "0x1", "0xg", "0b1", " \t\n\v\f\r12", "08", "09", "7fffffffffffffff",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "18446744073709551616", "-18446744073709551615", "-18446744073709551616",
        "0xffffffffffffffff", "0x10000000000000000", "-0x8000000000000000", "99999999999999999999999", "zz",
        "1777777777777777777777", "2000000000000000000000", "2147483648", "-2147483649", "+-1", "- 1", "1_000"};
    for (unsigned i = 0; i < sizeof edges / sizeof *edges; i++)
        for (int base = -1; base <= 38; base++)
            check(edges[i], base);
    char text[60];
    for (int round = 0; round < 100000; round++) {
        check(any_of(text, below(2) ? "0123456789" : " +-00x1279afzZ", 24), below(4) ? 10 : (int)below(37));
        check_division();
        check_base_64();
    }
    check_binary();
    DONE();
}
