// A list of up to three nodes, or none: its length, and where a value is found.
// entry: find
// paths: 7
struct node {
    int value;
    struct node *next;
};

int find(struct node *list, int value) {
    int place = 0;
    for (; list; list = list->next, place++)
        if (list->value == value)
            return place;
    return -1;
}
