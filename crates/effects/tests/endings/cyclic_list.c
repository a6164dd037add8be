// never ends
struct node {
    struct node *next;
    int seen;
};

int main(void) {
    struct node a, b, c;
    a.next = &b;
    b.next = &c;
    c.next = &a;
    for (struct node *p = &a; p; p = p->next)
        p->seen = 1;
    return 0;
}
