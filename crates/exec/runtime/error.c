/* error and error_at_line of <error.h>. */

extern char *program_invocation_name;

unsigned error_message_count;
int error_one_per_line;
void (*error_print_progname)(void);

static void print_message(int status, int number, const char *format, va_list arguments) {
    vfprintf(stderr, format, arguments);
    error_message_count++;
    if (number != 0)
        fprintf(stderr, ": %s", strerror(number));
    fputc('\n', stderr);
    fflush(stderr);
    if (status != 0)
        exit(status);
}

void error(int status, int number, const char *format, ...) {
    va_list arguments;
    fflush(stdout);
    if (error_print_progname != NULL)
        error_print_progname();
    else
        fprintf(stderr, "%s: ", program_invocation_name);
    va_start(arguments, format);
    print_message(status, number, format, arguments);
    va_end(arguments);
}

/* Whether a message for this line was printed just before. */
static int is_repeated(const char *file, unsigned line) {
    static const char *old_file;
    static unsigned old_line;
    if (old_line == line && (file == old_file || (old_file != NULL && file != NULL &&
                                                  strcmp(old_file, file) == 0)))
        return 1;
    old_file = file;
    old_line = line;
    return 0;
}

void error_at_line(int status, int number, const char *file, unsigned line, const char *format,
                   ...) {
    va_list arguments;
    if (error_one_per_line && is_repeated(file, line))
        return;
    fflush(stdout);
    if (error_print_progname != NULL)
        error_print_progname();
    else
        fprintf(stderr, "%s:", program_invocation_name);
    if (file != NULL)
        fprintf(stderr, "%s:%u: ", file, line);
    else
        fputc(' ', stderr);
    va_start(arguments, format);
    print_message(status, number, format, arguments);
    va_end(arguments);
}
