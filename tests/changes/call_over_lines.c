#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  return printf("%d %d",
                a,
                a + 1);
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  return printf("%d %d", a, a + 1);
}
#endif
