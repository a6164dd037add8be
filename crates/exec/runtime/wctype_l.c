/* The functions of <wctype.h> that take a locale; only the C locale exists. */

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
unsigned long wctype(const char *name);
int iswctype(wint_t c, unsigned long class);

int iswalnum_l(wint_t c, void *locale) {
    (void)locale;
    return iswalnum(c);
}

int iswalpha_l(wint_t c, void *locale) {
    (void)locale;
    return iswalpha(c);
}

int iswblank_l(wint_t c, void *locale) {
    (void)locale;
    return iswblank(c);
}

int iswcntrl_l(wint_t c, void *locale) {
    (void)locale;
    return iswcntrl(c);
}

int iswdigit_l(wint_t c, void *locale) {
    (void)locale;
    return iswdigit(c);
}

int iswgraph_l(wint_t c, void *locale) {
    (void)locale;
    return iswgraph(c);
}

int iswlower_l(wint_t c, void *locale) {
    (void)locale;
    return iswlower(c);
}

int iswprint_l(wint_t c, void *locale) {
    (void)locale;
    return iswprint(c);
}

int iswpunct_l(wint_t c, void *locale) {
    (void)locale;
    return iswpunct(c);
}

int iswspace_l(wint_t c, void *locale) {
    (void)locale;
    return iswspace(c);
}

int iswupper_l(wint_t c, void *locale) {
    (void)locale;
    return iswupper(c);
}

int iswxdigit_l(wint_t c, void *locale) {
    (void)locale;
    return iswxdigit(c);
}

wint_t towlower_l(wint_t c, void *locale) {
    (void)locale;
    return towlower(c);
}

wint_t towupper_l(wint_t c, void *locale) {
    (void)locale;
    return towupper(c);
}

unsigned long wctype_l(const char *name, void *locale) {
    (void)locale;
    return wctype(name);
}

int iswctype_l(wint_t c, unsigned long class, void *locale) {
    (void)locale;
    return iswctype(c, class);
}
