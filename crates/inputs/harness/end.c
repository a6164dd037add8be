/* Heap blocks: where they are and how large, also those that were freed. */
struct ripple_block { unsigned char *ripple_start; unsigned long ripple_size; int ripple_freed; unsigned char *ripple_caller; };
static struct ripple_block *ripple_blocks;
static unsigned long ripple_room, ripple_count, ripple_kept;

static struct ripple_block *ripple_slot(struct ripple_block *ripple_table, unsigned long ripple_many, unsigned char *ripple_start) {
    unsigned long ripple_at = ((unsigned long)ripple_start >> 4) * 0x9e3779b97f4a7c15ul;
    for (ripple_at &= ripple_many - 1; ripple_table[ripple_at].ripple_start; ripple_at = (ripple_at + 1) & (ripple_many - 1))
        if (ripple_table[ripple_at].ripple_start == ripple_start)
            break;
    return &ripple_table[ripple_at];
}

static void ripple_note(void *ripple_start, unsigned long ripple_size, void *ripple_caller) {
    if (!ripple_start)
        return;
    if (2 * ripple_count >= ripple_room) {
        unsigned long ripple_many = ripple_room ? 2 * ripple_room : 1024;
        struct ripple_block *ripple_table = ripple_real_calloc(ripple_many, sizeof *ripple_table);
        if (!ripple_table)
            return;
        for (unsigned long ripple_i = 0; ripple_i < ripple_room; ripple_i++)
            if (ripple_blocks[ripple_i].ripple_start)
                *ripple_slot(ripple_table, ripple_many, ripple_blocks[ripple_i].ripple_start) = ripple_blocks[ripple_i];
        ripple_blocks = ripple_table;
        ripple_room = ripple_many;
    }
    struct ripple_block *ripple_block = ripple_slot(ripple_blocks, ripple_room, ripple_start);
    ripple_count += !ripple_block->ripple_start;
    ripple_block->ripple_start = ripple_start;
    ripple_block->ripple_size = ripple_size;
    ripple_block->ripple_freed = 0;
    ripple_block->ripple_caller = ripple_caller;
}

/* What new memory is filled with. */
static int ripple_pattern = 0xa5;

#if RIPPLE_TRACKS && !RIPPLE_IS_SANITIZED
void *ripple_malloc(unsigned long) __asm__("malloc");
void *ripple_calloc(unsigned long, unsigned long) __asm__("calloc");
void *ripple_realloc(void *, unsigned long) __asm__("realloc");
void ripple_free(void *) __asm__("free");

void *ripple_malloc(unsigned long ripple_size) {
    void *ripple_start = ripple_real_malloc(ripple_size);
    if (ripple_start)
        ripple_libc_memset(ripple_start, ripple_pattern, ripple_size);
    ripple_note(ripple_start, ripple_size, __builtin_return_address(0));
    return ripple_start;
}

void *ripple_calloc(unsigned long ripple_many, unsigned long ripple_size) {
    void *ripple_start = ripple_real_calloc(ripple_many, ripple_size);
    ripple_note(ripple_start, ripple_many * ripple_size, __builtin_return_address(0));
    return ripple_start;
}

/* Freed blocks stay where they are for a while, so that no other one gets their address. */
void ripple_free(void *ripple_start) {
    struct ripple_block *ripple_block = ripple_room && ripple_start ? ripple_slot(ripple_blocks, ripple_room, ripple_start) : 0;
    if (ripple_block && ripple_block->ripple_start) {
        if (ripple_block->ripple_freed)
            ripple_libc_abort();
        ripple_block->ripple_freed = 1;
        ripple_kept += ripple_block->ripple_size + 64;
        if (ripple_kept < 1ul << 26)
            return;
    }
    ripple_real_free(ripple_start);
}

void *ripple_realloc(void *ripple_start, unsigned long ripple_size) {
    struct ripple_block *ripple_block = ripple_room && ripple_start ? ripple_slot(ripple_blocks, ripple_room, ripple_start) : 0;
    if (ripple_start && !(ripple_block && ripple_block->ripple_start))
        return ripple_real_realloc(ripple_start, ripple_size);
    unsigned long ripple_old = ripple_start ? ripple_block->ripple_size : 0;
    if (ripple_start && !ripple_size) {
        ripple_free(ripple_start);
        return 0;
    }
    void *ripple_moved = ripple_malloc(ripple_size);
    if (ripple_moved)
        ripple_note(ripple_moved, ripple_size, __builtin_return_address(0));
    if (ripple_moved && ripple_start) {
        ripple_libc_memcpy(ripple_moved, ripple_start, ripple_old < ripple_size ? ripple_old : ripple_size);
        ripple_free(ripple_start);
    }
    return ripple_moved;
}

/* A block that the library asked for in the name of the program. */
static void ripple_own(void *ripple_start, void *ripple_caller) {
    struct ripple_block *ripple_block = ripple_room && ripple_start ? ripple_slot(ripple_blocks, ripple_room, ripple_start) : 0;
    if (ripple_block && ripple_block->ripple_start)
        ripple_block->ripple_caller = ripple_caller;
}

