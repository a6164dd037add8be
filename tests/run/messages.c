// Messages on standard error: perror, error, warn, err with the program's name and exit status.
// exit: 5
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <error.h>
#include <stdio.h>
#include <string.h>

int main(void) {
    errno = ENOENT;
    perror("perror");
    errno = ERANGE;
    perror(NULL);
    errno = EACCES;
    warn("warn %d", 1);
    warnx("warnx %s", "text");
    error(0, ENOMEM, "error %d", 2);
    error(0, 0, "plain");
    error_at_line(0, 0, "file.c", 12, "at a line");
    printf("%u %s %s\n", error_message_count, program_invocation_name, program_invocation_short_name);
    fprintf(stderr, "%m %d\n", errno);
    printf("%s %s %s\n", strerror(EINVAL), strerrorname_np(ERANGE), strerrordesc_np(EDOM));
    for (int i = 0; i < 40; i++) printf("%s\n", strerror(i));
    errno = EBUSY;
    err(5, "last");
}
