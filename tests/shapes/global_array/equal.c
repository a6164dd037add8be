#include <string.h>

int counts[4];

void tally(const char *s) {
    for (size_t i = strlen(s); i > 0; i--) counts[(unsigned char)s[i - 1] % 4] += 1;
}
