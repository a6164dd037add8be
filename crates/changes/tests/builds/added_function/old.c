static int limit(int n) { return n > 9 ? 9 : n; }





int main(int argc, char **argv) {
  if (argc > 3)
    return limit(argc);
  return 0;
}
