// Everything in string.h.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <stdlib.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    char b[64], c[64];
    printf("%zu %zu %zu\n", strlen(""), strlen("hello"), strnlen("hello", 3));
    strcpy(b, "hello"), strcat(b, ", "), strncat(b, "world and more", 5);
    printf("[%s]\n", b);
    memset(c, '#', sizeof c);
    strncpy(c, "ab", 5);
    for (int i = 0; i < 7; i++) printf("%d ", c[i]);
    printf("\n%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("x", "x"), sign(strcmp("a", "ab")));
    printf("%d %d %d\n", sign(strncmp("abc", "abd", 2)), sign(strncmp("abc", "abd", 3)), sign(strcmp("\xff", "a")));
    printf("%d %d %d\n", strcasecmp("HeLLo", "hEllO"), sign(strncasecmp("abX", "aby", 3)), sign(strcoll("a", "b")));
    printf("%s %s %s\n", strchr("hello", 'l'), strrchr("hello", 'l'), strchr("hello", 'z') ? "?" : "none");
    printf("%zu %s\n", strlen(strchr("hello", 0)), strchrnul("hello", 'z')[0] ? "?" : "end");
    printf("%s %s %s\n", strstr("needle in hay", "in"), strstr("abc", ""), strstr("abc", "abcd") ? "?" : "none");
    printf("%s %s\n", strcasestr("Hello World", "WORLD"), strpbrk("hello world", "wo"));
    printf("%zu %zu\n", strspn("aabbcc", "ab"), strcspn("hello", "lo"));
    char list[] = "one,two;;three,";
    for (char *t = strtok(list, ",;"); t; t = strtok(NULL, ",;")) printf("<%s>", t);
    char again[] = "a:b::c";
    char *save, *rest = again;
    for (char *t = strtok_r(rest, ":", &save); t; t = strtok_r(NULL, ":", &save)) printf("(%s)", t);
    char sep[] = "x,,y";
    rest = sep;
    for (char *t; (t = strsep(&rest, ","));) printf("{%s}", t);
    printf("\n");
    char overlap[] = "0123456789";
    memmove(overlap + 2, overlap, 5);
    printf("%s\n", overlap);
    memmove(overlap, overlap + 3, 6);
    printf("%s\n", overlap);
    printf("%d %d\n", sign(memcmp("abc\0d", "abc\0e", 5)), memcmp("a", "b", 0));
    printf("%s %s\n", (char *)memchr("hello", 'l', 5), memchr("hello", 'o', 3) ? "?" : "none");
    printf("%s %s\n", (char *)memrchr("hello", 'l', 5), (char *)memmem("abcdef", 6, "cd", 2));
    printf("%s\n", (char *)rawmemchr("find:it", ':'));
    char *d = strdup("copy"), *n = strndup("truncated", 5);
    printf("%s %s\n", d, n);
    free(d), free(n);
    printf("%s %s\n", stpcpy(b, "end") - 1, b);
    *stpncpy(b, "abc", 2) = '!';
    printf("%.3s\n", b);
    *(char *)mempcpy(b, "xyz", 3) = 0;
    printf("%s\n", b);
    printf("%s\n", (char *)memccpy(c, "abc;def", ';', 7) - c == 4 ? "found" : "not");
    printf("%d %d %d\n", ffs(0), ffs(8), ffsl(1L << 40));
    printf("%zu %s\n", strxfrm(b, "sorted", sizeof b), b);
    printf("%s | %s | %s\n", strerror(0), strerror(2), strerror(9999));
    printf("%s %s\n", basename("/a/b/c.txt"), basename("plain"));
    bzero(b, 4), bcopy("q", b, 1);
    printf("%s %d\n", b, bcmp("a", "a", 1));
    char text[] = "reverse me";
    for (int i = 0, j = (int)strlen(text) - 1; i < j; i++, j--) { char t = text[i]; text[i] = text[j], text[j] = t; }
    printf("%s\n", text);
    printf("%d %d\n", sign(strverscmp("file9", "file10")), sign(strverscmp("1.02", "1.1")));
    return 0;
}
