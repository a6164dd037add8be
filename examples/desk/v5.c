/* The till of a shop, driven by commands on standard input, one a line: a letter and numbers.
 *
 *   i PRICE N   N items at a price in cents
 *   d PERCENT   a discount on the items so far
 *   v PRICE     a voucher
 *   t           value added tax of what is to be paid
 *   c PAID      the change
 *   p           points for the customer's card
 *   w GRAMS     postage by weight
 *   r CENTS     rounded to five cents
 *   x           the check digit of the sum
 *   h HOUR      whether the till is open
 *
 * Amounts are at most 1,000,000 cents. Every command prints a line. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AMOUNT = 1000000, MAX_ITEMS = 999 };

static long sum, items;

static int is_amount(long cents)
{
    return cents >= 0 && cents <= MAX_AMOUNT;
}

static void add_items(long price, long count)
{
    if (!is_amount(price) || count < 1 || count > MAX_ITEMS ||
        sum + price * count > MAX_AMOUNT) {
        puts("bad item");
        return;
    }
    if (count >= 10)
        price -= price / 10;
    sum += price * count;
    items += count;
    printf("sum %ld\n", sum);
}

static void discount(long percent)
{
    if (percent < 1 || percent > 50) {
        puts("bad discount");
        return;
    }
    sum -= sum * percent / 100;
    printf("sum %ld after a discount\n", sum);
}

static void voucher(long cents)
{
    if (!is_amount(cents)) {
        puts("bad voucher");
        return;
    }
    long used = cents < sum ? cents : sum;
    sum -= used;
    printf("sum %ld, %ld of the voucher left\n", sum, cents - used);
}

static void tax(void)
{
    long net = sum / 119 * 100;
    printf("tax %ld\n", sum - net);
}

static void change(long paid)
{
    static const long coins[] = {5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1};
    if (!is_amount(paid) || paid < sum) {
        puts("not enough");
        return;
    }
    long rest = paid - sum;
    printf("change %ld:", rest);
    for (size_t i = 0; i < sizeof coins / sizeof coins[0]; i++)
        for (; rest >= coins[i]; rest -= coins[i])
            if (paid - sum <= 20000)
                printf(" %ld", coins[i]);
    putchar('\n');
}

static void points(void)
{
    long points = sum / 100;
    if (items > 20)
        points += 50;
    if (sum >= 10000)
        points *= 2;
    printf("%ld points\n", points);
}

static void postage(long grams)
{
    if (grams <= 0 || grams > 31500) {
        puts("cannot be sent");
        return;
    }
    long cents = grams <= 500 ? 250 : grams <= 2000 ? 450 : grams <= 10000 ? 950 : 1650;
    printf("postage %ld\n", cents);
}

static void rounded(long cents)
{
    if (cents < -MAX_AMOUNT || cents > MAX_AMOUNT) {
        puts("bad amount");
        return;
    }
    long rest = cents % 5;
    if (rest < 0)
        rest += 5;
    cents += rest >= 3 ? 5 - rest : -rest;
    printf("rounded %ld\n", cents);
}

static void check_digit(void)
{
    long digits = sum;
    int total = 0, weight = 3;
    while (digits > 0) {
        total += (int)(digits % 10) * weight;
        weight = weight == 3 ? 1 : 3;
        digits /= 10;
    }
    printf("check digit %d\n", (10 - total % 10) % 10);
}

static void opening(long hour)
{
    if (hour < 0 || hour > 23) {
        puts("no such hour");
        return;
    }
    int is_open = (hour >= 8 && hour < 12) || (hour >= 14 && hour < 18);
    puts(is_open ? "open" : "closed");
}

int main(void)
{
    char line[60];

    while (fgets(line, sizeof line, stdin)) {
        char *end = line;
        long first = 0, second = 0;
        if (line[0] == '\n')
            continue;
        if (line[1] == ' ') {
            first = strtol(line + 2, &end, 10);
            second = strtol(end, NULL, 10);
        }
        switch (line[0]) {
        case 'i': add_items(first, second); break;
        case 'd': discount(first); break;
        case 'v': voucher(first); break;
        case 't': tax(); break;
        case 'c': change(first); break;
        case 'p': points(); break;
        case 'w': postage(first); break;
        case 'r': rounded(first); break;
        case 'x': check_digit(); break;
        case 'h': opening(first); break;
        default: puts("unknown command"); break;
        }
    }
    return 0;
}
