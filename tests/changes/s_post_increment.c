#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int x) {
  int y;
  y = x++; //@
  return x + y;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int x) {
  int y;
  x++;
  y = x;
  return x + y;
}
#endif
