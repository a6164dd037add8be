/* The character functions that take a locale; only the C locale exists. */

int isupper(int c);
int islower(int c);
int isalpha(int c);
int isdigit(int c);
int isxdigit(int c);
int isspace(int c);
int isprint(int c);
int isgraph(int c);
int isblank(int c);
int iscntrl(int c);
int isalnum(int c);
int ispunct(int c);
int tolower(int c);
int toupper(int c);

int isupper_l(int c, void *locale) {
    (void)locale;
    return isupper(c);
}

int islower_l(int c, void *locale) {
    (void)locale;
    return islower(c);
}

int isalpha_l(int c, void *locale) {
    (void)locale;
    return isalpha(c);
}

int isdigit_l(int c, void *locale) {
    (void)locale;
    return isdigit(c);
}

int isxdigit_l(int c, void *locale) {
    (void)locale;
    return isxdigit(c);
}

int isspace_l(int c, void *locale) {
    (void)locale;
    return isspace(c);
}

int isprint_l(int c, void *locale) {
    (void)locale;
    return isprint(c);
}

int isgraph_l(int c, void *locale) {
    (void)locale;
    return isgraph(c);
}

int isblank_l(int c, void *locale) {
    (void)locale;
    return isblank(c);
}

int iscntrl_l(int c, void *locale) {
    (void)locale;
    return iscntrl(c);
}

int isalnum_l(int c, void *locale) {
    (void)locale;
    return isalnum(c);
}

int ispunct_l(int c, void *locale) {
    (void)locale;
    return ispunct(c);
}

int tolower_l(int c, void *locale) {
    (void)locale;
    return tolower(c);
}

int toupper_l(int c, void *locale) {
    (void)locale;
    return toupper(c);
}

int __tolower_l(int c, void *locale) {
    return tolower_l(c, locale);
}

int __toupper_l(int c, void *locale) {
    return toupper_l(c, locale);
}
