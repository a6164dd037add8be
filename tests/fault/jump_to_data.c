// faults: which is not a label of the function
// exit: 139
static int data[4] = {1, 2, 3, 4};

int main(int argc, char **argv) {
    void *volatile targets[] = {&&here, data};
    goto *targets[argc];
here:
    return (int)(long)argv;
}
