static int scale(int n) {
  return n * 2;
}
int main(int argc, char **argv) {
  int size = scale(argc);
  if (size > 10)
    return size;
  return 0;
}
