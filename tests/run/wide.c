// Wide characters and multibyte conversion in the C locale.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

int main(void) {
    printf("%s\n", setlocale(LC_ALL, NULL));
    wchar_t b[64];
    wcscpy(b, L"wide "), wcscat(b, L"text");
    printf("%zu %ls %d\n", wcslen(b), b, wcscmp(b, L"wide text"));
    printf("%ls %ls\n", wcschr(b, L't'), wcsstr(b, L"te"));
    wchar_t *rest, list[] = L"a,b,,c";
    for (wchar_t *t = wcstok(list, L",", &rest); t; t = wcstok(NULL, L",", &rest)) printf("<%ls>", t);
    printf("\n%ld %g\n", wcstol(L"-123x", &rest, 10), wcstod(L"2.5e2", NULL));
    printf("%d %d %d %d\n", iswalpha(L'a') != 0, iswdigit(L'5') != 0, iswspace(L' ') != 0, (int)towupper(L'q'));
    char m[16];
    printf("%zu %s\n", wcstombs(m, L"narrow", sizeof m), m);
    printf("%zu %ls\n", mbstowcs(b, "widened", 64), b);
    printf("%d %d %d\n", mblen("a", 1), mbtowc(b, "z", 1), wctomb(m, L'y'));
    printf("%d\n", btowc('a') == L'a' && wctob(L'b') == 'b');
    mbstate_t state;
    memset(&state, 0, sizeof state);
    printf("%zu %zu\n", mbrtowc(b, "q", 1, &state), mbrtowc(b, "", 1, &state));
    wchar_t out[40];
    int n = swprintf(out, 40, L"%d %ls %s %5.2f", 42, L"wide", "narrow", 3.14159);
    printf("%d %ls\n", n, out);
    wmemset(b, L'-', 5), b[5] = 0;
    printf("%ls %d\n", b, wmemcmp(b, L"-----", 5));
    printf("%zu %zu\n", sizeof(wchar_t), sizeof L"abc");
    printf("%lc|%5lc|%-5ls|%.2ls\n", L'x', L'y', L"ab", L"abcdef");
    return 0;
}
