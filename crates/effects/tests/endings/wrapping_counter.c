// never ends
int main(void) {
    int last = 0;
    for (unsigned char i = 0; i < 300; i++)
        last = i;
    return last;
}
