#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  return a & 0xff;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  return a & 255;
}
#endif
