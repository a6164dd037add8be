// entry: scale
struct node {
    unsigned value;
    struct node *next;
};

void scale(struct node *list) {
    for (; list; list = list->next) list->value *= 3;
}
