/* Patterns of file names in the C locale, with the extended patterns ?(), *(),
 * +(), @() and !() if asked for. */

#define FNM_PATHNAME 1
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4
#define FNM_LEADING_DIR 8
#define FNM_CASEFOLD 16
#define FNM_EXTMATCH 32
#define NO_MATCH 1

unsigned long wctype(const char *name);
int iswctype(wint_t c, unsigned long class);

static int fold(char c, int flags) {
    return flags & FNM_CASEFOLD ? tolower((unsigned char)c) : (unsigned char)c;
}

/* A text within brackets like "[:alpha:]": its end, or NULL if it has none. */
static const char *bracket_word(const char *at, char name[16]) {
    char kind = at[1];
    size_t length = 0;
    for (at += 2; *at != 0 && length < 15; at++) {
        if (*at == kind && at[1] == ']') {
            name[length] = 0;
            return at + 2;
        }
        name[length++] = *at;
    }
    return NULL;
}

/* One end of a range, or a character by itself. */
static const char *bracket_character(const char *at, int flags, int *c) {
    char name[16];
    if (at[0] == '[' && at[1] == '.') {
        const char *end = bracket_word(at, name);
        if (end != NULL) {
            *c = fold(name[0], flags);
            return name[0] != 0 && name[1] == 0 ? end : NULL;
        }
    }
    if (*at == '\\' && !(flags & FNM_NOESCAPE))
        at++;
    if (*at == 0)
        return NULL;
    *c = fold(*at, flags);
    return at + 1;
}

/* Matches a character with the list behind '['. Returns the end of the list,
 * or NULL if there is no list; says whether the character is in it. */
static const char *match_bracket(const char *at, char character, int flags, int *is_in) {
    int c = fold(character, flags);
    int is_negated = *at == '!' || *at == '^';
    int found = 0;
    if (is_negated)
        at++;
    for (int is_first = 1; is_first || *at != ']'; is_first = 0) {
        char name[16];
        const char *end;
        if (*at == 0)
            return NULL;
        /* A symbol that does not end: no match. */
        if (at[0] == '[' && at[1] == '.' && bracket_word(at, name) == NULL) {
            *is_in = 0;
            return at;
        }
        if (at[0] == '[' && at[1] == ':' && (end = bracket_word(at, name)) != NULL) {
            unsigned long class = wctype(name);
            if (class == 0) {
                *is_in = 0;
                return at;
            }
            found |= iswctype((wint_t)c, class);
            at = end;
            continue;
        }
        if (at[0] == '[' && at[1] == '=' && at[2] != 0 && at[3] == '=' && at[4] == ']') {
            found |= at[2] == character; /* Without folding, as the native library. */
            at += 5;
            continue;
        }
        int low, high;
        at = bracket_character(at, flags, &low);
        if (at == NULL)
            return NULL;
        high = low;
        if (at[0] == '-' && at[1] != ']' && at[1] != 0) {
            at = bracket_character(at + 1, flags, &high);
            if (at == NULL)
                return NULL;
        }
        found |= low <= c && c <= high;
    }
    *is_in = found != is_negated;
    return at + 1;
}

static int match(const char *pattern, const char *pattern_end, const char *text,
                 const char *text_end, int is_leading, int flags);

/* Whether a period here must be matched by a period in the pattern. */
static int is_hidden(const char *text, const char *text_end, int is_leading, int flags) {
    return text < text_end && *text == '.' && is_leading && (flags & FNM_PERIOD);
}

/* The end of an extended pattern's list: behind its ')'. */
static const char *list_end(const char *at, const char *end, int flags) {
    int depth = 0;
    for (; at < end; at++) {
        if (*at == '\\' && !(flags & FNM_NOESCAPE) && at + 1 < end)
            at++;
        else if (*at == '[') {
            const char *close = at + 1;
            while (close < end && (*close == '!' || *close == '^'))
                close++;
            while (close < end && (*close != ']' || close == at + 1))
                close++;
            if (close < end)
                at = close;
        } else if (*at == '(')
            depth++;
        else if (*at == ')' && --depth == 0)
            return at + 1;
    }
    return NULL;
}

/* The end of one alternative: its '|' or the list's ')'. */
static const char *alternative_end(const char *at, const char *end, int flags) {
    int depth = 0;
    for (; at < end; at++) {
        if (*at == '\\' && !(flags & FNM_NOESCAPE))
            at++;
        else if (*at == '(')
            depth++;
        else if (*at == ')' && depth-- == 0)
            return at;
        else if (*at == '|' && depth == 0)
            return at;
    }
    return end;
}

