// Functions of math.h, with terms of their own and without.
// entry: f
// param x: int:-1000..1000
// paths: 7
#include <math.h>

int f(int x) {
    double root = sqrt(x);
    if (root != root)
        return 0;
    if (root == 12)
        return 1;
    if (floor(x / 7.0) == 3) {
        if (fabs(x - 24.5) < 1)
            return 2;
        return 3;
    }
    if (x > 900 && exp2(x - 1000) > 0.5)
        return 4;
    return 5;
}
