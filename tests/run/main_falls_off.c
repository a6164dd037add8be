// main without a return statement returns 0; void main arguments; argv ends with a null pointer.
// args: "" " blank " a"b"c --
#include <stdio.h>

int main(int argc, char *argv[]) {
    for (int i = 0; i < argc; i++) printf("%d [%s]\n", i, argv[i]);
    printf("%d\n", argv[argc] == NULL);
    argv[1] = "changed";
    argv[2][0] = '_';
    printf("%s %s\n", argv[1], argv[2]);
}
