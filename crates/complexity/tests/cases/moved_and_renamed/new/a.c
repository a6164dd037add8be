int new_name(int a) { if (a) return f(a); return 2; }
int keep(int a) { return a; }