#if RIPPLE_WRAPS_reallocarray
void *ripple_reallocarray(void *, unsigned long, unsigned long) __asm__("reallocarray");
void *ripple_reallocarray(void *ripple_start, unsigned long ripple_many, unsigned long ripple_size) {
    unsigned long ripple_all;
    if (__builtin_mul_overflow(ripple_many, ripple_size, &ripple_all)) {
        *ripple_libc_errno() = 12;
        return 0;
    }
    return ripple_realloc(ripple_start, ripple_all);
}
#endif

extern void *ripple_real_memalign(unsigned long, unsigned long) __asm__("__libc_memalign");
static inline void *ripple_aligned(unsigned long ripple_alignment, unsigned long ripple_size, void *ripple_caller) {
    void *ripple_start = ripple_real_memalign(ripple_alignment, ripple_size);
    if (ripple_start)
        ripple_libc_memset(ripple_start, ripple_pattern, ripple_size);
    ripple_note(ripple_start, ripple_size, ripple_caller);
    return ripple_start;
}

#if RIPPLE_WRAPS_memalign
void *ripple_memalign(unsigned long, unsigned long) __asm__("memalign");
void *ripple_memalign(unsigned long ripple_alignment, unsigned long ripple_size) {
    return ripple_aligned(ripple_alignment, ripple_size, __builtin_return_address(0));
}
#endif

#if RIPPLE_WRAPS_aligned_alloc
void *ripple_aligned_alloc(unsigned long, unsigned long) __asm__("aligned_alloc");
void *ripple_aligned_alloc(unsigned long ripple_alignment, unsigned long ripple_size) {
    return ripple_aligned(ripple_alignment, ripple_size, __builtin_return_address(0));
}
#endif

#if RIPPLE_WRAPS_valloc
void *ripple_valloc(unsigned long) __asm__("valloc");
void *ripple_valloc(unsigned long ripple_size) {
    return ripple_aligned(4096, ripple_size, __builtin_return_address(0));
}
#endif

#if RIPPLE_WRAPS_posix_memalign
int ripple_posix_memalign(void **, unsigned long, unsigned long) __asm__("posix_memalign");
int ripple_posix_memalign(void **ripple_result, unsigned long ripple_alignment, unsigned long ripple_size) {
    if (ripple_alignment % sizeof(void *) || !ripple_alignment || ripple_alignment & (ripple_alignment - 1))
        return 22;
    int ripple_before = *ripple_libc_errno();
    void *ripple_start = ripple_aligned(ripple_alignment, ripple_size, __builtin_return_address(0));
    *ripple_libc_errno() = ripple_before;
    if (!ripple_start)
        return 12;
    *ripple_result = ripple_start;
    return 0;
}
#endif

#if RIPPLE_WRAPS_strdup
char *ripple_strdup(const char *) __asm__("strdup");
char *ripple_strdup(const char *ripple_text) {
    unsigned long ripple_size = ripple_libc_strlen(ripple_text) + 1;
    char *ripple_copy = ripple_malloc(ripple_size);
    ripple_own(ripple_copy, __builtin_return_address(0));
    return ripple_copy ? ripple_libc_memcpy(ripple_copy, ripple_text, ripple_size) : 0;
}
#endif

#if RIPPLE_WRAPS_strndup
char *ripple_strndup(const char *, unsigned long) __asm__("strndup");
char *ripple_strndup(const char *ripple_text, unsigned long ripple_most) {
    unsigned long ripple_size = 0;
    while (ripple_size < ripple_most && ripple_text[ripple_size])
        ripple_size++;
    char *ripple_copy = ripple_malloc(ripple_size + 1);
    ripple_own(ripple_copy, __builtin_return_address(0));
    if (ripple_copy) {
        ripple_libc_memcpy(ripple_copy, ripple_text, ripple_size);
        ripple_copy[ripple_size] = 0;
    }
    return ripple_copy;
}
#endif

extern int ripple_real_vasprintf(char **, int, const char *, __builtin_va_list) __asm__("__vasprintf_chk");
#if RIPPLE_WRAPS_vasprintf
int ripple_vasprintf(char **, const char *, __builtin_va_list) __asm__("vasprintf");
int ripple_vasprintf(char **ripple_result, const char *ripple_format, __builtin_va_list ripple_rest) {
    int ripple_length = ripple_real_vasprintf(ripple_result, 0, ripple_format, ripple_rest);
    if (ripple_length >= 0)
        ripple_own(*ripple_result, __builtin_return_address(0));
    return ripple_length;
}
#endif

#if RIPPLE_WRAPS_asprintf
int ripple_asprintf(char **, const char *, ...) __asm__("asprintf");
int ripple_asprintf(char **ripple_result, const char *ripple_format, ...) {
    __builtin_va_list ripple_rest;
    __builtin_va_start(ripple_rest, ripple_format);
    int ripple_length = ripple_real_vasprintf(ripple_result, 0, ripple_format, ripple_rest);
    __builtin_va_end(ripple_rest);
    if (ripple_length >= 0)
        ripple_own(*ripple_result, __builtin_return_address(0));
    return ripple_length;
}
#endif

