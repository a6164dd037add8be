/* The name of the program, which the machine sets at the start. */

char *program_invocation_name = "";
char *program_invocation_short_name = "";
extern char *__progname_full ALIAS_OF(program_invocation_name);
extern char *__progname ALIAS_OF(program_invocation_short_name);
