struct operations {
    int (*run)(int);
    int (*stop)(int);
};

int twice(int n) { return n + n; }
int same(int n) { return n; }

static int (*const choices[])(int) = {same, twice};

void install(struct operations *table, int fast) {
    struct operations all = {choices[!!fast], choices[0]};
    *table = all;
}
