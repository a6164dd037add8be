struct ring {
    int *data;
    unsigned capacity, head, tail;
};

int pop(struct ring *r) {
    if (r->head == r->tail)
        return -1;
    int x = r->data[r->tail];
    r->tail = (r->tail + 1) % r->capacity;
    return x;
}
