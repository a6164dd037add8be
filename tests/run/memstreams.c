// open_memstream, fmemopen, tmpfile, tmpnam-free temporary files.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "hello %d", 42);
    fflush(f);
    printf("%zu %s\n", size, text);
    for (int i = 0; i < 500; i++) fprintf(f, ",%d", i);
    fseek(f, 0, SEEK_SET);
    fputs("HELLO", f);
    fclose(f);
    printf("%zu %.20s\n", size, text);
    free(text);
    char fixed[] = "line one\nline two\n12 34";
    f = fmemopen(fixed, strlen(fixed), "r");
    char line[20];
    int a, b;
    printf("%s", fgets(line, sizeof line, f));
    printf("%s", fgets(line, sizeof line, f));
    printf("%d %d %d", fscanf(f, "%d %d", &a, &b), a, b);
    printf(" %d %d\n", fgetc(f), feof(f));
    fclose(f);
    char out[16];
    memset(out, '.', sizeof out);
    f = fmemopen(out, sizeof out, "w");
    printf("%d", fprintf(f, "written"));
    fclose(f);
    printf(" [%s]\n", out);
    f = tmpfile();
    fputs("temporary data", f);
    rewind(f);
    printf("%s %ld\n", fgets(line, sizeof line, f), ftell(f));
    fclose(f);
    char name[] = "tmpXXXXXX";
    int fd = mkstemp(name);
    printf("%d %d %zd\n", fd >= 0, strcmp(name, "tmpXXXXXX") != 0, write(fd, "x", 1));
    close(fd);
    printf("%d\n", unlink(name));
    return 0;
}
