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
struct ripple_leaf { unsigned ripple_object; unsigned long ripple_bit; unsigned ripple_bits; int ripple_is_pointer; };
struct ripple_span { unsigned char *ripple_start; unsigned long ripple_size; const char *ripple_name; int ripple_shown, ripple_freed; };

/* The library by its own names, whatever the program makes of them. */
extern void *ripple_libc_calloc(unsigned long, unsigned long) __asm__("calloc");
extern void *ripple_libc_memcpy(void *, const void *, unsigned long) __asm__("memcpy");
extern void ripple_libc_free(void *) __asm__("free");
extern void *ripple_libc_realloc(void *, unsigned long) __asm__("realloc");
extern void *ripple_libc_fopen(const char *, const char *) __asm__("fopen");
extern unsigned long ripple_libc_fread(void *, unsigned long, unsigned long, void *) __asm__("fread");
extern int ripple_libc_fclose(void *) __asm__("fclose");
extern int ripple_libc_fflush(void *) __asm__("fflush");
extern int ripple_libc_fprintf(void *, const char *, ...) __asm__("fprintf");
extern void ripple_libc_exit(int) __asm__("exit");
extern void *ripple_libc_stdout __asm__("stdout");
