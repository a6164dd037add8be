/* Matching a regular expression: the leftmost match, of those the longest.
 *
 * The set of all places in the program is moved over the text, which finds
 * where the match ends in time proportional to text and program. If the groups
 * are asked for, a pass from that end backwards marks from where it can be
 * reached, and the preferred way among the marked places is walked once.
 * Expressions with references to groups are tried out elsewhere. */

/* The memory of a search. */
struct search {
    struct regex_matcher matcher;
    unsigned char *seen; /* A byte per place. */
    int *pending;
    int *places;
    int *next_places;
};

int __ripple_regex_byte(const struct regex_matcher *matcher, long position) {
    int c = matcher->text[position];
    return matcher->regex->flags & REG_ICASE ? toupper(c) : c;
}

static int is_word(const struct regex_matcher *matcher, long position) {
    if (position < 0 || position >= matcher->length)
        return 0;
    int c = matcher->text[position];
    return isalnum(c) != 0 || c == '_';
}

static int is_newline(const struct regex_matcher *matcher, long position) {
    return (matcher->regex->flags & REG_NEWLINE) && matcher->text[position] == '\n';
}

int __ripple_regex_holds(const struct regex_matcher *matcher, int assertion, long position) {
    int before = is_word(matcher, position - 1), after = is_word(matcher, position);
    switch (assertion) {
    case REGEX_LINE_BEGIN:
        return position == 0 ? !(matcher->flags & REG_NOTBOL) : is_newline(matcher, position - 1);
    case REGEX_LINE_END:
        return position == matcher->length ? !(matcher->flags & REG_NOTEOL)
                                           : is_newline(matcher, position);
    case REGEX_BUFFER_BEGIN: return position == 0;
    case REGEX_BUFFER_END: return position == matcher->length;
    case REGEX_WORD_BEGIN: return !before && after;
    case REGEX_WORD_END: return before && !after;
    case REGEX_WORD_EDGE: return before != after;
    default: return before == after;
    }
}

static int is_in(const struct regex_set *set, int c) { return set->bits[c / 64] >> c % 64 & 1; }

int __ripple_regex_reads(const struct regex_matcher *matcher, const struct regex_instruction *at,
                         long position) {
    if (position >= matcher->length)
        return 0;
    int c = __ripple_regex_byte(matcher, position);
    return at->code == REGEX_READ_CHARACTER ? c == at->a : is_in(&matcher->regex->sets[at->a], c);
}

void __ripple_regex_open(regmatch_t *groups, int group, long position) {
    groups[group].rm_so = (int)position;
    groups[group].rm_eo = -1;
}

/* A further, empty pass through a group that may be left out undoes itself:
 * `settled` are the groups when one last matched something. */
void __ripple_regex_close(regmatch_t *groups, regmatch_t *settled, size_t count,
                          const struct regex_instruction *at, long position) {
    if (groups[at->a].rm_so < position) {
        groups[at->a].rm_eo = (int)position;
        memcpy(settled, groups, count * sizeof *groups);
    } else if (at->b && settled[at->a].rm_so != -1) {
        memcpy(groups, settled, count * sizeof *groups);
    } else {
        groups[at->a].rm_eo = (int)position;
    }
}

/* Adds the reading places that a place leads to. Says whether it leads to the
 * end of the program. */
static int follow(struct search *search, int place, long position, int *places, int *count) {
    int ends = 0, pending = 0;
    search->pending[pending++] = place;
    while (pending > 0) {
        place = search->pending[--pending];
        if (search->seen[place])
            continue;
        search->seen[place] = 1;
        const struct regex_instruction *at = &search->matcher.regex->program[place];
        switch (at->code) {
        case REGEX_READ_CHARACTER:
        case REGEX_READ_SET: places[(*count)++] = place; break;
        case REGEX_MATCH: ends = 1; break;
        case REGEX_JUMP: search->pending[pending++] = at->a; break;
        case REGEX_SPLIT:
        case REGEX_LOOP:
            search->pending[pending++] = at->b;
            search->pending[pending++] = at->a;
            break;
        case REGEX_ASSERT:
            if (__ripple_regex_holds(&search->matcher, at->a, position))
                search->pending[pending++] = place + 1;
            break;
        default: search->pending[pending++] = place + 1;
        }
    }
    return ends;
}

