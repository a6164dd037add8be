/* Conditions, read-write locks and spin locks for a program of one thread.
 * Waiting for what nobody else can do never ends. */

#define EBUSY 16
#define EDEADLK 35
#define ETIMEDOUT 110

int pthread_cond_init(void *condition, const void *attributes) {
    (void)attributes;
    memset(condition, 0, 48);
    return 0;
}

int pthread_cond_destroy(void *condition) {
    (void)condition;
    return 0;
}

int pthread_cond_signal(void *condition) {
    (void)condition;
    return 0;
}

int pthread_cond_broadcast(void *condition) {
    (void)condition;
    return 0;
}

/* Nobody is there to signal. A wait may end without a signal, so it does. */
int pthread_cond_wait(void *condition, void *mutex) {
    (void)condition;
    (void)mutex;
    return 0;
}

int pthread_cond_timedwait(void *condition, void *mutex, const void *until) {
    (void)condition;
    (void)mutex;
    (void)until;
    return ETIMEDOUT;
}

/* The number of readers, or -1 for a writer. */
int pthread_rwlock_init(int *lock, const void *attributes) {
    (void)attributes;
    memset(lock, 0, 56);
    return 0;
}

int pthread_rwlock_destroy(int *lock) {
    (void)lock;
    return 0;
}

int pthread_rwlock_tryrdlock(int *lock) {
    if (*lock < 0)
        return EBUSY;
    ++*lock;
    return 0;
}

int pthread_rwlock_rdlock(int *lock) { return pthread_rwlock_tryrdlock(lock) == 0 ? 0 : EDEADLK; }

int pthread_rwlock_trywrlock(int *lock) {
    if (*lock != 0)
        return EBUSY;
    *lock = -1;
    return 0;
}

int pthread_rwlock_wrlock(int *lock) {
    while (pthread_rwlock_trywrlock(lock) != 0)
        if (*lock < 0)
            return EDEADLK;
    return 0;
}

int pthread_rwlock_unlock(int *lock) {
    *lock = *lock > 0 ? *lock - 1 : 0;
    return 0;
}

int pthread_spin_init(volatile int *lock, int is_shared) {
    (void)is_shared;
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(volatile int *lock) {
    (void)lock;
    return 0;
}

int pthread_spin_trylock(volatile int *lock) {
    if (*lock)
        return EBUSY;
    *lock = 1;
    return 0;
}

int pthread_spin_lock(volatile int *lock) {
    while (pthread_spin_trylock(lock) != 0)
        ;
    return 0;
}

int pthread_spin_unlock(volatile int *lock) {
    *lock = 0;
    return 0;
}
