#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int g(void) {
  return printf("y");
}
int f(void) {
  return printf("x");
}
#else
int printf(const char *, ...);
int limit = 10;
int f(void) {
  return printf("x");
}
int g(void) {
  return printf("y");
}
#endif
