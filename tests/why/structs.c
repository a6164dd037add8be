// A field of a struct travels through copies of the struct.
// args: 7
#include <stdio.h>
#include <stdlib.h>
struct point {
  int x, y;
};
struct box {
  struct point from, to;
};
static struct box grow(struct box box, int by) {
#ifdef NEW
  box.to.x += by + 1;
#else
  box.to.x += by;
#endif
  box.to.y += by;
  return box;
}
int main(int argc, char **argv) {
  struct box box = {{0, 0}, {1, 1}};
  box = grow(box, atoi(argv[1]));
  struct box copy = box;
  int width = copy.to.x - copy.from.x;
  printf("%d\n", width);
  return 0;
}
