/* Values per thread, of which there is one. Their destructors run at the end
 * of a thread; the only one ends with the process, which does not call them. */

#define MOST_KEYS 1024
#define EAGAIN 11

static void *values[MOST_KEYS];
static unsigned char is_used[MOST_KEYS];

int pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    (void)destructor;
    for (unsigned i = 0; i < MOST_KEYS; i++)
        if (!is_used[i]) {
            is_used[i] = 1;
            values[i] = NULL;
            *key = i;
            return 0;
        }
    return EAGAIN;
}

int pthread_key_delete(unsigned key) {
    if (key >= MOST_KEYS || !is_used[key])
        return EINVAL;
    is_used[key] = 0;
    return 0;
}

void *pthread_getspecific(unsigned key) { return key < MOST_KEYS ? values[key] : NULL; }

int pthread_setspecific(unsigned key, const void *value) {
    if (key >= MOST_KEYS || !is_used[key])
        return EINVAL;
    values[key] = (void *)value;
    return 0;
}
