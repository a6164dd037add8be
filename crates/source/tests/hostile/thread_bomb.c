// Starts more threads than a run may have.
#include "attack.h"
#include <pthread.h>
static void *wait_long(void *nothing) { return pause(), nothing; }
int main(void) {
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    pthread_t thread;
    int count = 0;
    while (count < 2000 && pthread_create(&thread, &small, wait_long, 0) == 0) count++;
    tell(count >= 64, "2000 threads");
    return 0;
}
