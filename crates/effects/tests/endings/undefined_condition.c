// not known: what it reads was never written
int main(void) {
    int zero, *p = &zero;
    while (*p == 0)
        ;
    return 0;
}
