#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a);
int f(int a) {
  return a;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  return a;
}
#endif
