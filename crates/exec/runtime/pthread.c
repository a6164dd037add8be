/* Threads for a program that has one: the locks of the thread that there is.
 * Waiting for what nobody else can do never ends. Starting a thread is not
 * here, so that a program which does it is known not to be understood. */

#define EBUSY 16
#define EDEADLK 35
#define EPERM 1
#define RECURSIVE 1
#define ERROR_CHECK 2

/* The head of pthread_mutex_t, as initialisers of programs fill it. */
struct mutex {
    int lock;
    unsigned count;
    int owner;
    unsigned users;
    int kind;
};

/* In attributes the kind is the first word. */
int pthread_mutexattr_init(int *attributes) {
    *attributes = 0;
    return 0;
}

int pthread_mutexattr_destroy(int *attributes) {
    (void)attributes;
    return 0;
}

int pthread_mutexattr_settype(int *attributes, int kind) {
    if (kind < 0 || kind > 3)
        return EINVAL;
    *attributes = kind;
    return 0;
}

int pthread_mutexattr_gettype(const int *attributes, int *kind) {
    *kind = *attributes;
    return 0;
}

int pthread_mutex_init(struct mutex *mutex, const int *attributes) {
    memset(mutex, 0, 40);
    mutex->kind = attributes == NULL ? 0 : *attributes;
    return 0;
}

int pthread_mutex_destroy(struct mutex *mutex) { return mutex->lock ? EBUSY : 0; }

int pthread_mutex_trylock(struct mutex *mutex) {
    if (mutex->lock && (mutex->kind & 3) != RECURSIVE)
        return EBUSY;
    mutex->lock = 1;
    mutex->count++;
    return 0;
}

int pthread_mutex_lock(struct mutex *mutex) {
    if (pthread_mutex_trylock(mutex) == 0)
        return 0;
    if ((mutex->kind & 3) == ERROR_CHECK)
        return EDEADLK;
    for (;;)
        ;
}

int pthread_mutex_timedlock(struct mutex *mutex, const void *until) {
    (void)until;
    return pthread_mutex_trylock(mutex) == 0 ? 0 : 110; /* ETIMEDOUT */
}

int pthread_mutex_unlock(struct mutex *mutex) {
    if (!mutex->lock)
        return (mutex->kind & 3) == 0 ? 0 : EPERM;
    if (--mutex->count == 0)
        mutex->lock = 0;
    return 0;
}

int pthread_once(int *control, void (*routine)(void)) {
    if (*control == 0) {
        *control = 2;
        routine();
    }
    return 0;
}

unsigned long pthread_self(void) { return 1; }

int pthread_equal(unsigned long left, unsigned long right) { return left == right; }

int pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare;
    (void)parent;
    (void)child;
    return 0;
}

int sched_yield(void) { return 0; }

int pthread_yield(void) { return 0; }

/* A program may ask whether it has more threads before it locks. */
char __libc_single_threaded = 1;
