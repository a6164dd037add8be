// not known: it ends
int main(void) {
    int n = 2147483647;
    while (n > 0)
        n--;
    return n;
}
