/* How often each word length occurs in a text, as a bar chart.
 *
 *   histogram [-w WIDTH] FILE...
 *
 * Writes the most frequent words to the file `words.txt`. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_LENGTH = 20, TOP = 10, BUCKETS = 1024 };

struct word {
    char *text;
    unsigned count;
    struct word *next;
};

static struct word *buckets[BUCKETS];
static size_t word_count;
static unsigned lengths[MAX_LENGTH + 1]; /* the last one: that long or longer */

static void *must(void *p)
{
    if (!p) {
        fputs("out of memory\n", stderr);
        exit(3);
    }
    return p;
}

static unsigned hash(const char *text)
{
    unsigned h = 5381;
    while (*text)
        h = h * 33 + (unsigned char)*text++;
    return h % BUCKETS;
}

static void count_word(const char *text, size_t length)
{
    struct word **link = &buckets[hash(text)];
    lengths[length < MAX_LENGTH ? length : MAX_LENGTH]++;
    for (; *link; link = &(*link)->next) {
        if (strcmp((*link)->text, text) == 0) {
            (*link)->count++;
            return;
        }
    }
    *link = must(calloc(1, sizeof **link));
    (*link)->text = must(malloc(length + 1));
    memcpy((*link)->text, text, length + 1);
    (*link)->count = 1;
    word_count++;
}

/* An apostrophe inside a word belongs to it. */
static int is_letter(int c, size_t length)
{
    return isalpha(c) || (c == '\'' && length > 0);
}

static void count_words(FILE *in)
{
    char *word = NULL;
    size_t length = 0, room = 0;
    int c;

    do {
        c = getc(in);
        if (length + 1 >= room) {
            room = room ? 2 * room : 16;
            word = must(realloc(word, room));
        }
        if (c != EOF && is_letter(c, length)) {
            word[length++] = (char)tolower(c);
        } else if (length > 0) {
            word[length] = '\0';
            count_word(word, length);
            length = 0;
        }
    } while (c != EOF);
    free(word);
}

static void draw(int width)
{
    unsigned most = 1;
    for (int i = 1; i <= MAX_LENGTH; i++)
        if (lengths[i] > most)
            most = lengths[i];
    for (int i = 1; i <= MAX_LENGTH; i++) {
        if (lengths[i] == 0)
            continue;
        printf("%2d%c %5u ", i, i == MAX_LENGTH ? '+' : ' ', lengths[i]);
        for (unsigned n = (lengths[i] * (unsigned)width + most - 1) / most; n > 0; n--)
            putchar('#');
        putchar('\n');
    }
}

static int by_count(const void *a, const void *b)
{
    const struct word *x = *(struct word *const *)a;
    const struct word *y = *(struct word *const *)b;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return strcmp(x->text, y->text);
}

/* Writes the most frequent words and frees them all. */
static int write_words(const char *name)
{
    struct word **all = must(malloc((word_count + 1) * sizeof *all));
    size_t n = 0;
    for (int i = 0; i < BUCKETS; i++)
        for (struct word *w = buckets[i]; w; w = w->next)
            all[n++] = w;
    qsort(all, n, sizeof *all, by_count);

    FILE *out = fopen(name, "w");
    for (size_t i = 0; out && i < n && i < TOP; i++)
        fprintf(out, "%-12s %u\n", all[i]->text, all[i]->count);
    for (size_t i = 0; i < n; i++) {
        free(all[i]->text);
        free(all[i]);
    }
    free(all);
    return out && fclose(out) == 0;
}

int main(int argc, char **argv)
{
    int width = 40, option;

    while ((option = getopt(argc, argv, "w:")) != -1) {
        if (option == 'w')
            width = atoi(optarg);
        if (option != 'w' || width < 1 || width > 200) {
            fprintf(stderr, "usage: %s [-w WIDTH] FILE...\n", argv[0]);
            return 2;
        }
    }
    if (optind == argc)
        count_words(stdin);
    for (int i = optind; i < argc; i++) {
        FILE *in = fopen(argv[i], "r");
        if (!in) {
            perror(argv[i]);
            return 1;
        }
        count_words(in);
        fclose(in);
    }
    draw(width);
    printf("%zu different words\n", word_count);
    if (!write_words("words.txt")) {
        perror("words.txt");
        return 1;
    }
    return 0;
}
