// never ends
int main(void) {
    for (;;)
        ;
}
