/* A floating point number from text without a report of errors. */

double atof(const char *text) { return strtod(text, NULL); }
