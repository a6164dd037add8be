// File descriptors: open, read, write, lseek, dup, dup2, pipe, stat, truncate, access, directories.
// file data.txt: 0123456789
// stdin: from stdin
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *what, long r) { printf("%s %ld %s\n", what, r, r < 0 ? strerror(errno) : "ok"); }

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    char b[32] = "";
    printf("%zd ", read(0, b, 4)), printf("%.4s\n", b);
    int fd = open("data.txt", O_RDONLY);
    printf("%d\n", fd);
    show("read", read(fd, b, 5));
    show("lseek", lseek(fd, -3, SEEK_END));
    show("read", read(fd, b, sizeof b));
    printf("%.2s\n", b);
    show("read", read(fd, b, 1));
    show("write", write(fd, "x", 1));
    show("lseek", lseek(fd, -100, SEEK_SET));
    int copy = dup(fd);
    printf("%d\n", copy);
    lseek(fd, 1, SEEK_SET);
    show("shared", lseek(copy, 0, SEEK_CUR));
    show("close", close(fd)), show("close", close(fd));
    show("read", read(copy, b, 1));
    show("open", open("none", O_RDONLY));
    show("excl", open("data.txt", O_CREAT | O_EXCL | O_WRONLY, 0600));
    fd = open("new.txt", O_CREAT | O_RDWR | O_TRUNC, 0640);
    show("write", write(fd, "abcdefghij", 10));
    show("ftruncate", ftruncate(fd, 4));
    show("pwrite", pwrite(fd, "ZZ", 2, 6));
    show("pread", pread(fd, b, sizeof b, 2));
    for (int i = 0; i < 6; i++) printf("%02x", (unsigned char)b[i]);
    printf("\n");
    struct stat st;
    show("fstat", fstat(fd, &st));
    printf("%ld %d %o\n", (long)st.st_size, S_ISREG(st.st_mode), st.st_mode & 0777);
    show("stat", stat("none", &st));
    show("append", open("new.txt", O_WRONLY | O_APPEND));
    show("access", access("new.txt", R_OK)), show("access", access("none", F_OK));
    show("mkdir", mkdir("dir", 0755)), show("mkdir", mkdir("dir", 0755));
    stat("dir", &st), printf("%d\n", S_ISDIR(st.st_mode));
    show("open dir", open("dir", O_WRONLY));
    show("rmdir", rmdir("dir"));
    show("unlink", unlink("new.txt")), show("unlink", unlink("new.txt"));
    show("still", write(fd, "x", 1));
    printf("%d %d\n", isatty(0), isatty(1));
    int p[2];
    show("pipe", pipe(p));
    show("write", write(p[1], "through", 7));
    close(p[1]);
    show("read", read(p[0], b, sizeof b)), show("read", read(p[0], b, sizeof b));
    int saved = dup(1);
    int out = open("captured.txt", O_CREAT | O_WRONLY, 0644);
    dup2(out, 1);
    printf("into the file\n");
    dup2(saved, 1);
    printf("back\n");
    show("fcntl", fcntl(out, F_GETFL) & O_ACCMODE);
    show("symlink", symlink("data.txt", "link")), show("readlink", readlink("link", b, sizeof b));
    printf("%.8s\n", b);
    show("unlink", unlink("link"));
    show("chdir", chdir("nowhere"));
    printf("%d\n", getcwd(b, 1) == NULL && errno == ERANGE);
    return 0;
}
