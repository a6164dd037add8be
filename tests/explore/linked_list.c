// A list that is built and searched: found at one of three places, or not at all.
// args: int int int int
// paths: 4
#include <stdio.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(int argc, char **argv) {
    struct node *list = NULL;
    for (int i = 1; i <= 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->value = atoi(argv[i]);
        node->next = list;
        list = node;
    }
    int wanted = atoi(argv[4]), place = 0;
    struct node *found = list;
    while (found && found->value != wanted) {
        found = found->next;
        place++;
    }
    printf("%d\n", found ? place : -1);
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return argc - 5;
}
