#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int f(int a, int b) {
  int total = 0;
  for (int i = 0; i < a; i++)
    total += b;
  if (total > limit)
    return limit;
  return total;
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
