// Reading directories, walking, scandir, glob-free.
// file b.txt: 1
// file a.txt: 22
// file d/x.c: 333
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int not_hidden(const struct dirent *d) { return d->d_name[0] != '.'; }

static void walk(const char *path, int depth) {
    struct dirent **list;
    int n = scandir(path, &list, not_hidden, alphasort);
    for (int i = 0; i < n; i++) {
        char full[256];
        snprintf(full, sizeof full, "%s/%s", path, list[i]->d_name);
        struct stat st;
        if (stat(full, &st) == 0)
            printf("%*s%s %s %ld\n", depth * 2, "", list[i]->d_name, S_ISDIR(st.st_mode) ? "dir" : "file",
                   S_ISDIR(st.st_mode) ? 0L : (long)st.st_size);
        if (S_ISDIR(st.st_mode)) walk(full, depth + 1);
        free(list[i]);
    }
    free(list);
}

int main(void) {
    mkdir("e", 0700);
    FILE *f = fopen("e/new", "w");
    fputs("12345", f);
    fclose(f);
    walk(".", 0);
    DIR *d = opendir("d");
    int n = 0;
    for (struct dirent *e; (e = readdir(d));) n++;
    printf("%d\n", n);
    closedir(d);
    printf("%d\n", opendir("missing") == NULL);
    printf("%d %d\n", rmdir("d"), chdir("e"));
    walk(".", 0);
    printf("%d\n", access("../a.txt", R_OK));
    return 0;
}
