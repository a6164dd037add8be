// Inline assembly: integer arithmetic of every size with the flags that it leaves.
#include <stdint.h>
#include <stdio.h>

static const uint64_t values[] = {
    0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff,
    0x123456789abcdef0, 0x7fffffffffffffff, 0x8000000000000000, 0xffffffffffffffff,
};
enum { COUNT = sizeof values / sizeof *values };

static uint64_t digest;

static void note(uint64_t x) {
    digest = (digest ^ x) * 0x100000001b3;
    digest ^= digest >> 29;
}

// The carry is set from `carry` first; results and five flags go into the digest.
#define TWO(NAME, MNEMONIC, TYPE)                                                              \
    static void NAME(TYPE a, TYPE b, unsigned char carry) {                                    \
        unsigned char z, c, s, o, p;                                                           \
        __asm__("addb $0xff, %6\n\t" MNEMONIC " %7, %0"                                        \
                : "+r"(a), "=@ccz"(z), "=@ccc"(c), "=@ccs"(s), "=@cco"(o), "=@ccp"(p),         \
                  "+q"(carry)                                                                  \
                : "r"(b));                                                                     \
        note(a);                                                                               \
        note((uint64_t)(z | c << 1 | s << 2 | o << 3 | p << 4));                               \
    }

#define SIZES(NAME, MNEMONIC)                                                                  \
    TWO(NAME##8, MNEMONIC "b", uint8_t)                                                        \
    TWO(NAME##16, MNEMONIC "w", uint16_t)                                                      \
    TWO(NAME##32, MNEMONIC "l", uint32_t)                                                      \
    TWO(NAME##64, MNEMONIC, uint64_t)                                                          \
    static void NAME(void) {                                                                   \
        digest = 0;                                                                            \
        for (int i = 0; i < COUNT; i++) {                                                      \
            for (int j = 0; j < COUNT; j++) {                                                  \
                for (unsigned char carry = 0; carry < 2; carry++) {                            \
                    NAME##8((uint8_t)values[i], (uint8_t)values[j], carry);                    \
                    NAME##16((uint16_t)values[i], (uint16_t)values[j], carry);                 \
                    NAME##32((uint32_t)values[i], (uint32_t)values[j], carry);                 \
                    NAME##64(values[i], values[j], carry);                                     \
                }                                                                              \
            }                                                                                  \
        }                                                                                      \
        printf(#NAME " %016llx\n", (unsigned long long)digest);                                \
    }

SIZES(add, "add")
SIZES(adc, "adc")
SIZES(sub, "sub")
SIZES(sbb, "sbb")
SIZES(and, "and")
SIZES(or, "or")
SIZES(xor, "xor")
SIZES(cmp, "cmp")
SIZES(test, "test")
SIZES(xadd, "xadd")

#define ONE(NAME, MNEMONIC, TYPE)                                                              \
    static void NAME(TYPE a, unsigned char carry) {                                            \
        unsigned char z, c, s, o, p;                                                           \
        __asm__("addb $0xff, %6\n\t" MNEMONIC " %0"                                            \
                : "+r"(a), "=@ccz"(z), "=@ccc"(c), "=@ccs"(s), "=@cco"(o), "=@ccp"(p),         \
                  "+q"(carry));                                                                \
        note(a);                                                                               \
        note((uint64_t)(z | c << 1 | s << 2 | o << 3 | p << 4));                               \
    }

#define SINGLE(NAME, MNEMONIC)                                                                 \
    ONE(NAME##8, MNEMONIC "b", uint8_t)                                                        \
    ONE(NAME##16, MNEMONIC "w", uint16_t)                                                      \
    ONE(NAME##32, MNEMONIC "l", uint32_t)                                                      \
    ONE(NAME##64, MNEMONIC "q", uint64_t)                                                      \
    static void NAME(void) {                                                                   \
        digest = 0;                                                                            \
        for (int i = 0; i < COUNT; i++) {                                                      \
            for (unsigned char carry = 0; carry < 2; carry++) {                                \
                NAME##8((uint8_t)values[i], carry);                                            \
                NAME##16((uint16_t)values[i], carry);                                          \
                NAME##32((uint32_t)values[i], carry);                                          \
                NAME##64(values[i], carry);                                                    \
            }                                                                                  \
        }                                                                                      \
        printf(#NAME " %016llx\n", (unsigned long long)digest);                                \
    }

SINGLE(inc, "inc")
SINGLE(dec, "dec")
SINGLE(neg, "neg")
SINGLE(not, "not")

int main(void) {
    add();
    adc();
    sub();
    sbb();
    and();
    or();
    xor();
    cmp();
    test();
    xadd();
    inc();
    dec();
    neg();
    not();
    return 0;
}
