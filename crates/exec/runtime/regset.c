/* Lists in brackets of a regular expression: "[^a-z[:digit:]_]". */

enum element_kind { E_CHARACTER, E_COLLATING, E_EQUIVALENCE, E_CLASS };

struct element {
    enum element_kind kind;
    int character;
    char name[32];
};

struct list {
    struct regex *regex;
    struct regex_set set;
    const char *at;
    const char *end;
};

unsigned long wctype(const char *name);
int iswctype(wint_t c, unsigned long class);

static void add(struct list *list, int c) { list->set.bits[c / 64] |= 1UL << c % 64; }

static int fold(const struct list *list, char c) {
    return list->regex->flags & REG_ICASE ? toupper((unsigned char)c) : (unsigned char)c;
}

static int is_symbol(const struct list *list) {
    return list->end - list->at >= 2 && list->at[0] == '[' &&
           (list->at[1] == '.' || list->at[1] == '=' || list->at[1] == ':');
}

/* "[.x.]", "[=x=]" or "[:name:]". */
static int read_symbol(struct list *list, struct element *element) {
    char kind = list->at[1];
    const char *at = list->at + 2;
    size_t length = 0;
    element->kind = kind == '.' ? E_COLLATING : kind == '=' ? E_EQUIVALENCE : E_CLASS;
    for (;; at++) {
        if (at >= list->end || at + 1 >= list->end || length == 31)
            return REG_EBRACK;
        if (at[0] == kind && at[1] == ']')
            break;
        element->name[length++] = kind == ':' ? *at : (char)fold(list, *at);
    }
    element->name[length] = 0;
    element->character = (unsigned char)element->name[0];
    list->at = at + 2;
    return 0;
}

static int is_hyphen(const struct list *list) {
    return list->at < list->end && *list->at == '-';
}

static int read_element(struct list *list, struct element *element, int accepts_hyphen) {
    if (is_symbol(list))
        return read_symbol(list, element);
    if (is_hyphen(list) && !accepts_hyphen &&
        !(list->at + 1 < list->end && list->at[1] == ']'))
        return REG_ERANGE;
    element->kind = E_CHARACTER;
    element->character = fold(list, *list->at);
    list->at++;
    return 0;
}

static int check_single(const struct element *element) {
    int is_named = element->kind == E_COLLATING || element->kind == E_EQUIVALENCE;
    return is_named && strlen(element->name) != 1 ? REG_ECOLLATE : 0;
}

static int add_class(struct list *list, const char *name) {
    int is_folded = list->regex->flags & REG_ICASE;
    if (is_folded && (strcmp(name, "upper") == 0 || strcmp(name, "lower") == 0))
        name = "alpha";
    unsigned long class = wctype(name);
    if (class == 0)
        return REG_ECTYPE;
    for (int c = 0; c < 256; c++)
        if (iswctype((wint_t)c, class))
            add(list, is_folded ? toupper(c) : c);
    return 0;
}

static int add_range(struct list *list, const struct element *low, const struct element *high) {
    if (low->kind >= E_EQUIVALENCE || high->kind >= E_EQUIVALENCE)
        return REG_ERANGE;
    int error = check_single(low);
    if (error == 0)
        error = check_single(high);
    if (error != 0)
        return error;
    if (low->character > high->character)
        return REG_ERANGE;
    for (int c = low->character; c <= high->character; c++)
        add(list, c);
    return 0;
}

/* Reads an element and, if a hyphen follows, the range that it begins. */
static int read_item(struct list *list, int is_first) {
    struct element low, high;
    int error = read_element(list, &low, is_first);
    if (error != 0)
        return error;
    if (low.kind < E_EQUIVALENCE) {
        if (list->at == list->end)
            return REG_EBRACK;
        if (is_hyphen(list)) {
            if (list->at + 1 == list->end)
                return REG_EBRACK;
            if (list->at[1] != ']') {
                list->at++;
                error = read_element(list, &high, 1);
                return error != 0 ? error : add_range(list, &low, &high);
            }
        }
    }
    if (low.kind == E_CLASS)
        return add_class(list, low.name);
    error = check_single(&low);
    if (error == 0)
        add(list, low.character);
    return error;
}

/* `at` is behind the opening bracket, and then behind the closing one. */
int __ripple_regex_parse_set(struct regex *regex, const char **at, const char *end, int *node) {
    struct list list = {regex, {{0, 0, 0, 0}}, *at, end};
    int is_negated = list.at < end && *list.at == '^';
    if (is_negated) {
        list.at++;
        if (regex->flags & REG_NEWLINE)
            add(&list, '\n');
    }
    if (list.at == end)
        return REG_BADPAT;
    for (int is_first = 1;; is_first = 0) {
        if (list.at == end)
            return REG_EBRACK;
        if (!is_first && *list.at == ']')
            break;
        int error = read_item(&list, is_first);
        if (error != 0)
            return error;
    }
    for (int i = 0; is_negated && i < 4; i++)
        list.set.bits[i] = ~list.set.bits[i];
    *at = list.at + 1;
    *node = __ripple_regex_add_set(regex, &list.set);
    return *node < 0 ? REG_ESPACE : 0;
}
