struct node {
    unsigned value;
    struct node *next;
};

void scale(struct node *list) {
    if (!list) return;
    scale(list->next);
    list->value += list->value << 1;
}
