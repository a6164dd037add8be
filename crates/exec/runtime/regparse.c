/* The tree of a POSIX regular expression, basic or extended, with the GNU
 * escapes. Lists in brackets are read elsewhere.
 *
 * Errors are the codes of regcomp. Under REG_ICASE the pattern is folded to
 * upper case, as the text will be. */

#define NOTHING (-1)
#define MOST_REPEATS 0x7fff

/* What stands next in the pattern. */
enum token_kind {
    T_END,
    T_CHARACTER,
    T_ANY,
    T_LIST,
    T_OPEN,
    T_CLOSE,
    T_OR,
    T_STAR,
    T_PLUS,
    T_QUESTION,
    T_OPEN_INTERVAL,
    T_CLOSE_INTERVAL,
    T_ASSERTION,
    T_CLASS, /* \w \W \s \S */
    T_REFERENCE,
    T_LONE_BACKSLASH
};

struct token {
    enum token_kind kind;
    int value;
    const char *next;
};

struct parser {
    struct regex *regex;
    const char *start;
    const char *at;
    const char *end;
    int is_extended;
    int caret_is_anchor; /* Behind an opening parenthesis or a bar. */
    int error;
    unsigned completed; /* The groups that can be referred to. */
    struct token token;
};

static int parse_alternatives(struct parser *parser, int depth);

static void *grow(void *block, int count, int *room, size_t size) {
    if (count < *room)
        return block;
    int wider = *room == 0 ? 16 : 2 * *room;
    void *grown = realloc(block, (size_t)wider * size);
    if (grown != NULL)
        *room = wider;
    return grown;
}

/* The new node's index, or NOTHING without memory. */
int __ripple_regex_add_node(struct regex *regex, enum regex_kind kind, int value, int left,
                            int right) {
    struct regex_node *nodes =
        grow(regex->nodes, regex->node_count, &regex->node_room, sizeof *nodes);
    if (nodes == NULL)
        return NOTHING;
    regex->nodes = nodes;
    struct regex_node node = {kind, value, left, right, 0};
    nodes[regex->node_count] = node;
    return regex->node_count++;
}

int __ripple_regex_add_set(struct regex *regex, const struct regex_set *set) {
    struct regex_set *sets = grow(regex->sets, regex->set_count, &regex->set_room, sizeof *sets);
    if (sets == NULL)
        return NOTHING;
    regex->sets = sets;
    sets[regex->set_count] = *set;
    return __ripple_regex_add_node(regex, REGEX_SET, regex->set_count++, NOTHING, NOTHING);
}

static int fail(struct parser *parser, int error) {
    if (parser->error == 0)
        parser->error = error;
    return NOTHING;
}

static int node(struct parser *parser, enum regex_kind kind, int value, int left, int right) {
    int index = __ripple_regex_add_node(parser->regex, kind, value, left, right);
    return index == NOTHING ? fail(parser, REG_ESPACE) : index;
}

static int fold(const struct parser *parser, char c) {
    return parser->regex->flags & REG_ICASE ? toupper((unsigned char)c) : (unsigned char)c;
}

static struct token make(enum token_kind kind, int value, const char *next) {
    struct token token = {kind, value, next};
    return token;
}

static struct token escaped(const struct parser *parser, const char *at) {
    static const char assertions[] = "`'<>bB";
    static const int kinds[] = {REGEX_BUFFER_BEGIN, REGEX_BUFFER_END, REGEX_WORD_BEGIN,
                                REGEX_WORD_END,     REGEX_WORD_EDGE,  REGEX_WORD_INSIDE};
    static const char operators[] = "(){}|+?";
    static const enum token_kind meanings[] = {T_OPEN, T_CLOSE, T_OPEN_INTERVAL, T_CLOSE_INTERVAL,
                                               T_OR,   T_PLUS,  T_QUESTION};
    if (at == parser->end)
        return make(T_LONE_BACKSLASH, '\\', at);
    const char *found;
    if (*at >= '1' && *at <= '9')
        return make(T_REFERENCE, *at - '0', at + 1);
    if (*at != 0 && strchr("wWsS", *at) != NULL)
        return make(T_CLASS, *at, at + 1);
    if (*at != 0 && (found = strchr(assertions, *at)) != NULL)
        return make(T_ASSERTION, kinds[found - assertions], at + 1);
    if (*at != 0 && !parser->is_extended && (found = strchr(operators, *at)) != NULL)
        return make(meanings[found - operators], *at, at + 1);
    return make(T_CHARACTER, (unsigned char)*at, at + 1);
}

