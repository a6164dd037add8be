static void ripple_forget(void *ripple_address) {
    for (unsigned ripple_i = 0; ripple_i < RIPPLE_OBJECTS; ripple_i++)
        if (ripple_address && ripple_spans[ripple_i].ripple_start == ripple_address)
            ripple_spans[ripple_i].ripple_freed = 1;
}

void ripple_free(void *ripple_address) {
    ripple_forget(ripple_address);
    ripple_libc_free(ripple_address);
}

void *ripple_realloc(void *ripple_address, unsigned long ripple_size) {
    void *ripple_moved = ripple_libc_realloc(ripple_address, ripple_size);
    if (ripple_moved || !ripple_size)
        ripple_forget(ripple_address);
    return ripple_moved;
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
        if (ripple_pointer->ripple_inside >= 0)
            ripple_address = (char *)ripple_address + ripple_cells[ripple_pointer->ripple_inside] * ripple_pointer->ripple_size;
        if (ripple_pointer->ripple_function >= 0)
            ripple_address = ripple_functions[ripple_pointer->ripple_function].ripple_start;
        if (ripple_pointer->ripple_null >= 0 && ripple_cells[ripple_pointer->ripple_null])
            ripple_address = 0;
        ripple_libc_memcpy(ripple_spans[ripple_pointer->ripple_object].ripple_start + ripple_pointer->ripple_offset, &ripple_address, 8);
    }
}

static int ripple_tell_span(void *ripple_out, unsigned char *ripple_address, struct ripple_span *ripple_span, int ripple_behind) {
    unsigned char *ripple_start = ripple_span->ripple_start;
    unsigned long ripple_size = ripple_span->ripple_size;
    if (!ripple_span->ripple_shown || ripple_address < ripple_start || ripple_address > ripple_start + ripple_size)
        return 0;
    if (ripple_address == ripple_start + ripple_size && ripple_size && !ripple_behind)
        return 0;
    ripple_libc_fprintf(ripple_out, " &%s+%lu", ripple_span->ripple_name, (unsigned long)(ripple_address - ripple_start));
    return 1;
}

static void ripple_tell_pointer(void *ripple_out, unsigned char *ripple_address) {
    if (!ripple_address) {
        ripple_libc_fprintf(ripple_out, " null");
        return;
    }
    for (int ripple_behind = 0; ripple_behind < 2; ripple_behind++)
        for (unsigned ripple_i = 0; ripple_i < RIPPLE_OBJECTS; ripple_i++)
            if (ripple_tell_span(ripple_out, ripple_address, &ripple_spans[ripple_i], ripple_behind))
                return;
    for (unsigned ripple_i = 0; ripple_i < RIPPLE_FUNCTIONS; ripple_i++)
        if (ripple_address == ripple_functions[ripple_i].ripple_start) {
            ripple_libc_fprintf(ripple_out, " &%s", ripple_functions[ripple_i].ripple_name);
            return;
        }
    ripple_libc_fprintf(ripple_out, " other");
}

static void ripple_tell_leaf(void *ripple_out, const unsigned char *ripple_memory, const struct ripple_leaf *ripple_leaf) {
    unsigned long long ripple_value = 0;
    if (ripple_leaf->ripple_bit % 8 == 0 && ripple_leaf->ripple_bits % 8 == 0) {
        ripple_libc_memcpy(&ripple_value, ripple_memory + ripple_leaf->ripple_bit / 8, ripple_leaf->ripple_bits / 8);
    } else {
        for (unsigned ripple_i = 0; ripple_i < ripple_leaf->ripple_bits; ripple_i++) {
            unsigned long ripple_at = ripple_leaf->ripple_bit + ripple_i;
            ripple_value |= (unsigned long long)(ripple_memory[ripple_at / 8] >> ripple_at % 8 & 1) << ripple_i;
        }
    }
    if (ripple_leaf->ripple_is_pointer)
        ripple_tell_pointer(ripple_out, (unsigned char *)ripple_value);
    else
        ripple_libc_fprintf(ripple_out, " %0*llx", (int)((ripple_leaf->ripple_bits + 3) / 4), ripple_value);
}

static void ripple_tell_objects(void *ripple_out) {
    unsigned ripple_next = 0;
    for (unsigned ripple_i = 0; ripple_i < RIPPLE_OBJECTS; ripple_i++) {
        struct ripple_span *ripple_span = &ripple_spans[ripple_i];
        if (ripple_span->ripple_shown)
            ripple_libc_fprintf(ripple_out, "%s%s", ripple_span->ripple_name, ripple_span->ripple_freed ? " freed" : "");
        for (; ripple_next < RIPPLE_LEAVES && ripple_leaves[ripple_next].ripple_object == ripple_i; ripple_next++)
            if (ripple_span->ripple_shown && !ripple_span->ripple_freed)
                ripple_tell_leaf(ripple_out, ripple_span->ripple_start, &ripple_leaves[ripple_next]);
        if (ripple_span->ripple_shown)
            ripple_libc_fprintf(ripple_out, "\n");
    }
}
