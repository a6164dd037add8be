/* What hostile programs share. They get a directory outside of their own, the number of a process
   outside, a port and an abstract name that somebody listens on, and a mark by which their processes
   are found. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OUTSIDE argv[1]
#define BYSTANDER atoi(argv[2])
#define PORT atoi(argv[3])
#define ABSTRACT argv[4]

/* Success is an escape. */
#define ATTACK(call) tell((long)(call) >= 0, #call)
#define ATTACK_FOR(call) tell((call) != NULL, #call)

static inline void tell(int escaped, const char *call) {
    if (escaped) printf("ESCAPED %s\n", call);
    else printf("refused %s: %s\n", call, strerror(errno));
    fflush(stdout);
}

/* A name below a directory; four are valid at a time. */
static inline const char *in(const char *directory, const char *name) {
    static char names[4][4096];
    static int next;
    char *full = names[next++ % 4];
    snprintf(full, 4096, "%s/%s", directory, name);
    return full;
}