static int begins_line(const struct parser *parser, const char *at) {
    return parser->is_extended || parser->caret_is_anchor || at == parser->start;
}

/* In a basic expression a dollar is an anchor only where something ends. */
static int ends_line(const struct parser *parser, const char *at) {
    if (parser->is_extended || at + 1 == parser->end)
        return 1;
    return at[1] == '\\' && at + 2 < parser->end && (at[2] == ')' || at[2] == '|');
}

static struct token peek(const struct parser *parser) {
    static const char operators[] = "(){}|+?";
    static const enum token_kind meanings[] = {T_OPEN, T_CLOSE, T_OPEN_INTERVAL, T_CLOSE_INTERVAL,
                                               T_OR,   T_PLUS,  T_QUESTION};
    const char *at = parser->at, *found;
    if (at == parser->end)
        return make(T_END, 0, at);
    char c = *at;
    if (c == '\\')
        return escaped(parser, at + 1);
    if (c == '*')
        return make(T_STAR, c, at + 1);
    if (c == '[')
        return make(T_LIST, c, at + 1);
    if (c == '.')
        return make(T_ANY, c, at + 1);
    if (c == '^' && begins_line(parser, at))
        return make(T_ASSERTION, REGEX_LINE_BEGIN, at + 1);
    if (c == '$' && ends_line(parser, at))
        return make(T_ASSERTION, REGEX_LINE_END, at + 1);
    if (c != 0 && parser->is_extended && (found = strchr(operators, c)) != NULL)
        return make(meanings[found - operators], c, at + 1);
    return make(T_CHARACTER, fold(parser, c), at + 1);
}

static void advance(struct parser *parser) {
    parser->at = parser->token.next;
    parser->token = peek(parser);
}

/* Behind "(" and "|", where a caret is an anchor also in basic expressions. */
static void advance_to_start(struct parser *parser) {
    parser->caret_is_anchor = 1;
    advance(parser);
    parser->caret_is_anchor = 0;
}

static int parse_any(struct parser *parser) {
    struct regex_set set = {{ULONG_MAX, ULONG_MAX, ULONG_MAX, ULONG_MAX}};
    set.bits[0] &= ~1UL;
    if (parser->regex->flags & REG_NEWLINE)
        set.bits[0] &= ~(1UL << '\n');
    int result = __ripple_regex_add_set(parser->regex, &set);
    return result == NOTHING ? fail(parser, REG_ESPACE) : result;
}

static int parse_class(struct parser *parser) {
    int letter = parser->token.value, is_word = letter == 'w' || letter == 'W';
    struct regex_set set = {{0, 0, 0, 0}};
    for (int c = 0; c < 256; c++) {
        int is_in = is_word ? isalnum(c) != 0 || c == '_' : isspace(c) != 0;
        if (is_in == (letter == 'w' || letter == 's'))
            set.bits[c / 64] |= 1UL << c % 64;
    }
    int result = __ripple_regex_add_set(parser->regex, &set);
    return result == NOTHING ? fail(parser, REG_ESPACE) : result;
}

static int parse_group(struct parser *parser, int depth) {
    int group = ++parser->regex->groups, content = NOTHING;
    advance_to_start(parser);
    if (parser->token.kind != T_CLOSE) {
        content = parse_alternatives(parser, depth + 1);
        if (parser->error == 0 && parser->token.kind != T_CLOSE)
            return fail(parser, REG_EPAREN);
    }
    if (parser->error != 0)
        return NOTHING;
    if (group <= 9)
        parser->completed |= 1u << group;
    return node(parser, REGEX_GROUP, group, content, NOTHING);
}

