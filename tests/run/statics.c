// Static locals, initialisers of all kinds, scopes and shadowing.
#include <stdio.h>

static int counter(void) {
    static int n = 10;
    return n++;
}

static int *slot(int reset) {
    static int values[3] = {1, 2, 3};
    if (reset) values[0] = values[1] = values[2] = 0;
    return values;
}

int x = 1;
static int table[][3] = {{1, 2, 3}, {4, 5}, {[2] = 9}};
static const char *names[] = {"zero", [2] = "two", [5] = "five", "six"};
static int *into = &table[1][1];
static const char **name_at = &names[5];
static struct { int a; int *p; char s[8]; } record = {7, &x, "abc"};
static char exact[3] = "xyz";
static char text[] = "with\0nul";
extern int declared_later;
static double ratio = 1.0 / 3;
static long difference = sizeof table / sizeof *table;
static int (*function)(void) = counter;
enum { A = 3, B, C = A * 10, D };

int main(void) {
    for (int i = 0; i < 3; i++) printf("%d ", counter());
    printf("%d\n", function());
    slot(0)[1] = 50;
    printf("%d %d\n", slot(0)[1], slot(1)[1]);
    for (int i = 0; i < 3; i++) printf("%d %d %d\n", table[i][0], table[i][1], table[i][2]);
    for (int i = 0; i < 7; i++) printf("%s ", names[i] ? names[i] : "-");
    printf("\n%d %s %d %d %s\n", *into, *name_at, record.a, *record.p, record.s);
    printf("%.3s %zu %zu %s\n", exact, sizeof exact, sizeof text, text + 5);
    printf("%d %.17g %ld %d %d %d\n", declared_later, ratio, difference, B, C, D);
    int x = 2;
    {
        extern int x;
        printf("%d ", x);
        {
            int x = 3;
            printf("%d ", x);
            for (int x = 4; x < 5; x++) printf("%d ", x);
            printf("%d ", x);
        }
    }
    printf("%d\n", x);
    for (int i = 0; i < 3; i++) {
        static int kept;
        int fresh = 0;
        kept += i, fresh += i;
        printf("%d %d ", kept, fresh);
    }
    printf("\n");
    return 0;
}

int declared_later = 99;
