/* The names of translation domains and where their files would be. Nothing is
 * ever read from there. */

struct binding {
    struct binding *next;
    char *directory;
    char *codeset;
    char domain[];
};

static char *current = "messages";
static struct binding *bindings;

char *textdomain(const char *domain) {
    if (domain == NULL)
        return current;
    if (*domain == 0 || strcmp(domain, "messages") == 0)
        return current = "messages";
    if (strcmp(domain, current) != 0) {
        char *copy = strdup(domain);
        if (copy == NULL)
            return NULL;
        current = copy;
    }
    return current;
}

static struct binding *binding_of(const char *domain) {
    for (struct binding *at = bindings; at != NULL; at = at->next)
        if (strcmp(at->domain, domain) == 0)
            return at;
    return NULL;
}

static struct binding *bind(const char *domain) {
    struct binding *binding = binding_of(domain);
    if (binding != NULL)
        return binding;
    size_t size = strlen(domain) + 1;
    binding = calloc(1, sizeof *binding + size);
    if (binding == NULL)
        return NULL;
    memcpy(binding->domain, domain, size);
    binding->next = bindings;
    bindings = binding;
    return binding;
}

/* An equal text stays where it is: the program may hold it. */
static char *replace(char **slot, const char *text) {
    if (*slot != NULL && strcmp(*slot, text) == 0)
        return *slot;
    char *copy = strdup(text);
    if (copy != NULL) {
        free(*slot);
        *slot = copy;
    }
    return copy;
}

char *bindtextdomain(const char *domain, const char *directory) {
    if (domain == NULL || *domain == 0)
        return NULL;
    struct binding *binding = directory == NULL ? binding_of(domain) : bind(domain);
    if (directory != NULL)
        return binding == NULL ? NULL : replace(&binding->directory, directory);
    return binding == NULL || binding->directory == NULL ? "/usr/share/locale" : binding->directory;
}

char *bind_textdomain_codeset(const char *domain, const char *codeset) {
    if (domain == NULL || *domain == 0)
        return NULL;
    struct binding *binding = codeset == NULL ? binding_of(domain) : bind(domain);
    if (binding == NULL)
        return NULL;
    return codeset == NULL ? binding->codeset : replace(&binding->codeset, codeset);
}
