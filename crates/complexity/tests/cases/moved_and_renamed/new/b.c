int other(void) { return 0; }
int moved(int a) { return a + 1; }
