/* File names that match a pattern. */

#define GLOB_ERR 1
#define GLOB_MARK 2
#define GLOB_NOSORT 4
#define GLOB_DOOFFS 8
#define GLOB_NOCHECK 16
#define GLOB_APPEND 32
#define GLOB_NOESCAPE 64
#define GLOB_PERIOD 128
#define GLOB_MAGCHAR 256
#define GLOB_ALTDIRFUNC 512
#define GLOB_BRACE 1024
#define GLOB_NOMAGIC 2048
#define GLOB_TILDE 4096
#define GLOB_ONLYDIR 8192
#define GLOB_TILDE_CHECK 16384
#define GLOB_NOSPACE 1
#define GLOB_ABORTED 2
#define GLOB_NOMATCH 3
#define GLOB_NOSYS 4
#define FNM_NOESCAPE 2
#define FNM_PERIOD 4

struct dirent {
    uint64_t d_ino;
    int64_t d_off;
    unsigned short d_reclen;
    unsigned char d_type;
    char d_name[256];
};

struct stat {
    uint64_t before[3];
    unsigned st_mode;
    char behind[116];
};

void *opendir(const char *path);
struct dirent *readdir(void *directory);
int closedir(void *directory);
int stat(const char *path, struct stat *result);
int lstat(const char *path, struct stat *result);
void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
int fnmatch(const char *pattern, const char *text, int flags);

typedef struct {
    size_t gl_pathc;
    char **gl_pathv;
    size_t gl_offs;
    int gl_flags;
    void *functions[5];
} glob_t;

struct walk {
    glob_t *result;
    int flags;
    int (*on_error)(const char *path, int number);
};

static int is_magic(const char *text, size_t length, int flags) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '\\' && !(flags & GLOB_NOESCAPE) && i + 1 < length)
            i++;
        else if (text[i] == '*' || text[i] == '?')
            return 1;
        else if (text[i] == '[' && memchr(text + i + 1, ']', length - i - 1) != NULL)
            return 1;
    }
    return 0;
}

/* The text without its backslashes. */
static void unescape(char *text, int flags) {
    char *to = text;
    for (; *text != 0; text++) {
        if (*text == '\\' && !(flags & GLOB_NOESCAPE) && text[1] != 0)
            text++;
        *to++ = *text;
    }
    *to = 0;
}

static int is_directory(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && (info.st_mode & 0170000) == 0040000;
}

/* Takes the text over. */
static int add(struct walk *walk, char *path) {
    glob_t *result = walk->result;
    size_t offset = walk->flags & GLOB_DOOFFS ? result->gl_offs : 0;
    char **grown = path == NULL ? NULL
                                : realloc(result->gl_pathv,
                                          (offset + result->gl_pathc + 2) * sizeof *grown);
    if (grown == NULL) {
        free(path);
        return GLOB_NOSPACE;
    }
    if (result->gl_pathv == NULL)
        memset(grown, 0, offset * sizeof *grown);
    result->gl_pathv = grown;
    grown[offset + result->gl_pathc++] = path;
    grown[offset + result->gl_pathc] = NULL;
    return 0;
}

static char *join(const char *directory, const char *name, size_t length, const char *tail) {
    size_t start = strlen(directory);
    char *path = malloc(start + length + strlen(tail) + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, directory, start);
    memcpy(path + start, name, length);
    strcpy(path + start + length, tail);
    return path;
}

static int match_from(struct walk *walk, const char *directory, const char *pattern);

/* A name without magic: it need not be listed, only be there. */
static int match_plain(struct walk *walk, const char *directory, const char *name, size_t length) {
    const char *rest = name + length;
    size_t slashes = strspn(rest, "/");
    char *path = join(directory, name, length + slashes, "");
    if (path == NULL)
        return GLOB_NOSPACE;
    unescape(path, walk->flags);
    int error = 0;
    struct stat info;
    if (rest[slashes] != 0)
        error = match_from(walk, path, rest + slashes);
    else if (lstat(path, &info) == 0) {
        int marks = (walk->flags & GLOB_MARK) && slashes == 0 && is_directory(path);
        error = add(walk, join(path, "", 0, marks ? "/" : ""));
    }
    free(path);
    return error;
}

