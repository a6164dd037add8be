#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  int table[3] = {1, 2, 3};
  return table[a];
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a) {
  int t[3] = {1, 2, 3};
  return t[a];
}
#endif
