/* Regular expressions become programs for the matcher of regexec. */

static int emit(struct regex *regex, enum regex_code code, int a, int b) {
    if (regex->length == regex->room) {
        int room = regex->room == 0 ? 32 : 2 * regex->room;
        void *grown = realloc(regex->program, (size_t)room * sizeof *regex->program);
        if (grown == NULL)
            return REG_ESPACE;
        regex->program = grown;
        regex->room = room;
    }
    struct regex_instruction instruction = {code, a, b, code == REGEX_LOOP ? regex->loops++ : 0};
    regex->program[regex->length++] = instruction;
    return 0;
}

static int generate(struct regex *regex, int index);

/* split L1, L2; L1: left; jump L3; L2: right; L3:
 * An empty alternative is the last choice wherever it stands. */
static int generate_alternation(struct regex *regex, struct regex_node *node) {
    if (node->left < 0) {
        node->left = node->right;
        node->right = -1;
    }
    int split = regex->length;
    int error = emit(regex, REGEX_SPLIT, split + 1, 0);
    if (error == 0)
        error = generate(regex, node->left);
    int jump = regex->length;
    if (error == 0 && node->right >= 0)
        error = emit(regex, REGEX_JUMP, 0, 0);
    regex->program[split].b = regex->length;
    if (error == 0 && node->right >= 0) {
        error = generate(regex, node->right);
        regex->program[jump].a = regex->length;
    }
    return error;
}

/* L0: loop L1, L2; L1: body; jump L0; L2: */
static int generate_star(struct regex *regex, const struct regex_node *node) {
    int loop = regex->length;
    int error = emit(regex, REGEX_LOOP, loop + 1, 0);
    if (error == 0)
        error = generate(regex, node->left);
    if (error == 0)
        error = emit(regex, REGEX_JUMP, loop, 0);
    if (error == 0)
        regex->program[loop].b = regex->length;
    return error;
}

static int generate_group(struct regex *regex, const struct regex_node *node) {
    int error = emit(regex, REGEX_OPEN, node->value, 0);
    if (error == 0)
        error = generate(regex, node->left);
    return error == 0 ? emit(regex, REGEX_CLOSE, node->value, node->is_optional) : error;
}

static int generate(struct regex *regex, int index) {
    if (index < 0)
        return 0;
    struct regex_node node = regex->nodes[index];
    int error;
    switch (node.kind) {
    case REGEX_CHARACTER: return emit(regex, REGEX_READ_CHARACTER, node.value, 0);
    case REGEX_SET: return emit(regex, REGEX_READ_SET, node.value, 0);
    case REGEX_ASSERTION: return emit(regex, REGEX_ASSERT, node.value, 0);
    case REGEX_REFERENCE: return emit(regex, REGEX_READ_GROUP, node.value, 0);
    case REGEX_CONCATENATION:
        error = generate(regex, node.left);
        return error == 0 ? generate(regex, node.right) : error;
    case REGEX_ALTERNATION: return generate_alternation(regex, &node);
    case REGEX_GROUP: return generate_group(regex, &node);
    case REGEX_STAR: return generate_star(regex, &node);
    }
    return REG_BADPAT;
}

/* Collects the bytes that a match can begin with, over all ways that read
 * nothing. A reference may read nothing too, so then any byte can. */
static int find_first(struct regex *regex) {
    char *seen = calloc((size_t)regex->length, 1);
    int *pending = malloc((size_t)regex->length * 2 * sizeof *pending);
    int count = 0;
    if (seen == NULL || pending == NULL) {
        free(seen);
        free(pending);
        return REG_ESPACE;
    }
    pending[count++] = 0;
    while (count > 0) {
        int at = pending[--count];
        if (seen[at])
            continue;
        seen[at] = 1;
        const struct regex_instruction *instruction = &regex->program[at];
        switch (instruction->code) {
        case REGEX_READ_CHARACTER:
            regex->first.bits[instruction->a / 64] |= 1UL << instruction->a % 64;
            break;
        case REGEX_READ_SET:
            for (int i = 0; i < 4; i++)
                regex->first.bits[i] |= regex->sets[instruction->a].bits[i];
            break;
        case REGEX_READ_GROUP:
        case REGEX_MATCH: regex->can_be_empty = 1; break;
        case REGEX_SPLIT:
        case REGEX_LOOP:
            pending[count++] = instruction->b;
            pending[count++] = instruction->a;
            break;
        case REGEX_JUMP: pending[count++] = instruction->a; break;
        case REGEX_ASSERT:
        case REGEX_OPEN:
        case REGEX_CLOSE: pending[count++] = at + 1; break;
        }
    }
    free(seen);
    free(pending);
    return 0;
}

static void release(struct regex *regex) {
    if (regex == NULL)
        return;
    free(regex->nodes);
    free(regex->sets);
    free(regex->program);
    free(regex);
}

static int compile(struct regex *regex, const char *pattern) {
    int root;
    int error = __ripple_regex_parse(regex, pattern, strlen(pattern), &root);
    if (error == 0)
        error = generate(regex, root);
    if (error == 0)
        error = emit(regex, REGEX_MATCH, 0, 0);
    if (error == 0)
        error = find_first(regex);
    free(regex->nodes);
    regex->nodes = NULL;
    return error;
}

int regcomp(regex_t *result, const char *pattern, int flags) {
    regex_t compiled = {0};
    *result = compiled;
    struct regex *regex = calloc(1, sizeof *regex);
    if (regex == NULL)
        return REG_ESPACE;
    regex->flags = flags;
    int error = compile(regex, pattern);
    if (error != 0) {
        release(regex);
        return error;
    }
    result->regex = regex;
    result->re_nsub = (size_t)regex->groups;
    result->no_sub = (flags & REG_NOSUB) != 0;
    result->newline_anchor = (flags & REG_NEWLINE) != 0;
    return 0;
}

void regfree(regex_t *compiled) {
    release(compiled->regex);
    compiled->regex = NULL;
}
