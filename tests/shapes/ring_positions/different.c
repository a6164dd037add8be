struct ring {
    int *data;
    unsigned capacity, head, tail;
};

int pop(struct ring *r) {
    if (r->head == r->tail)
        return -1;
    int x = r->data[r->tail];
    if (++r->tail >= r->capacity - 1)
        r->tail = 0;
    return x;
}
