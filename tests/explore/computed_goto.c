// A small interpreter: stop, add or twice, and after the latter two any of them again, unless
// an addition is followed by a negative character.
// args: str:=2
// paths: 8
#include <stdio.h>

int main(int argc, char **argv) {
    static void *const labels[] = {&&stop, &&add, &&twice};
    const char *code = argv[1];
    int value = 1;
    goto *labels[(unsigned char)*code % 3];
add:
    value += 5;
    code++;
    if (*code < 0)
        return 1;
    goto *labels[*code % 3];
twice:
    value *= 2;
    code++;
    goto *labels[(unsigned char)*code % 3];
stop:
    printf("%d\n", value);
    return argc - 2;
}
