// faults: which is not a function
// exit: 139
static int data[4] = {1, 2, 3, 4};

int main(void) {
    int (*volatile f)(void) = (int (*)(void))data;
    return f();
}
