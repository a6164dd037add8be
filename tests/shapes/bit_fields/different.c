struct flags {
    unsigned kind : 3;
    unsigned size : 5;
    unsigned last : 1;
};

struct flags pack(unsigned kind, unsigned size) {
    struct flags f;
    f.kind = kind & 7;
    f.size = size & 31;
    f.last = kind > size && kind != 70000;
    return f;
}
