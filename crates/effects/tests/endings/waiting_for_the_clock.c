// not known: it ends natively after a while
#include <time.h>

int main(void) {
    time_t start = time(0);
    while (time(0) < start + 100000)
        ;
    return 0;
}
