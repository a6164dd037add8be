/* The inputs that every codec is tried on, and a checksum of its own. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
    const char *name;
    unsigned char *bytes;
    size_t size;
};

static uint32_t seed = 12345;

static uint32_t next_random(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static uint32_t checksum(const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < size; i++) hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

static struct input make_input(int which) {
    static const char *const words[] = {"the ", "quick ", "brown ", "fox ", "jumps ", "over ",
                                        "a ", "lazy ", "dog", ", ", ". ", "\n", "and ", "then "};
    struct input in = {"empty", NULL, 0};
    switch (which) {
    case 1: in.name = "one byte", in.size = 1; break;
    case 2: in.name = "text", in.size = 20000; break;
    case 3: in.name = "binary", in.size = 12288; break;
    case 4: in.name = "repetitive", in.size = LARGE; break;
    case 5: in.name = "random", in.size = 10000; break;
    case 6: in.name = "zeros", in.size = 5000; break;
    default: break;
    }
    in.bytes = malloc(in.size + 1);
    for (size_t i = 0; i < in.size;) {
        if (which == 2) {
            const char *word = words[next_random() % 14];
            for (; *word && i < in.size; word++) in.bytes[i++] = (unsigned char)*word;
            continue;
        }
        unsigned char byte = 'x';
        if (which == 3) byte = (unsigned char)(i % 12 < 4 ? i >> (i % 4 * 8) : i % 12 < 8 ? next_random() % 3 : 0);
        if (which == 4) byte = (unsigned char)("abracadabra"[i % 11] + (i % 1009 == 0));
        if (which == 5) byte = (unsigned char)next_random();
        if (which == 6) byte = 0;
        in.bytes[i++] = byte;
    }
    in.bytes[in.size] = 0;
    return in;
}

#define INPUTS 7

/* Reports one round trip. */
static void report(const char *what, const struct input *in, const void *packed, size_t packed_size,
                   const void *unpacked, size_t unpacked_size) {
    int same = unpacked_size == in->size && (in->size == 0 || memcmp(unpacked, in->bytes, in->size) == 0);
    printf("%-14s %-11s %7zu -> %7zu %08x %s\n", what, in->name, in->size, packed_size,
           checksum(packed, packed_size), same ? "same" : "DIFFERENT");
}
