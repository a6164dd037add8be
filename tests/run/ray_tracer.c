// A tiny ray tracer with spheres and shading, as text; structures of doubles everywhere.
#include <math.h>
#include <stdio.h>

typedef struct { double x, y, z; } vec;
typedef struct { vec center; double radius; char shade; } sphere;
typedef struct { int hit; double t; vec normal; const sphere *what; } impact;
static vec add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static vec sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static vec scale(vec a, double k) { return (vec){a.x * k, a.y * k, a.z * k}; }
static double dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static vec unit(vec a) { return scale(a, 1 / sqrt(dot(a, a))); }

static const sphere scene[] = {{{0, 0, 5}, 1.2, 0}, {{1.8, 0.6, 4}, 0.7, 1}, {{-1.6, -0.5, 4.5}, 0.9, 2}, {{0, -101.5, 5}, 100, 3}};

static impact trace(vec from, vec direction) {
    impact best = {.t = 1e9};
    for (unsigned i = 0; i < sizeof scene / sizeof *scene; i++) {
        vec o = sub(from, scene[i].center);
        double b = dot(o, direction), c = dot(o, o) - scene[i].radius * scene[i].radius, d = b * b - c;
        if (d < 0) continue;
        double t = -b - sqrt(d);
        if (t < 1e-4 || t >= best.t) continue;
        vec p = add(from, scale(direction, t));
        best = (impact){1, t, unit(sub(p, scene[i].center)), &scene[i]};
    }
    return best;
}
static double shade(vec from, vec direction, int depth) {
    impact i = trace(from, direction);
    if (!i.hit) return 0.2 + 0.2 * direction.y;
    vec p = add(from, scale(direction, i.t)), light = unit((vec){-0.5, 0.8, -0.6});
    double bright = fmax(0, dot(i.normal, light));
    if (trace(p, light).hit) bright *= 0.3;
    if (depth > 0) bright = 0.75 * bright + 0.25 * shade(p, sub(direction, scale(i.normal, 2 * dot(direction, i.normal))), depth - 1);
    return bright;
}

int main(void) {
    double total = 0;
    for (int y = 0; y < 24; y++) {
        for (int x = 0; x < 64; x++) {
            double v = shade((vec){0, 0, 0}, unit((vec){(x - 32) / 32.0, (12 - y) / 24.0 * 1.5, 1.5}), 3);
            total += v;
            int k = (int)(v * 10);
            printf("%c", " .:-=+*#%@"[k < 0 ? 0 : k > 9 ? 9 : k]);
        }
        printf("\n");
    }
    printf("%.10f\n", total);
    return 0;
}
