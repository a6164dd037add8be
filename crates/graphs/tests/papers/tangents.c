#include <math.h>
#include <stdio.h>
#line 1001
void figure(double r1, double r2, double d, double vx, double vy, double x, double y)
{   double c, h, nx, ny;
#line 1
    for (int side = 1; side >= -1; side -= 2) {
        c = (r1 - side * r2) / d;
        if (c * c <= 1.0) {
            h = sqrt(d * d - r1 * r1) / d;
            for (int turn = 1; turn >= -1; turn -= 2) {
                nx = vx * c - turn * h * vy;
                ny = vy * c + turn * h * vx;
                printf("%f\n", x + r1 * nx);
                printf("%f\n", y + r1 * ny);
                printf("%f\n", x + side * r2 * nx);
                printf("%f\n", y + side * r2 * ny); } } }
}
