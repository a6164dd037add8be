/* What a month of electricity costs.
 *
 *   tariff KWH [night-share-in-percent] [household|business]
 *
 * Amounts are in hundredths of a cent until the last step, so that rounding
 * happens once. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum class { HOUSEHOLD, BUSINESS };

struct step {
    long upto;  /* kWh; the last step has no end */
    long price; /* hundredths of a cent per kWh */
};

static const struct step household[] = {{100, 2190}, {400, 2840}, {-1, 3310}};
static const struct step business[] = {{1000, 2650}, {-1, 2410}};

static const long base_fee[] = {89000, 145000};
static const long night_discount = 30; /* percent */

static long energy_cost(const struct step *step, long kwh)
{
    long cost = 0;
    long from = 0;
    for (;; step++) {
        if (step->upto < 0 || kwh <= step->upto)
            return cost + (kwh - from) * step->price;
        cost += (step->upto - from) * step->price;
        from = step->upto;
    }
}

static long total(enum class class, long kwh, long night)
{
    long cost = energy_cost(class == HOUSEHOLD ? household : business, kwh);
    cost -= cost * night * night_discount / 10000;
    if (class == BUSINESS && kwh >= 5000)
        cost -= cost / 20;
    cost += base_fee[class];
    return cost;
}

static int parse(const char *text, long low, long high, long *value)
{
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return end != text && *end == '\0' && errno == 0 && *value >= low && *value <= high;
}

int main(int argc, char **argv)
{
    long kwh, night = 0;
    enum class class = HOUSEHOLD;

    if (argc < 2 || argc > 4) {
        fprintf(stderr, "usage: %s KWH [NIGHT-PERCENT] [household|business]\n", argv[0]);
        return 2;
    }
    if (!parse(argv[1], 0, 1000000, &kwh)) {
        fprintf(stderr, "%s: not an amount of energy: %s\n", argv[0], argv[1]);
        return 2;
    }
    if (argc > 2 && !parse(argv[2], 0, 100, &night)) {
        fprintf(stderr, "%s: not a percentage: %s\n", argv[0], argv[2]);
        return 2;
    }
    if (argc > 3) {
        if (strcmp(argv[3], "business") == 0) {
            class = BUSINESS;
        } else if (strcmp(argv[3], "household") != 0) {
            fprintf(stderr, "%s: not a kind of customer: %s\n", argv[0], argv[3]);
            return 2;
        }
    }

    long cost = total(class, kwh, night);
    long cents = (cost + 50) / 100;
    printf("%ld kWh, %ld%% at night, %s: %ld.%02ld EUR\n", kwh, night,
           class == HOUSEHOLD ? "household" : "business", cents / 100, cents % 100);
    return 0;
}
