// Cases that fall through have targets of their own.
// args: str:=1
// paths: 4
#include <stdio.h>

int main(int argc, char **argv) {
    int score = 0;
    switch (argv[1][0]) {
    case 'a':
        score += 1;
        /* falls through */
    case 'b':
        score += 10;
        break;
    case 'c':
        score = 5;
        break;
    }
    printf("%d\n", score);
    return argc - 2;
}
