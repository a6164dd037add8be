// A string builder, split, join, replace, wrap, and a small template engine.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { char *text; size_t length, room; } builder;
static void reserve(builder *b, size_t more) {
    if (b->length + more + 1 <= b->room) return;
    while (b->room < b->length + more + 1) b->room = b->room ? b->room * 2 : 8;
    b->text = realloc(b->text, b->room);
}
static void append(builder *b, const char *s, size_t n) {
    reserve(b, n);
    memcpy(b->text + b->length, s, n);
    b->text[b->length += n] = 0;
}
static void appendf(builder *b, const char *f, ...) {
    va_list ap, again;
    va_start(ap, f);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, f, ap);
    va_end(ap);
    reserve(b, (size_t)n);
    vsnprintf(b->text + b->length, (size_t)n + 1, f, again);
    va_end(again);
    b->length += (size_t)n;
}
static char *replace(const char *s, const char *from, const char *to) {
    builder b = {0};
    for (const char *p; (p = strstr(s, from)); s = p + strlen(from)) append(&b, s, (size_t)(p - s)), append(&b, to, strlen(to));
    append(&b, s, strlen(s));
    return b.text;
}
static char *wrap(const char *s, size_t width) {
    builder b = {0};
    size_t column = 0;
    while (*s) {
        size_t n = strcspn(s, " ");
        if (column && column + 1 + n > width) append(&b, "\n", 1), column = 0;
        else if (column) append(&b, " ", 1), column++;
        append(&b, s, n), column += n;
        s += n, s += strspn(s, " ");
    }
    return b.text;
}
static char *expand(const char *template, const char *const *pairs) {
    builder b = {0};
    while (*template) {
        const char *open = strstr(template, "{{"), *close = open ? strstr(open, "}}") : NULL;
        if (!close) break;
        append(&b, template, (size_t)(open - template));
        const char *value = "?";
        for (const char *const *p = pairs; *p; p += 2)
            if (strlen(*p) == (size_t)(close - open - 2) && !strncmp(*p, open + 2, strlen(*p))) value = p[1];
        append(&b, value, strlen(value));
        template = close + 2;
    }
    append(&b, template, strlen(template));
    return b.text;
}

int main(void) {
    builder b = {0};
    for (int i = 0; i < 50; i++) appendf(&b, "%s%d:%x", i ? "," : "", i, i * i);
    printf("%zu %zu %s\n", b.length, b.room, b.text);
    char *r = replace("the cat sat on the mat", "the", "THE"), *w = wrap("a somewhat longer sentence that is wrapped at twenty columns and has averylongwordthatdoesnotfit inside", 20);
    printf("%s\n%s\n", r, w);
    const char *pairs[] = {"name", "World", "n", "3", NULL};
    char *t = expand("Hello {{name}}, {{n}} times {{missing}} {{open", pairs);
    printf("%s\n", t);
    for (char *p = b.text; *p; p++) *p = (char)(isalpha((unsigned char)*p) ? toupper((unsigned char)*p) : *p);
    printf("%.60s\n", b.text);
    free(r), free(w), free(t), free(b.text);
    return 0;
}