/* The end of the longest match that begins here, or -1. */
static long longest_end(struct search *search, long start) {
    int *places = search->places, *next_places = search->next_places, count = 0;
    const struct regex *regex = search->matcher.regex;
    memset(search->seen, 0, (size_t)regex->length);
    long end = follow(search, 0, start, places, &count) ? start : -1;
    for (long position = start; count > 0 && position < search->matcher.length; position++) {
        int next_count = 0, ends = 0;
        memset(search->seen, 0, (size_t)regex->length);
        for (int i = 0; i < count; i++)
            if (__ripple_regex_reads(&search->matcher, &regex->program[places[i]], position))
                ends |= follow(search, places[i] + 1, position + 1, next_places, &next_count);
        if (ends)
            end = position + 1;
        int *other = places;
        places = next_places;
        next_places = other;
        count = next_count;
    }
    return end;
}

/* Whether a place leads on, given from where the end can be reached here and
 * one byte further. */
static int leads_on(const struct regex_matcher *matcher, int place, long position,
                    const unsigned char *here, const unsigned char *further, int is_end,
                    int asserts_at_end) {
    const struct regex_instruction *at = &matcher->regex->program[place];
    switch (at->code) {
    case REGEX_READ_CHARACTER:
    case REGEX_READ_SET:
        return !is_end && further[place + 1] && __ripple_regex_reads(matcher, at, position);
    case REGEX_MATCH: return is_end;
    case REGEX_JUMP: return here[at->a];
    case REGEX_SPLIT:
    case REGEX_LOOP: return here[at->a] || here[at->b];
    case REGEX_ASSERT:
        return here[place + 1] && (asserts_at_end || !is_end) &&
               __ripple_regex_holds(matcher, at->a, position);
    default: return here[place + 1];
    }
}

/* Marks from which places at which positions the end is reached: a row of
 * places per position. Places lead mostly to later ones, so few rounds from
 * the last to the first are enough. */
static void mark(const struct regex_matcher *matcher, long start, long end, unsigned char *marks,
                 int asserts_at_end) {
    int size = matcher->regex->length;
    memset(marks, 0, ((size_t)(end - start) + 1) * (size_t)size);
    for (long position = end; position >= start; position--) {
        unsigned char *here = marks + (position - start) * size;
        for (int has_changed = 1; has_changed;) {
            has_changed = 0;
            for (int place = size - 1; place >= 0; place--)
                if (!here[place] && leads_on(matcher, place, position, here, here + size,
                                             position == end, asserts_at_end))
                    here[place] = has_changed = 1;
        }
    }
}

/* Of two ways the preferred one that leads to the end. A way that was taken at
 * this position already, without reading since, is not taken again. */
static int choose(const struct regex_instruction *at, const unsigned char *here,
                  const unsigned char *taken) {
    if (!here[at->a])
        return at->b;
    return here[at->b] && taken[at->a] ? at->b : at->a;
}

/* Walks the marked way and notes the groups. */
static void walk(struct search *search, long start, const unsigned char *marks,
                 regmatch_t *groups, regmatch_t *settled) {
    const struct regex *regex = search->matcher.regex;
    size_t count = (size_t)regex->groups + 1;
    const unsigned char *here = marks;
    long position = start;
    for (size_t i = 0; i < count; i++)
        groups[i].rm_so = groups[i].rm_eo = settled[i].rm_so = settled[i].rm_eo = -1;
    memset(search->seen, 0, (size_t)regex->length);
    for (int place = 0; regex->program[place].code != REGEX_MATCH;) {
        const struct regex_instruction *at = &regex->program[place];
        search->seen[place] = 1;
        switch (at->code) {
        case REGEX_READ_CHARACTER:
        case REGEX_READ_SET:
            memset(search->seen, 0, (size_t)regex->length);
            here += regex->length;
            position++;
            place++;
            break;
        case REGEX_JUMP: place = at->a; break;
        case REGEX_SPLIT:
        case REGEX_LOOP: place = choose(at, here, search->seen); break;
        default:
            if (at->code == REGEX_OPEN)
                __ripple_regex_open(groups, at->a, position);
            else if (at->code == REGEX_CLOSE)
                __ripple_regex_close(groups, settled, count, at, position);
            place++;
        }
    }
}

