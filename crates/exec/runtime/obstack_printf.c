/* Formatted text at the end of an obstack's growing object. */

struct obstack {
    long chunk_size;
    void *chunk;
    char *object_base;
    char *next_free;
    char *chunk_limit;
};

void _obstack_newchunk(struct obstack *stack, int length);
int vsnprintf(char *to, size_t size, const char *format, va_list arguments);

int obstack_vprintf(struct obstack *stack, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0) {
        /* One byte more for the terminator, which is not part of the object. */
        if (stack->chunk_limit - stack->next_free < length + 1)
            _obstack_newchunk(stack, length + 1);
        vsnprintf(stack->next_free, (size_t)length + 1, format, again);
        stack->next_free += length;
    }
    va_end(again);
    return length;
}

int obstack_printf(struct obstack *stack, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = obstack_vprintf(stack, format, arguments);
    va_end(arguments);
    return length;
}

int __obstack_vprintf_chk(struct obstack *stack, int flag, const char *format, va_list arguments) {
    (void)flag;
    return obstack_vprintf(stack, format, arguments);
}

int __obstack_printf_chk(struct obstack *stack, int flag, const char *format, ...) {
    (void)flag;
    va_list arguments;
    va_start(arguments, format);
    int length = obstack_vprintf(stack, format, arguments);
    va_end(arguments);
    return length;
}
