// A bank simulation: accounts, transactions in a log, overdraft rules, interest in integers, a report.
// file transactions.txt: open alice 1000
// file transactions.txt: open bob 50
// file transactions.txt: transfer alice bob 300
// file transactions.txt: withdraw bob 500
// file transactions.txt: deposit carol 10
// file transactions.txt: # a comment
// file transactions.txt: interest 3
// file transactions.txt: withdraw alice 705
// file transactions.txt: close bob
// file transactions.txt: open bob 1
// file transactions.txt: nonsense
// args: transactions.txt
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { OK, NO_ACCOUNT, NO_FUNDS, EXISTS, SYNTAX } result;
static const char *const texts[] = {"ok", "no such account", "insufficient funds", "account exists", "syntax error"};
struct account { char name[20]; long cents; struct account *next; int transactions; };
static struct account *accounts;

static struct account **find(const char *name) {
    struct account **p = &accounts;
    while (*p && strcmp((*p)->name, name) < 0) p = &(*p)->next;
    return p;
}
static struct account *get(const char *name) {
    struct account *a = *find(name);
    return a && !strcmp(a->name, name) ? a : NULL;
}
static result apply(char *line) {
    char verb[20], a[20], b[20];
    long amount;
    if (sscanf(line, "open %19s %ld", a, &amount) == 2) {
        if (get(a)) return EXISTS;
        struct account **p = find(a), *n = calloc(1, sizeof *n);
        strcpy(n->name, a), n->cents = amount * 100, n->next = *p, *p = n;
        return OK;
    }
    if (sscanf(line, "transfer %19s %19s %ld", a, b, &amount) == 3) {
        struct account *from = get(a), *to = get(b);
        if (!from || !to) return NO_ACCOUNT;
        if (from->cents < amount * 100) return NO_FUNDS;
        from->cents -= amount * 100, to->cents += amount * 100, from->transactions++, to->transactions++;
        return OK;
    }
    if (sscanf(line, "interest %ld", &amount) == 1) {
        for (struct account *x = accounts; x; x = x->next) x->cents += (x->cents * amount + 50) / 100;
        return OK;
    }
    if (sscanf(line, "%19s %19s %ld", verb, a, &amount) == 3) {
        struct account *x = get(a);
        long sign = !strcmp(verb, "deposit") ? 1 : !strcmp(verb, "withdraw") ? -1 : 0;
        if (!sign) return SYNTAX;
        if (!x) return NO_ACCOUNT;
        if (x->cents + sign * amount * 100 < 0) return NO_FUNDS;
        x->cents += sign * amount * 100, x->transactions++;
        return OK;
    }
    if (sscanf(line, "close %19s", a) == 1) {
        struct account **p = find(a), *x = get(a);
        if (!x) return NO_ACCOUNT;
        printf("paid out %ld.%02ld\n", x->cents / 100, x->cents % 100);
        *p = x->next;
        free(x);
        return OK;
    }
    return SYNTAX;
}

int main(int argc, char **argv) {
    FILE *f = fopen(argc > 1 ? argv[1] : "none", "r");
    if (!f) { fprintf(stderr, "%s: %s\n", argv[1], strerror(errno)); return 2; }
    FILE *journal = fopen("journal.txt", "w");
    char line[100];
    int counts[5] = {0}, number = 0;
    while (fgets(line, sizeof line, f)) {
        number++;
        line[strcspn(line, "\r\n")] = 0;
        if (!line[0] || line[0] == '#') continue;
        result r = apply(line);
        counts[r]++;
        fprintf(journal, "%03d %-30s %s\n", number, line, texts[r]);
        if (r != OK) printf("line %d: %s\n", number, texts[r]);
    }
    fclose(f), fclose(journal);
    for (struct account *x = accounts; x; x = x->next) printf("%-8s %8ld.%02ld %d\n", x->name, x->cents / 100, x->cents % 100, x->transactions);
    for (int i = 0; i < 5; i++) printf("%s: %d\n", texts[i], counts[i]);
    return 0;
}
