#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  int y = 2;
  int x = 1;
  return a + x + y;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  int x = 1;
  int y = 2;
  return a + x + y;
}
#endif
