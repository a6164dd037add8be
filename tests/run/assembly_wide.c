// Inline assembly: numbers of several words by carry chains, products and quotients.
#include <stdint.h>
#include <stdio.h>

typedef struct {
    uint64_t word[4];
} Big;

static Big add(Big a, const Big *b) {
    __asm__("addq 0(%4), %0\n\t"
            "adcq 8(%4), %1\n\t"
            "adcq 16(%4), %2\n\t"
            "adcq 24(%4), %3"
            : "+&r"(a.word[0]), "+&r"(a.word[1]), "+&r"(a.word[2]), "+&r"(a.word[3])
            : "r"(b->word)
            : "cc", "memory");
    return a;
}

static Big subtract(Big a, const Big *b) {
    __asm__("subq %4, %0; sbbq %5, %1; sbbq %6, %2; sbbq %7, %3"
            : "+r"(a.word[0]), "+r"(a.word[1]), "+r"(a.word[2]), "+r"(a.word[3])
            : "m"(b->word[0]), "rm"(b->word[1]), "g"(b->word[2]), "r"(b->word[3])
            : "cc");
    return a;
}

static void multiply(uint64_t a, uint64_t b, uint64_t *high, uint64_t *low) {
    __asm__("mulq %3" : "=a"(*low), "=d"(*high) : "%0"(a), "rm"(b) : "cc");
}

static uint64_t multiply_add(uint64_t a, uint64_t b, uint64_t *carry) {
    uint64_t low, high;
    __asm__("mulq %[b]\n\taddq %[carry], %[low]\n\tadcq $0, %[high]"
            : [low] "=a"(low), [high] "=&d"(high)
            : "a"(a), [b] "r"(b), [carry] "r"(*carry)
            : "cc");
    *carry = high;
    return low;
}

static void factorial(unsigned n) {
    uint64_t words[12] = {1};
    for (unsigned i = 2; i <= n; i++) {
        uint64_t carry = 0;
        for (int j = 0; j < 12; j++) words[j] = multiply_add(words[j], i, &carry);
    }
    for (int j = 11; j >= 0; j--) printf("%016llx", (unsigned long long)words[j]);
    printf("\n");
}

static uint64_t divide(uint64_t high, uint64_t low, uint64_t by, uint64_t *rest) {
    uint64_t quotient;
    __asm__("divq %4" : "=a"(quotient), "=d"(*rest) : "0"(low), "1"(high), "r"(by) : "cc");
    return quotient;
}

static int signed_divide(int a, int b, int *rest) {
    int quotient;
    __asm__("cltd\n\tidivl %3" : "=a"(quotient), "=&d"(*rest) : "0"(a), "r"(b) : "cc");
    return quotient;
}

static void narrow(uint8_t a, uint8_t b) {
    uint16_t product, signed_product, quotient;
    unsigned char overflow;
    __asm__("mulb %2" : "=a"(product), "=@cco"(overflow) : "q"(b), "0"((uint16_t)a));
    __asm__("imulb %1" : "=a"(signed_product) : "q"(b), "0"((uint16_t)a));
    __asm__("divb %1" : "=a"(quotient) : "q"((uint8_t)(b | 0x80)), "0"((uint16_t)(a << 4)));
    printf("%x %d %x %x\n", product, overflow, signed_product, quotient);
}

static void signed_products(int64_t a, int64_t b) {
    int64_t low, high, two = a, three;
    int by_nine;
    unsigned char c1, c2;
    __asm__("imulq %3" : "=a"(low), "=d"(high), "=@ccc"(c1) : "r"(b), "0"(a));
    __asm__("imulq %2, %0" : "+r"(two), "=@ccc"(c2) : "r"(b));
    __asm__("imulq $-1000, %1, %0" : "=r"(three) : "r"(a));
    __asm__("imul %2, %1, %0" : "=r"(by_nine) : "r"((int)a), "i"(9));
    printf("%llx %llx %llx %llx %x %d %d\n", (long long)low, (long long)high, (long long)two,
           (long long)three, (unsigned)by_nine, c1, c2);
}

static void extend(int64_t x) {
    int64_t a, d;
    __asm__("cbtw; cwtl; cltq; cqto" : "=a"(a), "=d"(d) : "0"(x));
    printf("%lld %lld\n", (long long)a, (long long)d);
    int low, high;
    __asm__("cwtl; cltd" : "=a"(low), "=d"(high) : "0"((int)x));
    printf("%d %d\n", low, high);
    long l1, l2, l3, l4;
    unsigned u1, u2;
    __asm__("movsbq %b1, %0" : "=r"(l1) : "q"(x));
    __asm__("movswq %w1, %0" : "=r"(l2) : "r"(x));
    __asm__("movslq %k1, %0" : "=r"(l3) : "r"(x));
    __asm__("movsx %w1, %0" : "=r"(l4) : "r"(x));
    __asm__("movzbl %b1, %0" : "=r"(u1) : "q"(x));
    __asm__("movzwl %1, %0" : "=r"(u2) : "m"(*(short *)&x));
    printf("%ld %ld %ld %ld %u %u\n", l1, l2, l3, l4, u1, u2);
}

int main(void) {
    Big a = {{~0ull, ~0ull, 5, 1ull << 63}}, b = {{1, 0, ~0ull, 1ull << 62}};
    Big sum = add(a, &b), difference = subtract(sum, &b);
    for (int i = 3; i >= 0; i--) {
        printf("%016llx %016llx\n", (unsigned long long)sum.word[i],
               (unsigned long long)difference.word[i]);
    }
    uint64_t high, low, rest;
    multiply(0xdeadbeefcafef00d, 0xfedcba9876543210, &high, &low);
    printf("%llx %llx\n", (unsigned long long)high, (unsigned long long)low);
    uint64_t quotient = divide(high, low, 0xfedcba9876543210, &rest);
    printf("%llx %llx\n", (unsigned long long)quotient, (unsigned long long)rest);
    factorial(120);
    int remainder;
    int q = signed_divide(-1234567, 89, &remainder);
    printf("%d %d\n", q, remainder);
    q = signed_divide(1234567, -89, &remainder);
    printf("%d %d\n", q, remainder);
    for (int i = 0; i < 256; i += 17) narrow((uint8_t)i, (uint8_t)(255 - 3 * i));
    signed_products(-5, 7);
    signed_products(INT64_MAX, -2);
    signed_products(1ll << 62, 2);
    extend(0x1234);
    extend(-2);
    extend(0x80);
    extend(0xfedcba9876548765);
    return 0;
}
