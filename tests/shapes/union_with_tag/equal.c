struct value {
    enum { NUMBER, REAL } tag;
    union {
        int number;
        double real;
    } as;
};

struct value value(int number) {
    struct value real = {REAL, {.real = 1.0 / 2}};
    struct value plain = {NUMBER, {.number = number}};
    return number % 2 ? real : plain;
}
