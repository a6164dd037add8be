/* Classes and conversions of wide characters by their names. */

typedef int class(wint_t c);

int iswalnum(wint_t c);
int iswalpha(wint_t c);
int iswblank(wint_t c);
int iswcntrl(wint_t c);
int iswdigit(wint_t c);
int iswgraph(wint_t c);
int iswlower(wint_t c);
int iswprint(wint_t c);
int iswpunct(wint_t c);
int iswspace(wint_t c);
int iswupper(wint_t c);
int iswxdigit(wint_t c);
wint_t towupper(wint_t c);

static const char *const names[12] = {"alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct", "space", "upper", "xdigit"};
static class *const classes[12] = {iswalnum, iswalpha, iswblank, iswcntrl, iswdigit, iswgraph, iswlower, iswprint, iswpunct, iswspace, iswupper, iswxdigit};

/* A class is its number from 1; 0 is none. */
unsigned long wctype(const char *name) {
    for (unsigned long i = 0; i < 12; i++)
        if (strcmp(names[i], name) == 0)
            return i + 1;
    return 0;
}

int iswctype(wint_t c, unsigned long class) {
    return class >= 1 && class <= 12 && classes[class - 1](c) != 0;
}

/* A conversion is a pointer, as in the native library. */
const int *wctrans(const char *name) {
    static const int conversions[2] = {0, 1};
    if (strcmp(name, "tolower") == 0)
        return &conversions[0];
    if (strcmp(name, "toupper") == 0)
        return &conversions[1];
    errno = EINVAL;
    return NULL;
}

wint_t towctrans(wint_t c, const int *conversion) {
    if (conversion == NULL)
        return c;
    return *conversion == 0 ? towlower(c) : towupper(c);
}
