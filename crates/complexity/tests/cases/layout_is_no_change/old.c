int f(int a, int b) { if (a) return g(a, b); return b; }
