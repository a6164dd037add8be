// Inline assembly: shifts and rotates by constants and by cl, with the defined flags.
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {
    0, 1, 0x80, 0x8000, 0x80000001, 0xdeadbeefcafef00d, 0x7fffffffffffffff, 0xffffffffffffffff,
};

static uint64_t digest;

static void note(uint64_t x) {
    digest = (digest ^ x) * 0x100000001b3;
    digest ^= digest >> 29;
}

// The flags after a count of 0 are those before; beyond the size the carry is undefined.
#define SHIFT(NAME, MNEMONIC, TYPE)                                                            \
    static void NAME(TYPE a, unsigned char count) {                                            \
        unsigned char z, c, s, carry = 1;                                                      \
        __asm__("addb $0xff, %4\n\t" MNEMONIC " %5, %0"                                        \
                : "+r"(a), "=@ccz"(z), "=@ccc"(c), "=@ccs"(s), "+q"(carry)                     \
                : "c"(count));                                                                 \
        note(a);                                                                               \
        note((uint64_t)(z | s << 1));                                                          \
        if (count < 8 * sizeof a) note(c);                                                     \
    }

#define BY_ONE(NAME, MNEMONIC, TYPE)                                                           \
    static void NAME(TYPE a) {                                                                 \
        unsigned char c, o, carry = 1;                                                         \
        __asm__("addb $0xff, %3\n\t" MNEMONIC " $1, %0"                                        \
                : "+r"(a), "=@ccc"(c), "=@cco"(o), "+q"(carry));                               \
        note(a);                                                                               \
        note((uint64_t)(c | o << 1));                                                          \
        __asm__("stc; " MNEMONIC " %0" : "+r"(a));                                             \
        __asm__("clc; cmc; " MNEMONIC " %1, %0" : "+r"(a) : "cI"((unsigned char)3));           \
        note(a);                                                                               \
    }

#define ALL(NAME, MNEMONIC)                                                                    \
    SHIFT(NAME##8, MNEMONIC "b", uint8_t)                                                      \
    SHIFT(NAME##16, MNEMONIC "w", uint16_t)                                                    \
    SHIFT(NAME##32, MNEMONIC "l", uint32_t)                                                    \
    SHIFT(NAME##64, MNEMONIC, uint64_t)                                                        \
    BY_ONE(NAME##8_1, MNEMONIC "b", uint8_t)                                                   \
    BY_ONE(NAME##16_1, MNEMONIC, uint16_t)                                                     \
    BY_ONE(NAME##32_1, MNEMONIC "l", uint32_t)                                                 \
    BY_ONE(NAME##64_1, MNEMONIC "q", uint64_t)                                                 \
    static void NAME(void) {                                                                   \
        digest = 0;                                                                            \
        for (int i = 0; i < 8; i++) {                                                          \
            NAME##8_1((uint8_t)values[i]);                                                     \
            NAME##16_1((uint16_t)values[i]);                                                   \
            NAME##32_1((uint32_t)values[i]);                                                   \
            NAME##64_1(values[i]);                                                             \
            for (unsigned char count = 0; count < 80; count++) {                               \
                NAME##8((uint8_t)values[i], count);                                            \
                NAME##16((uint16_t)values[i], count);                                          \
                NAME##32((uint32_t)values[i], count);                                          \
                NAME##64(values[i], count);                                                    \
            }                                                                                  \
        }                                                                                      \
        printf(#NAME " %016llx\n", (unsigned long long)digest);                                \
    }

ALL(shl, "shl")
ALL(sal, "sal")
ALL(shr, "shr")
ALL(sar, "sar")
ALL(rol, "rol")
ALL(ror, "ror")
ALL(rcl, "rcl")
ALL(rcr, "rcr")

static void doubled(void) {
    digest = 0;
    for (int i = 0; i < 8; i++) {
        for (unsigned char count = 0; count < 64; count++) {
            uint64_t a = values[i], b = values[7 - i];
            unsigned char c, z;
            __asm__("shldq %%cl, %3, %0" : "+r"(a), "=@ccc"(c), "=@ccz"(z) : "r"(b), "c"(count));
            note(a);
            if (count != 0) note((uint64_t)(c | z << 1));
            __asm__("shrdq %%cl, %3, %0" : "+r"(a), "=@ccc"(c), "=@ccz"(z) : "r"(b), "c"(count));
            note(a);
            if (count != 0) note((uint64_t)(c | z << 1));
            uint32_t d = (uint32_t)a;
            __asm__("shldl $5, %1, %0; shrd $7, %1, %0" : "+r"(d) : "r"((uint32_t)b));
            note(d);
        }
    }
    printf("doubled %016llx\n", (unsigned long long)digest);
}

static uint32_t rotate(uint32_t x) {
    __asm__("roll %1, %0" : "+g"(x) : "cI"(13));
    return x;
}

int main(void) {
    shl();
    sal();
    shr();
    sar();
    rol();
    ror();
    rcl();
    rcr();
    doubled();
    printf("%08x\n", rotate(0x80000001));
    return 0;
}
