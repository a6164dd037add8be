// Compresses and decompresses with zstd: levels, streams, checksums, a dictionary, damaged data.
// subject: zstd-sys
// sources: zstd/lib/common/*.c zstd/lib/compress/*.c zstd/lib/decompress/*.c
// include: zstd/lib zstd/lib/common
// cflags: -DLARGE=60000 -DZSTD_DISABLE_ASM=1 -w
#include "inputs.h"
#include "zstd.h"

static void round_trip(const struct input *in, int level) {
    size_t bound = ZSTD_compressBound(in->size);
    char *packed = malloc(bound), *unpacked = malloc(in->size + 1);
    size_t size = ZSTD_compress(packed, bound, in->bytes, in->size, level);
    size_t back = ZSTD_decompress(unpacked, in->size + 1, packed, size);
    char what[32];
    snprintf(what, sizeof what, "level %d", level);
    report(what, in, packed, size, unpacked, back);
    packed[size / 2] ^= 4;
    back = ZSTD_decompress(unpacked, in->size, packed, size);
    printf("damaged: %s\n", ZSTD_isError(back) ? ZSTD_getErrorName(back) : "not noticed");
    free(packed), free(unpacked);
}

static void streamed(const struct input *in) {
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, 4);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    size_t room = ZSTD_compressBound(in->size) + 100, at = 0, left;
    char *packed = malloc(room), *unpacked = malloc(in->size + 1);
    ZSTD_outBuffer out = {packed, 0, 0};
    do {
        size_t take = in->size - at < 3000 ? in->size - at : 3000;
        ZSTD_inBuffer piece = {in->bytes + at, take, 0};
        at += take;
        do {
            out.size = out.pos + 500 < room ? out.pos + 500 : room;
            left = ZSTD_compressStream2(c, &out, &piece, at == in->size ? ZSTD_e_end : ZSTD_e_continue);
        } while (at == in->size ? left != 0 : piece.pos < piece.size);
    } while (at < in->size);
    ZSTD_freeCCtx(c);
    ZSTD_DCtx *d = ZSTD_createDCtx();
    ZSTD_outBuffer back = {unpacked, in->size + 1, 0};
    for (size_t p = 0; p < out.pos;) {
        ZSTD_inBuffer piece = {packed + p, out.pos - p < 777 ? out.pos - p : 777, 0};
        left = ZSTD_decompressStream(d, &back, &piece);
        p += piece.pos;
        if (ZSTD_isError(left)) break;
    }
    ZSTD_freeDCtx(d);
    report("stream", in, packed, out.pos, unpacked, back.pos);
    free(packed), free(unpacked);
}

static void with_dictionary(const struct input *in) {
    const char dictionary[] = "the quick brown fox jumps over a lazy dog, and then abracadabra";
    size_t bound = ZSTD_compressBound(in->size);
    char *packed = malloc(bound), *unpacked = malloc(in->size + 1);
    ZSTD_CCtx *c = ZSTD_createCCtx();
    ZSTD_DCtx *d = ZSTD_createDCtx();
    size_t size = ZSTD_compress_usingDict(c, packed, bound, in->bytes, in->size, dictionary, sizeof dictionary, 3);
    size_t back = ZSTD_decompress_usingDict(d, unpacked, in->size, packed, size, dictionary, sizeof dictionary);
    report("dictionary", in, packed, size, unpacked, back);
    ZSTD_freeCCtx(c), ZSTD_freeDCtx(d);
    free(packed), free(unpacked);
}

int main(void) {
    printf("%s\n", ZSTD_versionString());
    for (int i = 0; i < INPUTS; i++) {
        struct input in = make_input(i);
        int levels[] = {1, 3, 7, -5};
        for (int l = 0; l < (i == 2 ? 4 : 2); l++) round_trip(&in, levels[l]);
        if (i == 2) round_trip(&in, 13), round_trip(&in, 19), with_dictionary(&in);
        streamed(&in);
        free(in.bytes);
    }
    return 0;
}