static int parse_list(struct parser *parser) {
    int result = NOTHING;
    parser->at = parser->token.next;
    int error = __ripple_regex_parse_set(parser->regex, &parser->at, parser->end, &result);
    if (error != 0)
        return fail(parser, error);
    parser->token.next = parser->at;
    return result;
}

static int parse_reference(struct parser *parser) {
    if ((parser->completed >> parser->token.value & 1) == 0)
        return fail(parser, REG_ESUBREG);
    parser->regex->has_references = 1;
    return node(parser, REGEX_REFERENCE, parser->token.value, NOTHING, NOTHING);
}

/* One thing that can be repeated, up to the token behind it. An operator at a
 * place where nothing can be repeated is an error or an ordinary character. */
static int parse_atom(struct parser *parser, int depth) {
    int result;
    switch (parser->token.kind) {
    case T_OPEN: result = parse_group(parser, depth); break;
    case T_LIST: result = parse_list(parser); break;
    case T_ANY: result = parse_any(parser); break;
    case T_CLASS: result = parse_class(parser); break;
    case T_REFERENCE: result = parse_reference(parser); break;
    case T_LONE_BACKSLASH: return fail(parser, REG_EESCAPE);
    case T_OPEN_INTERVAL: return fail(parser, REG_BADRPT);
    case T_STAR:
    case T_PLUS:
    case T_QUESTION:
        if (parser->is_extended)
            return fail(parser, REG_BADRPT);
        result = node(parser, REGEX_CHARACTER, parser->token.value, NOTHING, NOTHING);
        break;
    case T_CLOSE:
        if (!parser->is_extended)
            return fail(parser, REG_EPAREN);
        result = node(parser, REGEX_CHARACTER, parser->token.value, NOTHING, NOTHING);
        break;
    default: result = node(parser, REGEX_CHARACTER, parser->token.value, NOTHING, NOTHING);
    }
    if (parser->error == 0)
        advance(parser);
    return result;
}

/* A copy of a part of the tree. A copied group does not count as optional. */
static int duplicate(struct parser *parser, int index) {
    if (index == NOTHING)
        return NOTHING;
    struct regex_node original = parser->regex->nodes[index];
    int left = duplicate(parser, original.left), right = duplicate(parser, original.right);
    int copy = node(parser, original.kind, original.value, left, right);
    if (parser->regex->node_count > 1000000)
        return fail(parser, REG_ESPACE);
    return copy;
}

static int join(struct parser *parser, int left, int right) {
    if (left == NOTHING)
        return right;
    return right == NOTHING ? left : node(parser, REGEX_CONCATENATION, 0, left, right);
}

/* A number of an interval: -1 if there is none, -2 if it is not one. */
static int parse_number(struct parser *parser) {
    int number = -1;
    for (;;) {
        advance(parser);
        if (parser->token.kind == T_END)
            return -2;
        int c = parser->token.value;
        if (parser->token.kind == T_CLOSE_INTERVAL || (parser->token.kind == T_CHARACTER && c == ','))
            return number;
        if (parser->token.kind != T_CHARACTER || c < '0' || c > '9' || number == -2)
            number = -2;
        else
            number = number == -1 ? c - '0' : number * 10 + (c - '0');
        if (number > MOST_REPEATS + 1)
            number = MOST_REPEATS + 1;
    }
}

