/* Locale objects: there is one, and the global one. Macros of <ctype.h> read
 * the tables from the object, so its layout is the native one. */

struct locale {
    void *categories[13];
    const unsigned short *classes;
    const int *lower;
    const int *upper;
    const char *names[13];
};

#define GLOBAL ((struct locale *)-1L)
#define ALL_CATEGORIES 0x1fbf

const unsigned short **__ctype_b_loc(void);
const int **__ctype_tolower_loc(void);
const int **__ctype_toupper_loc(void);
int __ripple_is_c_locale(int category, const char *name);

static struct locale c_locale;
static struct locale *current = GLOBAL;

struct locale *newlocale(int mask, const char *name, struct locale *base) {
    (void)base;
    if ((mask & ~(ALL_CATEGORIES | 1 << 6)) != 0 || name == NULL) {
        errno = EINVAL;
        return NULL;
    }
    if (!__ripple_is_c_locale(6, name)) {
        errno = ENOENT;
        return NULL;
    }
    c_locale.classes = *__ctype_b_loc();
    c_locale.lower = *__ctype_tolower_loc();
    c_locale.upper = *__ctype_toupper_loc();
    for (int i = 0; i < 13; i++)
        c_locale.names[i] = "C";
    return &c_locale;
}

struct locale *duplocale(struct locale *locale) {
    (void)locale;
    return newlocale(ALL_CATEGORIES, "C", NULL);
}

void freelocale(struct locale *locale) { (void)locale; }

struct locale *uselocale(struct locale *locale) {
    struct locale *old = current;
    if (locale != NULL)
        current = locale;
    return old;
}

struct locale *__newlocale(int mask, const char *name, struct locale *base) {
    return newlocale(mask, name, base);
}

struct locale *__uselocale(struct locale *locale) { return uselocale(locale); }
