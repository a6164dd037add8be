static int limit(int n) { return n > 9 ? 9 : n; }
static int clamp(int n) {
  if (n < 0)
    return 0;
  return limit(n);
}
int main(int argc, char **argv) {
  if (argc > 3)
    return clamp(argc);
  return 0;
}
