#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int x) {
  x = x + 1; //@
  int y = x;
  return x + y;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int x) {
  int y = x;
  x = y + 1;
  return x + y;
}
#endif
