struct node {
    int value;
    struct node *next;
};

static struct node *onto(struct node *list, struct node *done) {
    if (!list) return done;
    struct node *next = list->next;
    list->next = done;
    return onto(next, list);
}

struct node *reverse(struct node *list) { return onto(list, 0); }
