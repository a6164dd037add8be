// Compresses and decompresses with zlib: all levels and strategies, streams in small pieces, gzip files, errors.
// subject: libz-sys
// sources: src/zlib/*.c
// include: src/zlib
// cflags: -DLARGE=100000 -DHAVE_UNISTD_H -DHAVE_STDARG_H -w -std=gnu11
#include "inputs.h"
#include "zlib.h"

static void one_shot(const struct input *in, int level) {
    uLongf size = compressBound(in->size), back = in->size + 1;
    unsigned char *packed = malloc(size), *unpacked = malloc(back);
    int code = compress2(packed, &size, in->bytes, in->size, level);
    int again = uncompress(unpacked, &back, packed, size);
    char what[32];
    snprintf(what, sizeof what, "level %d %d %d", level, code, again);
    report(what, in, packed, size, unpacked, back);
    free(packed), free(unpacked);
}

/* In pieces of odd sizes, so that every state is left and entered again. */
static void streamed(const struct input *in, int bits, int strategy) {
    size_t room = in->size + in->size / 10 + 1000, used = 0, at = 0;
    unsigned char *packed = malloc(room), *unpacked = malloc(in->size + 1);
    z_stream z = {0};
    int code = deflateInit2(&z, 6, Z_DEFLATED, bits, 7, strategy);
    do {
        z.next_in = in->bytes + at;
        z.avail_in = in->size - at < 777 ? in->size - at : 777;
        at += z.avail_in;
        int flush = at == in->size ? Z_FINISH : at % 5 == 0 ? Z_SYNC_FLUSH : Z_NO_FLUSH;
        do {
            unsigned space = 313;
            z.next_out = packed + used, z.avail_out = space;
            code = deflate(&z, flush);
            used += space - z.avail_out;
        } while (z.avail_out == 0);
    } while (code != Z_STREAM_END);
    deflateEnd(&z);
    memset(&z, 0, sizeof z);
    inflateInit2(&z, bits);
    size_t back = 0;
    at = 0;
    do {
        z.next_in = packed + at;
        z.avail_in = used - at < 101 ? used - at : 101;
        at += z.avail_in;
        do {
            z.next_out = unpacked + back;
            z.avail_out = in->size + 1 - back < 509 ? in->size + 1 - back : 509;
            unsigned space = z.avail_out;
            code = inflate(&z, Z_NO_FLUSH);
            back += space - z.avail_out;
        } while (z.avail_out == 0 && code == Z_OK);
    } while (code == Z_OK && at < used);
    inflateEnd(&z);
    char what[32];
    snprintf(what, sizeof what, "bits %d.%d %d", bits, strategy, code);
    report(what, in, packed, used, unpacked, back);
    free(packed), free(unpacked);
}

static void gzip_file(const struct input *in) {
    gzFile f = gzopen("out.gz", "wb9");
    int written = gzwrite(f, in->bytes, in->size);
    gzprintf(f, "%s %d\n", "tail", 42);
    int closed = gzclose(f);
    unsigned char *back = malloc(in->size + 100);
    f = gzopen("out.gz", "rb");
    int n = gzread(f, back, in->size + 100);
    printf("gzip %s %d %d %d %08x %d\n", in->name, written, closed, n, checksum(back, n), gzeof(f));
    gzclose(f);
    free(back);
}

static void damaged(const struct input *in) {
    uLongf size = compressBound(in->size), back = in->size;
    unsigned char *packed = malloc(size), *unpacked = malloc(back);
    compress(packed, &size, in->bytes, in->size);
    for (size_t at = 0; at < size; at += size / 9 + 1) {
        unsigned char kept = packed[at];
        packed[at] ^= 0x55;
        back = in->size;
        int code = uncompress(unpacked, &back, packed, size);
        printf("damaged at %zu: %d %s\n", at, code, zError(code));
        packed[at] = kept;
    }
    back = in->size / 2;
    printf("short: %d\n", uncompress(unpacked, &back, packed, size));
    free(packed), free(unpacked);
}

int main(void) {
    printf("%s %lx\n", zlibVersion(), zlibCompileFlags() & 0xff);
    for (int i = 0; i < INPUTS; i++) {
        struct input in = make_input(i);
        printf("%s %08lx %08lx\n", in.name, adler32(adler32(0, 0, 0), in.bytes, in.size),
               crc32(crc32(0, 0, 0), in.bytes, in.size));
        for (int level = 0; level <= 9; level += i == 4 ? 9 : 3) one_shot(&in, level);
        int bits[] = {15, -15, 31};
        for (int b = 0; b < 3; b++) streamed(&in, bits[b], b == 0 ? Z_FIXED : b == 1 ? Z_RLE : Z_HUFFMAN_ONLY);
        if (i == 2) gzip_file(&in), damaged(&in);
        free(in.bytes);
    }
    return 0;
}