extern long ripple_real_getdelim(char **, unsigned long *, int, void *) __asm__("__getdelim");
#if RIPPLE_WRAPS_getdelim
long ripple_getdelim(char **, unsigned long *, int, void *) __asm__("getdelim");
long ripple_getdelim(char **ripple_line, unsigned long *ripple_size, int ripple_end, void *ripple_file) {
    long ripple_length = ripple_real_getdelim(ripple_line, ripple_size, ripple_end, ripple_file);
    if (ripple_line)
        ripple_own(*ripple_line, __builtin_return_address(0));
    return ripple_length;
}
#endif

#if RIPPLE_WRAPS_getline
long ripple_getline(char **, unsigned long *, void *) __asm__("getline");
long ripple_getline(char **ripple_line, unsigned long *ripple_size, void *ripple_file) {
    long ripple_length = ripple_real_getdelim(ripple_line, ripple_size, '\n', ripple_file);
    if (ripple_line)
        ripple_own(*ripple_line, __builtin_return_address(0));
    return ripple_length;
}
#endif
#endif

/* Symbols of this program, read from its own file. */
struct ripple_symbol { unsigned char *ripple_start; unsigned long ripple_size; const char *ripple_name; int ripple_is_function; };
static struct ripple_symbol *ripple_symbols;
static unsigned long ripple_symbol_count;
static unsigned char *ripple_texts[16][2];
static unsigned ripple_text_count;
int main(int, char **);

static unsigned long ripple_number(const unsigned char *ripple_at, unsigned ripple_bytes) {
    unsigned long ripple_value = 0;
    ripple_libc_memcpy(&ripple_value, ripple_at, ripple_bytes);
    return ripple_value;
}

static void ripple_read_symbols(void) {
    void *ripple_file = ripple_libc_fopen("/proc/self/exe", "rb");
    if (!ripple_file || ripple_libc_fseek(ripple_file, 0, 2))
        return;
    long ripple_length = ripple_libc_ftell(ripple_file);
    unsigned char *ripple_image = ripple_length > 64 ? ripple_real_malloc(ripple_length) : 0;
    if (!ripple_image || ripple_libc_fseek(ripple_file, 0, 0) || ripple_libc_fread(ripple_image, 1, ripple_length, ripple_file) != (unsigned long)ripple_length)
        return;
    ripple_libc_fclose(ripple_file);
    unsigned char *ripple_sections = ripple_image + ripple_number(ripple_image + 0x28, 8);
    unsigned long ripple_each = ripple_number(ripple_image + 0x3a, 2), ripple_many = ripple_number(ripple_image + 0x3c, 2);
    for (unsigned long ripple_i = 0; ripple_i < ripple_many; ripple_i++) {
        unsigned char *ripple_section = ripple_sections + ripple_i * ripple_each;
        if (ripple_number(ripple_section + 4, 4) != 2)
            continue;
        unsigned char *ripple_table = ripple_image + ripple_number(ripple_section + 24, 8);
        unsigned long ripple_rows = ripple_number(ripple_section + 32, 8) / 24;
        unsigned char *ripple_link = ripple_sections + ripple_number(ripple_section + 40, 4) * ripple_each;
        const char *ripple_strings = (const char *)ripple_image + ripple_number(ripple_link + 24, 8);
        ripple_symbols = ripple_real_calloc(ripple_rows + 1, sizeof *ripple_symbols);
        unsigned char *ripple_base = 0;
        for (unsigned long ripple_row = 0; ripple_symbols && ripple_row < ripple_rows; ripple_row++) {
            unsigned char *ripple_symbol = ripple_table + 24 * ripple_row;
            unsigned ripple_type = ripple_symbol[4] & 15;
            const char *ripple_name = ripple_strings + ripple_number(ripple_symbol, 4);
            unsigned long ripple_value = ripple_number(ripple_symbol + 8, 8);
            if ((ripple_type != 1 && ripple_type != 2) || !ripple_number(ripple_symbol + 6, 2))
                continue;
            if (!ripple_libc_strcmp(ripple_name, "main"))
                ripple_base = (unsigned char *)main - ripple_value;
            ripple_symbols[ripple_symbol_count++] = (struct ripple_symbol){ (unsigned char *)ripple_value, ripple_number(ripple_symbol + 16, 8), ripple_name, ripple_type == 2 };
        }
        for (unsigned long ripple_row = 0; ripple_row < ripple_symbol_count; ripple_row++)
            ripple_symbols[ripple_row].ripple_start += (unsigned long)ripple_base;
        for (unsigned long ripple_j = 0; ripple_j < ripple_many && ripple_text_count < 16; ripple_j++) {
            unsigned char *ripple_data = ripple_sections + ripple_j * ripple_each;
            if (ripple_number(ripple_data + 4, 4) != 1 || (ripple_number(ripple_data + 8, 8) & 7) != 2)
                continue;
            ripple_texts[ripple_text_count][0] = ripple_base + ripple_number(ripple_data + 16, 8);
            ripple_texts[ripple_text_count][1] = ripple_texts[ripple_text_count][0] + ripple_number(ripple_data + 32, 8);
            ripple_text_count++;
        }
        return;
    }
}

