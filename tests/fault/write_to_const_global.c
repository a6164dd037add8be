// faults: write to constant memory, the global variable limit of 4 bytes
// exit: 139
static const int limit = 5;

int main(void) {
    *(int *)&limit = 6;
    return limit;
}
