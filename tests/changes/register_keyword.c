#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  register int x = a;
  return x;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  int x = a;
  return x;
}
#endif
