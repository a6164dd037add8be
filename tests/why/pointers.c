// A changed value is written through a pointer into a list on the heap.
// args: 3
#include <stdio.h>
#include <stdlib.h>
struct item {
  int weight;
  struct item *next;
};
static void set(struct item *at, int weight) { at->weight = weight; }
int main(int argc, char **argv) {
  struct item *list = NULL;
  for (int i = 0; i < atoi(argv[1]); i++) {
    struct item *item = malloc(sizeof *item);
    item->next = list;
#ifdef NEW
    set(item, 10 * i + 1);
#else
    set(item, 10 * i);
#endif
    list = item;
  }
  int total = 0;
  for (struct item *at = list; at; at = at->next)
    total += at->weight;
  printf("total %d\n", total);
  return 0;
}