static int follows_slash(const char *text, const char *start, int is_leading, int flags) {
    return text == start ? is_leading : (flags & FNM_PATHNAME) && text[-1] == '/';
}

/* Whether some alternative matches exactly the text. */
static int any_alternative(const char *list, const char *list_close, const char *text,
                           const char *text_end, int is_leading, int flags) {
    for (const char *at = list;; at++) {
        const char *end = alternative_end(at, list_close, flags);
        if (match(at, end, text, text_end, is_leading, flags & ~FNM_LEADING_DIR) == 0)
            return 1;
        if (end >= list_close || *end == ')')
            return 0;
        at = end;
    }
}

/* An extended pattern at the start of the pattern, and the rest behind it. */
static int match_list(const char *pattern, const char *pattern_end, const char *behind,
                      const char *text, const char *text_end, int is_leading, int flags) {
    char kind = *pattern;
    const char *list = pattern + 2, *close = behind - 1;
    if ((kind == '?' || kind == '*') &&
        match(behind, pattern_end, text, text_end, is_leading, flags) == 0)
        return 0;
    for (const char *cut = text; cut <= text_end; cut++) {
        int fits = any_alternative(list, close, text, cut, is_leading, flags);
        int leads = follows_slash(cut, text, is_leading, flags);
        if (kind == '!') {
            if (!fits && match(behind, pattern_end, cut, text_end, leads, flags) == 0)
                return 0;
            continue;
        }
        if (!fits)
            continue;
        if (match(behind, pattern_end, cut, text_end, leads, flags) == 0)
            return 0;
        if ((kind == '*' || kind == '+') && cut > text &&
            match_list(pattern, pattern_end, behind, cut, text_end, leads, flags) == 0)
            return 0;
    }
    return NO_MATCH;
}

static const char *extended_end(const char *at, const char *end, int flags) {
    if (!(flags & FNM_EXTMATCH) || end - at < 2 || at[1] != '(' || strchr("?*+@!", *at) == NULL)
        return NULL;
    return list_end(at + 1, end, flags);
}

/* One character of the pattern that is not '*'. Returns what follows it in the
 * pattern if it matches, else NULL. */
static const char *match_one(const char *pattern, const char *pattern_end, const char *text,
                             int is_leading, int flags) {
    int is_slash = *text == '/' && (flags & FNM_PATHNAME);
    int hidden = is_hidden(text, text + 1, is_leading, flags);
    if (*pattern == '?')
        return is_slash || hidden ? NULL : pattern + 1;
    if (*pattern == '[') {
        int is_in;
        const char *end = match_bracket(pattern + 1, *text, flags, &is_in);
        if (end != NULL && end <= pattern_end)
            return is_in && !is_slash && !hidden ? end : NULL;
    }
    if (*pattern == '\\' && !(flags & FNM_NOESCAPE) && ++pattern == pattern_end)
        return NULL;
    return fold(*pattern, flags) == fold(*text, flags) ? pattern + 1 : NULL;
}

/* The text up to its end; a star gives back one character at a time. Only the
 * last star needs to: what an earlier one gave up, the last can take. */
static int match(const char *pattern, const char *pattern_end, const char *text,
                 const char *text_end, int is_leading, int flags) {
    const char *start = text, *retry_pattern = NULL, *retry_text = NULL;
    for (;;) {
        int leads = follows_slash(text, start, is_leading, flags);
        const char *behind = pattern < pattern_end ? extended_end(pattern, pattern_end, flags) : NULL;
        const char *next = NULL;
        if (behind != NULL) {
            if (match_list(pattern, pattern_end, behind, text, text_end, leads, flags) == 0)
                return 0;
        } else if (pattern < pattern_end && *pattern == '*') {
            if (!is_hidden(text, text_end, leads, flags)) {
                retry_pattern = ++pattern;
                retry_text = text;
                continue;
            }
        } else if (pattern == pattern_end) {
            if (text == text_end || ((flags & FNM_LEADING_DIR) && *text == '/'))
                return 0;
        } else if (text < text_end) {
            next = match_one(pattern, pattern_end, text, leads, flags);
        }
        if (next != NULL) {
            pattern = next;
            text++;
            continue;
        }
        if (retry_text == NULL || retry_text >= text_end ||
            (*retry_text == '/' && (flags & FNM_PATHNAME)))
            return NO_MATCH;
        text = ++retry_text;
        pattern = retry_pattern;
    }
}

int fnmatch(const char *pattern, const char *text, int flags) {
    return match(pattern, pattern + strlen(pattern), text, text + strlen(text), 1, flags);
}
