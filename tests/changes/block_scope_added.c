#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  int x = a;
  {
    x = x + 1;
  }
  return x;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  int x = a;
  x = x + 1;
  return x;
}
#endif
