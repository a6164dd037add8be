#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a, int b) {
  int sum = 0;
  for (int i = 0; i < a; i++)
    sum += a; //@
  if (sum > limit)
    return limit;
  return sum;
}
#else
int printf(const char *, ...);
int limit = 10;
int f(int a, int b) {
  int sum = 0;
  for (int i = 0; i < a; i++)
    sum += b;
  if (sum > limit)
    return limit;
  return sum;
}
#endif
