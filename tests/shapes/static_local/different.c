unsigned ticket(unsigned step) {
    static unsigned next = 1;
    unsigned mine = next;
    next += step ? step : 1;
    return mine;
}
