/* Replaces a text in the lines of standard input.
 *
 *   subst FROM TO
 *
 * Both have escapes: \n, \t, \\, \xHH, and \& in TO; & in TO stands for what was found.
 * An empty FROM puts TO in front of every line. Output lines of more than 100 columns
 * are folded: a backslash and the end of the line come in front of column 101. A tab
 * goes to the next column that is a multiple of 8. */

#include <stdio.h>
#include <string.h>

enum { MAX_TEXT = 64, MAX_LINE = 1000, WIDTH = 100, TAB = 8 };

/* What stands for the found text in a parsed replacement. */
enum { FOUND = 256 };

static int column;

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* Reads an escape behind its backslash; gives how many characters it has, 0 if it is none. */
static int escape(const char *p, int *value)
{
    switch (*p) {
    case 'n': *value = '\n'; return 1;
    case '\\': *value = '\\'; return 1;
    case '&': *value = '&'; return 1;
    case 'x': {
        int high = hex_digit((unsigned char)p[1]);
        int low = high < 0 ? -1 : hex_digit((unsigned char)p[2]);
        if (low < 0)
            return 0;
        *value = high * 16 + low;
        return 3;
    }
    default: return 0;
    }
}

/* Resolves the escapes of a text; gives its length, -1 if it is wrong. */
static int parse(const char *p, int *text, int has_found)
{
    int length = 0;
    while (*p != '\0') {
        if (length == MAX_TEXT)
            return -1;
        int value = (unsigned char)*p++;
        if (value == '\\') {
            int taken = escape(p, &value);
            if (taken == 0)
                return -1;
            p += taken;
        } else if (value == '&' && has_found) {
            value = FOUND;
        }
        text[length++] = value;
    }
    return length;
}

static void put(int c)
{
    if (c == '\n') {
        column = 0;
    } else {
        int next = c == '\t' ? column + TAB - column % TAB : column + 1;
        if (next > WIDTH) {
            fputs("\\\n", stdout);
            next = c == '\t' ? TAB : 1;
        }
        column = next;
    }
    putchar(c);
}

static int matches(const char *line, int length, const int *from, int from_length)
{
    if (length < from_length)
        return 0;
    for (int i = 0; i < from_length; i++)
        if ((unsigned char)line[i] != from[i])
            return 0;
    return 1;
}

static void put_replacement(const int *to, int to_length, const int *from, int from_length)
{
    for (int i = 0; i < to_length; i++) {
        if (to[i] != FOUND) {
            put(to[i]);
            continue;
        }
        for (int j = 0; j < from_length; j++)
            put(from[j]);
    }
}

static int replace(const char *line, int length, const int *from, int from_length, const int *to,
                   int to_length)
{
    int count = 0, at = 0;
    if (from_length == 0) {
        put_replacement(to, to_length, from, from_length);
        count++;
    }
    while (at < length) {
        if (from_length > 0 && matches(line + at, length - at, from, from_length)) {
            put_replacement(to, to_length, from, from_length);
            at += from_length;
            count++;
        } else {
            put((unsigned char)line[at]);
            at++;
        }
    }
    return count;
}

int main(int argc, char **argv)
{
    int from[MAX_TEXT], to[MAX_TEXT], count = 0;
    char line[MAX_LINE];

    if (argc != 3) {
        fputs("usage: subst FROM TO\n", stderr);
        return 2;
    }
    int from_length = parse(argv[1], from, 0), to_length = parse(argv[2], to, 1);
    if (from_length < 0 || to_length < 0) {
        puts("bad escape");
        return 2;
    }
    while (fgets(line, sizeof line, stdin)) {
        int length = (int)strcspn(line, "\n"), has_end = line[length] == '\n';
        count += replace(line, length, from, from_length, to, to_length);
        if (has_end)
            put('\n');
    }
    return count > 0 ? 0 : 1;
}
