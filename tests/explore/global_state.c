// State that calls leave behind, in global and static variables.
// args: int:0..2 int:0..2 int:0..2
// paths: 17
#include <stdio.h>
#include <stdlib.h>

static int balance;

static int step(int what) {
    static int calls;
    calls++;
    if (what == 0)
        balance++;
    else if (what == 1)
        balance--;
    if (balance < 0) {
        puts("broke");
        exit(calls);
    }
    return calls;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        step(atoi(argv[i]));
    printf("%d\n", balance);
    return 0;
}
