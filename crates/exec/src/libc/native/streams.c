/* Runs a script of stream operations, one per line, in the current directory; prints each result
   with the state of the stream: flags, pending bytes, offset of the descriptor. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static FILE *slots[4];
static char data[20000];
static char buffers[4][20000];

static unsigned sum(const char *bytes, size_t count) {
    unsigned h = 2166136261u;
    for (size_t i = 0; i < count; i++)
        h = (h ^ (unsigned char)bytes[i]) * 16777619u;
    return h;
}

static void state(FILE *f) {
    if (!f) {
        printf(" closed\n");
        return;
    }
    int saved = errno;
    printf(" %d%d p%zu r%d @%ld\n", !!feof(f), !!ferror(f), __fpending(f), !!__freading(f),
           (long)lseek(fileno(f), 0, SEEK_CUR));
    errno = saved;
}

int main(void) {
    char op[32], name[64], mode[16];
    long a, b, c;
    FILE *script = fdopen(dup2(0, 500), "r");
    char *line = NULL;
    size_t capacity = 0;
    alarm(30);
    umask(022);
    while (getline(&line, &capacity, script) > 0) {
        a = b = c = 0;
        name[0] = mode[0] = 0;
        int fields = sscanf(line, "%31s %ld %ld %ld", op, &a, &b, &c);
        if (fields < 3)
            sscanf(line, "%31s %ld %63s %15s", op, &a, name, mode);
        FILE *f = slots[a & 3];
        errno = 0;
        if (!strcmp(op, "show")) {
            int fd = open(name, O_RDONLY);
            ssize_t n = fd < 0 ? -1 : read(fd, data, sizeof data);
            printf("show %zd %u\n", n, n < 0 ? 0 : sum(data, (size_t)n));
            close(fd);
            continue;
        }
        if (!strcmp(op, "open")) {
            if (f)
                fclose(f);
            f = slots[a & 3] = fopen(name, mode);
            printf("open %d", f ? 0 : errno);
            state(f);
            continue;
        }
        if (!f) {
            printf("none\n");
            continue;
        }
        if (!strcmp(op, "close")) {
            slots[a & 3] = NULL;
            int r = fclose(f);
            printf("close %d %d\n", r, r ? errno : 0);
            continue;
        }
        printf("%s ", op);
        if (!strcmp(op, "getc")) {
            int r = getc(f);
            printf("%d %d", r, r < 0 ? errno : 0);
        } else if (!strcmp(op, "putc")) {
            int r = putc((int)b, f);
            printf("%d %d", r, r < 0 ? errno : 0);
        } else if (!strcmp(op, "ungetc"))
            printf("%d", ungetc((int)b, f));
        else if (!strcmp(op, "read")) {
            size_t n = fread(data, 1, (size_t)b, f);
            printf("%zu %u %d", n, sum(data, n), n < (size_t)b && !feof(f) ? errno : 0);
        } else if (!strcmp(op, "write")) {
            for (long i = 0; i < b; i++)
                data[i] = (char)('a' + (i * 7 + c) % 26);
            if (b > 3 && c % 3 == 0)
                data[b / 2] = '\n';
            size_t n = fwrite(data, 1, (size_t)b, f);
            printf("%zu %d", n, n < (size_t)b ? errno : 0);
        } else if (!strcmp(op, "gets")) {
            char *r = fgets(data, (int)b, f);
            printf("%d %u", r ? (int)strlen(r) : -1, r ? sum(r, strlen(r)) : 0);
        } else if (!strcmp(op, "line")) {
            static char *text;
            static size_t size;
            ssize_t n = getline(&text, &size, f);
            printf("%zd %u", n, n < 0 ? 0 : sum(text, (size_t)n));
        } else if (!strcmp(op, "seek")) {
            int r = fseek(f, b, (int)c);
            printf("%d %d", r, r ? errno : 0);
        } else if (!strcmp(op, "tell")) {
            long r = ftell(f);
            printf("%ld %d", r, r < 0 ? errno : 0);
        } else if (!strcmp(op, "rewind"))
            rewind(f);
        else if (!strcmp(op, "flush")) {
            int r = fflush(f);
            printf("%d %d", r, r ? errno : 0);
        } else if (!strcmp(op, "clearerr"))
            clearerr(f);
        else if (!strcmp(op, "setvbuf"))
            printf("%d", setvbuf(f, c ? buffers[a & 3] : NULL, (int)b, (size_t)c));
        else
            printf("unknown");
        state(f);
    }
    fflush(stdout);
    _exit(0);
}
