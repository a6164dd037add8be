// Whether a function fails is seen in errno only, and only where it is looked at.
// entry: f
// param x: int:-3..3
// paths: 4
#include <errno.h>
#include <math.h>

int f(int x) {
    errno = 0;
    double root = sqrt(x);
    double power = pow(2, x);
    if (errno == EDOM)
        return 1;
    if (root > 1.5)
        return 2;
    if (power == 2)
        return 3;
    return 4;
}
