#include <stdio.h>
#include <string.h>
int main(int argc, char **argv) {
    char from[16] = "abc", to[16], other[16] = "xyz";
    from[0] = 'a' + argc; // forward from here
    strcpy(to, from); // in
    printf("%s\n", to); // in
    printf("%d\n", (int)strlen(to)); // in
    printf("%s\n", other); // out
    return 0;
}