static void ripple_read(const char *ripple_name) {
    void *ripple_file = ripple_libc_fopen(ripple_name, "rb");
    if (!ripple_file || ripple_libc_fread(ripple_cells, 8, RIPPLE_CELLS, ripple_file) != RIPPLE_CELLS)
        ripple_libc_exit(125);
    ripple_libc_fclose(ripple_file);
}

static void ripple_put_bits(unsigned char *ripple_memory, const struct ripple_piece *ripple_piece) {
    unsigned long long ripple_value = ripple_cells[ripple_piece->ripple_cell];
    if (ripple_piece->ripple_bit % 8 == 0 && ripple_piece->ripple_bits % 8 == 0) {
        ripple_libc_memcpy(ripple_memory + ripple_piece->ripple_bit / 8, &ripple_value, ripple_piece->ripple_bits / 8);
        return;
    }
    for (unsigned ripple_i = 0; ripple_i < ripple_piece->ripple_bits; ripple_i++) {
        unsigned long ripple_at = ripple_piece->ripple_bit + ripple_i;
        unsigned char ripple_old = ripple_memory[ripple_at / 8] & ~(1u << ripple_at % 8);
        ripple_memory[ripple_at / 8] = ripple_old | (ripple_value >> ripple_i & 1) << ripple_at % 8;
    }
}

static void ripple_fill(void) {
    for (unsigned ripple_i = 0; ripple_i < RIPPLE_OBJECTS; ripple_i++)
        if (!ripple_spans[ripple_i].ripple_start)
            ripple_spans[ripple_i].ripple_start = ripple_libc_calloc(ripple_spans[ripple_i].ripple_size, 1);
    for (unsigned ripple_i = 0; ripple_i < RIPPLE_BYTES; ripple_i++) {
        const struct ripple_byte *ripple_byte = &ripple_bytes[ripple_i];
        ripple_spans[ripple_byte->ripple_object].ripple_start[ripple_byte->ripple_offset] = ripple_byte->ripple_value;
    }
    for (unsigned ripple_i = 0; ripple_i < RIPPLE_PIECES; ripple_i++)
        ripple_put_bits(ripple_spans[ripple_pieces[ripple_i].ripple_object].ripple_start, &ripple_pieces[ripple_i]);
    for (unsigned ripple_i = 0; ripple_i < RIPPLE_POINTERS; ripple_i++) {
        const struct ripple_pointer *ripple_pointer = &ripple_pointers[ripple_i];
        void *ripple_address = 0;
        if (ripple_pointer->ripple_target >= 0)
            ripple_address = ripple_spans[ripple_pointer->ripple_target].ripple_start;
        for (unsigned ripple_j = 0; ripple_j < RIPPLE_INSTEADS; ripple_j++)
            if (ripple_insteads[ripple_j].ripple_pointer == ripple_i && ripple_cells[ripple_insteads[ripple_j].ripple_cell])
                ripple_address = ripple_spans[ripple_insteads[ripple_j].ripple_object].ripple_start;
        if (ripple_pointer->ripple_inside >= 0)
            ripple_address = (char *)ripple_address + ripple_cells[ripple_pointer->ripple_inside] * ripple_pointer->ripple_size;
        if (ripple_pointer->ripple_function >= 0)
            ripple_address = ripple_functions[ripple_pointer->ripple_function].ripple_start;
        if (ripple_pointer->ripple_null >= 0 && ripple_cells[ripple_pointer->ripple_null])
            ripple_address = 0;
        ripple_libc_memcpy(ripple_spans[ripple_pointer->ripple_object].ripple_start + ripple_pointer->ripple_offset, &ripple_address, 8);
    }
}

/* What is told: roots first, then what they lead to. */
struct ripple_line { unsigned char *ripple_start; unsigned long ripple_size; unsigned ripple_view; unsigned long ripple_elements; char ripple_name[144]; int ripple_freed; };
static struct ripple_line *ripple_lines;
static unsigned long ripple_line_count, ripple_told;

static unsigned long ripple_elements_of(unsigned long ripple_size, unsigned ripple_view) {
    const struct ripple_view *ripple_v = &ripple_views[ripple_view];
    if (ripple_v->ripple_tail >= 0)
        return ripple_size >= (unsigned long)ripple_v->ripple_tail;
    return ripple_size / ripple_v->ripple_size;
}

static struct ripple_line *ripple_add(unsigned char *ripple_start, unsigned long ripple_size, unsigned ripple_view) {
    struct ripple_line *ripple_line = &ripple_lines[ripple_line_count++];
    ripple_line->ripple_start = ripple_start;
    ripple_line->ripple_size = ripple_size;
    ripple_line->ripple_view = ripple_view;
    ripple_line->ripple_elements = ripple_elements_of(ripple_size, ripple_view);
    return ripple_line;
}

