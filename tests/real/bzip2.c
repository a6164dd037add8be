// Compresses and decompresses with bzip2: block sizes, small memory, damaged data, the FILE interface.
// subject: bzip2-sys
// sources: bzip2-1.0.8/blocksort.c bzip2-1.0.8/huffman.c bzip2-1.0.8/crctable.c bzip2-1.0.8/randtable.c
// sources: bzip2-1.0.8/compress.c bzip2-1.0.8/decompress.c bzip2-1.0.8/bzlib.c
// include: bzip2-1.0.8
// cflags: -DLARGE=30000 -w
#include "inputs.h"
#include "bzlib.h"

static void round_trip(const struct input *in, int blocks, int small) {
    unsigned size = (unsigned)in->size + in->size / 100 + 600, back = (unsigned)in->size + 1;
    char *packed = malloc(size), *unpacked = malloc(back);
    int code = BZ2_bzBuffToBuffCompress(packed, &size, (char *)in->bytes, (unsigned)in->size, blocks, 0, 30);
    int again = BZ2_bzBuffToBuffDecompress(unpacked, &back, packed, size, small, 0);
    char what[32];
    snprintf(what, sizeof what, "%d %d: %d %d", blocks, small, code, again);
    report(what, in, packed, size, unpacked, back);
    if (size > 20) {
        packed[size / 2] ^= 1;
        back = (unsigned)in->size + 1;
        printf("damaged: %d\n", BZ2_bzBuffToBuffDecompress(unpacked, &back, packed, size, small, 0));
    }
    free(packed), free(unpacked);
}

static void file(const struct input *in) {
    int error, n;
    FILE *f = fopen("out.bz2", "wb");
    BZFILE *b = BZ2_bzWriteOpen(&error, f, 1, 0, 0);
    for (size_t at = 0; at < in->size; at += 999) {
        BZ2_bzWrite(&error, b, in->bytes + at, in->size - at < 999 ? (int)(in->size - at) : 999);
    }
    unsigned read, written;
    BZ2_bzWriteClose(&error, b, 0, &read, &written);
    fclose(f);
    printf("wrote %d %u %u\n", error, read, written);
    f = fopen("out.bz2", "rb");
    b = BZ2_bzReadOpen(&error, f, 0, 0, NULL, 0);
    uint32_t all = 0;
    char buffer[500];
    while (error == BZ_OK) {
        n = BZ2_bzRead(&error, b, buffer, sizeof buffer);
        all = all * 33 + checksum(buffer, n);
    }
    printf("read %d %08x\n", error, all);
    BZ2_bzReadClose(&error, b);
    fclose(f);
}

int main(void) {
    printf("%s\n", BZ2_bzlibVersion());
    for (int i = 0; i < INPUTS; i++) {
        struct input in = make_input(i);
        round_trip(&in, 1, 0);
        if (i != 4) round_trip(&in, 9, 1);
        if (i == 2) file(&in);
        free(in.bytes);
    }
    return 0;
}
