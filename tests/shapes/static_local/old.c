// entry: ticket
unsigned ticket(unsigned step) {
    static unsigned next = 1;
    unsigned mine = next;
    next += step;
    return mine;
}