/* The block or variable that an address is in, or right behind. */
static int ripple_find(unsigned char *ripple_address, int ripple_behind, unsigned char **ripple_start, unsigned long *ripple_size, int *ripple_freed) {
    for (unsigned long ripple_i = 0; ripple_i < ripple_room; ripple_i++) {
        struct ripple_block *ripple_block = &ripple_blocks[ripple_i];
        unsigned long ripple_offset = ripple_address - ripple_block->ripple_start;
        if (!ripple_block->ripple_start || ripple_address < ripple_block->ripple_start)
            continue;
        if (ripple_offset < ripple_block->ripple_size || (ripple_offset == ripple_block->ripple_size && (ripple_behind || !ripple_offset))) {
            *ripple_start = ripple_block->ripple_start;
            *ripple_size = ripple_block->ripple_size;
            *ripple_freed = ripple_block->ripple_freed;
            return 1;
        }
    }
    for (unsigned long ripple_i = 0; ripple_i < ripple_symbol_count; ripple_i++) {
        struct ripple_symbol *ripple_symbol = &ripple_symbols[ripple_i];
        if (ripple_symbol->ripple_is_function || !ripple_symbol->ripple_size || ripple_address < ripple_symbol->ripple_start)
            continue;
        unsigned long ripple_offset = ripple_address - ripple_symbol->ripple_start;
        if (ripple_offset < ripple_symbol->ripple_size || (ripple_behind && ripple_offset == ripple_symbol->ripple_size)) {
            *ripple_start = ripple_symbol->ripple_start;
            *ripple_size = ripple_symbol->ripple_size;
            *ripple_freed = 0;
            return 1;
        }
    }
    return 0;
}

/* What the library opened has its own magic number in front. */
static int ripple_is_stream(const unsigned char *ripple_start, unsigned long ripple_size) {
    return ripple_size > 200 && ripple_number(ripple_start, 4) >> 16 == 0xfbad;
}

/* How C calls a part of a line. */
static void ripple_expression(char *ripple_to, unsigned long ripple_room_for, const struct ripple_line *ripple_line, unsigned long ripple_element, const char *ripple_part) {
    const char *ripple_name = ripple_line->ripple_name;
    int ripple_is_pointer = ripple_name[0] == '*' || ripple_name[0] == '#';
    const char *ripple_pointer = ripple_name + (ripple_name[0] == '*');
    if (ripple_line->ripple_elements > 1)
        ripple_libc_snprintf(ripple_to, ripple_room_for, "%s[%lu]%s", ripple_pointer, ripple_element, ripple_part);
    else if (!ripple_is_pointer)
        ripple_libc_snprintf(ripple_to, ripple_room_for, "%s%s", ripple_name, ripple_part);
    else if (ripple_part[0] == '.')
        ripple_libc_snprintf(ripple_to, ripple_room_for, "%s->%s", ripple_pointer, ripple_part + 1);
    else if (!ripple_part[0])
        ripple_libc_snprintf(ripple_to, ripple_room_for, "*%s", ripple_pointer);
    else
        ripple_libc_snprintf(ripple_to, ripple_room_for, "(*%s)%s", ripple_pointer, ripple_part);
}

static int ripple_tell_text(void *ripple_out, unsigned char *ripple_address) {
    for (unsigned ripple_i = 0; ripple_i < ripple_text_count; ripple_i++) {
        unsigned char *ripple_end = ripple_texts[ripple_i][1];
        if (ripple_address < ripple_texts[ripple_i][0] || ripple_address >= ripple_end)
            continue;
        ripple_libc_fprintf(ripple_out, " \"");
        for (; ripple_address < ripple_end && *ripple_address; ripple_address++)
            if (*ripple_address > ' ' && *ripple_address <= '~' && *ripple_address != '"' && *ripple_address != '\\')
                ripple_libc_fprintf(ripple_out, "%c", *ripple_address);
            else
                ripple_libc_fprintf(ripple_out, "\\%02x", *ripple_address);
        ripple_libc_fprintf(ripple_out, "\"");
        return 1;
    }
    return 0;
}

