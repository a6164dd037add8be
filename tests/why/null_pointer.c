// A list loses its last node and is read anyway.
// args: 2
#include <stdio.h>
#include <stdlib.h>
struct node {
  int value;
  struct node *next;
};
int main(int argc, char **argv) {
  struct node *first = NULL;
  int count = atoi(argv[1]);
#ifdef NEW
  for (int i = 1; i < count; i++) {
#else
  for (int i = 0; i < count; i++) {
#endif
    struct node *node = malloc(sizeof *node);
    node->value = i;
    node->next = first;
    first = node;
  }
  printf("%d\n", first->next->value);
  return 0;
}
