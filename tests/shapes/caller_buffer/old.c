// entry: join
// flags: --param to=buf:8 --param a=str:2 --param b=str:2
#include <string.h>

char *join(char *to, const char *a, const char *b) {
    strcpy(to, a);
    strcat(to, "/");
    strcat(to, b);
    return to;
}
