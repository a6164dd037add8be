int two_groups(int a, int b) {
  int x = a;
  int y = b;
  if (y > 3)
    x = 7;
  while (a > 0) {
    if (b > a)
      x += 2;
    else
      x -= 2;
    a--;
    if (x == 9)
      break;
  }
  x++;
  return x;
}
