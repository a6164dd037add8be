unsigned ticket(unsigned step) {
    static unsigned next = 1;
    next = next + step;
    return next - step;
}
