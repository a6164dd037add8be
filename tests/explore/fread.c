// Of 0 to 3 bytes the sign is known; with 4 to 7 there is one record, of either sign; two
// records are the same, or the first has either sign.
// stdin: bytes:8
// paths: 15
#include <stdio.h>

int main(void) {
    int values[2] = {0, 0};
    size_t count = fread(values, sizeof values[0], 2, stdin);
    if (count == 2 && values[0] == values[1])
        puts("same");
    else if (values[0] < 0)
        puts("negative");
    else
        puts("other");
    return (int)count;
}
