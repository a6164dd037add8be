// not known: it ends
static int left = 2000000000;
static const int *shown = &left;

int main(void) {
    while (*shown > 0)
        left--;
    return 0;
}
