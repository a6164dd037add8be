typedef long jmp_buf[25];
extern int setjmp(jmp_buf);
extern void longjmp(jmp_buf, int);
static jmp_buf here;
static void fail(int n) {
  if (n > 3)
    longjmp(here, 1);
  if (n > 2)
    return;
}
int main(int argc, char **argv) {
  if (setjmp(here))
    return 4;
  fail(argc);
  if (argc > 1)
    return 1;
  return 0;
}
