/* Matching a regular expression with references to its groups. What a
 * reference reads depends on the way so far, so the ways are tried one after
 * the other, the preferred first, and the first of the longest is kept. The
 * work is bounded; beyond the bound the search fails as without memory. */

#define MOST_STEPS 20000000L

/* What to do when a way is dead: go on at a place, or put the state back. */
struct retreat {
    int place; /* -1: put back */
    long position;
    regmatch_t *state;
};

/* The state of a way: the groups, the groups when one last matched something,
 * and for each loop where it was last entered. */
struct search {
    const struct regex_matcher *matcher;
    size_t group_count;
    size_t size;
    regmatch_t *groups;
    regmatch_t *settled;
    regmatch_t *loops;
    struct retreat *retreats;
    size_t count;
    size_t room;
};

enum outcome { GOES_ON, IS_DEAD, ARRIVES, FAILS };

static int push(struct search *search, int place, long position, regmatch_t *state) {
    if (search->count == search->room) {
        size_t room = search->room == 0 ? 64 : 2 * search->room;
        void *grown = realloc(search->retreats, room * sizeof *search->retreats);
        if (grown == NULL)
            return 0;
        search->retreats = grown;
        search->room = room;
    }
    struct retreat retreat = {place, position, state};
    search->retreats[search->count++] = retreat;
    return 1;
}

static int push_state(struct search *search) {
    regmatch_t *copy = malloc(search->size * sizeof *copy);
    if (copy == NULL)
        return 0;
    memcpy(copy, search->groups, search->size * sizeof *copy);
    if (push(search, -1, 0, copy))
        return 1;
    free(copy);
    return 0;
}

/* Goes back to the last choice, if there is one. */
static int retreat(struct search *search, int *place, long *position) {
    while (search->count > 0) {
        struct retreat *last = &search->retreats[--search->count];
        if (last->place >= 0) {
            *place = last->place;
            *position = last->position;
            return 1;
        }
        memcpy(search->groups, last->state, search->size * sizeof *last->state);
        free(last->state);
    }
    return 0;
}

/* How many bytes a reference reads here, or -1. */
static long read_group(const struct search *search, int group, long position) {
    const struct regex_matcher *matcher = search->matcher;
    const regmatch_t *match = &search->groups[group];
    if (match->rm_so < 0 || match->rm_eo < 0)
        return -1;
    long length = match->rm_eo - match->rm_so;
    if (length > matcher->length - position)
        return -1;
    for (long i = 0; i < length; i++)
        if (__ripple_regex_byte(matcher, match->rm_so + i) !=
            __ripple_regex_byte(matcher, position + i))
            return -1;
    return length;
}

/* A loop that comes back without having read anything is left. */
static enum outcome enter_loop(struct search *search, const struct regex_instruction *at,
                               int *place, long position) {
    regmatch_t *loop = &search->loops[at->loop];
    if (loop->rm_so == position) {
        *place = at->b;
        return GOES_ON;
    }
    if (!push(search, at->b, position, NULL) || !push_state(search))
        return FAILS;
    loop->rm_so = (int)position;
    *place = at->a;
    return GOES_ON;
}

static enum outcome pass_group(struct search *search, const struct regex_instruction *at,
                               int *place, long position) {
    if (!push_state(search))
        return FAILS;
    if (at->code == REGEX_OPEN)
        __ripple_regex_open(search->groups, at->a, position);
    else
        __ripple_regex_close(search->groups, search->settled, search->group_count, at, position);
    ++*place;
    return GOES_ON;
}

static enum outcome step(struct search *search, int *place, long *position) {
    const struct regex_matcher *matcher = search->matcher;
    const struct regex_instruction *at = &matcher->regex->program[*place];
    long length;
    switch (at->code) {
    case REGEX_READ_CHARACTER:
    case REGEX_READ_SET:
        if (!__ripple_regex_reads(matcher, at, *position))
            return IS_DEAD;
        ++*place;
        ++*position;
        return GOES_ON;
    case REGEX_READ_GROUP:
        length = read_group(search, at->a, *position);
        ++*place;
        *position += length;
        return length < 0 ? IS_DEAD : GOES_ON;
    case REGEX_ASSERT:
        ++*place;
        return __ripple_regex_holds(matcher, at->a, *position) ? GOES_ON : IS_DEAD;
    case REGEX_SPLIT:
        if (!push(search, at->b, *position, NULL))
            return FAILS;
        *place = at->a;
        return GOES_ON;
    case REGEX_LOOP: return enter_loop(search, at, place, *position);
    case REGEX_JUMP: *place = at->a; return GOES_ON;
    case REGEX_OPEN:
    case REGEX_CLOSE: return pass_group(search, at, place, *position);
    case REGEX_MATCH: return ARRIVES;
    }
    return FAILS;
}

static int try_all(struct search *search, long start, regmatch_t *best) {
    int place = 0;
    long position = start, best_end = -1;
    for (long steps = 0; steps < MOST_STEPS; steps++) {
        enum outcome outcome = step(search, &place, &position);
        if (outcome == GOES_ON)
            continue;
        if (outcome == FAILS)
            return REG_ESPACE;
        if (outcome == ARRIVES && position > best_end) {
            best_end = position;
            memcpy(best, search->groups, search->group_count * sizeof *best);
            best[0].rm_so = (int)start;
            best[0].rm_eo = (int)position;
        }
        if (best_end == search->matcher->length || !retreat(search, &place, &position))
            return best_end < 0 ? REG_NOMATCH : 0;
    }
    return REG_ESPACE;
}

int __ripple_regex_backtrack(const struct regex_matcher *matcher, long start, regmatch_t *groups) {
    struct search search = {0};
    search.matcher = matcher;
    search.group_count = (size_t)matcher->regex->groups + 1;
    search.size = 2 * search.group_count + (size_t)matcher->regex->loops;
    search.groups = malloc(search.size * sizeof(regmatch_t));
    if (search.groups == NULL)
        return REG_ESPACE;
    search.settled = search.groups + search.group_count;
    search.loops = search.settled + search.group_count;
    memset(search.groups, -1, search.size * sizeof(regmatch_t));
    int result = try_all(&search, start, groups);
    while (search.count > 0)
        free(search.retreats[--search.count].state);
    free(search.retreats);
    free(search.groups);
    return result;
}
