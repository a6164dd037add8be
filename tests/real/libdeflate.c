// Compresses and decompresses with libdeflate: all formats and levels, checksums, damaged data.
// subject: libdeflate-sys
// sources: libdeflate/lib/*.c libdeflate/lib/x86/*.c
// include: libdeflate
// cflags: -DLARGE=60000 -w
#include "inputs.h"
#include "libdeflate.h"

static void round_trip(const struct input *in, int level, int format) {
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(level);
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    size_t bound = libdeflate_gzip_compress_bound(c, in->size), size, back = 0;
    char *packed = malloc(bound), *unpacked = malloc(in->size + 1);
    enum libdeflate_result result;
    switch (format) {
    case 0:
        size = libdeflate_deflate_compress(c, in->bytes, in->size, packed, bound);
        result = libdeflate_deflate_decompress(d, packed, size, unpacked, in->size, &back);
        break;
    case 1:
        size = libdeflate_zlib_compress(c, in->bytes, in->size, packed, bound);
        result = libdeflate_zlib_decompress(d, packed, size, unpacked, in->size, &back);
        break;
    default:
        size = libdeflate_gzip_compress(c, in->bytes, in->size, packed, bound);
        result = libdeflate_gzip_decompress(d, packed, size, unpacked, in->size, &back);
    }
    char what[32];
    snprintf(what, sizeof what, "%d.%d: %d", format, level, result);
    report(what, in, packed, size, unpacked, back);
    if (format == 2 && size > 30) {
        packed[size / 2] ^= 0x10;
        printf("damaged: %d\n", libdeflate_gzip_decompress(d, packed, size, unpacked, in->size, NULL) != 0);
    }
    libdeflate_free_compressor(c), libdeflate_free_decompressor(d);
    free(packed), free(unpacked);
}

int main(void) {
    for (int i = 0; i < INPUTS; i++) {
        struct input in = make_input(i);
        printf("%s %08x %08x\n", in.name, libdeflate_crc32(0, in.bytes, in.size), libdeflate_adler32(1, in.bytes, in.size));
        int levels[] = {0, 1, 6, 9, 12};
        for (int l = 0; l < (i == 4 ? 3 : 5); l++) round_trip(&in, levels[l], (i + l) % 3);
        free(in.bytes);
    }
    return 0;
}
