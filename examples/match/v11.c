/* Replaces what a pattern matches in every line of standard input.
 *
 *   match PATTERN REPLACEMENT < TEXT
 *
 * A pattern is a sequence of characters, dots (any character) and classes
 * ([a-z_], [^0-9]), each of which * or + may follow; ^ in front and $ at the
 * end tie it to the ends of the line, and a backslash takes the next character
 * as it is. In the replacement, & is what was matched. */

#include <stdio.h>
#include <string.h>

enum { MAX_ITEMS = 32, MAX_LINE = 80, MAX_OUTPUT = 96 };

enum { FOUND = 0, NOT_FOUND = 1, TROUBLE = 2 };

enum repeat { ONCE, STAR, PLUS };

struct item {
    unsigned char set[256]; /* whether it takes this character */
    enum repeat repeat;
};

struct pattern {
    struct item items[MAX_ITEMS];
    int count;
    int at_start;
    int at_end;
};

struct output {
    int length;
    char text[MAX_OUTPUT];
};

static void add_range(struct item *item, unsigned char from, unsigned char to)
{
    memset(item->set + from, 1, (size_t)(to - from) + 1);
}

static void add(struct item *item, unsigned char c)
{
    add_range(item, c, c);
}

static int contains(const struct item *item, unsigned char c)
{
    return item->set[c];
}

/* A zero ends the line, so that no set contains it. */
static void invert(struct item *item)
{
    for (int c = 1; c < 256; c++)
        item->set[c] = !item->set[c];
}

/* Reads a class behind its bracket; returns what follows it, or null. */
static const char *parse_class(const char *p, struct item *item)
{
    int inverted = *p == '^';
    if (inverted)
        p++;
    do {
        unsigned char from, to;
        if (*p == '\\')
            p++;
        if (*p == '\0')
            return NULL;
        from = to = (unsigned char)*p++;
        if (*p == '-' && p[1] != ']' && p[1] != '\0') {
            to = (unsigned char)p[1];
            p += 2;
        }
        if (from > to)
            return NULL;
        add_range(item, from, to);
    } while (*p != ']');
    if (inverted)
        invert(item);
    return p + 1;
}

static const char *parse_item(const char *p, struct item *item)
{
    memset(item, 0, sizeof *item);
    switch (*p) {
    case '*':
    case '+':
        return NULL;
    case '.':
        invert(item);
        p++;
        break;
    case '[':
        p = parse_class(p + 1, item);
        if (p == NULL)
            return NULL;
        break;
    case '\\':
        if (*++p == '\0')
            return NULL;
        add(item, (unsigned char)*p++);
        break;
    default:
        add(item, (unsigned char)*p++);
    }
    if (*p == '*' || *p == '+')
        item->repeat = *p++ == '*' ? STAR : PLUS;
    return p;
}

static int parse(const char *p, struct pattern *pattern)
{
    pattern->count = 0;
    pattern->at_start = *p == '^';
    pattern->at_end = 0;
    if (pattern->at_start)
        p++;
    while (*p != '\0') {
        if (*p == '$' && p[1] == '\0') {
            pattern->at_end = 1;
            return 1;
        }
        if (pattern->count == MAX_ITEMS)
            return 0;
        p = parse_item(p, &pattern->items[pattern->count++]);
        if (p == NULL)
            return 0;
    }
    return 1;
}

/* How many characters the item can take at most. */
static int run_length(const struct item *item, const char *text)
{
    int most = item->repeat == ONCE ? 1 : MAX_LINE;
    int n = 0;
    while (n < most && text[n] != '\0' && contains(item, (unsigned char)text[n]))
        n++;
    return n;
}

/* Where a match of the items from i on ends that begins at pos, or -1. */
static int match_items(const struct pattern *pattern, int i, const char *line, int pos)
{
    const struct item *item = &pattern->items[i];
    int least;
    if (i == pattern->count)
        return !pattern->at_end || line[pos] == '\0' ? pos : -1;
    least = item->repeat == STAR ? 0 : 1;
    for (int n = run_length(item, line + pos); n >= least; n--) {
        int end = match_items(pattern, i + 1, line, pos + n);
        if (end >= 0)
            return end;
    }
    return -1;
}

static int match_at(const struct pattern *pattern, const char *line, int pos)
{
    if (pattern->at_start && pos > 0)
        return -1;
    return match_items(pattern, 0, line, pos);
}

static int put(struct output *out, char c)
{
    if (out->length == MAX_OUTPUT)
        return 0;
    out->text[out->length++] = c;
    return 1;
}

static int put_replacement(struct output *out, const char *replacement, const char *matched, int n)
{
    for (const char *r = replacement; *r != '\0'; r++) {
        if (*r == '&') {
            for (int i = 0; i < n; i++)
                if (!put(out, matched[i]))
                    return 0;
            continue;
        }
        if (*r == '\\' && r[1] != '\0')
            r++;
        if (!put(out, *r))
            return 0;
    }
    return 1;
}

/* Returns whether the new line fits. */
static int replace(const struct pattern *pattern, const char *replacement, const char *line,
                   struct output *out, int *found)
{
    int pos = 0;
    int last = -1; /* where the last match ended, behind which nothing matches again */
    for (;;) {
        int end = match_at(pattern, line, pos);
        if (end > pos || (end == pos && pos != last)) {
            *found = 1;
            if (!put_replacement(out, replacement, line + pos, end - pos))
                return 0;
        }
        if (end > pos) {
            pos = last = end;
            continue;
        }
        if (line[pos] == '\0')
            return 1;
        if (!put(out, line[pos++]))
            return 0;
    }
}

static int complain(const char *message)
{
    fprintf(stderr, "match: %s\n", message);
    return TROUBLE;
}

int main(int argc, char **argv)
{
    static struct pattern pattern;
    static struct output out;
    static char line[MAX_LINE + 2];
    int found = 0;
    if (argc != 3)
        return complain("expected a pattern and a replacement");
    if (!parse(argv[1], &pattern))
        return complain("bad pattern");
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t length = strcspn(line, "\n");
        int ended = line[length] == '\n';
        if (length > MAX_LINE)
            return complain("line too long");
        line[length] = '\0';
        out.length = 0;
        if (!replace(&pattern, argv[2], line, &out, &found))
            return complain("result too long");
        printf("%.*s%s", out.length, out.text, ended ? "\n" : "");
    }
    return found ? FOUND : NOT_FOUND;
}
