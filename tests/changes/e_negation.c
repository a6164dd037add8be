#ifdef NEW
int printf(const char *, ...);
int limit = 10;
int g(int a, unsigned b, char *s) {
  int r = a * 3;
  unsigned u = b / 2;
  if (a == 4 && b != 7)
    r = ~r; //@
  switch (a) {
  case 1:
    r += 10;
    break;
  case 2:
    r += 20;
    break;
  }
  while (*s)
    s++;
  s[0] = 'x';
  printf("%d\n", r);
  return r + (int)u;
}
#else
int printf(const char *, ...);
int limit = 10;
int g(int a, unsigned b, char *s) {
  int r = a * 3;
  unsigned u = b / 2;
  if (a == 4 && b != 7)
    r = -r;
  switch (a) {
  case 1:
    r += 10;
    break;
  case 2:
    r += 20;
    break;
  }
  while (*s)
    s++;
  s[0] = 'x';
  printf("%d\n", r);
  return r + (int)u;
}
#endif
