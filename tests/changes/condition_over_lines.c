#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a, int b) {
  if (a > 1 &&
      b > 2)
    return 1;
  return 0;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a, int b) {
  if (a > 1 && b > 2) return 1;
  return 0;
}
#endif
