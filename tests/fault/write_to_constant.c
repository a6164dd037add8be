// faults: write to constant memory
// exit: 139
int main(void) {
    char *text = "constant";
    text[0] = 'C';
    return 0;
}
