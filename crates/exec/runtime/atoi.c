/* Numbers from text without a report of errors: what strtol and strtod give,
 * cut to the type. */

int atoi(const char *text) { return (int)strtol(text, NULL, 10); }

long atol(const char *text) { return strtol(text, NULL, 10); }

long long atoll(const char *text) { return strtol(text, NULL, 10); }
