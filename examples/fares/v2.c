/* What a ticket costs: zones, and who travels. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 150, ZONE = 70, MOST = 600 };

static int price(int billed, const char *who)
{
    int cents = BASE + ZONE * billed;
    int most = MOST;
    if (strcmp(who, "child") == 0)
        cents /= 2;
    if (strcmp(who, "senior") == 0)
        most = 450;
    return cents < most ? cents : most;
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: fares ZONES WHO\n");
        return 2;
    }
    int zones = atoi(argv[1]);
    if (zones < 1 || zones > 9) {
        fprintf(stderr, "fares: there are 9 zones\n");
        return 2;
    }
    int billed = strcmp(argv[2], "child") == 0 ? zones - 1 : zones;
    int cents = price(billed, argv[2]);
    printf("%d cents\n", cents);
    printf("%d for each zone\n", cents / billed);
    return 0;
}
