extern int atexit(void (*)(void));
extern int puts(const char *);
static void bye(void) {
  puts("bye");
}
int main(int argc, char **argv) {
  if (argc > 4)
    return 1;
  atexit(bye);
  if (argc > 2)
    return 2;
  return 0;
}