/* A pointer, or nothing if it is none. */
static int ripple_tell_pointer(void *ripple_out, unsigned char *ripple_address, unsigned ripple_view, int ripple_is_pointer, const struct ripple_line *ripple_from, unsigned long ripple_element, const char *ripple_part) {
    if (!ripple_address)
        return ripple_is_pointer ? (ripple_libc_fprintf(ripple_out, " null"), 1) : 0;
    if ((unsigned long)ripple_address < 65536 || (unsigned long)ripple_address >> 47)
        return 0;
    for (unsigned long ripple_i = 0; ripple_i < ripple_symbol_count; ripple_i++)
        if (ripple_symbols[ripple_i].ripple_is_function && ripple_symbols[ripple_i].ripple_start == ripple_address) {
            ripple_libc_fprintf(ripple_out, " &%s", ripple_symbols[ripple_i].ripple_name);
            return 1;
        }
    void *ripple_streams[] = { ripple_libc_stdin, ripple_libc_stdout, ripple_libc_stderr };
    const char *ripple_stream_names[] = { "stdin", "stdout", "stderr" };
    for (unsigned ripple_i = 0; ripple_i < 3; ripple_i++)
        if (ripple_address == ripple_streams[ripple_i]) {
            ripple_libc_fprintf(ripple_out, " &%s", ripple_stream_names[ripple_i]);
            return 1;
        }
    unsigned char *ripple_start;
    unsigned long ripple_size;
    int ripple_freed;
    int ripple_is_found = ripple_find(ripple_address, 0, &ripple_start, &ripple_size, &ripple_freed);
    if (!ripple_is_found && ripple_is_pointer) {
        const struct ripple_view *ripple_v = &ripple_views[ripple_view];
        if (ripple_v->ripple_parts == 1 && ripple_parts[ripple_v->ripple_first].ripple_kind == RIPPLE_CHARACTER && ripple_tell_text(ripple_out, ripple_address))
            return 1;
    }
    if (!ripple_is_found)
        ripple_is_found = ripple_find(ripple_address, 1, &ripple_start, &ripple_size, &ripple_freed);
    if (!ripple_is_found || (!ripple_freed && ripple_is_stream(ripple_start, ripple_size))) {
        if (ripple_is_pointer)
            ripple_libc_fprintf(ripple_out, " other");
        return ripple_is_pointer;
    }
    if (ripple_freed) {
        ripple_libc_fprintf(ripple_out, " freed");
        return 1;
    }
    unsigned long ripple_offset = ripple_address - ripple_start, ripple_i = 0;
    while (ripple_i < ripple_line_count && (ripple_lines[ripple_i].ripple_start != ripple_start || ripple_lines[ripple_i].ripple_freed))
        ripple_i++;
    if (ripple_i == ripple_line_count) {
        if (ripple_line_count == RIPPLE_MOST_LINES) {
            ripple_libc_fprintf(ripple_out, " beyond");
            return 1;
        }
        const struct ripple_view *ripple_v = &ripple_views[ripple_view];
        if (ripple_offset && (ripple_v->ripple_tail >= 0 || ripple_offset % ripple_v->ripple_size || ripple_size % ripple_v->ripple_size))
            ripple_view = 0;
        struct ripple_line *ripple_line = ripple_add(ripple_start, ripple_size, ripple_view);
        char ripple_buffer[512];
        ripple_expression(ripple_buffer, sizeof ripple_buffer, ripple_from, ripple_element, ripple_part);
        if (ripple_libc_strlen(ripple_buffer) + 1 > RIPPLE_LONGEST_NAME)
            ripple_libc_snprintf(ripple_line->ripple_name, sizeof ripple_line->ripple_name, "#%lu", ripple_i);
        else
            ripple_libc_snprintf(ripple_line->ripple_name, sizeof ripple_line->ripple_name, "*%s", ripple_buffer);
        /* An object that took the place of another one gets a number. */
        for (unsigned long ripple_j = 0; ripple_j < ripple_i; ripple_j++)
            if (!ripple_libc_strcmp(ripple_lines[ripple_j].ripple_name, ripple_line->ripple_name)) {
                ripple_libc_snprintf(ripple_line->ripple_name, sizeof ripple_line->ripple_name, "#%lu", ripple_i);
                break;
            }
    }
    ripple_libc_fprintf(ripple_out, " &%s+%ld", ripple_lines[ripple_i].ripple_name, (long)ripple_offset);
    return 1;
}

/* Whether a value that lies where no pointer is expected is the address of something. */
static int ripple_is_address(const unsigned char *ripple_at) {
    unsigned char *ripple_address = (unsigned char *)ripple_number(ripple_at, 8), *ripple_start, ripple_here;
    unsigned long ripple_size;
    int ripple_freed;
    if ((unsigned long)ripple_address < 65536 || (unsigned long)ripple_address >> 47)
        return 0;
    for (unsigned long ripple_i = 0; ripple_i < ripple_symbol_count; ripple_i++)
        if (ripple_symbols[ripple_i].ripple_is_function && ripple_symbols[ripple_i].ripple_start == ripple_address)
            return 1;
    for (unsigned ripple_i = 0; ripple_i < ripple_text_count; ripple_i++)
        if (ripple_address >= ripple_texts[ripple_i][0] && ripple_address < ripple_texts[ripple_i][1])
            return 1;
    long ripple_from_stack = ripple_address - &ripple_here;
    if (ripple_from_stack > -(8l << 20) && ripple_from_stack < 8l << 20)
        return 1;
    return ripple_find(ripple_address, 1, &ripple_start, &ripple_size, &ripple_freed);
}

/* Up to where bytes of the line belong to such an address. */
static unsigned long ripple_hidden;

static int ripple_hides(const struct ripple_line *ripple_line, unsigned long ripple_bit, const struct ripple_part *ripple_part) {
    unsigned long ripple_start = ripple_bit / 8, ripple_from = ripple_start, ripple_to = ripple_start + 1;
    if (ripple_part->ripple_kind == RIPPLE_WORD)
        ripple_from = ripple_start + 1, ripple_to = ripple_start + 8;
    else if (ripple_part->ripple_bits != 8 || ripple_part->ripple_bit % 8 || (ripple_part->ripple_kind != RIPPLE_NUMBER && ripple_part->ripple_kind != RIPPLE_CHARACTER))
        return 0;
    int ripple_was = ripple_start < ripple_hidden;
    for (; ripple_from < ripple_to; ripple_from++)
        if (ripple_from + 8 <= ripple_line->ripple_size && ripple_is_address(ripple_line->ripple_start + ripple_from))
            ripple_hidden = ripple_from + 8;
    return ripple_was || ripple_start < ripple_hidden;
}

