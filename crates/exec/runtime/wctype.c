/* Classes of wide characters in the C locale: those of ASCII. */

int isblank(int c);
int iscntrl(int c);
int isgraph(int c);
int islower(int c);
int isprint(int c);
int ispunct(int c);
int isupper(int c);
int isxdigit(int c);

int iswalnum(wint_t c) { return isalnum((int)c); }

int iswalpha(wint_t c) { return isalpha((int)c); }

int iswblank(wint_t c) { return isblank((int)c); }

int iswcntrl(wint_t c) { return iscntrl((int)c); }

/* The only class that the native library does not give as its bit. */
int iswdigit(wint_t c) { return isdigit((int)c) != 0; }

int iswgraph(wint_t c) { return isgraph((int)c); }

int iswlower(wint_t c) { return islower((int)c); }

int iswprint(wint_t c) { return isprint((int)c); }

int iswpunct(wint_t c) { return ispunct((int)c); }

int iswspace(wint_t c) { return isspace((int)c); }

int iswupper(wint_t c) { return isupper((int)c); }

int iswxdigit(wint_t c) { return isxdigit((int)c); }

wint_t towlower(wint_t c) { return (wint_t)tolower((int)c); }

wint_t towupper(wint_t c) { return (wint_t)toupper((int)c); }
