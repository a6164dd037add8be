/* The variables of the standard streams. The machine sets them at the start. */

FILE *stdin;
FILE *stdout;
FILE *stderr;
