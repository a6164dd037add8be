/* Searching in arrays: by halving a sorted one, and one by one. */

typedef int comparison(const void *, const void *);

void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare) {
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *at = (const char *)base + middle * size;
        int order = compare(key, at);
        if (order == 0)
            return (void *)at;
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, comparison *compare) {
    const char *at = base;
    for (size_t i = 0; i < *count; i++, at += size)
        if (compare(key, at) == 0)
            return (void *)at;
    return NULL;
}

void *lsearch(const void *key, void *base, size_t *count, size_t size, comparison *compare) {
    void *found = lfind(key, base, count, size, compare);
    if (found != NULL)
        return found;
    found = memcpy((char *)base + *count * size, key, size);
    (*count)++;
    return found;
}