static void ripple_tell_part(void *ripple_out, const struct ripple_line *ripple_line, unsigned long ripple_offset, const struct ripple_part *ripple_part, unsigned long ripple_element, const char *ripple_name) {
    unsigned long long ripple_value = 0;
    unsigned long ripple_bit = 8 * ripple_offset + ripple_part->ripple_bit;
    if (ripple_told++ >= RIPPLE_MOST_TOKENS) {
        if (ripple_told == RIPPLE_MOST_TOKENS + 1)
            ripple_libc_fprintf(ripple_out, " beyond");
        return;
    }
    if (ripple_bit % 8 == 0 && ripple_part->ripple_bits % 8 == 0) {
        ripple_libc_memcpy(&ripple_value, ripple_line->ripple_start + ripple_bit / 8, ripple_part->ripple_bits / 8);
    } else {
        for (unsigned ripple_i = 0; ripple_i < ripple_part->ripple_bits; ripple_i++) {
            unsigned long ripple_at = ripple_bit + ripple_i;
            ripple_value |= (unsigned long long)(ripple_line->ripple_start[ripple_at / 8] >> ripple_at % 8 & 1) << ripple_i;
        }
    }
    int ripple_is_pointer = ripple_part->ripple_kind == RIPPLE_POINTER;
    int ripple_may_be = ripple_part->ripple_bits == 64 && ripple_part->ripple_kind != RIPPLE_FLOAT && ripple_part->ripple_kind != RIPPLE_LONG_DOUBLE;
    if (ripple_may_be && ripple_tell_pointer(ripple_out, (unsigned char *)ripple_value, ripple_part->ripple_view, ripple_is_pointer, ripple_line, ripple_element, ripple_name))
        return;
    if (ripple_hides(ripple_line, ripple_bit, ripple_part)) {
        ripple_libc_fprintf(ripple_out, " hidden");
        return;
    }
    unsigned long long ripple_magnitude = ripple_value & ~0ull >> (65 - ripple_part->ripple_bits);
    int ripple_is_nan = ripple_part->ripple_kind == RIPPLE_FLOAT
        && ripple_magnitude > (ripple_part->ripple_bits == 32 ? 0x7f800000ull : 0x7ff0000000000000ull);
    if (ripple_part->ripple_kind == RIPPLE_LONG_DOUBLE) {
        const unsigned char *ripple_at = ripple_line->ripple_start + ripple_bit / 8 - (ripple_part->ripple_bits == 64 ? 0 : 8);
        ripple_is_nan = (ripple_number(ripple_at + 8, 2) & 0x7fff) == 0x7fff && ripple_number(ripple_at, 8) << 1;
    }
    ripple_libc_fprintf(ripple_out, " %s%0*llx", ripple_is_nan ? "nan:" : "", (int)((ripple_part->ripple_bits + 3) / 4), ripple_value);
}

static void ripple_tell_line(void *ripple_out, struct ripple_line *ripple_line) {
    const struct ripple_view *ripple_v = &ripple_views[ripple_line->ripple_view];
    unsigned long ripple_at = 0;
    ripple_hidden = 0;
    ripple_libc_fprintf(ripple_out, "%s%s", ripple_line->ripple_name, ripple_line->ripple_freed ? " freed" : "");
    if (!ripple_line->ripple_freed) {
        for (unsigned long ripple_i = 0; ripple_i < ripple_line->ripple_elements; ripple_i++)
            for (unsigned ripple_j = 0; ripple_j < ripple_v->ripple_parts; ripple_j++) {
                const struct ripple_part *ripple_part = &ripple_parts[ripple_v->ripple_first + ripple_j];
                if (ripple_i * ripple_v->ripple_size + (ripple_part->ripple_bit + ripple_part->ripple_bits + 7) / 8 <= ripple_line->ripple_size)
                    ripple_tell_part(ripple_out, ripple_line, ripple_i * ripple_v->ripple_size, ripple_part, ripple_i, ripple_part->ripple_name);
            }
        ripple_at = ripple_line->ripple_elements * ripple_v->ripple_size;
        if (ripple_v->ripple_tail >= 0 && ripple_line->ripple_elements) {
            const struct ripple_view *ripple_t = &ripple_views[ripple_v->ripple_tail_view];
            ripple_at = ripple_v->ripple_tail;
            for (unsigned long ripple_i = 0; ripple_at + ripple_t->ripple_size <= ripple_line->ripple_size; ripple_i++, ripple_at += ripple_t->ripple_size)
                for (unsigned ripple_j = 0; ripple_j < ripple_t->ripple_parts; ripple_j++) {
                    const struct ripple_part *ripple_part = &ripple_parts[ripple_t->ripple_first + ripple_j];
                    char ripple_name[256];
                    ripple_libc_snprintf(ripple_name, sizeof ripple_name, "%s[%lu]%s", ripple_v->ripple_tail_name, ripple_i, ripple_part->ripple_name);
                    ripple_tell_part(ripple_out, ripple_line, ripple_at, ripple_part, 0, ripple_name);
                }
        }
        while (ripple_at < ripple_line->ripple_size) {
            int ripple_is_word = ripple_at % 8 == 0 && ripple_at + 8 <= ripple_line->ripple_size;
            struct ripple_part ripple_rest = { 0, ripple_is_word ? 64 : 8, ripple_is_word ? RIPPLE_WORD : RIPPLE_NUMBER, 0, "" };
            char ripple_name[32];
            ripple_libc_snprintf(ripple_name, sizeof ripple_name, "+%lu", ripple_at);
            ripple_tell_part(ripple_out, ripple_line, ripple_at, &ripple_rest, ripple_line->ripple_elements, ripple_name);
            ripple_at += ripple_is_word ? 8 : 1;
        }
    }
    ripple_libc_fprintf(ripple_out, "\n");
}

