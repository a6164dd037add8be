#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a, int b) {
  int p = a * 2;
  int q = b * 3;
  return p - q;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a, int b) {
  int x = a * 2;
  int y = b * 3;
  return x - y;
}
#endif
