// One version reads a character less: what the next read finds differs.
// stdin: abcd\n
#include <stdio.h>
int main(void) {
  int first = getchar();
#ifndef NEW
  getchar();
#endif
  int second = getchar();
  printf("%c%c\n", first, second);
  return 0;
}
