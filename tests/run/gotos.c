// goto: into loops and blocks, out of nested loops, backwards, over declarations.
#include <stdio.h>

static int find(int target, int *row, int *column) {
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++)
            if (i * j == target) {
                *row = i, *column = j;
                goto found;
            }
    return 0;
found:
    return 1;
}

static int into_loop(int start) {
    int i = start, sum = 0;
    if (i > 5) goto middle;
    for (i = 0; i < 10; i++) {
        sum += 100;
    middle:
        sum += i;
    }
    return sum;
}

static int cleanup(int fail_at) {
    int state = 0;
    if (fail_at == 1) goto out;
    state |= 1;
    if (fail_at == 2) goto undo_one;
    state |= 2;
    if (fail_at == 3) goto undo_two;
    return state;
undo_two:
    state |= 32;
undo_one:
    state |= 16;
out:
    return -state;
}

int main(void) {
    int r = 0, c = 0;
    for (int t = 0; t < 90; t += 7) {
        int ok = find(t, &r, &c);
        printf("%d:%d(%d,%d) ", t, ok, r, c);
    }
    printf("\n%d %d %d\n", into_loop(0), into_loop(6), into_loop(9));
    for (int i = 0; i < 5; i++) printf("%d ", cleanup(i));
    printf("\n");
    int n = 0;
back:
    n++;
    if (n % 3) goto back;
    if (n < 12) goto back;
    printf("%d\n", n);
    goto inside;
    {
        int hidden;
    inside:
        hidden = 5;
        printf("%d\n", hidden);
    }
    int k = 0;
    do {
        if (k == 3) goto end;
        k++;
        continue;
    } while (1);
end:
    printf("%d\n", k);
    return 0;
}
