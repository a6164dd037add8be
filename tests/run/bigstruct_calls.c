// Deep chains of calls that pass and return structures, arrays in structures, callbacks with structures, copies on assignment.
#include <stdio.h>
#include <string.h>

typedef struct { int id; char name[30]; double scores[5]; } student;
typedef struct { student all[4]; int count; } class;
typedef struct { short a; char b; } pair;
typedef struct { pair p[3]; float f; } group;

static student rename_to(student s, const char *name) {
    strncpy(s.name, name, sizeof s.name - 1);
    s.id++;
    return s;
}
static class add(class c, student s) {
    if (c.count < 4) c.all[c.count++] = s;
    return c;
}
static double mean(student s) {
    double t = 0;
    for (int i = 0; i < 5; i++) t += s.scores[i];
    return t / 5;
}
static class map(class c, student (*f)(student, const char *), const char *name) {
    for (int i = 0; i < c.count; i++) c.all[i] = f(c.all[i], name);
    return c;
}
static class sorted(class c) {
    for (int i = 0; i < c.count; i++)
        for (int j = i + 1; j < c.count; j++)
            if (mean(c.all[j]) > mean(c.all[i])) { student t = c.all[i]; c.all[i] = c.all[j], c.all[j] = t; }
    return c;
}
static group spin(group g, int times) {
    if (!times) return g;
    pair t = g.p[0];
    g.p[0] = g.p[1], g.p[1] = g.p[2], g.p[2] = t, g.f += t.a;
    return spin(g, times - 1);
}
static pair swap(pair p) { return (pair){p.b, (char)p.a}; }

int main(void) {
    class c = {.count = 0};
    for (int i = 0; i < 4; i++) {
        student s = {i * 10, "", {i, i * 2.5, 7 - i, (i * 3) % 4, 1.25}};
        c = add(c, rename_to(s, (const char *[]){"ann", "bob", "cid", "dee"}[i]));
    }
    class d = sorted(c), e = map(d, rename_to, "anon");
    for (int i = 0; i < 4; i++) printf("%d %s %.3f | %d %s | %d %s\n", c.all[i].id, c.all[i].name, mean(c.all[i]), d.all[i].id, d.all[i].name, e.all[i].id, e.all[i].name);
    printf("%zu %zu %zu\n", sizeof(student), sizeof(class), sizeof(group));
    group g = spin((group){{{1, 'a'}, {2, 'b'}, {3, 'c'}}, 0.5f}, 7);
    for (int i = 0; i < 3; i++) printf("%d%c ", g.p[i].a, g.p[i].b);
    pair p = swap(swap((pair){65, 'z'}));
    printf("%g %d %c\n", g.f, p.a, p.b);
    printf("%s %.1f\n", rename_to(c.all[2], "temporary").name, rename_to(c.all[1], "x").scores[1]);
    class copy = c, *q = &copy;
    *q = add(*q, q->all[0]);
    q->all[3] = q->all[0];
    printf("%d %d %d\n", copy.all[3].id, c.all[3].id, memcmp(&c, &copy, sizeof c) != 0);
    return 0;
}
