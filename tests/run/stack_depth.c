/* A recursion that measures its depth by the addresses of frames, as interpreters do. */
#include <stdint.h>
#include <stdio.h>

static uintptr_t top;

static int fits(void)
{
    return top - (uintptr_t)__builtin_frame_address(0) < 100000;
}

static int descend(int depth)
{
    char room[500];
    room[0] = (char)depth;
    if (!fits())
        return 1;
    return room[0] == (char)depth ? descend(depth + 1) : 2;
}

static int steady(int count)
{
    uintptr_t before = (uintptr_t)__builtin_frame_address(0);
    char block[count];
    block[count - 1] = 1;
    return before == (uintptr_t)__builtin_frame_address(0) && block[count - 1];
}

static int inner(uintptr_t outer)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    return here < outer && (uintptr_t)__builtin_frame_address(1) == outer;
}

int main(void)
{
    top = (uintptr_t)__builtin_frame_address(0);
    printf("stopped: %d\n", descend(0));
    printf("stopped again: %d\n", descend(0));
    printf("same in one call: %d\n", steady(1000));
    printf("callers lie above: %d\n", inner(top));
    return 0;
}
