// strtol, strtoul, strtod and their relatives at every edge.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <inttypes.h>

static void integers(const char *text, int base) {
    char *end;
    errno = 0;
    long l = strtol(text, &end, base);
    printf("[%s]/%d %ld +%td e%d", text, base, l, end - text, errno);
    errno = 0;
    unsigned long u = strtoul(text, &end, base);
    printf(" | %lu +%td e%d", u, end - text, errno);
    errno = 0;
    long long ll = strtoll(text, &end, base);
    printf(" | %lld e%d", ll, errno);
    errno = 0;
    intmax_t im = strtoimax(text, &end, base);
    printf(" | %jd e%d\n", im, errno);
}

static void floats(const char *text) {
    char *end;
    errno = 0;
    double d = strtod(text, &end);
    printf("[%s] %.17g %a +%td e%d", text, d != d ? 0 : d, d != d ? 0 : d, end - text, errno);
    errno = 0;
    float f = strtof(text, &end);
    printf(" | %.9g e%d", f != f ? 0 : f, errno);
    errno = 0;
    long double ld = strtold(text, &end);
    printf(" | %.21Lg +%td e%d\n", ld != ld ? 0 : ld, end - text, errno);
}

int main(void) {
    const char *whole[] = {"0", "42", "-42", "+7", "  \t\n 13", "12abc", "abc", "", "-", "+", "0x1F", "0x", "0xg", "077",
                           "08", "0b101", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
                           "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-1",
                           "99999999999999999999999", "- 5", "++5", "zz", "1_000", "0000000000000000000000012"};
    int bases[] = {0, 10, 16, 8, 2, 36};
    for (unsigned i = 0; i < sizeof whole / sizeof *whole; i++)
        for (int b = 0; b < 6; b++) integers(whole[i], bases[b]);
    char *end;
    errno = 0;
    printf("%ld %d\n", strtol("10", &end, 1), errno);
    const char *real[] = {"0", "-0", "1", "1.5", ".5", "5.", ".", "1e3", "1e", "1e+", "1E-3x", "0x1p3", "0x.8", "0x1.8p-1z",
                          "0x", "inf", "-INFINITY", "infinit", "nan", "NAN(123)", "nan(", "1e308", "1e309", "-1e309",
                          "1e-308", "5e-324", "2e-324", "1e-400", "3.4028236e38", "1e39", "1e-46", "  12.5abc", "+.5e+1",
                          "0.1", "123456789012345678901234567890", "0.000000000000000000000000000001",
                          "179769313486231580793728971405301e276", "2.2250738585072011e-308", "9007199254740993",
                          "4503599627370496.5", "1.00000000000000011102230246251565", "1e4932", "1e4933", "1,5", "--1"};
    for (unsigned i = 0; i < sizeof real / sizeof *real; i++) floats(real[i]);
    printf("%d %ld %lld %g\n", atoi(" -17x"), atol("99999999999"), atoll("-5"), atof("2.5e1z"));
    printf("%d %ld\n", abs(-5), labs(-6L));
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(17, -5);
    lldiv_t ll = lldiv(-1, 2);
    imaxdiv_t im = imaxdiv(100, 7);
    printf("%d %d %ld %ld %lld %lld %jd %jd\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem, im.quot, im.rem);
    return 0;
}
