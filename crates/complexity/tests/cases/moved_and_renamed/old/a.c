int keep(int a) { return a; }
int moved(int a) { return a + 1; }
int old_name(int a) { if (a) return f(a); return 2; }
