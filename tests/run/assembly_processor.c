// Inline assembly: what a program asks the processor; only what holds for any is printed.
#include <stdint.h>
#include <stdio.h>

static int supports(unsigned leaf, unsigned bit) {
    unsigned eax, ebx, ecx, edx;
    __asm__ volatile("cpuid" : "=a"(eax), "=b"(ebx), "=c"(ecx), "=d"(edx) : "0"(leaf), "2"(0));
    return ecx >> bit & 1;
}

static uint64_t extended_state(void) {
    uint32_t low, high;
    __asm__ volatile(".byte 0x0f, 0x01, 0xd0" : "=a"(low), "=d"(high) : "c"(0));
    return (uint64_t)high << 32 | low;
}

static uint64_t ticks(void) {
    uint32_t low, high;
    __asm__ volatile("lfence; rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

// A sum both ways, whatever the processor can do.
static unsigned count(uint64_t x) {
    if (supports(1, 23)) {
        uint64_t ones;
        __asm__("popcntq %1, %0" : "=r"(ones) : "r"(x));
        return (unsigned)ones;
    }
    unsigned ones = 0;
    for (; x; x &= x - 1) ones++;
    return ones;
}

int main(void) {
    uint64_t start = ticks();
    printf("%u\n", count(0xf0f0f0f0f0f0f0f0));
    // Bit 27 says that the operating system keeps the extended state.
    if (supports(1, 27)) printf("%d\n", (int)(extended_state() & 0));
    else printf("0\n");
    __asm__ volatile("rep; nop");
    __asm__ volatile("prefetcht0 %0" : : "m"(*(const char *)0x1000));
    printf("%d\n", ticks() > start);
    return 0;
}
