/* Obstacks: stacks of objects in chunks that the program allocates. The macros
 * of <obstack.h> work on the same structures, so the layouts are native. */

struct chunk {
    char *limit;
    struct chunk *previous;
    char contents[4];
};

struct obstack {
    long chunk_size;
    struct chunk *chunk;
    char *object_base;
    char *next_free;
    char *chunk_limit;
    long scratch;
    int alignment_mask;
    void *allocate;
    void *release;
    void *extra;
    unsigned has_extra : 1;
    unsigned may_be_empty : 1; /* The chunk may hold an object of no length. */
    unsigned failed : 1;
};

int obstack_exit_failure = 1;

static void fail(void) {
    fputs("memory exhausted\n", stderr);
    exit(obstack_exit_failure);
}

void (*obstack_alloc_failed_handler)(void) = fail;

static char *aligned(const struct obstack *stack, char *at) {
    return at + (-(uintptr_t)at & (unsigned)stack->alignment_mask);
}

static struct chunk *new_chunk(struct obstack *stack, long size) {
    struct chunk *chunk = stack->has_extra
                              ? ((void *(*)(void *, long))stack->allocate)(stack->extra, size)
                              : ((void *(*)(long))stack->allocate)(size);
    if (chunk == NULL)
        obstack_alloc_failed_handler();
    chunk->limit = stack->chunk_limit = (char *)chunk + size;
    stack->chunk = chunk;
    return chunk;
}

static void release(struct obstack *stack, struct chunk *chunk) {
    if (stack->has_extra)
        ((void (*)(void *, void *))stack->release)(stack->extra, chunk);
    else
        ((void (*)(void *))stack->release)(chunk);
}

static int begin(struct obstack *stack, int size, int alignment) {
    stack->chunk_size = size == 0 ? 4064 : size;
    stack->alignment_mask = (alignment == 0 ? 16 : alignment) - 1;
    struct chunk *chunk = new_chunk(stack, stack->chunk_size);
    chunk->previous = NULL;
    stack->next_free = stack->object_base = aligned(stack, chunk->contents);
    stack->may_be_empty = 0;
    stack->failed = 0;
    return 1;
}

int _obstack_begin(struct obstack *stack, int size, int alignment, void *(*allocate)(long),
                   void (*release)(void *)) {
    stack->allocate = (void *)allocate;
    stack->release = (void *)release;
    stack->has_extra = 0;
    return begin(stack, size, alignment);
}

int _obstack_begin_1(struct obstack *stack, int size, int alignment,
                     void *(*allocate)(void *, long), void (*release)(void *, void *),
                     void *extra) {
    stack->allocate = (void *)allocate;
    stack->release = (void *)release;
    stack->extra = extra;
    stack->has_extra = 1;
    return begin(stack, size, alignment);
}

void _obstack_newchunk(struct obstack *stack, int length) {
    struct chunk *old = stack->chunk;
    long used = stack->next_free - stack->object_base;
    long size = used + length + (used >> 3) + stack->alignment_mask + 100;
    struct chunk *chunk = new_chunk(stack, size < stack->chunk_size ? stack->chunk_size : size);
    chunk->previous = old;
    char *base = memcpy(aligned(stack, chunk->contents), stack->object_base, (size_t)used);
    /* A chunk that held nothing but the growing object is not needed. */
    if (!stack->may_be_empty && stack->object_base == aligned(stack, old->contents)) {
        chunk->previous = old->previous;
        release(stack, old);
    }
    stack->object_base = base;
    stack->next_free = base + used;
    stack->may_be_empty = 0;
}

static int is_in(const struct chunk *chunk, const char *object) {
    return (const char *)chunk < object && object <= chunk->limit;
}

int _obstack_allocated_p(struct obstack *stack, void *object) {
    const struct chunk *chunk = stack->chunk;
    while (chunk != NULL && !is_in(chunk, object))
        chunk = chunk->previous;
    return chunk != NULL;
}

void obstack_free(struct obstack *stack, void *object) {
    struct chunk *chunk = stack->chunk;
    while (chunk != NULL && !is_in(chunk, object)) {
        struct chunk *previous = chunk->previous;
        release(stack, chunk);
        chunk = previous;
        stack->may_be_empty = 1;
    }
    if (chunk != NULL) {
        stack->object_base = stack->next_free = object;
        stack->chunk_limit = chunk->limit;
        stack->chunk = chunk;
    } else if (object != NULL) {
        abort();
    }
}

void _obstack_free(struct obstack *stack, void *object) { obstack_free(stack, object); }

int _obstack_memory_used(struct obstack *stack) {
    long used = 0;
    for (const struct chunk *chunk = stack->chunk; chunk != NULL; chunk = chunk->previous)
        used += chunk->limit - (const char *)chunk;
    return (int)used;
}
