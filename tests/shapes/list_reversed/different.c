struct node {
    int value;
    struct node *next;
};

/* Swaps the values and leaves the nodes where they are: another shape for who holds a node. */
struct node *reverse(struct node *list) {
    struct node *last = list, *before = 0;
    if (!list) return 0;
    while (last->next) {
        before = last;
        last = last->next;
    }
    if (before == list) {
        int value = list->value;
        list->value = last->value;
        last->value = value;
        return list;
    }
    struct node *done = 0;
    while (list) {
        struct node *next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}
