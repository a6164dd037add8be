#include <string.h>

const char *skip(const char *s) { return s + strspn(s, " "); }
