extern void exit(int);
static int total;
static void check(int n) {
  if (n == 7)
    exit(1);
  if (n == 8)
    total = 1;
}
int main(int argc, char **argv) {
  check(argc);
  if (argc > 3)
    total += 1;
  return total;
}
