// A JSON parser and printer: objects, arrays, numbers, strings with escapes, errors with positions.
// stdin: {"name": "test", "list": [1, 2.5, -3e2, true, false, null], "nested": {"a": {"b": []}}, "empty": {}}
// stdin: ["\\u00e9\\n\\t\\"\\\\\\/", "", "\\ud83d\\ude00"]
// stdin: [1, 2
// stdin: {"a" 1}
// stdin: [01]
// stdin: "unterminated
// stdin: nul
// stdin: [[[[[[[[[[]]]]]]]]]]
// stdin: {"dup": 1, "dup": 2} 
// stdin: -0.0e-5
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
    enum { NUL, BOOL, NUMBER, STRING, ARRAY, OBJECT } kind;
    double number;
    char *string;
    struct value **items;
    char **keys;
    int count, room;
};

static const char *input, *at, *error;
static struct value *parse(void);

static struct value *make(int kind) {
    struct value *v = calloc(1, sizeof *v);
    v->kind = kind;
    return v;
}

static void add(struct value *v, char *key, struct value *item) {
    if (v->count == v->room) {
        v->room = v->room ? v->room * 2 : 2;
        v->items = realloc(v->items, v->room * sizeof *v->items);
        v->keys = realloc(v->keys, v->room * sizeof *v->keys);
    }
    v->keys[v->count] = key;
    v->items[v->count++] = item;
}

static void destroy(struct value *v) {
    if (!v) return;
    for (int i = 0; i < v->count; i++) destroy(v->items[i]), free(v->keys[i]);
    free(v->items), free(v->keys), free(v->string), free(v);
}

static void skip(void) { while (isspace((unsigned char)*at)) at++; }

static void *fail(const char *why) {
    if (!error) error = why;
    return NULL;
}

static int hex4(unsigned *out) {
    *out = 0;
    for (int i = 0; i < 4; i++) {
        if (!isxdigit((unsigned char)*at)) return 0;
        int c = tolower(*at++);
        *out = *out * 16 + (unsigned)(isdigit(c) ? c - '0' : c - 'a' + 10);
    }
    return 1;
}

static int encode(unsigned c, char *out) {
    if (c < 0x80) { out[0] = (char)c; return 1; }
    if (c < 0x800) { out[0] = (char)(0xc0 | c >> 6), out[1] = (char)(0x80 | (c & 63)); return 2; }
    if (c < 0x10000) { out[0] = (char)(0xe0 | c >> 12), out[1] = (char)(0x80 | (c >> 6 & 63)), out[2] = (char)(0x80 | (c & 63)); return 3; }
    out[0] = (char)(0xf0 | c >> 18), out[1] = (char)(0x80 | (c >> 12 & 63)), out[2] = (char)(0x80 | (c >> 6 & 63)), out[3] = (char)(0x80 | (c & 63));
    return 4;
}

static char *string(void) {
    if (*at != '"') return fail("expected a string");
    at++;
    char *out = malloc(strlen(at) + 1);
    int n = 0;
    while (*at && *at != '"') {
        if (*at != '\\') { out[n++] = *at++; continue; }
        at++;
        const char *simple = "\"\\/bfnrt", *to = "\"\\/\b\f\n\r\t", *p;
        if (*at == 'u') {
            unsigned c, low;
            at++;
            if (!hex4(&c)) { free(out); return fail("bad \\u"); }
            if (c >= 0xd800 && c < 0xdc00 && at[0] == '\\' && at[1] == 'u') {
                at += 2;
                if (!hex4(&low)) { free(out); return fail("bad surrogate"); }
                c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            }
            n += encode(c, out + n);
        } else if (*at && (p = strchr(simple, *at))) {
            out[n++] = to[p - simple];
            at++;
        } else { free(out); return fail("bad escape"); }
    }
    out[n] = 0;
    if (*at != '"') { free(out); return fail("unterminated string"); }
    at++;
    return out;
}

static struct value *container(int kind, char close) {
    struct value *v = make(kind);
    at++, skip();
    if (*at == close) { at++; return v; }
    for (;;) {
        char *key = NULL;
        skip();
        if (kind == OBJECT) {
            if (!(key = string())) break;
            skip();
            if (*at != ':') { free(key); fail("expected ':'"); break; }
            at++;
        }
        struct value *item = parse();
        if (!item) { free(key); break; }
        add(v, key, item);
        skip();
        if (*at == close) { at++; return v; }
        if (*at != ',') { fail("expected ',' or the end"); break; }
        at++;
    }
    destroy(v);
    return NULL;
}

static struct value *parse(void) {
    skip();
    if (*at == '{') return container(OBJECT, '}');
    if (*at == '[') return container(ARRAY, ']');
    if (*at == '"') {
        char *s = string();
        if (!s) return NULL;
        struct value *v = make(STRING);
        v->string = s;
        return v;
    }
    static const char *const words[] = {"null", "false", "true"};
    for (int i = 0; i < 3; i++) {
        if (strncmp(at, words[i], strlen(words[i]))) continue;
        at += strlen(words[i]);
        struct value *v = make(i ? BOOL : NUL);
        v->number = i == 2;
        return v;
    }
    if (*at == '-' || isdigit((unsigned char)*at)) {
        if (at[0] == '0' && isdigit((unsigned char)at[1])) return fail("leading zero");
        char *end;
        struct value *v = make(NUMBER);
        v->number = strtod(at, &end);
        at = end;
        return v;
    }
    return fail("expected a value");
}

static void print(const struct value *v, int indent) {
    switch (v->kind) {
    case NUL: printf("null"); return;
    case BOOL: printf(v->number ? "true" : "false"); return;
    case NUMBER: printf("%.15g", v->number); return;
    case STRING: printf("\"%s\"", v->string); return;
    case ARRAY: case OBJECT: break;
    }
    printf("%c", v->kind == ARRAY ? '[' : '{');
    for (int i = 0; i < v->count; i++) {
        printf("%s\n%*s", i ? "," : "", indent + 2, "");
        if (v->keys[i]) printf("\"%s\": ", v->keys[i]);
        print(v->items[i], indent + 2);
    }
    if (v->count) printf("\n%*s", indent, "");
    printf("%c", v->kind == ARRAY ? ']' : '}');
}

int main(void) {
    static char line[1000];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        input = at = line, error = NULL;
        struct value *v = parse();
        skip();
        if (v && *at) fail("trailing text");
        if (error) printf("error at %td: %s\n", at - input, error);
        else print(v, 0), printf("\n");
        destroy(v);
    }
    return 0;
}
