struct flags {
    unsigned kind : 3;
    unsigned size : 5;
    unsigned last : 1;
};

struct flags pack(unsigned kind, unsigned size) {
    struct flags f = {0, 0, 0};
    if (size < kind) f.last = 1;
    f.size = size % 32;
    f.kind = kind % 8;
    return f;
}
