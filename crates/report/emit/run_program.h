/*
 * Runs a program in a fresh directory and keeps what it shows. For tests; needs POSIX only.
 * Use it as you like.
 */
#ifndef RUN_PROGRAM_H
#define RUN_PROGRAM_H

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700
#endif
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A text and its length; a text may hold zeros. */
#define TEXT(literal) (literal), (sizeof(literal) - 1)
#define RUN_SECONDS 10
#define RUN_BYTES 100000000

struct text {
    char *bytes;
    size_t size;
};

/* How the program ended, as a shell tells it, and what it wrote. */
struct run {
    int status;
    struct text out;
    struct text err;
};

static char run_place[] = "/tmp/run-XXXXXX";

static void run_fail(const char *what)
{
    perror(what);
    exit(2);
}

static void write_at(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        run_fail(path);
}

/* The content of a file; no bytes at all if it is not there. */
static struct text read_at(const char *path)
{
    struct text text = {NULL, 0};
    FILE *file = fopen(path, "rb");
    size_t room = 4096, got;
    if (file == NULL)
        return text;
    text.bytes = malloc(room);
    while (text.bytes != NULL
           && (got = fread(text.bytes + text.size, 1, room - text.size, file)) > 0) {
        text.size += got;
        if (text.size == room)
            text.bytes = realloc(text.bytes, room *= 2);
    }
    if (text.bytes == NULL)
        run_fail(path);
    fclose(file);
    return text;
}

static int run_remove(const char *path, const struct stat *meta, int kind, struct FTW *where)
{
    (void)meta, (void)kind, (void)where;
    return remove(path);
}

static void leave_directory(void)
{
    if (chdir("/") == 0)
        nftw(run_place, run_remove, 16, FTW_DEPTH | FTW_PHYS);
}

/* Makes a fresh directory that is gone when the test ends, and goes there. */
static void enter_directory(void)
{
    if (mkdtemp(run_place) == NULL || atexit(leave_directory) != 0 || chdir(run_place) != 0
        || mkdir("files", 0700) != 0 || chdir("files") != 0)
        run_fail(run_place);
}

/* A file that the program finds. */
static void give_file(const char *path, const char *bytes, size_t size)
{
    char parent[PATH_MAX];
    const char *at;
    for (at = strchr(path, '/'); at != NULL; at = strchr(at + 1, '/')) {
        snprintf(parent, sizeof parent, "%.*s", (int)(at - path), path);
        if (mkdir(parent, 0700) != 0 && errno != EEXIST)
            run_fail(parent);
    }
    write_at(path, bytes, size);
}

/* Runs the program with arguments that a NULL ends, and with this standard input. */
static struct run run_program(const char *program, const char *const arguments[],
                              const char *input, size_t size)
{
    const struct rlimit most = {RUN_BYTES, RUN_BYTES};
    struct run run;
    int status;
    pid_t child;
    write_at("../stdin", input, size);
    child = fork();
    if (child < 0)
        run_fail("fork");
    if (child == 0) {
        int in = open("../stdin", O_RDONLY);
        int out = open("../stdout", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int err = open("../stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (in < 0 || out < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0
            || dup2(err, 2) < 0)
            _exit(126);
        alarm(RUN_SECONDS);
        setrlimit(RLIMIT_FSIZE, &most);
        execv(program, (char *const *)arguments);
        _exit(127);
    }
    if (waitpid(child, &status, 0) != child)
        run_fail("waitpid");
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    run.out = read_at("../stdout");
    run.err = read_at("../stderr");
    return run;
}

/* The program under test: the first argument of the test, or $PROGRAM. */
static const char *program_under_test(int argc, char **argv)
{
    static char path[PATH_MAX];
    const char *name = argc > 1 ? argv[1] : getenv("PROGRAM");
    if (name == NULL) {
        fprintf(stderr, "usage: %s PROGRAM\n", argv[0]);
        exit(2);
    }
    if (realpath(name, path) == NULL)
        run_fail(name);
    return path;
}

static int is_text(struct text text, const char *bytes, size_t size)
{
    return text.bytes != NULL && text.size == size && memcmp(text.bytes, bytes, size) == 0;
}

/* The beginning of a text, without what a terminal would obey. */
static void show(const char *bytes, size_t size)
{
    size_t i;
    for (i = 0; i < size && i < 2000; i++)
        putchar((bytes[i] >= ' ' && bytes[i] <= '~') || bytes[i] == '\n' ? bytes[i] : '?');
}

/* Each of these says what is wrong, if something is, and counts it. */
static int check_text(const char *what, struct text text, const char *bytes, size_t size)
{
    if (is_text(text, bytes, size))
        return 0;
    printf("%s is not as expected\n--- expected\n", what);
    show(bytes, size);
    printf("\n--- found\n");
    show(text.bytes, text.size);
    printf("\n");
    return 1;
}

static int check_status(const struct run *run, int status)
{
    if (run->status == status)
        return 0;
    printf("exit status %d instead of %d\n", run->status, status);
    return 1;
}

#endif
