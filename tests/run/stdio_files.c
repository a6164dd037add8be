// Files: all modes, seeking, telling, reading and writing mixed, removing, renaming, errors.
// file in.txt: one two three
// file in.txt: 4 5 6
// file sub/deep.txt: deep
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void cat(const char *name) {
    FILE *f = fopen(name, "r");
    if (!f) {
        printf("%s: %s\n", name, strerror(errno));
        return;
    }
    int c;
    printf("%s: ", name);
    while ((c = fgetc(f)) != EOF) printf(c == '\n' ? "\\n" : "%c", c);
    printf(" %d %d\n", feof(f), ferror(f));
    fclose(f);
}

int main(void) {
    cat("in.txt"), cat("sub/deep.txt"), cat("missing.txt"), cat("in.txt/x");
    FILE *f = fopen("out.txt", "w");
    printf("%d\n", fprintf(f, "hello %d\n", 42));
    printf("%ld\n", ftell(f));
    fseek(f, 2, SEEK_SET);
    fputs("LL", f);
    fseek(f, 0, SEEK_END);
    fputs("end", f);
    printf("%ld %d\n", ftell(f), fclose(f));
    cat("out.txt");
    f = fopen("out.txt", "a");
    fputs("+appended", f);
    fclose(f);
    cat("out.txt");
    f = fopen("out.txt", "r+");
    char b[8] = "";
    printf("%zu %s\n", fread(b, 1, 5, f), b);
    fseek(f, 0, SEEK_CUR);
    fputs("XX", f);
    rewind(f);
    printf("%s\n", fgets(b, 8, f));
    fclose(f);
    f = fopen("out.txt", "a+");
    printf("%c", fgetc(f));
    fseek(f, 0, SEEK_SET);
    fputs("!", f);
    rewind(f);
    char all[64] = "";
    printf(" %zu %s\n", fread(all, 1, 63, f), all);
    fclose(f);
    f = fopen("out.txt", "w+");
    fputs("truncated", f);
    fseek(f, -5, SEEK_END);
    printf("%s\n", fgets(all, 64, f));
    fseek(f, 20, SEEK_SET);
    fputc('x', f);
    fclose(f);
    f = fopen("out.txt", "rb");
    fseek(f, 0, SEEK_END);
    printf("%ld\n", ftell(f));
    rewind(f);
    size_t n = fread(all, 4, 10, f);
    printf("%zu %d %d\n", n, feof(f) != 0, all[15]);
    printf("%d %d\n", fputc('w', f), ferror(f) != 0);
    clearerr(f);
    printf("%d %d %d\n", ferror(f), fseek(f, -1, SEEK_SET), errno == EINVAL);
    fpos_t p;
    fseek(f, 3, SEEK_SET), fgetpos(f, &p), fgetc(f), fsetpos(f, &p);
    printf("%c\n", fgetc(f));
    ungetc('Q', f);
    printf("%ld %c%c\n", ftell(f), fgetc(f), fgetc(f));
    fclose(f);
    printf("%d %d\n", rename("out.txt", "moved.txt"), rename("out.txt", "x"));
    printf("%s\n", strerror(errno));
    printf("%d %d %s\n", remove("moved.txt"), remove("moved.txt"), strerror(errno));
    printf("%d %s\n", fopen("no/dir/file", "w") == NULL, strerror(errno));
    printf("%d %s\n", fopen("in.txt", "wx") == NULL, strerror(errno));
    printf("%d\n", fopen("in.txt", "?") == NULL);
    f = fopen("in.txt", "r");
    f = freopen("sub/deep.txt", "r", f);
    printf("%s", fgets(all, 64, f));
    fclose(f);
    f = fopen("kept.txt", "w");
    for (int i = 0; i < 2000; i++) fprintf(f, "%d\n", i);
    fclose(f);
    f = fopen("kept.txt", "r");
    int sum = 0, x;
    while (fscanf(f, "%d", &x) == 1) sum += x;
    printf("%d %d\n", sum, feof(f) != 0);
    fclose(f);
    return 0;
}
