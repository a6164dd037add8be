extern void exit(int);
static int total;
static void add(int n) {
  if (n < 0)
    exit(1);
  if (n > 100)
    n = 100;
  total += n + 1;
}
static int check(int n) {
  if (n == 7)
    return 1;
  return 0;
}
static void show(int n) {
  if (n)
    total = 0;
}
int main(int argc, char **argv) {
  if (argc > 9)
    return 2;
  if (check(argc))
    add(argc);
  show(total);
  if (argc > 3)
    check(total);
  return total;
}