/* Reads what is between the braces; `most` is -1 without a bound. */
static void parse_interval(struct parser *parser, int *least, int *most) {
    *most = 0;
    *least = parse_number(parser);
    if (*least == -1) {
        if (parser->token.kind != T_CHARACTER) {
            fail(parser, REG_BADBR);
            return;
        }
        *least = 0;
    }
    if (*least != -2)
        *most = parser->token.kind == T_CLOSE_INTERVAL ? *least : parse_number(parser);
    if (*least == -2 || *most == -2) {
        fail(parser, parser->token.kind == T_END ? REG_EBRACE : REG_BADBR);
        return;
    }
    if ((*most != -1 && *least > *most) || parser->token.kind != T_CLOSE_INTERVAL)
        fail(parser, REG_BADBR);
    else if ((*most == -1 ? *least : *most) > MOST_REPEATS)
        fail(parser, REG_ESIZE);
}

/* The element `least` times, then up to `most` times: as copies. */
static int repeat(struct parser *parser, int element, int least, int most) {
    if (element == NOTHING || (least == 0 && most == 0))
        return NOTHING;
    int required = NOTHING;
    for (int i = 0; i < least && parser->error == 0; i++) {
        required = join(parser, required, element);
        if (i + 1 < least || most != least)
            element = duplicate(parser, element);
    }
    if (parser->error != 0 || most == least)
        return required;
    if (parser->regex->nodes[element].kind == REGEX_GROUP)
        parser->regex->nodes[element].is_optional = 1;
    if (most == -1)
        return join(parser, required, node(parser, REGEX_STAR, 0, element, NOTHING));
    int options = node(parser, REGEX_ALTERNATION, 0, element, NOTHING);
    for (int i = least + 1; i < most && parser->error == 0; i++) {
        element = duplicate(parser, element);
        options = join(parser, options, element);
        options = node(parser, REGEX_ALTERNATION, 0, options, NOTHING);
    }
    return join(parser, required, options);
}

static int is_repeat(const struct token *token) {
    return token->kind == T_STAR || token->kind == T_PLUS || token->kind == T_QUESTION ||
           token->kind == T_OPEN_INTERVAL;
}

static int parse_repeat(struct parser *parser, int element) {
    int least = parser->token.kind == T_PLUS, most = parser->token.kind == T_QUESTION ? 1 : -1;
    if (parser->token.kind == T_OPEN_INTERVAL)
        parse_interval(parser, &least, &most);
    if (parser->error != 0)
        return NOTHING;
    advance(parser);
    element = repeat(parser, element, least, most);
    /* A basic expression repeats once only. */
    if (!parser->is_extended &&
        (parser->token.kind == T_STAR || parser->token.kind == T_OPEN_INTERVAL))
        return fail(parser, REG_BADRPT);
    return element;
}

static int parse_expression(struct parser *parser, int depth) {
    if (parser->token.kind == T_ASSERTION) {
        /* An anchor cannot be repeated: what follows starts anew. */
        int result = node(parser, REGEX_ASSERTION, parser->token.value, NOTHING, NOTHING);
        advance(parser);
        return result;
    }
    int result = parse_atom(parser, depth);
    while (parser->error == 0 && is_repeat(&parser->token))
        result = parse_repeat(parser, result);
    return result;
}

static int ends_branch(const struct parser *parser, int depth) {
    return parser->error != 0 || parser->token.kind == T_END || parser->token.kind == T_OR ||
           (depth > 0 && parser->token.kind == T_CLOSE);
}

static int parse_alternatives(struct parser *parser, int depth) {
    int result = NOTHING;
    for (int is_first = 1;; is_first = 0) {
        int branch = NOTHING;
        while (!ends_branch(parser, depth))
            branch = join(parser, branch, parse_expression(parser, depth));
        result = is_first ? branch : node(parser, REGEX_ALTERNATION, 0, result, branch);
        if (parser->error != 0 || parser->token.kind != T_OR)
            return result;
        advance_to_start(parser);
    }
}

int __ripple_regex_parse(struct regex *regex, const char *pattern, size_t length, int *root) {
    struct parser parser = {0};
    parser.regex = regex;
    parser.start = parser.at = pattern;
    parser.end = pattern + length;
    parser.is_extended = regex->flags & REG_EXTENDED;
    parser.token = peek(&parser);
    *root = parse_alternatives(&parser, 0);
    return parser.error;
}
