// never ends
#include <stdio.h>

int main(void) {
    for (;;)
        printf("again and again\n");
}