/* One entry of a directory against one part of the pattern. */
static int match_entry(struct walk *walk, const char *directory, const char *part,
                       const char *rest, const char *name) {
    size_t slashes = strspn(rest, "/");
    int sees_hidden = slashes == 0 && (walk->flags & GLOB_PERIOD);
    int flags = (walk->flags & GLOB_NOESCAPE ? FNM_NOESCAPE : 0) | (sees_hidden ? 0 : FNM_PERIOD);
    if (fnmatch(part, name, flags) != 0)
        return 0;
    char *path = join(directory, name, strlen(name), "");
    if (path == NULL)
        return GLOB_NOSPACE;
    int error = 0;
    int needs_directory = slashes > 0 || (walk->flags & (GLOB_MARK | GLOB_ONLYDIR)) != 0;
    int is_one = needs_directory && is_directory(path);
    if (slashes > 0) {
        /* A mark is set even behind a slash of the pattern. */
        int marks = rest[slashes] == 0 && (walk->flags & GLOB_MARK);
        char *deeper = is_one ? join(path, rest, slashes, marks ? "/" : "") : NULL;
        if (deeper != NULL && rest[slashes] != 0) {
            error = match_from(walk, deeper, rest + slashes);
            free(deeper);
        } else if (deeper != NULL) {
            error = add(walk, deeper);
        }
    } else if (is_one || !(walk->flags & GLOB_ONLYDIR)) {
        error = add(walk, join(path, "", 0, is_one && (walk->flags & GLOB_MARK) ? "/" : ""));
    }
    free(path);
    return error;
}

static int match_listed(struct walk *walk, const char *directory, const char *part,
                        const char *rest) {
    const char *path = *directory == 0 ? "." : directory;
    void *stream = opendir(path);
    if (stream == NULL) {
        int stops = walk->on_error != NULL && walk->on_error(path, errno) != 0;
        return stops || (walk->flags & GLOB_ERR) ? GLOB_ABORTED : 0;
    }
    int error = 0;
    for (const struct dirent *entry; error == 0 && (entry = readdir(stream)) != NULL;)
        error = match_entry(walk, directory, part, rest, entry->d_name);
    closedir(stream);
    return error;
}

/* Matches the pattern, which does not begin with a slash, below a directory
 * whose path ends with one or is empty. */
static int match_from(struct walk *walk, const char *directory, const char *pattern) {
    size_t length = strcspn(pattern, "/");
    if (!is_magic(pattern, length, walk->flags))
        return match_plain(walk, directory, pattern, length);
    walk->result->gl_flags |= GLOB_MAGCHAR;
    char *part = join("", pattern, length, "");
    if (part == NULL)
        return GLOB_NOSPACE;
    int error = match_listed(walk, directory, part, pattern + length);
    free(part);
    return error;
}

