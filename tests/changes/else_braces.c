#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  if (a) {
    return 1;
  } else {
    return 2;
  }
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  if (a) return 1; else return 2;
}
#endif
