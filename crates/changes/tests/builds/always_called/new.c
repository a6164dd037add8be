static int scale(int n) {
  return n * 3;
}
int main(int argc, char **argv) {
  int size = scale(argc);
  if (size > 11)
    return size;
  return 0;
}
