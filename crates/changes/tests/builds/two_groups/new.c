int two_groups(int a, int b) {
  int x = a + 1;
  int y = b;
  if (y > 4)
    x = 7;
  while (a > 0) {
    if (b > a)
      x += 3;
    else
      x -= 3;
    a -= 2;
    if (x == 9)
      break;
  }
  x++;
  return x;
}
