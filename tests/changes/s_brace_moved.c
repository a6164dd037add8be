#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a, int b) {
  if (a) {
    b = 1;
  a = b + 2; //@
  }
  return a;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a, int b) {
  if (a)
    b = 1;
  a = b + 2;
  return a;
}
#endif
