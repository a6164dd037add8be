#ifdef NEW
int printf(const char *, ...);
int limit = 10;
#define FIVE 5
int f(int a) {
  return a + FIVE;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  return a + 5;
}
#endif
