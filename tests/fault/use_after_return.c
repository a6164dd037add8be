// faults: read of 4 bytes at offset 0 of the local variable local of 4 bytes, which is out of scope
// exit: 139
// native: undefined
// cflags: -Wno-return-stack-address
static int *escape(void) {
    int local = 5;
    int *p = &local;
    return p;
}

int main(void) { return *escape(); }
