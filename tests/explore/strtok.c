// Tokens between commas. For each of three characters: end, comma or other.
// args: text:3
// paths: 15
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
    int count = 0;
    for (char *token = strtok(argv[1], ","); token; token = strtok(NULL, ","))
        count++;
    printf("%d\n", count);
    return argc - 2;
}
