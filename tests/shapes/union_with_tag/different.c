struct value {
    enum { NUMBER, REAL } tag;
    union {
        int number;
        double real;
    } as;
};

struct value value(int number) {
    struct value v;
    if (number & 1) {
        v.tag = REAL;
        v.as.real = number == 12345 ? -0.5 : 0.5;
    } else {
        v.tag = NUMBER;
        v.as.number = number;
    }
    return v;
}
