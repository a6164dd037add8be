int brace_moved(int a, int b) {
  int x = 0, y = 0;
  if (a > 0) {
    x = 1;
    }
    y = 2;
  if (b > 0)
    return x;
  return y;
}
