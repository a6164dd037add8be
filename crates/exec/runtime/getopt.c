/* Options of one letter, and the scan of the argument vector that the long
 * options of getopt_long share.
 *
 * Operands are moved behind the options as the scan goes (`permute`), or end
 * it (`require order`: "+" or POSIXLY_CORRECT), or are returned as values of
 * an option 1 (`in order`: "-"). */

char *optarg;
int optind = 1;
int opterr = 1;
int optopt = '?';

enum ordering { PERMUTE, REQUIRE_ORDER, IN_ORDER };

/* A scan with long options; `parse` reads the option that `next` points to and
 * returns its value, or -1 if it is none after all. */
struct long_options {
    int (*parse)(struct long_options *, int argc, char **argv, const char *prefix);
    const void *table;
    int *index;
    int only;
    const char *options;
    char *next;
    int is_quiet;
};

/* Where the scan is. The operands argv[first] to argv[last - 1] were skipped
 * and are to be moved behind the options that follow them. */
static struct {
    char *next;
    int first;
    int last;
    enum ordering ordering;
    int is_started;
} scan;

static int is_operand(const char *argument) { return argument[0] != '-' || argument[1] == 0; }

static void reverse(char **argv, int from, int to) {
    for (to--; from < to; from++, to--) {
        char *argument = argv[from];
        argv[from] = argv[to];
        argv[to] = argument;
    }
}

/* Swaps the skipped operands with the options between them and optind. */
static void move_operands(char **argv) {
    reverse(argv, scan.first, scan.last);
    reverse(argv, scan.last, optind);
    reverse(argv, scan.first, optind);
    scan.first += optind - scan.last;
    scan.last = optind;
}

static void start(const char *options, int is_posix) {
    if (optind == 0)
        optind = 1;
    scan.first = scan.last = optind;
    scan.next = NULL;
    if (options[0] == '-')
        scan.ordering = IN_ORDER;
    else if (options[0] == '+' || is_posix || getenv("POSIXLY_CORRECT") != NULL)
        scan.ordering = REQUIRE_ORDER;
    else
        scan.ordering = PERMUTE;
    scan.is_started = 1;
}

static void skip_operands(int argc, char **argv) {
    if (scan.first != scan.last && scan.last != optind)
        move_operands(argv);
    else if (scan.last != optind)
        scan.first = optind;
    while (optind < argc && is_operand(argv[optind]))
        optind++;
    scan.last = optind;
}

/* All that follows "--" are operands. */
static void end_options(int argc, char **argv) {
    optind++;
    if (scan.first != scan.last && scan.last != optind)
        move_operands(argv);
    else if (scan.first == scan.last)
        scan.first = optind;
    scan.last = argc;
    optind = argc;
}

/* Goes on to the next argument. 0 if it is an option; else what to return. */
static int next_argument(int argc, char **argv) {
    if (scan.last > optind)
        scan.last = optind;
    if (scan.first > optind)
        scan.first = optind;
    if (scan.ordering == PERMUTE)
        skip_operands(argc, argv);
    if (optind != argc && strcmp(argv[optind], "--") == 0)
        end_options(argc, argv);
    if (optind == argc) {
        if (scan.first != scan.last)
            optind = scan.first;
        return -1;
    }
    if (!is_operand(argv[optind]))
        return 0;
    if (scan.ordering == REQUIRE_ORDER)
        return -1;
    optarg = argv[optind++];
    return 1;
}

static int missing_argument(char **argv, const char *options, int letter, int is_quiet) {
    if (!is_quiet)
        fprintf(stderr, "%s: option requires an argument -- '%c'\n", argv[0], letter);
    optopt = letter;
    return options[0] == ':' ? ':' : '?';
}

static int parse_long(struct long_options *longs, int argc, char **argv, const char *prefix,
                      char *at) {
    longs->next = at;
    int result = longs->parse(longs, argc, argv, prefix);
    scan.next = longs->next;
    return result;
}

/* "-W name" for "--name", where the letter is declared as "W;". */
static int parse_w(struct long_options *longs, int argc, char **argv, int is_quiet) {
    char *at = scan.next;
    if (*at == 0) {
        if (optind == argc)
            return missing_argument(argv, longs->options, 'W', is_quiet);
        at = argv[optind];
    }
    int only = longs->only;
    longs->only = 0;
    int result = parse_long(longs, argc, argv, "-W ", at);
    longs->only = only;
    return result;
}

static int take_value(int argc, char **argv, const char *options, const char *spec, int is_quiet) {
    int letter = (unsigned char)*spec;
    if (*scan.next != 0) {
        optarg = scan.next;
        optind++;
    } else if (spec[2] != ':') {
        if (optind == argc)
            letter = missing_argument(argv, options, *spec, is_quiet);
        else
            optarg = argv[optind++];
    }
    scan.next = NULL;
    return letter;
}

static int parse_short(int argc, char **argv, const char *options, struct long_options *longs,
                       int is_quiet) {
    char letter = *scan.next++;
    const char *spec = strchr(options, letter);
    if (*scan.next == 0)
        optind++;
    if (spec == NULL || letter == ':' || letter == ';') {
        if (!is_quiet)
            fprintf(stderr, "%s: invalid option -- '%c'\n", argv[0], letter);
        optopt = letter;
        return '?';
    }
    if (spec[0] == 'W' && spec[1] == ';' && longs != NULL)
        return parse_w(longs, argc, argv, is_quiet);
    if (spec[1] == ':')
        return take_value(argc, argv, options, spec, is_quiet);
    return letter;
}

static int parse_next(int argc, char **argv, const char *options, struct long_options *longs,
                      int is_posix) {
    if (argc < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !scan.is_started)
        start(options, is_posix);
    if (options[0] == '-' || options[0] == '+')
        options++;
    int is_quiet = !opterr || options[0] == ':';
    if (longs != NULL) {
        longs->options = options;
        longs->is_quiet = is_quiet;
    }
    if (scan.next == NULL || *scan.next == 0) {
        int end = next_argument(argc, argv);
        if (end != 0)
            return end;
        char *argument = argv[optind];
        if (longs != NULL && argument[1] == '-')
            return parse_long(longs, argc, argv, "--", argument + 2);
        if (longs != NULL && longs->only &&
            (argument[2] != 0 || strchr(options, argument[1]) == NULL)) {
            int result = parse_long(longs, argc, argv, "-", argument + 1);
            if (result != -1)
                return result;
        }
        scan.next = argument + 1;
    }
    return parse_short(argc, argv, options, longs, is_quiet);
}

int __ripple_getopt(int argc, char **argv, const char *options, struct long_options *longs,
                    int is_posix) {
    /* The native library writes optopt after every call, from a copy of its
     * own that starts as 0: what the program stored there is lost. */
    static int last_bad_option;
    optopt = last_bad_option;
    int result = parse_next(argc, argv, options, longs, is_posix);
    last_bad_option = optopt;
    return result;
}

int getopt(int argc, char *const argv[], const char *options) {
    return __ripple_getopt(argc, (char **)argv, options, NULL, 0);
}

int __posix_getopt(int argc, char *const argv[], const char *options) {
    return __ripple_getopt(argc, (char **)argv, options, NULL, 1);
}