/* The groups of the match from `start` to `end`. The native library prefers
 * ways that do not end in an assertion. */
static int find_groups(struct search *search, long start, long end, regmatch_t *groups) {
    size_t size = ((size_t)(end - start) + 2) * (size_t)search->matcher.regex->length;
    unsigned char *marks = malloc(size);
    regmatch_t *settled = malloc(((size_t)search->matcher.regex->groups + 1) * sizeof *settled);
    int error = marks == NULL || settled == NULL ? REG_ESPACE : 0;
    if (error == 0) {
        mark(&search->matcher, start, end, marks, 0);
        if (!marks[0])
            mark(&search->matcher, start, end, marks, 1);
        walk(search, start, marks, groups, settled);
    }
    free(marks);
    free(settled);
    return error;
}

static int can_begin(const struct regex_matcher *matcher, long start) {
    if (matcher->regex->can_be_empty)
        return 1;
    return start < matcher->length &&
           is_in(&matcher->regex->first, __ripple_regex_byte(matcher, start));
}

static int find_plainly(struct search *search, regmatch_t *groups, int wants_groups) {
    for (long start = 0; start <= search->matcher.length; start++) {
        long end = can_begin(&search->matcher, start) ? longest_end(search, start) : -1;
        if (end < 0)
            continue;
        int error = wants_groups ? find_groups(search, start, end, groups) : 0;
        groups[0].rm_so = (int)start;
        groups[0].rm_eo = (int)end;
        return error;
    }
    return REG_NOMATCH;
}

static int find_with_references(const struct regex_matcher *matcher, regmatch_t *groups) {
    int result = REG_NOMATCH;
    for (long start = 0; result == REG_NOMATCH && start <= matcher->length; start++)
        if (can_begin(matcher, start))
            result = __ripple_regex_backtrack(matcher, start, groups);
    return result;
}

static int find(const struct regex_matcher *matcher, regmatch_t *groups, int wants_groups) {
    size_t size = (size_t)matcher->regex->length;
    if (matcher->regex->has_references)
        return find_with_references(matcher, groups);
    struct search search = {*matcher, malloc(size), malloc(4 * size * sizeof(int)), NULL, NULL};
    int result = REG_ESPACE;
    if (search.seen != NULL && search.pending != NULL) {
        search.places = search.pending + 2 * size;
        search.next_places = search.places + size;
        result = find_plainly(&search, groups, wants_groups);
    }
    free(search.seen);
    free(search.pending);
    return result;
}

static void report(const regmatch_t *groups, size_t group_count, long shift, regmatch_t *matches,
                   size_t count) {
    for (size_t i = 0; i < count; i++) {
        int is_set = i < group_count && groups[i].rm_so >= 0 && groups[i].rm_eo >= 0;
        matches[i].rm_so = is_set ? groups[i].rm_so + (int)shift : -1;
        matches[i].rm_eo = is_set ? groups[i].rm_eo + (int)shift : -1;
    }
}

int regexec(const regex_t *compiled, const char *text, size_t count, regmatch_t *matches,
            int flags) {
    const struct regex *regex = compiled->regex;
    long start = flags & REG_STARTEND ? matches[0].rm_so : 0;
    long length = flags & REG_STARTEND ? matches[0].rm_eo - start : (long)strlen(text);
    struct regex_matcher matcher = {regex, (const unsigned char *)text + start, length, flags};
    size_t group_count = (size_t)regex->groups + 1;
    regmatch_t *groups = malloc(group_count * sizeof *groups);
    if (groups == NULL)
        return REG_ESPACE;
    if (compiled->no_sub)
        count = 0;
    int wants_groups = count > 1 && regex->groups > 0;
    int result = find(&matcher, groups, wants_groups);
    if (result == 0)
        report(groups, wants_groups ? group_count : 1, start, matches, count);
    free(groups);
    return result;
}
