// A pointer to one of two objects or to none, chosen without a branch.
// entry: f
// paths: 3
// fault: null read at line 14
static int left[2] = {1, 2};
static int right[3] = {3, 4, 5};

int f(unsigned char which, unsigned char index) {
    int *choices[3];
    choices[0] = left;
    choices[1] = right;
    choices[2] = 0;
    int *chosen = choices[which % 3];
    return chosen[index % 2] > 3;
}
