/* Long options: "--name", "--name=value", "--name value", and abbreviations. */

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

struct long_options {
    int (*parse)(struct long_options *, int argc, char **argv, const char *prefix);
    const struct option *table;
    int *index;
    int only;
    const char *options;
    char *next;
    int is_quiet;
};

extern char *optarg;
extern int optind;
extern int optopt;
int __ripple_getopt(int argc, char **argv, const char *options, struct long_options *longs,
                    int is_posix);

static int begins_with(const struct option *option, const char *name, size_t length) {
    return strncmp(option->name, name, length) == 0;
}

/* Two options with one abbreviation that mean different things. */
static int conflicts(const struct long_options *longs, const struct option *a,
                     const struct option *b) {
    return longs->only || a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

static void report_ambiguity(struct long_options *longs, const struct option *first,
                             const char *program, const char *prefix, size_t length) {
    fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities: '%s%s'", program, prefix,
            longs->next, prefix, first->name);
    for (const struct option *at = first + 1; at->name != NULL; at++)
        if (begins_with(at, longs->next, length) && conflicts(longs, first, at))
            fprintf(stderr, " '%s%s'", prefix, at->name);
    fprintf(stderr, "\n");
}

/* The option of a name or of its only abbreviation; NULL if there is none.
 * An ambiguous name sets `is_ambiguous` and gives the first one. */
static const struct option *find(struct long_options *longs, size_t length, int *is_ambiguous) {
    const struct option *found = NULL;
    for (const struct option *at = longs->table; at->name != NULL; at++)
        if (begins_with(at, longs->next, length) && at->name[length] == 0)
            return at;
    for (const struct option *at = longs->table; at->name != NULL; at++) {
        if (!begins_with(at, longs->next, length))
            continue;
        if (found == NULL)
            found = at;
        else if (conflicts(longs, found, at))
            *is_ambiguous = 1;
    }
    return found;
}

static int is_unknown(struct long_options *longs, char **argv, const char *prefix) {
    /* With getopt_long_only, "-x" may still be an option of one letter. */
    if (longs->only && argv[optind][1] != '-' && strchr(longs->options, *longs->next) != NULL)
        return -1;
    if (!longs->is_quiet)
        fprintf(stderr, "%s: unrecognized option '%s%s'\n", argv[0], prefix, longs->next);
    longs->next = NULL;
    optind++;
    optopt = 0;
    return '?';
}

static int refuse(const struct option *option, char **argv, const char *prefix, const char *why,
                  int is_quiet) {
    if (!is_quiet)
        fprintf(stderr, "%s: option '%s%s' %s\n", argv[0], prefix, option->name, why);
    optopt = option->val;
    return '?';
}

static int parse(struct long_options *longs, int argc, char **argv, const char *prefix) {
    char *name = longs->next;
    char *end = name;
    while (*end != 0 && *end != '=')
        end++;
    size_t length = (size_t)(end - name);
    int is_ambiguous = 0;
    const struct option *option = find(longs, length, &is_ambiguous);
    if (option == NULL)
        return is_unknown(longs, argv, prefix);
    if (is_ambiguous) {
        if (!longs->is_quiet)
            report_ambiguity(longs, option, argv[0], prefix, length);
        longs->next = name + strlen(name);
        optind++;
        optopt = 0;
        return '?';
    }
    optind++;
    longs->next = NULL;
    if (*end != 0) {
        if (option->has_arg == 0)
            return refuse(option, argv, prefix, "doesn't allow an argument", longs->is_quiet);
        optarg = end + 1;
    } else if (option->has_arg == 1) {
        if (optind >= argc) {
            refuse(option, argv, prefix, "requires an argument", longs->is_quiet);
            return longs->options[0] == ':' ? ':' : '?';
        }
        optarg = argv[optind++];
    }
    if (longs->index != NULL)
        *longs->index = (int)(option - longs->table);
    if (option->flag == NULL)
        return option->val;
    *option->flag = option->val;
    return 0;
}

int getopt_long(int argc, char *const argv[], const char *options, const struct option *table,
                int *index) {
    struct long_options longs = {parse, table, index, 0, NULL, NULL, 0};
    return __ripple_getopt(argc, (char **)argv, options, table == NULL ? NULL : &longs, 0);
}

int getopt_long_only(int argc, char *const argv[], const char *options, const struct option *table,
                     int *index) {
    struct long_options longs = {parse, table, index, 1, NULL, NULL, 0};
    return __ripple_getopt(argc, (char **)argv, options, table == NULL ? NULL : &longs, 0);
}
