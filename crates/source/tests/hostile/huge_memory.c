// Takes all memory it gets, and more than it may have.
#include "attack.h"
int main(void) {
    size_t total = 0, part = 64 << 20;
    char *block;
    while (total < (8UL << 30) && (block = malloc(part)) != NULL) total += part;
    tell(total >= (1UL << 30), "8 GiB");
    ATTACK(mmap(0, 4UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                0) == MAP_FAILED ? -1 : 0);
    int files = 0;
    while (files < 1000 && memfd_create("hidden", 0) >= 0) files++;
    tell(files >= 64, "memory in 1000 files");
    return 0;
}
