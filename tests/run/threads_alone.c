// What a program with one thread does with the thread library: mutexes, once, keys, condition variables unused.
// cflags: -pthread
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int started;
static void start(void) { started++; }

int main(void) {
    pthread_once(&once, start), pthread_once(&once, start);
    printf("%d\n", started);
    printf("%d %d\n", pthread_mutex_lock(&lock), pthread_mutex_trylock(&lock) == EBUSY);
    printf("%d\n", pthread_mutex_unlock(&lock));
    printf("%d %d\n", pthread_mutex_trylock(&lock), pthread_mutex_unlock(&lock));
    pthread_mutex_t local;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&local, &attributes);
    printf("%d %d\n", pthread_mutex_lock(&local), pthread_mutex_lock(&local));
    pthread_mutex_unlock(&local), pthread_mutex_unlock(&local);
    printf("%d\n", pthread_mutex_destroy(&local));
    pthread_key_create(&key, NULL);
    printf("%d\n", pthread_getspecific(key) == NULL);
    pthread_setspecific(key, &started);
    printf("%d\n", *(int *)pthread_getspecific(key));
    printf("%d\n", pthread_equal(pthread_self(), pthread_self()) != 0);
    return 0;
}