static int compare(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

static int match_one(struct walk *walk, const char *pattern) {
    size_t slashes = strspn(pattern, "/");
    size_t before = walk->result->gl_pathc;
    char *root = join("", pattern, slashes, "");
    if (root == NULL)
        return GLOB_NOSPACE;
    int error = pattern[slashes] == 0 && slashes > 0 ? add(walk, join(root, "", 0, ""))
                                                    : match_from(walk, root, pattern + slashes);
    free(root);
    if (error != 0)
        return error;
    if (walk->result->gl_pathc > before) {
        size_t offset = walk->flags & GLOB_DOOFFS ? walk->result->gl_offs : 0;
        if (!(walk->flags & GLOB_NOSORT))
            qsort(walk->result->gl_pathv + offset + before, walk->result->gl_pathc - before,
                  sizeof(char *), compare);
        return 0;
    }
    if ((walk->flags & GLOB_NOCHECK) ||
        ((walk->flags & GLOB_NOMAGIC) && *pattern != 0 && !is_magic(pattern, strlen(pattern), walk->flags)))
        return add(walk, join(pattern, "", 0, ""));
    return GLOB_NOMATCH;
}

/* The end of a part of a brace list: a comma or the closing brace. */
static const char *brace_part_end(const char *at, int flags) {
    for (int depth = 0; *at != 0; at++) {
        if (*at == '\\' && !(flags & GLOB_NOESCAPE) && at[1] != 0)
            at++;
        else if (*at == '{')
            depth++;
        else if (*at == '}' && depth-- == 0)
            return at;
        else if (*at == ',' && depth == 0)
            return at;
    }
    return NULL;
}

/* Expands "{a,b}" and matches each; no match is one only if there is none. */
static int match_braces(struct walk *walk, const char *pattern) {
    const char *open = walk->flags & GLOB_BRACE ? strchr(pattern, '{') : NULL;
    if (open == NULL || (open[1] == '}' && open[2] == 0))
        return match_one(walk, pattern);
    const char *close = open;
    do
        close = brace_part_end(close + 1, walk->flags);
    while (close != NULL && *close != '}');
    if (close == NULL)
        return match_one(walk, pattern);
    int flags = walk->flags, result = GLOB_NOMATCH;
    walk->flags &= ~(GLOB_NOCHECK | GLOB_NOMAGIC);
    for (const char *start = open + 1;; start++) {
        const char *end = brace_part_end(start, walk->flags);
        char *head = join("", pattern, (size_t)(open - pattern), "");
        char *whole = head == NULL ? NULL : join(head, start, (size_t)(end - start), close + 1);
        free(head);
        if (whole == NULL)
            return GLOB_NOSPACE;
        int error = match_braces(walk, whole);
        free(whole);
        if (error != 0 && error != GLOB_NOMATCH)
            return error;
        if (error == 0)
            result = 0;
        if (*end == '}')
            break;
        start = end;
    }
    walk->flags = flags;
    if (result == GLOB_NOMATCH && (flags & GLOB_NOCHECK))
        return add(walk, join(pattern, "", 0, ""));
    return result;
}

static int match_tilde(struct walk *walk, const char *pattern) {
    const char *home = getenv("HOME");
    int is_home = (walk->flags & (GLOB_TILDE | GLOB_TILDE_CHECK)) && pattern[0] == '~' &&
                  (pattern[1] == '/' || pattern[1] == 0);
    if (!is_home)
        return match_braces(walk, pattern);
    char *whole = join(home == NULL || *home == 0 ? "/root" : home, pattern + 1,
                       strlen(pattern + 1), "");
    if (whole == NULL)
        return GLOB_NOSPACE;
    int error = match_braces(walk, whole);
    free(whole);
    return error;
}

int glob(const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *result) {
    struct walk walk = {result, flags, on_error};
    if (flags & GLOB_ALTDIRFUNC)
        return GLOB_NOSYS;
    if (!(flags & GLOB_APPEND)) {
        result->gl_pathc = 0;
        result->gl_pathv = NULL;
        if (!(flags & GLOB_DOOFFS))
            result->gl_offs = 0;
    }
    result->gl_flags = flags;
    return match_tilde(&walk, pattern);
}

void globfree(glob_t *result) {
    size_t offset = result->gl_flags & GLOB_DOOFFS ? result->gl_offs : 0;
    for (size_t i = 0; result->gl_pathv != NULL && i < result->gl_pathc; i++)
        free(result->gl_pathv[offset + i]);
    free(result->gl_pathv);
    result->gl_pathv = NULL;
    result->gl_pathc = 0;
}

int glob64(const char *pattern, int flags, int (*on_error)(const char *, int), glob_t *result) {
    return glob(pattern, flags, on_error, result);
}

void globfree64(glob_t *result) { globfree(result); }

int glob_pattern_p(const char *pattern, int has_quotes) {
    return is_magic(pattern, strlen(pattern), has_quotes ? 0 : GLOB_NOESCAPE);
}
