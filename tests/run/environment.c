// The environment: getenv, setenv, unsetenv, putenv, environ, the third parameter of main.
// env: NAME=value with = inside
// env: EMPTY=
// env: AAA=first
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv, char **envp) {
    for (int i = 0; envp[i]; i++) printf("%s\n", envp[i]);
    printf("%d %s\n", argc, argv[0]);
    printf("%s [%s] %s\n", getenv("NAME"), getenv("EMPTY"), getenv("MISSING") ? "?" : "null");
    printf("%d %s\n", setenv("NEW", "1", 0), getenv("NEW"));
    printf("%d %s\n", setenv("NEW", "2", 0), getenv("NEW"));
    printf("%d %s\n", setenv("NEW", "3", 1), getenv("NEW"));
    printf("%d %d\n", setenv("", "x", 1), setenv("A=B", "x", 1));
    static char put[] = "PUT=here";
    putenv(put);
    put[4] = 'H';
    printf("%s\n", getenv("PUT"));
    printf("%d %s\n", unsetenv("AAA"), getenv("AAA") ? "?" : "gone");
    putenv("NAME");
    int n = 0;
    for (char **e = environ; *e; e++) n++;
    printf("%d %s\n", n, secure_getenv("NEW"));
    clearenv();
    printf("%s\n", getenv("NEW") ? "?" : "cleared");
    setenv("AFTER", "x", 1);
    printf("%s %s\n", getenv("AFTER"), environ[0]);
    return 0;
}
