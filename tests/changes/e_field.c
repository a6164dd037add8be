#ifdef NEW
int printf(const char *, ...);
int limit = 10;
struct point { int x, y; };
static int helper(struct point *p) {
  return p->y; //@
}
int h(struct point p, double d) {
  double e = d * 2.0;
  if (e < 1.5)
    return helper(&p);
  return p.y;
}
#else
int printf(const char *, ...);
int limit = 10;
struct point { int x, y; };
static int helper(struct point *p) {
  return p->x;
}
int h(struct point p, double d) {
  double e = d * 2.0;
  if (e < 1.5)
    return helper(&p);
  return p.y;
}
#endif
