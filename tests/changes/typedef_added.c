#ifdef NEW
int printf(const char *, ...);
int limit = 10;
typedef int number;
number f(number a) {
  number x = a;
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