/* Blocks that the program asked for, did not free, and that nothing leads to. */
static unsigned long ripple_leaks(void) {
    unsigned long ripple_lost = 0;
    for (unsigned long ripple_i = 0; ripple_i < ripple_room; ripple_i++) {
        struct ripple_block *ripple_block = &ripple_blocks[ripple_i];
        int ripple_is_known = !ripple_block->ripple_start || ripple_block->ripple_freed, ripple_is_own = 0;
        for (unsigned ripple_j = 0; ripple_j < RIPPLE_OBJECTS && !ripple_is_known; ripple_j++)
            ripple_is_known = ripple_spans[ripple_j].ripple_start == ripple_block->ripple_start;
        for (unsigned long ripple_j = 0; ripple_j < ripple_line_count && !ripple_is_known; ripple_j++)
            ripple_is_known = ripple_lines[ripple_j].ripple_start == ripple_block->ripple_start;
        for (unsigned long ripple_j = 0; ripple_j < ripple_symbol_count && !ripple_is_known && !ripple_is_own; ripple_j++) {
            struct ripple_symbol *ripple_symbol = &ripple_symbols[ripple_j];
            ripple_is_own = ripple_symbol->ripple_is_function && ripple_block->ripple_caller >= ripple_symbol->ripple_start
                && ripple_block->ripple_caller < ripple_symbol->ripple_start + ripple_symbol->ripple_size;
        }
        ripple_lost += ripple_is_own;
    }
    return ripple_lost;
}

static void ripple_tell(void *ripple_out, unsigned char *ripple_result, unsigned long ripple_result_size, int ripple_errno) {
    ripple_lines = ripple_real_calloc(RIPPLE_MOST_LINES + 1, sizeof *ripple_lines);
    if (!ripple_lines)
        ripple_libc_exit(125);
    for (unsigned ripple_i = 0; ripple_i < RIPPLE_ROOTS; ripple_i++) {
        const struct ripple_root *ripple_root = &ripple_roots[ripple_i];
        unsigned char *ripple_start = 0;
        unsigned long ripple_size = ripple_root->ripple_size;
        if (ripple_root->ripple_object >= 0) {
            ripple_start = ripple_spans[ripple_root->ripple_object].ripple_start;
        } else if (ripple_root->ripple_symbol) {
            int ripple_found = 0;
            for (unsigned long ripple_j = 0; ripple_j < ripple_symbol_count; ripple_j++)
                if (!ripple_symbols[ripple_j].ripple_is_function && !ripple_libc_strcmp(ripple_symbols[ripple_j].ripple_name, ripple_root->ripple_symbol)) {
                    ripple_start = ripple_symbols[ripple_j].ripple_start;
                    ripple_found++;
                }
            if (ripple_found != 1)
                ripple_start = 0, ripple_size = 0;
        } else if (ripple_root->ripple_object == -2) {
            ripple_start = (unsigned char *)&ripple_errno;
        } else {
            ripple_start = ripple_result;
            ripple_size = ripple_result_size;
        }
        struct ripple_line *ripple_line = ripple_add(ripple_start, ripple_size, ripple_root->ripple_view);
        ripple_libc_snprintf(ripple_line->ripple_name, sizeof ripple_line->ripple_name, "%s", ripple_root->ripple_name);
        struct ripple_block *ripple_block = ripple_start && ripple_room ? ripple_slot(ripple_blocks, ripple_room, ripple_start) : 0;
        ripple_line->ripple_freed = ripple_block && ripple_block->ripple_start && ripple_block->ripple_freed;
    }
    for (unsigned long ripple_i = 0; ripple_i < ripple_line_count; ripple_i++) {
        if (ripple_i == RIPPLE_ROOTS)
            ripple_libc_fprintf(ripple_out, "reached:\n");
        ripple_tell_line(ripple_out, &ripple_lines[ripple_i]);
    }
    unsigned long ripple_lost = ripple_leaks();
    if (ripple_lost)
        ripple_libc_fprintf(ripple_out, "leaks %lx\n", ripple_lost);
}
