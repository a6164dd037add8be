/* Hash tables of <search.h>: one of the program's, and those of the caller. */

typedef struct {
    char *key;
    void *data;
} ENTRY;

enum action { FIND, ENTER };


struct hsearch_data {
    ENTRY *table;
    unsigned size;
    unsigned filled;
};

int hcreate_r(size_t count, struct hsearch_data *table) {
    if (table == NULL) {
        errno = EINVAL;
        return 0;
    }
    if (count >= UINT_MAX / 2) {
        errno = ENOMEM;
        return 0;
    }
    if (table->table != NULL)
        return 0;
    table->size = (unsigned)count < 3 ? 3 : (unsigned)count;
    table->filled = 0;
    table->table = calloc((size_t)table->size, sizeof *table->table);
    return table->table != NULL;
}

void hdestroy_r(struct hsearch_data *table) {
    free(table->table);
    table->table = NULL;
}

static unsigned hash(const char *key) {
    unsigned value = 2166136261u;
    for (; *key != 0; key++)
        value = (value ^ (unsigned char)*key) * 16777619u;
    return value;
}

int hsearch_r(ENTRY item, enum action action, ENTRY **result, struct hsearch_data *table) {
    unsigned at = hash(item.key) % table->size;
    for (unsigned i = 0; i < table->size; i++, at = (at + 1) % table->size) {
        ENTRY *entry = &table->table[at];
        if (entry->key == NULL) {
            if (action != ENTER)
                break;
            *entry = item;
            table->filled++;
            *result = entry;
            return 1;
        }
        if (strcmp(entry->key, item.key) == 0) {
            *result = entry;
            return 1;
        }
    }
    errno = action == ENTER ? ENOMEM : ESRCH;
    *result = NULL;
    return 0;
}

static struct hsearch_data program;

int hcreate(size_t count) { return hcreate_r(count, &program); }

void hdestroy(void) { hdestroy_r(&program); }

ENTRY *hsearch(ENTRY item, enum action action) {
    ENTRY *result;
    hsearch_r(item, action, &result, &program);
    return result;
}
