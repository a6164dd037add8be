// entry: report
// flags: --param kind=int:0..3
#include <stdio.h>

static void line(FILE *to, int kind) { fprintf(to, "kind %d\n", kind); }

void report(int kind) { line(kind & 1 ? stderr : stdout, kind); }
