// not known: no repetition within any bound
int main(void) {
    for (unsigned long i = 1; i != 0; i += 2)
        ;
    return 0;
}
