// Compresses and decompresses with LZ4: fast, high compression, frames, a dictionary of earlier blocks.
// subject: lz4-sys
// sources: liblz4/lib/*.c
// include: liblz4/lib
// cflags: -DLARGE=100000 -w
#include "inputs.h"
#include "lz4.h"
#include "lz4frame.h"
#include "lz4hc.h"

static void block(const struct input *in, int level) {
    int bound = LZ4_compressBound((int)in->size);
    char *packed = malloc(bound), *unpacked = malloc(in->size + 1);
    int size = level > 2 ? LZ4_compress_HC((char *)in->bytes, packed, (int)in->size, bound, level)
                         : LZ4_compress_fast((char *)in->bytes, packed, (int)in->size, bound, 1 + 8 * level);
    int back = LZ4_decompress_safe(packed, unpacked, size, (int)in->size);
    char what[32];
    snprintf(what, sizeof what, "level %d", level);
    report(what, in, packed, size, unpacked, back);
    printf("too small: %d\n", LZ4_decompress_safe(packed, unpacked, size, (int)in->size / 2));
    free(packed), free(unpacked);
}

static void frame(const struct input *in) {
    LZ4F_preferences_t p;
    memset(&p, 0, sizeof p);
    p.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    p.frameInfo.blockSizeID = LZ4F_max64KB;
    p.compressionLevel = 5;
    size_t bound = LZ4F_compressFrameBound(in->size, &p);
    char *packed = malloc(bound), *unpacked = malloc(in->size + 1);
    size_t size = LZ4F_compressFrame(packed, bound, in->bytes, in->size, &p);
    LZ4F_dctx *context;
    LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
    size_t at = 0, back = 0, hint = 1;
    while (hint && at < size) {
        size_t take = size - at < 1000 ? size - at : 1000, room = in->size + 1 - back;
        hint = LZ4F_decompress(context, unpacked + back, &room, packed + at, &take, NULL);
        if (LZ4F_isError(hint)) {
            printf("error %s\n", LZ4F_getErrorName(hint));
            break;
        }
        at += take, back += room;
    }
    LZ4F_freeDecompressionContext(context);
    report("frame", in, packed, size, unpacked, back);
    free(packed), free(unpacked);
}

static void linked(const struct input *in) {
    LZ4_stream_t *stream = LZ4_createStream();
    LZ4_streamDecode_t *decode = LZ4_createStreamDecode();
    char *unpacked = malloc(in->size + 1);
    char packed[2000];
    size_t total = 0;
    uint32_t all = 0;
    for (size_t at = 0; at < in->size; at += 1024) {
        int n = in->size - at < 1024 ? (int)(in->size - at) : 1024;
        int size = LZ4_compress_fast_continue(stream, (char *)in->bytes + at, packed, n, sizeof packed, 1);
        int back = LZ4_decompress_safe_continue(decode, packed, unpacked + at, size, n);
        all = all * 31 + checksum(packed, size) + back;
        total += size;
    }
    printf("linked %s %zu %08x %d\n", in->name, total, all, memcmp(unpacked, in->bytes, in->size) == 0);
    LZ4_freeStream(stream), LZ4_freeStreamDecode(decode);
    free(unpacked);
}

int main(void) {
    printf("%s\n", LZ4_versionString());
    for (int i = 0; i < INPUTS; i++) {
        struct input in = make_input(i);
        int levels[] = {0, 1, 3, 9, 12};
        for (int l = 0; l < (i == 4 ? 3 : 5); l++) block(&in, levels[l]);
        frame(&in);
        if (i >= 2 && i <= 3) linked(&in);
        free(in.bytes);
    }
    return 0;
}
