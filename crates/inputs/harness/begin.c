struct ripple_piece { unsigned ripple_object, ripple_bits, ripple_cell; unsigned long ripple_bit; };
struct ripple_byte { unsigned ripple_object; unsigned long ripple_offset; unsigned char ripple_value; };
struct ripple_pointer {
    unsigned ripple_object;
    unsigned long ripple_offset;
    long ripple_null;     /* The cell that is 1 for null, or -1. */
    long ripple_target;   /* An object, or -1. */
    long ripple_function; /* A function, or -1. */
    long ripple_inside;   /* The cell with the element of the target, or -1. */
    unsigned long ripple_size; /* Of an element. */
};
/* The object that takes the place of a pointer's target where the cell is 1. */
struct ripple_instead { unsigned ripple_pointer, ripple_cell, ripple_object; };
struct ripple_span { unsigned char *ripple_start; unsigned long ripple_size; const char *ripple_name; };
/* How memory of a type is read: parts from the first on, and what follows them. */
struct ripple_view { unsigned long ripple_size; unsigned ripple_first, ripple_parts; long ripple_tail, ripple_tail_view; const char *ripple_tail_name; };
struct ripple_part { unsigned long ripple_bit; unsigned ripple_bits; int ripple_kind; unsigned ripple_view; const char *ripple_name; };
/* What is told: an object, or a variable by its symbol. */
struct ripple_root { const char *ripple_name; long ripple_object; const char *ripple_symbol; unsigned long ripple_size; unsigned ripple_view; };

/* The library by its own names, whatever the program makes of them. */
extern void *ripple_libc_calloc(unsigned long, unsigned long) __asm__("calloc");
extern void *ripple_libc_memcpy(void *, const void *, unsigned long) __asm__("memcpy");
extern void *ripple_libc_memset(void *, int, unsigned long) __asm__("memset");
extern int ripple_libc_strcmp(const char *, const char *) __asm__("strcmp");
extern unsigned long ripple_libc_strlen(const char *) __asm__("strlen");
extern void *ripple_libc_fopen(const char *, const char *) __asm__("fopen");
extern unsigned long ripple_libc_fread(void *, unsigned long, unsigned long, void *) __asm__("fread");
extern int ripple_libc_fseek(void *, long, int) __asm__("fseek");
extern long ripple_libc_ftell(void *) __asm__("ftell");
extern int ripple_libc_fclose(void *) __asm__("fclose");
extern int ripple_libc_fflush(void *) __asm__("fflush");
extern int ripple_libc_fprintf(void *, const char *, ...) __asm__("fprintf");
extern int ripple_libc_snprintf(char *, unsigned long, const char *, ...) __asm__("snprintf");
extern void ripple_libc_exit(int) __asm__("exit");
extern void ripple_libc_abort(void) __asm__("abort");
extern int *ripple_libc_errno(void) __asm__("__errno_location");
extern void *ripple_libc_stdin __asm__("stdin");
extern void *ripple_libc_stdout __asm__("stdout");
extern void *ripple_libc_stderr __asm__("stderr");
extern void *ripple_real_malloc(unsigned long) __asm__("__libc_malloc");
extern void *ripple_real_calloc(unsigned long, unsigned long) __asm__("__libc_calloc");
extern void *ripple_real_realloc(void *, unsigned long) __asm__("__libc_realloc");
extern void ripple_real_free(void *) __asm__("__libc_free");
