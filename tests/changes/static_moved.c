#ifdef NEW
int printf(const char *, ...);
int limit = 10;
static int h(int x);
int f(int a) {
  return h(a);
}
static int h(int x) {
  return x * 2;
}
#else
int printf(const char *, ...);
int limit = 10;
static int h(int x) {
  return x * 2;
}
int f(int a) {
  return h(a);
}
#endif
