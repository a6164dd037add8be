#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int rate = 4;
int f(int a) {
  return a * rate; //@
}
int g(int a) {
  return a;
}
#else
int printf(const char *, ...);
int limit = 10;
int rate = 3;
int f(int a) {
  return a * rate;
}
int g(int a) {
  return a;
}
#endif
