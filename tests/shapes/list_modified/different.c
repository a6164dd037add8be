struct node {
    unsigned value;
    struct node *next;
};

void scale(struct node *list) {
    for (; list; list = list->next)
        if (list->value != 100000) list->value *= 3;
}
