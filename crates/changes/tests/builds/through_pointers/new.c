static int twice(int n) {
  return n + n + 1;
}
static int half(int n) {
  if (n < 0)
    return 0;
  return n / 2;
}
static int (*const table[])(int) = {twice, half};
int main(int argc, char **argv) {
  if (argc > 1)
    argc = half(argc);
  if (argc > 5)
    return table[argc & 1](argc);
  return 0;
}
