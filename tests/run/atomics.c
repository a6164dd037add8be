// _Atomic objects and the atomic builtins, in one thread.
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

static _Atomic int counter = 5;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(long) wide;
struct pair { int a, b; };

int main(void) {
    counter++;
    counter += 10;
    printf("%d %d\n", counter, counter--);
    printf("%d\n", atomic_load(&counter));
    atomic_store(&counter, 100);
    printf("%d %d\n", atomic_fetch_add(&counter, 7), counter);
    printf("%d %d\n", atomic_fetch_sub(&counter, 50), counter);
    printf("%d %d\n", atomic_fetch_or(&counter, 0xf00), counter);
    printf("%d %d\n", atomic_fetch_and(&counter, 0xff), counter);
    printf("%d %d\n", atomic_fetch_xor(&counter, 0x55), counter);
    printf("%d %d\n", atomic_exchange(&counter, 9), counter);
    int expected = 8;
    bool done = atomic_compare_exchange_strong(&counter, &expected, 20);
    printf("%d %d %d\n", done, expected, counter);
    done = atomic_compare_exchange_strong(&counter, &expected, 20);
    printf("%d %d %d\n", done, expected, counter);
    printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    printf("%d\n", atomic_flag_test_and_set(&flag));
    wide = 1L << 40;
    wide |= 3;
    wide *= 2;
    wide /= 3;
    printf("%ld\n", wide);
    unsigned char byte = 250;
    printf("%d %d\n", __atomic_add_fetch(&byte, 10, __ATOMIC_SEQ_CST), byte);
    printf("%d\n", __sync_fetch_and_add(&byte, 3));
    printf("%d\n", __sync_bool_compare_and_swap(&byte, 7, 70));
    printf("%d %d\n", __sync_val_compare_and_swap(&byte, 70, 71), byte);
    short s = -4;
    printf("%d %d\n", __atomic_fetch_nand(&s, 6, __ATOMIC_RELAXED), s);
    printf("%d %d\n", __atomic_exchange_n(&s, 12, __ATOMIC_ACQ_REL), s);
    __sync_synchronize();
    atomic_thread_fence(memory_order_seq_cst);
    int *_Atomic pointer;
    int array[4] = {1, 2, 3, 4};
    pointer = array;
    pointer++;
    atomic_fetch_add(&pointer, 1);
    printf("%d\n", *pointer);
    _Atomic struct pair p;
    atomic_init(&p, ((struct pair){1, 2}));
    struct pair q = atomic_load(&p);
    q.b = 5;
    atomic_store(&p, q);
    q = p;
    printf("%d %d\n", q.a, q.b);
    _Atomic double d = 1.5;
    d += 2;
    printf("%g %d\n", d, atomic_is_lock_free(&counter));
    _Atomic _Bool b = 0;
    b = !b;
    printf("%d\n", b);
    return 0;
}
