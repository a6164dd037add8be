// never ends: nothing that the loop looks at changes, only a counter does
int main(void) {
    const char *p = "text";
    unsigned count = 0;
    while (*p)
        count++;
    return count;
}
