/* Classes of characters in the C locale. The results are the class bits that
 * the native functions return, computed without branches so that a class of an
 * unknown character is one condition and not several paths. */

static int is_between(int c, int low, int high) {
    return (unsigned)c - (unsigned)low <= (unsigned)(high - low);
}

static int is_letter(int c) {
    return is_between(c, 'a', 'z') | is_between(c, 'A', 'Z');
}

int isupper(int c) { return is_between(c, 'A', 'Z') << 8; }

int islower(int c) { return is_between(c, 'a', 'z') << 9; }

int isalpha(int c) { return is_letter(c) << 10; }

int isdigit(int c) { return is_between(c, '0', '9') << 11; }

int isxdigit(int c) {
    return (is_between(c, '0', '9') | is_between(c, 'a', 'f') | is_between(c, 'A', 'F')) << 12;
}

int isspace(int c) { return ((c == ' ') | is_between(c, '\t', '\r')) << 13; }

int isprint(int c) { return is_between(c, ' ', '~') << 14; }

int isgraph(int c) { return is_between(c, '!', '~') << 15; }

int isblank(int c) { return (c == ' ') | (c == '\t'); }

int iscntrl(int c) { return (is_between(c, 0, 31) | (c == 127)) << 1; }

int isalnum(int c) { return (is_letter(c) | is_between(c, '0', '9')) << 3; }

int ispunct(int c) {
    return (is_between(c, '!', '/') | is_between(c, ':', '@') | is_between(c, '[', '`') |
            is_between(c, '{', '~'))
           << 2;
}

int isascii(int c) { return (c & ~0x7f) == 0; }

int toascii(int c) { return c & 0x7f; }

int tolower(int c) { return c + (is_between(c, 'A', 'Z') << 5); }

int toupper(int c) { return c - (is_between(c, 'a', 'z') << 5); }
