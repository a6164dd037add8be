// All that can go wrong with memory, each on its path.
// args: int:0..9
// paths: 8
// fault: null write at line 28
// fault: read after free at line 32
// fault: double free at line 36
// fault: abort at line 39
// fault: assertion at line 42
// fault: stack overflow at line 16
// fault: invalid call at line 47
// native: no
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int descend(int n) {
    char block[1 << 16];
    block[0] = (char)n;
    return descend(n + 1) + block[0];
}

int main(int argc, char **argv) {
    int *p = malloc(sizeof *p);
    *p = atoi(argv[1]);
    switch (*p) {
    case 1:
        p = NULL;
        *p = 1;
        break;
    case 2:
        free(p);
        printf("%d\n", *p);
        break;
    case 3:
        free(p);
        free(p);
        break;
    case 4:
        abort();
        break;
    case 5:
        assert(argc == 5);
        break;
    case 6:
        return descend(0);
    case 7:
        ((void (*)(void))p)();
        break;
    default:
        puts("fine");
    }
    return 0;
}
