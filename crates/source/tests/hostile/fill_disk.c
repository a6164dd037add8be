// Fills the disk with many files, each below the limit of one.
// ends: output limit
#include "attack.h"
int main(void) {
    static char block[1 << 16];
    memset(block, 'x', sizeof block);
    for (int n = 0;; n++) {
        char name[16];
        sprintf(name, "%d", n);
        int file = open(name, O_CREAT | O_WRONLY, 0644);
        for (int i = 0; i < 8; i++) write(file, block, sizeof block);
        fallocate(file, 0, 0, 1 << 20);
        close(file);
    }
}
