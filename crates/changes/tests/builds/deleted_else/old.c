int deleted_else(int a, int b) {
  int x = 0;
  if (a > 0)
    x = 1;
  else
    x = 2;
  if (b > 0)
    return x;
  return b;
}
